// A copy whose source is not walked along the result's last axis: block by block.
#include <algorithm>
#include <cstdlib>

#include "copy.hpp"
#include "loom.hpp"
#include "move.hpp"
#include "patchwork.hpp"
#include "paths.hpp"
#include "threads.hpp"
#include "turns.hpp"
#include "walk.hpp"

namespace restride {
namespace {

i64 main_step(const Axis& axis) { return std::abs(longest_piece(axis).step); }

// Bytes along the source of a chunk of blocks.
constexpr i64 kRunBytes = 512;

// And of one whose result is streamed: few source rows, each read in pages.
constexpr i64 kStreamRun = 8192;
constexpr i64 kStreamRows = 256, kStreamBytes = 512;

struct Blocks {
    const Move& m;
    Axis outer[kMaxRank];
    int rank = 0;
    Axis across, along;
    i64 most;  // positions of the longest piece across

    Blocks(const Move& move, int i) : m(move) {
        const Program& p = *m.program;
        for (int a = 0; a + 1 < p.rank; ++a)
            if (a != i) outer[rank++] = p.axes[a];
        across = p.axes[i];
        most = longest_piece(across).count;
        along = p.axes[p.rank - 1];
    }

    // Result rows along i lie next to each other and are narrower than a line.
    bool narrow() const {
        return across.stride == along.extent * m.size() && across.stride < kLine &&
               along.n == 1 && repeats(m.size());
    }

    // Every row of the result is made of whole lines, which are not to stay in a cache.
    bool streams_lines() const {
        const Program& p = *m.program;
        const auto at = reinterpret_cast<std::uintptr_t>(m.result + p.result_offset);
        i64 all = static_cast<i64>(at) | across.stride;
        for (int a = 0; a < rank; ++a) all |= outer[a].stride;
        return m.stream && along.n == 1 && all % kLine == 0;
    }

    Block make(u8* d, const u8* s, const Piece& pi, const Piece& pj, i64 ni,
               i64 nj) const {
        return {d,  across.stride, s,  pi.step, pj.step, ni,
                nj, m.size(),      m.end, m.stream};
    }

    void fill(u8* d, i64 ni, i64 nj, i64 id) const {
        if (across.stride == nj * m.size()) return fill_run(m, d, m.size(), ni * nj, id);
        for (i64 i = 0; i < ni; ++i)
            fill_run(m, d + i * across.stride, m.size(), nj, id);
    }

    // Whole positions of the outer axes, one after the other. Where narrow blocks
    // also lie next to each other, one loom serves them all.
    void positions(i64 begin, i64 end) const {
        const Program& p = *m.program;
        Odometer at(outer, rank, p.source_offset, p.result_offset, p.background, begin);
        const i64 step = across.stride * across.extent;
        if (!narrow()) {
            for (i64 k = begin; k < end; ++k, at.next())
                block(at, 0, across.extent, 0, along.extent);
            return;
        }
        while (begin < end) {
            const i64 first = at.result();
            Loom loom(m, m.result + first, narrow_block());
            for (i64 k = 0; begin < end && at.result() == first + k * step; ++k) {
                weave(loom, m.source + at.source(), at.fill(), 0, across.extent);
                ++begin;
                at.next();
            }
        }
    }

    bool in_packs() const {
        return pack_side(m.size()) && (!repeats(m.size()) || main_step(across) != m.size());
    }

    // Whole tiles: where the result is streamed, long runs of a few source rows.
    std::pair<i64, i64> packs_shape() const {
        const i64 ni = across.extent, nj = along.extent, size = m.size();
        const i64 side = pack_side(size);
        const i64 wide = (m.stream ? kStreamRun : kTaskBytes / nj) / size;
        return {std::min(ni, std::max<i64>(1, wide / side) * side),
                std::min(nj, m.stream ? 2 * side : 4096)};
    }

    // Elements across and along a task's chunk.
    std::pair<i64, i64> chunk_shape() const {
        const i64 ni = across.extent, nj = along.extent, size = m.size();
        if (!narrow() && in_packs()) return packs_shape();
        if (!narrow() && streams_lines())
            return {std::min(ni, std::max(kStreamRows, kStreamRun / size)),
                    std::min(nj, std::max(kStreamRows, kStreamBytes / size))};
        // Rows that fill a run of the source's lines, and are long themselves.
        const i64 least = std::max<i64>(128, kRunBytes / size);
        const i64 si = std::min(ni, std::max(least, kTaskBytes / size / nj));
        const i64 wide = std::max<i64>(4096, kTaskBytes / size / si);
        return {si, narrow() ? nj : std::min(nj, wide)};
    }

    void chunk(i64 position, i64 i0, i64 i1, i64 j0, i64 j1) const {
        const Program& p = *m.program;
        const Odometer at(outer, rank, p.source_offset, p.result_offset, p.background,
                          position);
        if (!narrow()) return block(at, i0, i1, j0, j1);
        Loom loom(m, m.result + at.result() + i0 * across.stride, narrow_block());
        weave(loom, m.source + at.source(), at.fill(), i0, i1);
    }

