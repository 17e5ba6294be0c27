#include "runs.hpp"

#include <algorithm>
#include <cstring>

#include "lines.hpp"
#include "pixels.hpp"

namespace restride {
namespace RESTRIDE_PATH {
namespace {

template <int S>
void run_any(u8* d, i64 dstep, const u8* s, i64 sstep, i64 n, i64 size) {
    for (i64 k = 0; k < n; ++k) move_one<S>(d + k * dstep, s + k * sstep, size);
}

// Elements that fill no word, as words: all but the last write too much, which the next
// one mends, and all but the first and the last read too much, of what lies between.
template <int S>
void run_words(u8* d, i64, const u8* s, i64 sstep, i64 n, i64) {
    if (n > 0) move_one<S>(d, s, S);
    for (i64 k = 1; k + 1 < n; ++k) move_one<word_bytes(S)>(d + k * S, s + k * sstep, S);
    if (n > 1) move_one<S>(d + (n - 1) * S, s + (n - 1) * sstep, S);
}

void run_copy(u8* d, i64, const u8* s, i64, i64 n, i64 size) {
    std::memcpy(d, s, static_cast<std::size_t>(n * size));
}

// Doubles what is written, so that any item size goes at the speed of memcpy.
template <int S>
void run_splat(u8* d, i64, const u8* s, i64, i64 n, i64 size) {
    if constexpr (S == 1) {
        std::memset(d, *s, static_cast<std::size_t>(n));
        return;
    }
    if constexpr (S > 0) {
        u8 one[S > 0 ? S : 1];
        std::memcpy(one, s, S);
        for (i64 k = 0; k < n; ++k) std::memcpy(d + k * S, one, S);
        return;
    }
    constexpr i64 kSpan = 4096;  // what is repeated stays in the first-level cache
    move_one<S>(d, s, size);
    const i64 total = n * size;
    for (i64 done = size; done < total;) {
        const i64 whole = std::max(size, kSpan / size * size);
        const i64 step = std::min({done, total - done, whole});
        std::memcpy(d + done, d, static_cast<std::size_t>(step));
        done += step;
    }
}

template <int S>
inline V16 reversed(V16 v) {
    if constexpr (S == 1)
        return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
                                       2, 1, 0);
    else if constexpr (S == 2)
        return __builtin_shufflevector(v, v, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2,
                                       3, 0, 1);
    else if constexpr (S == 4)
        return __builtin_shufflevector(v, v, 12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0,
                                       1, 2, 3);
    else if constexpr (S == 8)
        return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4,
                                       5, 6, 7);
    else
        return v;
}

template <int S>
inline V16 evens(V16 a, V16 b) {
    if constexpr (S == 1)
        return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,
                                       24, 26, 28, 30);
    else if constexpr (S == 2)
        return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24,
                                       25, 28, 29);
    else if constexpr (S == 4)
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24,
                                       25, 26, 27);
    else if constexpr (S == 8)
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20,
                                       21, 22, 23);
    else
        return a;
}

template <int S>
void run_reverse(u8* d, i64, const u8* s, i64, i64 n, i64) {
    constexpr i64 V = 16 / S;
    i64 k = 0;
    for (; k + V <= n; k += V) store16(d + k * S, reversed<S>(load16(s - (k + V - 1) * S)));
    for (; k < n; ++k) move_one<S>(d + k * S, s - k * S, S);
}

// Step of two elements. The last element read is the last one wanted.
template <int S>
void run_evens(u8* d, i64, const u8* s, i64, i64 n, i64) {
    constexpr i64 V = 16 / S;
    i64 k = 0;
    for (; k + V < n; k += V)
        store16(d + k * S, evens<S>(load16(s + 2 * k * S), load16(s + 2 * k * S + 16)));
    for (; k < n; ++k) move_one<S>(d + k * S, s + 2 * k * S, S);
}

// Lines asked for ahead of one read backwards, which the hardware sees late.
constexpr i64 kBackAhead = 16 * kLine;

