// A copy in the order of the result: row by row, each a pattern of straight runs.
#include <algorithm>
#include <cstring>
#include <vector>

#include "copy.hpp"
#include "move.hpp"
#include "strip.hpp"
#include "threads.hpp"
#include "walk.hpp"

namespace restride {
namespace {

// Results of this many bytes and more repay the writing out of a strip.
constexpr i64 kStripBytes = 2048;

// ...and of this many, the making of a patchwork.
constexpr i64 kPatchedBytes = 16384;

// A pattern takes in a further axis while it has no more runs than this...
constexpr std::size_t kMostRuns = 64;
// ...and while its runs are shorter than this, so that a row is worth its overhead.
constexpr i64 kTinyRun = 64;

// Rows of so many bytes are done in parts: a task of whole ones would be long, and end
// late.
constexpr i64 kPartedRow = 2 * kTaskBytes;

// Rows of a pattern: the innermost axis, or the innermost few where they are short,
// written out as runs. The axis outside it is the one rows are repeated along.
struct Rows {
    const Move& m;
    std::vector<Run> runs;
    int outer;           // axes outside the pattern
    i64 dstep;           // between elements of a run
    i64 bytes;           // of a row, where it is packed
    i64 top = -1;        // the largest fill in the pattern
    bool packed, dense;  // no gaps inside a row; nor between rows
    bool stripped = false;  // the strip holds the runs
    Strip strip;

    explicit Rows(const Move& move) : m(move) {
        const Program& p = *m.program;
        outer = p.rank - 1;
        first_axis(p.axes[outer]);
        while (outer > 0 && short_runs() &&
               runs.size() * static_cast<std::size_t>(p.axes[outer - 1].extent) <=
                   kMostRuns)
            next_axis(p.axes[--outer]);
        packed = dense = dstep == m.size();
        i64 step = m.size();
        for (int a = p.rank - 1; a >= 0; --a) {
            if (p.axes[a].stride != step) dense = false;
            if (a >= outer && !dense) packed = false;
            step *= p.axes[a].extent;
            if (a == outer) bytes = step;
        }
        for (const Run& run : runs) top = std::max(top, run.fill);
        if (dense && !reversed() && bytes <= Writer::kRoom &&
            p.elements() * m.size() >= kStripBytes)
            build_strip();
    }

    void build_strip() {
        const Program& p = *m.program;
        Patchwork::Pattern pattern{runs.data(), runs.size(), m.size(), bytes, 0, p.fills};
        stripped = strip.build(pattern);
        if (!stripped || outer == 0 || p.elements() * m.size() < kPatchedBytes) return;
        const Piece along = longest_piece(p.axes[outer - 1]);
        if (along.count < 2) return;
        pattern.step = along.step;
        strip.put_together(pattern);
    }

    bool short_runs() const {
        const Program& p = *m.program;
        i64 elements = 0;
        for (const Run& run : runs) elements += run.count;
        return elements * p.itemsize < kTinyRun * static_cast<i64>(runs.size());
    }

    // One run backwards, long enough that its own kernel, which is exact, beats a strip,
    // whose stores overlap.
    bool reversed() const {
        return runs.size() == 1 && runs[0].step < 0 && bytes >= kShort &&
               choose_line_run(m.size(), runs[0].step);
    }

    void first_axis(const Axis& j) {
        dstep = j.stride;
        i64 at = 0;
        runs.reserve(static_cast<std::size_t>(j.n));
        for (i64 k = 0; k < j.n; ++k) {
            const Piece& q = j.pieces[k];
            const i64 step = q.fill < 0 ? q.step : 0;
            runs.push_back({at, at * dstep, q.offset, q.count, step, q.fill,
                            choose_run(m.size(), dstep, step),
                            step == m.size() && dstep == m.size(),
                            m.stream && q.fill < 0 ? choose_line_run(m.size(), step)
                                                   : nullptr});
            at += q.count;
        }
    }

    void next_axis(const Axis& axis) {
        const std::vector<Run> inner = std::move(runs);
        const i64 elements = inner.back().first + inner.back().count;
        runs.clear();
        for_parts(axis, 0, axis.extent, [&](const Piece& q, i64 k, i64 n, i64 at) {
            for (i64 i = 0; i < n; ++i)
                for (Run run : inner) {
                    run.first += (at + i) * elements;
                    run.dst += (at + i) * axis.stride;
                    run.src += q.offset + (k + i) * q.step;
                    run.fill = std::max(run.fill, q.fill);
                    runs.push_back(run);
                }
        });
    }

    void direct_copy(u8* d, const u8* s, i64 n) const {
        if (!m.stream || n < kShort) return copy_bytes(d, s, n);
        const i64 head = static_cast<i64>(-reinterpret_cast<std::uintptr_t>(d) & 63);
        const i64 lines = (n - head) / kLine, body = head + lines * kLine;
        copy_short(d, s, head);
        send_lines(d + head, s + head, lines);
        copy_short(d + body, s + body, n - body);
    }