    void block(const Odometer& at, i64 i0, i64 i1, i64 j0, i64 j1) const {
        const Program& p = *m.program;
        u8* d = m.result + at.result() + i0 * across.stride + j0 * p.itemsize;
        const u8* s = m.source + at.source();
        for_parts(across, i0, i1, [&](const Piece& pi, i64 ki, i64 ni, i64 di) {
            for_parts(along, j0, j1, [&](const Piece& pj, i64 kj, i64 nj, i64 dj) {
                u8* to = d + di * across.stride + dj * p.itemsize;
                const i64 id = std::max({at.fill(), pi.fill, pj.fill});
                const u8* from =
                    s + pi.offset + ki * pi.step + pj.offset + kj * pj.step;
                if (id >= 0)
                    fill(to, ni, nj, id);
                else
                    move_block(make(to, from, pi, pj, ni, nj));
            });
        });
    }

    Block narrow_block() const {
        return make(nullptr, nullptr, across.pieces[0], along.pieces[0], 0, along.extent);
    }

    // In groups of rows that suit any vector. Pieces much shorter than the longest are
    // borders, which read its lines again.
    void weave(Loom& loom, const u8* s, i64 outside, i64 i0, i64 i1) const {
        const i64 group = Writer::kRoom / across.stride & -64;
        s += along.pieces[0].offset;
        for_parts(across, i0, i1, [&](const Piece& pi, i64 k, i64 ni, i64) {
            const u8* from = s + pi.offset + k * pi.step;
            const bool ask = pi.count >= most / 4;
            for (i64 i = 0; i < ni; i += group, from += group * pi.step)
                loom.add({from, pi.step, std::min(group, ni - i),
                          std::max(outside, pi.fill), ask});
        });
    }
};

// Rows of a window that are read at the same time without driving each other out.
constexpr i64 kMostWindowRows = 64;

// Blocks of no more elements cost more to begin than to move...
constexpr i64 kTinyBlock = 64;
// ...and rows that are no longer and lie apart in the result.
constexpr i64 kTinyRow = 16;

// Bytes of the source from which a patchwork gathers a vector of 16.
constexpr i64 kGathered = Patchwork::kMostTerms * 16;

// The axis of the shortest step, a good deal shorter than the last one's. A step of less
// than an element is that of windows, a few of whose rows overlap: no turn.
int shortest_axis(const Program& p, i64 far) {
    const Axis& last = p.axes[p.rank - 1];
    const bool few = kernels().shuffles && last.extent <= kMostWindowRows;
    const i64 shortest = few ? p.itemsize : 1;
    int best = -1;
    i64 least = std::min<i64>(far / 2, 64) + 1;
    for (int a = 0; a + 1 < p.rank; ++a) {
        const i64 step = main_step(p.axes[a]);
        if (step >= shortest && step < least) {
            least = step;
            best = a;
        }
    }
    return best;
}

// Blocks that a strip moves faster, since a few loads bring what a vector needs.
bool suits_strip(const Program& p, const Axis& across, i64 far) {
    const Axis& last = p.axes[p.rank - 1];
    const i64 of_vector = std::min<i64>(last.extent, 16 / p.itemsize);
    if (!kernels().shuffles || !of_vector || far > kGathered / of_vector) return false;
    if (across.stride == last.extent * p.itemsize)
        return across.extent * last.extent <= kTinyBlock;
    return last.extent <= kTinyRow;
}

}  // namespace

int across_axis(const Program& p) {
    const Axis& last = p.axes[p.rank - 1];
    const i64 far = main_step(last);
    if (last.stride != p.itemsize || far <= p.itemsize) return -1;
    const int best = shortest_axis(p, far);
    return best >= 0 && suits_strip(p, p.axes[best], far) ? -1 : best;
}

void copy_blocks(const Move& m, int i) {
    const Program& p = *m.program;
    const Blocks job(m, i);
    const i64 ni = job.across.extent, nj = job.along.extent;
    const i64 total = p.elements(), positions = total / ni / nj;
    const bool small = total * p.itemsize < kThreadBytes;
    const i64 each = ni * nj * p.itemsize;
    if (small || (each <= kTaskBytes && positions > 1)) {
        const i64 group = small ? positions : std::max<i64>(1, kTaskBytes / each);
        return parallel((positions + group - 1) / group, [&](i64 k) {
            job.positions(k * group, std::min(positions, (k + 1) * group));
        });
    }
    const auto [si, sj] = job.chunk_shape();
    const i64 ci = (ni + si - 1) / si, cj = (nj + sj - 1) / sj;
    parallel(positions * ci * cj, [&](i64 k) {
        const i64 b = k % cj, a = k / cj % ci, position = k / cj / ci;
        job.chunk(position, a * si, std::min(ni, a * si + si), b * sj,
                  std::min(nj, b * sj + sj));
    });
}

}  // namespace restride
