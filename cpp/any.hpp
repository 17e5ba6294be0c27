// A block one element at a time: of any size, in any order, up to its last corner.
#pragma once

#include <algorithm>

#include "runs.hpp"
#include "turns.hpp"
#include "vectors.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

// Small enough for the lines of both sides to stay in the first-level cache.
constexpr i64 kBlock = 16;

template <int S>
void block_any(const Block& b) {
    const i64 step = S > 0 ? S : b.size;
    for (i64 i0 = 0; i0 < b.ni; i0 += kBlock) {
        const i64 i1 = std::min(b.ni, i0 + kBlock);
        for (i64 j0 = 0; j0 < b.nj; j0 += kBlock) {
            const i64 j1 = std::min(b.nj, j0 + kBlock);
            for (i64 i = i0; i < i1; ++i)
                for (i64 j = j0; j < j1; ++j)
                    move_one<S>(b.d + i * b.di + j * step, b.s + i * b.si + j * b.sj,
                                b.size);
        }
    }
}

// The same in longer rows, whose kernel may read and write whole words.
template <int S>
void block_in_runs(const Block& b) {
    constexpr i64 kRun = 64;  // whose lines stay in the first-level cache
    const RunFn run = choose_run(S, S, b.sj);
    for (i64 j = 0; j < b.nj; j += kRun)
        for (i64 i = 0; i < b.ni; ++i)
            run(b.d + i * b.di + j * S, S, b.s + i * b.si + j * b.sj, b.sj,
                std::min(kRun, b.nj - j), S);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
