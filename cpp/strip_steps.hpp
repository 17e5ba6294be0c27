// The steps of a strip, each written at least as far as it goes, and rows of them.
#pragma once

#include <utility>

#include "patches.hpp"
#include "strip.hpp"
#include "vectors.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

typedef u8 V32 __attribute__((vector_size(32)));

template <class V>
inline V load(const u8* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

// All loads come before the first store, so that neither waits for the other.
template <class V, std::size_t... K>
inline void copy_each(u8* to, const u8* from, std::index_sequence<K...>) {
    const V v[] = {load<V>(from + K * sizeof(V))...};
    (std::memcpy(to + K * sizeof(V), v + K, sizeof(V)), ...);
}

template <class V, int N>
inline void copy_vectors(u8* to, const u8* from) {
    copy_each<V>(to, from, std::make_index_sequence<N>());
}

inline void copy_over(u8* to, const u8* from, i64 n) {
    for (; n > 32; n -= 64, to += 64, from += 64) copy_vectors<V32, 2>(to, from);
    if (n > 0) copy_vectors<V32, 1>(to, from);
}

inline void shuffle_over(u8* to, const u8* from, const Strip::Step& step) {
    const V16 order = load16(step.pattern);
    for (i64 k = step.n; k > 0; --k, to += step.ddst, from += step.dsrc)
        store16(to, shuffle(load16(from), order));
}

inline void fill_over(u8* to, const Strip::Step& step) {
    const V16 value = load16(step.pattern);
    for (i64 k = step.n; k > 0; --k, to += step.ddst) store16(to, value);
}

inline void write_step(u8* to, const u8* s, const Strip::Step& step) {
    if (step.how == Strip::How::copy)
        copy_over(to, s + step.src, step.n);
    else if (step.how == Strip::How::shuffle)
        shuffle_over(to, s + step.src, step);
    else
        fill_over(to, step);
}

// Rows of one copy of at most N vectors: nothing but loads and stores.
template <class V, int N>
inline void write_copies(const Strip::Step& step, const StripRows& rows) {
    u8* d = rows.d;
    const u8* s = rows.s + step.src;
    const i64 next = rows.bytes, skip = rows.step;
    for (i64 r = rows.n; r > 0; --r, d += next, s += skip) copy_vectors<V, N>(d, s);
}

// Rows of N copies of at most one vector each, their places in registers. What a vector
// writes past its run is mended by the next.
template <class V, int N>
inline void write_few(const Strip::Step* steps, const StripRows& rows) {
    i64 dst[N], src[N];
    for (int k = 0; k < N; ++k) {
        dst[k] = steps[k].dst;
        src[k] = steps[k].src;
    }
    u8* d = rows.d;
    const u8* s = rows.s;
    const i64 next = rows.bytes, skip = rows.step;
    for (i64 r = rows.n; r > 0; --r, d += next, s += skip)
#pragma GCC unroll 8
        for (int k = 0; k < N; ++k) copy_vectors<V, 1>(d + dst[k], s + src[k]);
}

template <class V>
inline void write_many(const Strip::Steps& steps, const StripRows& rows) {
    u8* d = rows.d;
    const u8* s = rows.s;
    const Strip::Step* end = steps.all + steps.n;
    const i64 next = rows.bytes, skip = rows.step;
    for (i64 r = rows.n; r > 0; --r, d += next, s += skip)
        for (const Strip::Step* step = steps.all; step < end; ++step)
            copy_vectors<V, 1>(d + step->dst, s + step->src);
}

template <class V>
inline void write_vectors(const Strip::Steps& steps, const StripRows& rows) {
    switch (steps.n) {
        case 2: return write_few<V, 2>(steps.all, rows);
        case 3: return write_few<V, 3>(steps.all, rows);
        case 4: return write_few<V, 4>(steps.all, rows);
        case 5: return write_few<V, 5>(steps.all, rows);
        default: return write_many<V>(steps, rows);
    }
}

// One vector at an end of a row, filled or put in order without asking which: a fill
// takes no byte of what it reads, and reads what its row reads anyway; a copy keeps the
// order.
struct End {
    V16 order, value;
    i64 dst, src;

    End(const Strip::Step& step, i64 readable)
        : order(load16(step.pattern)), value(), dst(step.dst), src(step.src) {
        if (step.how == Strip::How::copy)
            order = V16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        if (step.how != Strip::How::fill) return;
        value = order;
        order = V16() | u8{0x80};
        src = readable;
    }

    void write(u8* d, const u8* s) const {
        store16(d + dst, shuffle(load16(s + src), order) | value);
    }
};

// Rows of a copy between two ends of a vector each.
inline void write_framed(const Strip::Step* steps, const StripRows& rows) {
    const i64 dst = steps[1].dst, src = steps[1].src, n = steps[1].n;
    const End left(steps[0], src), right(steps[2], src);
    u8* d = rows.d;
    const u8* s = rows.s;
    for (i64 r = rows.n; r > 0; --r, d += rows.bytes, s += rows.step) {
        left.write(d, s);
        copy_over(d + dst, s + src, n);
        right.write(d, s);
    }
}

inline void write_copy(const Strip::Step& step, const StripRows& rows) {
    if (step.n <= 16) return write_copies<V16, 1>(step, rows);
    if (step.n <= 32) return write_copies<V32, 1>(step, rows);
    if (step.n <= 64) return write_copies<V32, 2>(step, rows);
    if (step.n <= 96) return write_copies<V32, 3>(step, rows);
    write_copies<V32, 4>(step, rows);
}

inline void write_each(const Strip::Steps& steps, const StripRows& rows) {
    const i64 longest = steps.longest;
    if (steps.n == 1 && longest > 0 && longest <= 128)
        return write_copy(steps.all[0], rows);
    if (longest > 0 && longest <= 16) return write_vectors<V16>(steps, rows);
    if (longest > 0 && longest <= 32) return write_vectors<V32>(steps, rows);
    if (kShuffles && steps.framed) return write_framed(steps.all, rows);
    u8* d = rows.d;
    const u8* s = rows.s;
    for (i64 r = 0; r < rows.n; ++r, d += rows.bytes, s += rows.step)
        for (const Strip::Step* step = steps.all; step < steps.all + steps.n; ++step)
            write_step(d + step->dst, s, *step);
}

inline void write_rows(const Strip::Steps& steps, StripRows rows) {
    if constexpr (kShuffles)
        if (steps.patchwork.serves(rows.n, rows.step)) {
            const i64 n = write_groups(steps.patchwork, rows);
            rows.d += n * rows.bytes;
            rows.s += n * rows.step;
            rows.n -= n;
        }
    write_each(steps, rows);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
