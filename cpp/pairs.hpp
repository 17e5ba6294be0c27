// Rows of vectors become columns, by interleaving pairs of them.
#pragma once

#include "vectors.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

// The elements of a and of b in turn: of the first halves, and of the second.
template <int S>
inline V16 low_pairs(V16 a, V16 b) {
    if constexpr (S == 1)
        return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                       22, 7, 23);
    else if constexpr (S == 2)
        return __builtin_shufflevector(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6,
                                       7, 22, 23);
    else if constexpr (S == 4)
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20,
                                       21, 22, 23);
    else
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20,
                                       21, 22, 23);
}

template <int S>
inline V16 high_pairs(V16 a, V16 b) {
    if constexpr (S == 1)
        return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                       14, 30, 15, 31);
    else if constexpr (S == 2)
        return __builtin_shufflevector(a, b, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29,
                                       14, 15, 30, 31);
    else if constexpr (S == 4)
        return __builtin_shufflevector(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15,
                                       28, 29, 30, 31);
    else
        return __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                                       28, 29, 30, 31);
}

#if defined(__AVX2__)
// The same in every lane.
template <int S>
inline Lanes low_pairs(Lanes a, Lanes b) {
    const auto x = (__m256i)a, y = (__m256i)b;
    if constexpr (S == 1) return (Lanes)_mm256_unpacklo_epi8(x, y);
    else if constexpr (S == 2) return (Lanes)_mm256_unpacklo_epi16(x, y);
    else if constexpr (S == 4) return (Lanes)_mm256_unpacklo_epi32(x, y);
    else return (Lanes)_mm256_unpacklo_epi64(x, y);
}

template <int S>
inline Lanes high_pairs(Lanes a, Lanes b) {
    const auto x = (__m256i)a, y = (__m256i)b;
    if constexpr (S == 1) return (Lanes)_mm256_unpackhi_epi8(x, y);
    else if constexpr (S == 2) return (Lanes)_mm256_unpackhi_epi16(x, y);
    else if constexpr (S == 4) return (Lanes)_mm256_unpackhi_epi32(x, y);
    else return (Lanes)_mm256_unpackhi_epi64(x, y);
}
#endif

// B rows become columns of B elements, as many in a vector as it holds. Each round
// interleaves the two halves of the rows; as many rounds as doublings of a row bring
// every element to its place.
template <int S, class V, int B>
inline void turn(V (&v)[B]) {
#pragma GCC unroll 4
    for (int round = 1; round < B; round *= 2) {
        V w[B];
#pragma GCC unroll 8
        for (int k = 0; k < B / 2; ++k) {
            w[2 * k] = low_pairs<S>(v[k], v[k + B / 2]);
            w[2 * k + 1] = high_pairs<S>(v[k], v[k + B / 2]);
        }
#pragma GCC unroll 16
        for (int k = 0; k < B; ++k) v[k] = w[k];
    }
}

// One square for every lane: 16 bytes of each of 16/S source rows a lane become as many
// bytes of 16/S result rows.
template <int S>
inline void lane_square(u8* d, i64 di, const u8* s, i64 sj) {
    constexpr int B = 16 / S;
    Lanes v[B];
#pragma GCC unroll 16
    for (int k = 0; k < B; ++k) v[k] = load_lanes(s + k * sj, B * sj);
    turn<S>(v);
#pragma GCC unroll 16
    for (int k = 0; k < B; ++k) store_lanes(d + k * di, v[k]);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