    // Part of one run, straight to its place.
    void direct(u8* d, const u8* s, i64 fill, const Run& run, i64 k, i64 n) const {
        const i64 id = std::max(fill, run.fill);
        u8* to = d + run.dst + k * dstep;
        if (id >= 0)
            fill_run(m, to, dstep, n, id);
        else if (run.plain)
            direct_copy(to, s + run.src + k * run.step, n * m.size());
        else
            run.move(to, dstep, s + run.src + k * run.step, run.step, n, m.size());
    }

    // The beginning of a run of the row to come, where this one is read backwards and its
    // reading ahead ends in what was read before.
    static void ask_next(const u8* s, const Run& run) {
        if (!run.lines || run.step >= 0) return;
        for (i64 k = 0; k < 16; ++k) ask_memory(s + run.src - k * kLine);
    }

    // All but the ends of a long run, past the stage; returns the elements done. One is
    // left at least, since the kernel may read one too many.
    i64 past_stage(Writer& w, const u8* s, const Run& run) const {
        const i64 size = m.size(), unit = line_unit(size);
        i64 head = w.to_line();
        while (head % size && head < unit * kLine) head += kLine;
        const i64 lines = (run.count * size - head - 1) / (unit * kLine) * unit;
        if (head % size || lines < kShort / kLine) return 0;
        const i64 first = head / size;
        run.move(w.room(), size, s, run.step, first, size);
        run.lines(w.skip(head, lines), s + first * run.step, lines);
        return first + lines * kLine / size;
    }

    // One run into the stage, a piece at a time.
    void staged(Writer& w, const u8* s, i64 fill, const Run& run) const {
        const i64 id = std::max(fill, run.fill), size = m.size();
        if (id < 0 && run.plain) return w.copy(s + run.src, run.count * size);
        const i64 most = std::max<i64>(1, Writer::kRoom / size);
        i64 k = id < 0 && run.lines ? past_stage(w, s + run.src, run) : 0;
        for (; k < run.count; k += most) {
            const i64 n = std::min(most, run.count - k);
            if (id >= 0)
                fill_run(m, w.room(), size, n, id);
            else
                run.move(w.room(), size, s + run.src + k * run.step, run.step, n, size);
            w.wrote(n * size);
        }
    }

    void staged_fill(Writer& w, i64 n, i64 id) const {
        const i64 size = m.size(), most = std::max<i64>(1, Writer::kRoom / size);
        for (i64 k = 0; k < n; k += most) {
            const i64 count = std::min(most, n - k);
            fill_run(m, w.room(), size, count, id);
            w.wrote(count * size);
        }
    }

    // The rows of a stretch, [first, last), that a strip may read for.
    std::pair<i64, i64> readable(const u8* s, i64 step, i64 n) const {
        const auto good = [&](i64 i) {
            const u8* at = s + i * step;
            return at - m.begin >= -strip.lo() && m.end - at >= strip.hi();
        };
        i64 first = 0;
        while (first < n && !good(first)) ++first;
        while (n > first && !good(n - 1)) --n;
        return {first, n};
    }

    void staged_exact(Writer& w, const u8* s, i64 step, i64 n, i64 fill) const {
        for (i64 i = 0; i < n; ++i, s += step)
            for (const Run& run : runs) {
                if (i + 1 < n) ask_next(s + step, run);
                staged(w, s, fill, run);
            }
    }

    void staged_strip(Writer& w, const u8* s, i64 step, i64 n) const {
        const auto [first, last] = readable(s, step, n);
        staged_exact(w, s, step, first, -1);
        strip.send({nullptr, bytes, s + first * step, step, last - first}, w.stage());
        staged_exact(w, s + last * step, step, n - last, -1);
    }

    void staged_rows(Writer& w, const u8* s, i64 step, i64 n, i64 fill) const {
        if (fill >= 0 && fill >= top) return staged_fill(w, n * (bytes / m.size()), fill);
        if (fill < 0 && stripped) return staged_strip(w, s, step, n);
        staged_exact(w, s, step, n, fill);
    }

    // The last rows before `limit` are written exactly: nothing mends what a strip
    // writes past them.
    void direct_strip(u8* d, const u8* s, i64 step, i64 n, const u8* limit) const {
        auto [first, last] = readable(s, step, n);
        last = std::clamp<i64>((limit - d - Strip::kOver) / bytes, first, last);
        direct_exact(d, bytes, s, step, first, -1);
        strip.write({d + first * bytes, bytes, s + first * step, step, last - first});
        direct_exact(d + last * bytes, bytes, s + last * step, step, n - last, -1);
    }

