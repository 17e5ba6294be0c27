#include "program.hpp"

#include <algorithm>

namespace restride {

Piece* Arena::take(i64 n) {
    if (used_ + n <= kInline) {
        used_ += n;
        return store_ + used_ - n;
    }
    more_.emplace_back(new Piece[static_cast<std::size_t>(n)]);
    return more_.back().get();
}

i64* Arena::take_words(i64 n) {
    words_.emplace_back(new i64[static_cast<std::size_t>(n)]);
    return words_.back().get();
}

i64 Program::elements() const {
    i64 n = 1;
    for (int a = 0; a < rank; ++a) n *= axes[a].extent;
    return n;
}

namespace {

// Pieces of an axis from which a bisection beats looking at one after the other.
constexpr i64 kManyPieces = 32;

const char* settle_axis(Axis& axis, i64 n_fills) {
    axis.extent = 0;
    for (i64 k = 0; k < axis.n; ++k) {
        const Piece& p = axis.pieces[k];
        if (p.count <= 0) return "a piece has no positions";
        if (p.fill < -1 || p.fill >= n_fills) return "a piece names an absent fill";
        if (__builtin_add_overflow(axis.extent, p.count, &axis.extent))
            return "an axis has too many positions";
    }
    return axis.n ? nullptr : "an axis has no pieces";
}

}  // namespace

const char* settle(Program& program) {
    if (program.itemsize <= 0 || program.itemsize > (i64{1} << 40))
        return "the item size is not valid";
    if (program.background < -1 || program.background >= program.n_fills)
        return "the background is absent";
    i64 bytes = program.itemsize;
    for (int a = 0; a < program.rank; ++a) {
        Axis& axis = program.axes[a];
        if (const char* wrong = settle_axis(axis, program.n_fills)) return wrong;
        if (__builtin_mul_overflow(bytes, axis.extent, &bytes))
            return "the program has too many positions";
    }
    return nullptr;
}

void fold_single(Program& program) {
    int kept = 0;
    for (int a = 0; a < program.rank; ++a) {
        const Axis& axis = program.axes[a];
        if (axis.extent != 1) {
            program.axes[kept++] = axis;
            continue;
        }
        const Piece& p = axis.pieces[0];
        if (p.fill >= 0)
            program.background = std::max(program.background, p.fill);
        else
            program.source_offset += p.offset;
    }
    program.rank = kept;
}

void fold_fills(Program& program, Arena& arena) {
    for (int a = 0; a < program.rank; ++a) {
        // -1 as soon as one piece reads the source.
        const Axis& axis = program.axes[a];
        i64 least = axis.pieces[0].fill;
        for (i64 k = 1; k < axis.n; ++k) least = std::min(least, axis.pieces[k].fill);
        program.background = std::max(program.background, least);
    }
    if (program.background < 0) return;
    // No source byte is read any more: positions say nothing, only fills that beat
    // the background do.
    program.source_offset = 0;
    for (int a = 0; a < program.rank; ++a) {
        Axis& axis = program.axes[a];
        Piece* kept = arena.take(axis.n);
        i64 n = 0;
        for (i64 k = 0; k < axis.n; ++k) {
            const Piece& p = axis.pieces[k];
            const i64 fill = p.fill > program.background ? p.fill : -1;
            if (n && kept[n - 1].fill == fill)
                kept[n - 1].count += p.count;
            else
                kept[n++] = {p.count, 0, 0, fill};
        }
        axis.pieces = kept;
        axis.n = n;
    }
}

void face_forward(Program& program, Arena& arena) {
    for (int a = 0; a < program.rank; ++a) {
        Axis& axis = program.axes[a];
        if (axis.stride >= 0) continue;
        Piece* turned = arena.take(axis.n);
        for (i64 k = 0; k < axis.n; ++k) {
            const Piece& p = axis.pieces[axis.n - 1 - k];
            turned[k] = {p.count, p.offset + p.step * (p.count - 1), -p.step, p.fill};
        }
        program.result_offset += axis.stride * (axis.extent - 1);
        axis.stride = -axis.stride;
        axis.pieces = turned;
    }
}

void order(Program& program) {
    std::stable_sort(
        program.axes, program.axes + program.rank,
        [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
}

namespace {

bool joins(const Axis& outer, const Axis& inner) {
    if (inner.n != 1 || outer.stride != inner.stride * inner.extent) return false;
    const i64 whole = inner.pieces[0].step * inner.extent;
    for (i64 k = 0; k < outer.n; ++k) {
        const Piece& p = outer.pieces[k];
        if (p.fill < 0 && p.count > 1 && p.step != whole) return false;
    }
    return true;
}

}  // namespace

void coalesce(Program& program, Arena& arena) {
    if (program.rank < 2) return;
    int kept = program.rank - 1;  // the innermost axis made so far
    for (int a = program.rank - 2; a >= 0; --a) {
        const Axis& outer = program.axes[a];
        const Axis inner = program.axes[kept];
        if (!joins(outer, inner)) {
            program.axes[--kept] = outer;
            continue;
        }
        const Piece in = inner.pieces[0];
        Piece* merged = arena.take(outer.n);
        for (i64 k = 0; k < outer.n; ++k) {
            const Piece& p = outer.pieces[k];
            merged[k] = {p.count * inner.extent, p.offset + in.offset, in.step, p.fill};
        }
        program.axes[kept] = {inner.stride, outer.extent * inner.extent, outer.n, merged,
                              nullptr};
    }
    std::copy(program.axes + kept, program.axes + program.rank, program.axes);
    program.rank -= kept;
}

void find_starts(Program& program, Arena& arena) {
    for (int a = 0; a < program.rank; ++a) {
        Axis& axis = program.axes[a];
        axis.starts = nullptr;
        if (axis.n < kManyPieces) continue;
        i64* starts = arena.take_words(axis.n);
        i64 at = 0;
        for (i64 k = 0; k < axis.n; ++k) {
            starts[k] = at;
            at += axis.pieces[k].count;
        }
        axis.starts = starts;
    }
}

Span source_span(const Program& program) {
    if (program.background >= 0) return {0, 0};
    i64 lo = program.source_offset, hi = lo + program.itemsize;
    for (int a = 0; a < program.rank; ++a) {
        const Axis& axis = program.axes[a];
        bool any = false;
        i64 least = 0, most = 0;
        for (i64 k = 0; k < axis.n; ++k) {
            const Piece& p = axis.pieces[k];
            if (p.fill >= 0) continue;
            const i64 last = p.offset + p.step * (p.count - 1);
            least = any ? std::min({least, p.offset, last}) : std::min(p.offset, last);
            most = any ? std::max({most, p.offset, last}) : std::max(p.offset, last);
            any = true;
        }
        if (!any) return {0, 0};
        lo += least;
        hi += most;
    }
    return {lo, hi};
}

}  // namespace restride
