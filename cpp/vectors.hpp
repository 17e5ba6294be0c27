// Vectors of bytes, and short exact copies made of them. The kernels are compiled once
// for every path, each in a namespace of its own, and so is what they inline from here.
#pragma once

#include <cstring>

#include "program.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#ifndef RESTRIDE_PATH
#define RESTRIDE_PATH baseline
#endif

namespace restride {

constexpr i64 kLine = 64;

inline namespace RESTRIDE_PATH {

typedef u8 V16 __attribute__((vector_size(16)));

// Bytes the kernels of this path move at a time; 1 says one element after the other.
#if defined(RESTRIDE_SCALAR)
constexpr i64 kVector = 1;
#elif defined(__AVX2__)
constexpr i64 kVector = 32;
#else
constexpr i64 kVector = 16;
#endif

inline V16 load16(const u8* p) {
    V16 v;
    std::memcpy(&v, p, 16);
    return v;
}

inline void store16(u8* p, V16 v) { std::memcpy(p, &v, 16); }

// Byte k of the result is byte order[k] of v, or 0 where that is 128 or more. One
// instruction where kShuffles says so.
#if defined(__AVX2__)
constexpr bool kShuffles = true;
inline V16 shuffle(V16 v, V16 order) {
    return (V16)_mm_shuffle_epi8((__m128i)v, (__m128i)order);
}
#elif defined(__ARM_NEON) && !defined(RESTRIDE_SCALAR)
constexpr bool kShuffles = true;
inline V16 shuffle(V16 v, V16 order) {
    return (V16)vqtbl1q_u8((uint8x16_t)v, (uint8x16_t)order);
}
#else
constexpr bool kShuffles = false;
inline V16 shuffle(V16 v, V16 order) {
    V16 found = {};
    for (int k = 0; k < 16; ++k)
        if (order[k] < 16) found[k] = v[order[k]];
    return found;
}
#endif

// The least power of two that holds an element of at most 16 bytes.
constexpr int word_bytes(int size) {
    int word = 1;
    while (word < size) word *= 2;
    return word;
}

// One element. S is the item size, or 0 where it is only known at run time.
template <int S>
inline void move_one(u8* d, const u8* s, i64 size) {
    if constexpr (S > 0)
        std::memcpy(d, s, S);
    else
        std::memcpy(d, s, static_cast<std::size_t>(size));
}

// As many lanes of 16 bytes as the path's vectors have; shuffles stay inside a lane.
#if defined(__AVX2__)
typedef u8 Lanes __attribute__((vector_size(32)));
#else
typedef V16 Lanes;
#endif
constexpr int kLanes = sizeof(Lanes) / 16;

// One lane from p, the next from p + step.
inline Lanes load_lanes(const u8* p, [[maybe_unused]] i64 step) {
#if defined(__AVX2__)
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + step));
    return (Lanes)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
#else
    return load16(p);
#endif
}

// One lane to p, the next to p + step.
inline void store_apart(u8* p, [[maybe_unused]] i64 step, Lanes v) {
#if defined(__AVX2__)
    store16(p, (V16)_mm256_castsi256_si128((__m256i)v));
    store16(p + step, (V16)_mm256_extracti128_si256((__m256i)v, 1));
#else
    store16(p, v);
#endif
}

