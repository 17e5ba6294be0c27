// Writes the rows of a strip. Only on paths with a shuffle of bytes.
#include <immintrin.h>

#include "strip.hpp"
#include "vectors.hpp"

namespace restride {
namespace RESTRIDE_PATH {
namespace {

inline __m256i load32(const u8* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

inline void store32(u8* p, __m256i v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v);
}

inline void copy_over(u8* to, const u8* from, i64 n) {
    for (; n > 32; n -= 64, to += 64, from += 64) {
        const __m256i a = load32(from), b = load32(from + 32);
        store32(to, a);
        store32(to + 32, b);
    }
    if (n > 0) store32(to, load32(from));
}

inline void shuffle_over(u8* to, const u8* from, const Strip::Step& step) {
    const __m128i order = _mm_loadu_si128(reinterpret_cast<const __m128i*>(step.pattern));
    for (i64 k = step.n; k > 0; --k, to += step.ddst, from += step.dsrc) {
        const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(v, order));
    }
}

inline void fill_over(u8* to, const Strip::Step& step) {
    const V16 value = load16(step.pattern);
    for (i64 k = step.n; k > 0; --k, to += 16) store16(to, value);
}

}  // namespace

void strip_rows(const Strip::Step* steps, int n_steps, const StripRows& rows) {
    u8* d = rows.d;
    const u8* s = rows.s;
    for (i64 r = 0; r < rows.n; ++r, d += rows.bytes, s += rows.step) {
        for (const Strip::Step* step = steps; step < steps + n_steps; ++step) {
            if (step->how == Strip::How::copy)
                copy_over(d + step->dst, s + step->src, step->n);
            else if (step->how == Strip::How::shuffle)
                shuffle_over(d + step->dst, s + step->src, *step);
            else
                fill_over(d + step->dst, *step);
        }
    }
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
