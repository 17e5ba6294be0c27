// The steps of a strip, each written at least as far as it goes.
#pragma once

#include "strip.hpp"
#include "vectors.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

typedef u8 V32 __attribute__((vector_size(32)));

inline void copy32(u8* to, const u8* from) {
    V32 v;
    std::memcpy(&v, from, sizeof v);
    std::memcpy(to, &v, sizeof v);
}

inline void copy_over(u8* to, const u8* from, i64 n) {
    for (; n > 32; n -= 64, to += 64, from += 64) {
        V32 a, b;
        std::memcpy(&a, from, sizeof a);
        std::memcpy(&b, from + 32, sizeof b);
        std::memcpy(to, &a, sizeof a);
        std::memcpy(to + 32, &b, sizeof b);
    }
    if (n > 0) copy32(to, from);
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

}  // namespace RESTRIDE_PATH
}  // namespace restride