    // `limit` is where the rows of other tasks begin.
    void direct_rows(u8* d, i64 dnext, const u8* s, i64 step, i64 n, i64 fill,
                     const u8* limit) const {
        if (fill >= 0 && fill >= top && dense)
            return fill_run(m, d, m.size(), n * (bytes / m.size()), fill);
        if (fill < 0 && stripped) return direct_strip(d, s, step, n, limit);
        direct_exact(d, dnext, s, step, n, fill);
    }

    void direct_exact(u8* d, i64 dnext, const u8* s, i64 step, i64 n, i64 fill) const {
        for (i64 i = 0; i < n; ++i, s += step, d += dnext)
            for (const Run& run : runs) direct(d, s, fill, run, 0, run.count);
    }

    bool through_stage() const {
        return m.stream && dense && m.size() <= Writer::kRoom && bytes < kPartedRow;
    }

    // Rows [begin, end), in order.
    void rows(i64 begin, i64 end) const {
        if (through_stage()) {
            const Program& p = *m.program;
            Writer w(m.result + p.result_offset + begin * bytes, true);
            sweep(begin, end, [&](u8*, i64, const u8* s, i64 step, i64 n, i64 fill) {
                staged_rows(w, s, step, n, fill);
            });
        } else {
            const u8* limit = m.result + m.program->result_offset + end * bytes;
            sweep(begin, end, [&](u8* d, i64 next, const u8* s, i64 step, i64 n, i64 fill) {
                direct_rows(d, next, s, step, n, fill, limit);
            });
            if (m.stream) stream_fence();
        }
    }

    // Call act for every stretch of rows along one piece of the axis next out.
    template <class Act>
    void sweep(i64 begin, i64 end, Act&& act) const {
        const Program& p = *m.program;
        if (outer == 0)
            return act(m.result + p.result_offset, 0, m.source + p.source_offset, 0, 1,
                       p.background);
        const Axis& i = p.axes[outer - 1];
        Odometer at(p.axes, outer - 1, p.source_offset, p.result_offset, p.background,
                    begin / i.extent);
        for (i64 r = begin; r < end; at.next()) {
            const i64 from = r % i.extent, to = std::min(i.extent, from + end - r);
            for_parts(i, from, to, [&](const Piece& q, i64 k, i64 n, i64 d) {
                act(m.result + at.result() + (from + d) * i.stride, i.stride,
                    m.source + at.source() + q.offset + k * q.step, q.step, n,
                    std::max(at.fill(), q.fill));
            });
            r += to - from;
        }
    }

    // Elements [begin, end) of one row.
    void part(i64 r, i64 begin, i64 end) const {
        const Program& p = *m.program;
        const Odometer at(p.axes, outer, p.source_offset, p.result_offset, p.background,
                          r);
        auto run = std::upper_bound(runs.begin(), runs.end(), begin,
                                    [](i64 k, const Run& r) { return k < r.first; });
        for (--run; run != runs.end() && run->first < end; ++run) {
            const i64 lo = std::max(begin, run->first);
            const i64 hi = std::min(end, run->first + run->count);
            part_run(m.result + at.result(), m.source + at.source(), at.fill(), *run,
                     lo - run->first, hi - lo);
        }
        if (m.stream) stream_fence();
    }

    void part_run(u8* d, const u8* s, i64 fill, const Run& run, i64 k, i64 n) const {
        if (!m.stream || !packed || m.size() > Writer::kRoom)
            return direct(d, s, fill, run, k, n);
        Writer w(d + run.dst + k * dstep, true);
        Run some = run;
        some.src += k * run.step;
        some.count = n;
        staged(w, s, fill, some);
    }
};

}  // namespace

void copy_rows(const Move& m) {
    const Program& p = *m.program;
    const Rows job(m);
    i64 rows = 1;
    for (int a = 0; a < job.outer; ++a) rows *= p.axes[a].extent;
    const i64 total = p.elements(), bytes = total * p.itemsize;
    const i64 extent = total / rows, threads = bytes < kThreadBytes ? 1 : thread_count();
    if (extent * p.itemsize >= kPartedRow) {
        const i64 parts = extent * p.itemsize / kTaskBytes;
        return parallel(rows * parts, [&](i64 k) {
            const i64 c = k % parts;
            job.part(k / parts, extent / parts * c,
                     c + 1 == parts ? extent : extent / parts * (c + 1));
        });
    }
    // As many for each thread: one left over would keep the others waiting.
    const i64 most = (bytes / kTaskBytes + threads - 1) / threads * threads;
    const i64 tasks = threads == 1 ? 1 : std::min(rows, most);
    parallel(tasks, [&](i64 k) {
        job.rows(rows / tasks * k + std::min(k, rows % tasks),
                 rows / tasks * (k + 1) + std::min(k + 1, rows % tasks));
    });
}

}  // namespace restride
