// Three planes become one: each third element of the result is of the same plane.
#pragma once

#include "vectors.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

// Sixteen bytes made when compiled: an order for a shuffle, or a mask.
struct Sixteen {
    u8 at[16];
};

// Element k of plane p belongs to place 3k + p. Three vectors hold the places, and one
// shuffle puts every element where it lies in whichever of them is its own: 3 and the
// number of elements in a vector have no common factor, so no two meet.
template <int S, bool Back>
constexpr Sixteen third_order(int p) {
    constexpr int B = 16 / S;
    Sixteen order = {};
    for (int k = 0; k < B; ++k)
        for (int b = 0; b < S; ++b)
            order.at[(3 * k + p) % B * S + b] =
                static_cast<u8>((Back ? B - 1 - k : k) * S + b);
    return order;
}

// Set where an element's place in its vector leaves r when divided by 3.
template <int S>
constexpr Sixteen third_mask(int r) {
    Sixteen mask = {};
    for (int x = 0; x < 16; ++x) mask.at[x] = x / S % 3 == r ? 0xFF : 0;
    return mask;
}

template <int S>
constexpr Sixteen reverse_order() {
    Sixteen order = {};
    for (int x = 0; x < 16; ++x)
        order.at[x] = static_cast<u8>((16 / S - 1 - x / S) * S + x % S);
    return order;
}

inline Lanes in_lanes(const Sixteen& bytes) { return in_lanes(load16(bytes.at)); }

// The same as bits, one for each word of W bytes.
template <int S, int W>
constexpr int third_bits(int r) {
    int bits = 0;
    for (int w = 0; w < 8; ++w) bits |= (w * W % 16 / S % 3 == r) << w;
    return bits;
}

// The elements of `over` at places that leave R, of `under` at the others.
template <int S, int R>
inline Lanes lay_third(Lanes over, Lanes under) {
#if defined(__AVX2__)
    const auto a = (__m256i)under, b = (__m256i)over;
    constexpr int words = third_bits<S, S >= 4 ? 4 : 2>(R);
    if constexpr (S >= 4) return (Lanes)_mm256_blend_epi32(a, b, words);
    if constexpr (S == 2) return (Lanes)_mm256_blend_epi16(a, b, words);
#endif
    static constexpr Sixteen bytes = third_mask<S>(R);
    const Lanes mask = in_lanes(bytes);
#if defined(__AVX2__)
    return (Lanes)_mm256_blendv_epi8(a, b, (__m256i)mask);
#else
    return (over & mask) | (under & ~mask);
#endif
}

template <int S>
inline Lanes reversed_lanes(Lanes v) {
    static constexpr Sixteen order = reverse_order<S>();
    return shuffle(v, in_lanes(order));
}

// Each element of plane P where its place is.
template <int S, bool Back, int P>
inline Lanes place_third(Lanes v) {
    static constexpr Sixteen order = third_order<S, Back>(P);
#if defined(__AVX2__)
    constexpr int words = order.at[0] / 4 | order.at[4] / 4 << 2 | order.at[8] / 4 << 4 |
                          order.at[12] / 4 << 6;
    if constexpr (S >= 4) return (Lanes)_mm256_shuffle_epi32((__m256i)v, words);
#endif
    return shuffle(v, in_lanes(order));
}

// Planes become rows, in every lane; each plane is read from high to low if Back.
template <int S, bool Back>
inline void mix_thirds(Lanes (&v)[3]) {
    constexpr int B = 16 / S;
    const Lanes placed[3] = {place_third<S, Back, 0>(v[0]), place_third<S, Back, 1>(v[1]),
                             place_third<S, Back, 2>(v[2])};
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
        const Lanes last = placed[(k * B + 2) % 3];
        v[k] = lay_third<S, 1>(placed[(k * B + 1) % 3], last);
        v[k] = lay_third<S, 0>(placed[k * B % 3], v[k]);
    }
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
