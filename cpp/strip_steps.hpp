// The steps of a strip, each written at least as far as it goes, and rows of them.
#pragma once

#include <utility>

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
    for (i64 k = step.n; k > 0; --k, to += 16) store16(to, value);
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

// One vector at an end of a row, filled or put in order without asking which: a fill
// takes no byte of what it reads, and reads what its row reads anyway.
struct End {
    V16 order, value;
    i64 dst, src;

    End(const Strip::Step& step, i64 readable)
        : order(load16(step.pattern)), value(), dst(step.dst), src(step.src) {
        if (step.how != Strip::How::fill) return;
        value = order;
        order = V16() | u8{0x80};
        src = readable;
    }

    void write(u8* d, const u8* s) const {
        store16(d + dst, shuffle(load16(s + src), order) | value);
    }
};

inline bool is_framed(const Strip::Step* steps, int n_steps) {
    const auto one = [](const Strip::Step& step) {
        return step.how != Strip::How::copy && step.n == 1;
    };
    return n_steps == 3 && one(steps[0]) && steps[1].how == Strip::How::copy &&
           one(steps[2]);
}

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

inline void write_rows(const Strip::Step* steps, int n_steps, const StripRows& rows) {
    if (n_steps == 1 && steps->how == Strip::How::copy) {
        if (steps->n <= 16) return write_copies<V16, 1>(*steps, rows);
        if (steps->n <= 32) return write_copies<V32, 1>(*steps, rows);
        if (steps->n <= 64) return write_copies<V32, 2>(*steps, rows);
        if (steps->n <= 96) return write_copies<V32, 3>(*steps, rows);
        if (steps->n <= 128) return write_copies<V32, 4>(*steps, rows);
    }
    if (is_framed(steps, n_steps)) return write_framed(steps, rows);
    u8* d = rows.d;
    const u8* s = rows.s;
    for (i64 r = 0; r < rows.n; ++r, d += rows.bytes, s += rows.step)
        for (const Strip::Step* step = steps; step < steps + n_steps; ++step)
            write_step(d + step->dst, s, *step);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