inline Lanes load_whole(const u8* p) {
    Lanes v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline void store_lanes(u8* p, Lanes v) { std::memcpy(p, &v, sizeof v); }

// The same past the caches, where the path has such stores; p lies on a whole vector.
inline void stream_lanes(u8* p, Lanes v) {
#if defined(__AVX2__)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(p), (__m256i)v);
#else
    store_lanes(p, v);
#endif
}

// Sixteen bytes repeated in every lane, and the shuffle that takes such an order.
#if defined(__AVX2__)
inline Lanes in_lanes(V16 v) { return (Lanes)_mm256_broadcastsi128_si256((__m128i)v); }

inline Lanes shuffle(Lanes v, Lanes order) {
    return (Lanes)_mm256_shuffle_epi8((__m256i)v, (__m256i)order);
}
#else
inline Lanes in_lanes(V16 v) { return v; }
#endif

#if defined(__AVX2__)
// Half A of a and half B of b.
template <int A, int B>
inline Lanes halves(Lanes a, Lanes b) {
    constexpr int which = A + 16 * (2 + B);
    return (Lanes)_mm256_permute2x128_si256((__m256i)a, (__m256i)b, which);
}
#endif

// The first lanes of all, one after the other, then the second lanes; or, Back, the
// second lanes before the first. Past says past the caches.
template <int N, bool Back, bool Past>
inline void store_by_lane(u8* d, const Lanes (&v)[N]) {
#if defined(__AVX2__)
    constexpr int P = Back, Q = 1 - P;
#pragma GCC unroll 4
    for (int k = 0; k < N; ++k) {
        const int a = 2 * k, b = 2 * k + 1;
        const Lanes x = v[a % N], y = v[b % N];
        const Lanes out = b < N   ? halves<P, P>(x, y)
                          : a < N ? halves<P, Q>(x, y)
                                  : halves<Q, Q>(x, y);
        Past ? stream_lanes(d + k * 32, out) : store_lanes(d + k * 32, out);
    }
#else
    for (int k = 0; k < N; ++k) store16(d + k * 16, v[k]);
#endif
}

// Up to this many bytes the loop below beats a call of memcpy.
constexpr i64 kShort = 512;

template <class Word>
inline void copy_ends(u8* d, const u8* s, i64 n) {
    Word a, b;
    std::memcpy(&a, s, sizeof a);
    std::memcpy(&b, s + n - static_cast<i64>(sizeof b), sizeof b);
    std::memcpy(d, &a, sizeof a);
    std::memcpy(d + n - static_cast<i64>(sizeof b), &b, sizeof b);
}

inline void copy_line(u8* d, const u8* s) {
    constexpr i64 W = sizeof(Lanes);
    Lanes v[kLine / W];
    for (i64 k = 0; k < kLine / W; ++k) v[k] = load_whole(s + k * W);
    for (i64 k = 0; k < kLine / W; ++k) store_lanes(d + k * W, v[k]);
}

// Exactly n bytes: the last store overlaps the one before instead of going past.
inline void copy_short(u8* d, const u8* s, i64 n) {
    if (n >= 16) {
        i64 k = 0;
        for (; k + 64 <= n; k += 64) copy_line(d + k, s + k);
        for (; k + 32 <= n; k += 32) {
            const V16 a = load16(s + k), b = load16(s + k + 16);
            store16(d + k, a);
            store16(d + k + 16, b);
        }
        if (k + 16 <= n) store16(d + k, load16(s + k));
        store16(d + n - 16, load16(s + n - 16));
        return;
    }
    if (n >= 8) return copy_ends<std::uint64_t>(d, s, n);
    if (n >= 4) return copy_ends<std::uint32_t>(d, s, n);
    if (n >= 2) return copy_ends<std::uint16_t>(d, s, n);
    if (n == 1) *d = *s;
}

inline void copy_bytes(u8* d, const u8* s, i64 n) {
    if (n <= kShort)
        copy_short(d, s, n);
    else
        std::memcpy(d, s, static_cast<std::size_t>(n));
}

// A value of 1, 2, 4, 8 or 16 bytes, repeated over 16.
inline V16 repeat16(const u8* value, i64 size) {
    u8 all[16];
    for (i64 k = 0; k < 16; k += size)
        std::memcpy(all + k, value, static_cast<std::size_t>(size));
    return load16(all);
}

inline bool repeats(i64 size) { return size <= 16 && !(size & (size - 1)); }

// Exactly n bytes of a repeated value; n is a multiple of its size.
inline void splat_bytes(u8* d, V16 value, i64 n) {
    if (n < 16) {
        u8 all[16];
        store16(all, value);
        return copy_short(d, all, n);
    }
    i64 k = 0;
    for (; k + 16 <= n; k += 16) store16(d + k, value);
    store16(d + n - 16, value);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
