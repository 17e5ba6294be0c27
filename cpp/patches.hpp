// The groups of a patchwork, vector by vector.
#pragma once

#include "strip.hpp"
#include "vectors.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

// A vector of the patchwork takes so many of the path's own.
constexpr int kPatchParts = Patchwork::kVector / sizeof(Lanes);

template <int Terms>
inline void write_patch(u8* d, const u8* s, const Patchwork::Term* term,
                        const u8* values) {
    constexpr i64 W = sizeof(Lanes);
    Lanes v[kPatchParts];
    for (int part = 0; part < kPatchParts; ++part) v[part] = load_whole(values + part * W);
#pragma GCC unroll 6
    for (int t = 0; t < Terms; ++t)
        for (int part = 0; part < kPatchParts; ++part) {
            const u8* from = s + term[t].at + part * term[t].apart;
            v[part] |= shuffle(load_lanes(from, term[t].apart),
                               load_whole(term[t].order + part * W));
        }
    for (int part = 0; part < kPatchParts; ++part) store_lanes(d + part * W, v[part]);
}

template <int Terms>
inline void write_patches(const Patchwork& p, const StripRows& rows, i64 groups) {
    u8* d = rows.d;
    const u8* s = rows.s;
    const i64 next = p.rows * rows.bytes, skip = p.rows * rows.step;
    for (; groups > 0; --groups, d += next, s += skip)
        for (i64 k = 0; k < p.vectors; ++k) {
            const i64 at = k * Patchwork::kVector;
            write_patch<Terms>(d + at, s, p.of[k], p.values + at);
        }
}

// Whole groups of the rows; returns how many rows those are. Writes up to a vector past
// them.
inline i64 write_groups(const Patchwork& p, const StripRows& rows) {
    const i64 groups = rows.n / p.rows;
    switch (p.terms) {
        case 1: write_patches<1>(p, rows, groups); break;
        case 2: write_patches<2>(p, rows, groups); break;
        case 3: write_patches<3>(p, rows, groups); break;
        case 4: write_patches<4>(p, rows, groups); break;
        case 5: write_patches<5>(p, rows, groups); break;
        default: write_patches<6>(p, rows, groups);
    }
    return groups * p.rows;
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
