#include "copy.hpp"

#include <algorithm>

#include "cache.hpp"
#include "move.hpp"

namespace restride {

// Half of the last level, since the source wants the other half. Measured with 32 MiB:
// at 10 MB the cache wins by a third, at 20 MB streaming does.
i64 stream_bytes() {
    static const i64 bytes =
        std::clamp<i64>(last_cache_bytes() / 2, i64{8} << 20, i64{64} << 20);
    return bytes;
}

void copy(u8* result, const u8* source, Program& p, Arena& arena, i64 stream_from) {
    fold_single(p);
    fold_fills(p, arena);
    face_forward(p, arena);
    order(p);
    coalesce(p, arena);
    static const Piece one{1, 0, 0, -1};
    if (p.rank == 0) {
        p.axes[0] = {p.itemsize, 1, 1, &one, nullptr};
        p.rank = 1;
    }
    find_starts(p, arena);
    const Span span = source_span(p);
    Move m{result, source, &p, source + span.lo, source + span.hi,
           p.elements() * p.itemsize >= stream_from, {}};
    if (repeats(p.itemsize))
        for (i64 k = 0; k < std::min(kPatterns, p.n_fills); ++k)
            m.patterns[k] = repeat16(m.fill(k), p.itemsize);
    const int across = across_axis(p);
    if (across >= 0)
        copy_blocks(m, across);
    else
        copy_rows(m);
}

}  // namespace restride