template <int S>
void lines_reversed(u8* d, const u8* s, i64 n) {
    for (s += S - kLine; n > 0; --n, d += kLine, s -= kLine) {
        __builtin_prefetch(s - kBackAhead);
        V16 v[4];
        for (int k = 0; k < 4; ++k) v[k] = reversed<S>(load16(s + 48 - 16 * k));
        stream_line(d, v);
    }
}

template <int S>
void lines_of_evens(u8* d, const u8* s, i64 n) {
    for (; n > 0; --n, d += kLine, s += 2 * kLine) {
        V16 v[4];
        for (int k = 0; k < 4; ++k)
            v[k] = evens<S>(load16(s + 32 * k), load16(s + 32 * k + 16));
        stream_line(d, v);
    }
}

template <int S>
LineRunFn pick_line_run(i64 sstep) {
    if (kVector == 1) return nullptr;
    if (sstep == -S) return lines_reversed<S>;
    if (sstep == 2 * S && S < 16) return lines_of_evens<S>;
    return nullptr;
}

// Elements of 3, 6 or 12 bytes.
template <int S>
LineRunFn pick_line_groups(i64 sstep) {
    if (!kShuffles) return nullptr;
    if (sstep == -S) return lines_of_groups<S, -1>;
    if (sstep == 2 * S) return lines_of_groups<S, 2>;
    return nullptr;
}

// Elements whose size is no power of two.
template <int S>
RunFn pick_uneven(i64 dstep, i64 sstep) {
    if (dstep != S) return run_any<S>;
    if (sstep == S) return run_copy;
    if (sstep == 0) return run_splat<0>;
    if constexpr (kShuffles && kGroup % S == 0) {
        if (sstep == -S) return run_groups<S, -1>;
        if (sstep == 2 * S) return run_groups<S, 2>;
    }
    constexpr i64 kOver = word_bytes(S) - S;
    return sstep >= kOver || -sstep >= kOver ? run_words<S> : run_any<S>;
}

template <int S>
RunFn pick_run(i64 size, i64 dstep, i64 sstep) {
    if (dstep != size) return run_any<S>;
    if (sstep == size) return run_copy;
    if (sstep == 0) return run_splat<S>;
    if constexpr (S > 0 && kVector > 1) {
        if (sstep == -size) return run_reverse<S>;
        if (sstep == 2 * size && S < 16) return run_evens<S>;
    }
    return run_any<S>;
}

}  // namespace

RunFn choose_run(i64 size, i64 dstep, i64 sstep) {
    switch (size) {
        case 1: return pick_run<1>(size, dstep, sstep);
        case 2: return pick_run<2>(size, dstep, sstep);
        case 4: return pick_run<4>(size, dstep, sstep);
        case 8: return pick_run<8>(size, dstep, sstep);
        case 16: return pick_run<16>(size, dstep, sstep);
        case 3: return pick_uneven<3>(dstep, sstep);
        case 5: return pick_uneven<5>(dstep, sstep);
        case 6: return pick_uneven<6>(dstep, sstep);
        case 7: return pick_uneven<7>(dstep, sstep);
        case 9: return pick_uneven<9>(dstep, sstep);
        case 10: return pick_uneven<10>(dstep, sstep);
        case 11: return pick_uneven<11>(dstep, sstep);
        case 12: return pick_uneven<12>(dstep, sstep);
        case 13: return pick_uneven<13>(dstep, sstep);
        case 14: return pick_uneven<14>(dstep, sstep);
        case 15: return pick_uneven<15>(dstep, sstep);
        default: return pick_run<0>(size, dstep, sstep);
    }
}

LineRunFn choose_line_run(i64 size, i64 sstep) {
    switch (size) {
        case 1: return pick_line_run<1>(sstep);
        case 2: return pick_line_run<2>(sstep);
        case 4: return pick_line_run<4>(sstep);
        case 8: return pick_line_run<8>(sstep);
        case 16: return pick_line_run<16>(sstep);
        case 3: return pick_line_groups<3>(sstep);
        case 6: return pick_line_groups<6>(sstep);
        case 12: return pick_line_groups<12>(sstep);
        default: return nullptr;
    }
}

void send_lines(u8* d, const u8* s, i64 n) { stream_lines(d, s, n); }

}  // namespace RESTRIDE_PATH
}  // namespace restride
