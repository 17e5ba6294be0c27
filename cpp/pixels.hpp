// Runs of elements of 3, 6 or 12 bytes, such as pixels, backwards or of every second
// element. One vector holds no whole number of them, but three do: a group of 48 bytes
// of the result is made at a time, each of its vectors from two of the source.
#pragma once

#include "lines.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

constexpr i64 kGroup = 48;

// The bytes one vector of a group comes from: the first 16 and the last 16 of what it
// needs of the source, and which of either. None lies outside the group's own bytes.
struct Pick {
    i64 first, last;
    u8 of_first[16], of_last[16];
};

// Where byte x of a group comes from, counted from the group's first element.
template <int S, int Step>
constexpr i64 source_of(int x) {
    return x / S * Step * S + x % S;
}

template <int S, int Step>
constexpr Pick make_pick(int vector) {
    i64 low = source_of<S, Step>(16 * vector), high = low;
    for (int x = 16 * vector; x < 16 * vector + 16; ++x) {
        const i64 at = source_of<S, Step>(x);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    Pick pick = {low, high - 15, {}, {}};
    for (int x = 0; x < 16; ++x) {
        const i64 at = source_of<S, Step>(16 * vector + x);
        const bool early = at < low + 16;
        pick.of_first[x] = static_cast<u8>(early ? at - low : 128);
        pick.of_last[x] = static_cast<u8>(early ? 128 : at - pick.last);
    }
    return pick;
}

// Vector K of the groups whose first element is s.
template <int S, int Step, int K>
inline V16 picked(const u8* s) {
    static constexpr Pick pick = make_pick<S, Step>(K % 3);
    s += K / 3 * Step * kGroup;
    return shuffle(load16(s + pick.first), load16(pick.of_first)) |
           shuffle(load16(s + pick.last), load16(pick.of_last));
}

template <int S, int Step>
inline void move_group(u8* d, const u8* s) {
    store16(d, picked<S, Step, 0>(s));
    store16(d + 16, picked<S, Step, 1>(s));
    store16(d + 32, picked<S, Step, 2>(s));
}

// A run of any length; the last group overlaps the one before.
template <int S, int Step>
void run_groups(u8* d, i64, const u8* s, i64, i64 n, i64) {
    constexpr i64 G = kGroup / S;
    i64 k = 0;
    for (; k + G <= n; k += G) move_group<S, Step>(d + k * S, s + k * Step * S);
    if (k < n && n >= G)
        return move_group<S, Step>(d + (n - G) * S, s + (n - G) * Step * S);
    for (; k < n; ++k) move_one<S>(d + k * S, s + k * Step * S, S);
}

template <int S, int Step, int K>
inline void picked_line(u8* d, const u8* s) {
    const V16 v[4] = {picked<S, Step, 4 * K>(s), picked<S, Step, 4 * K + 1>(s),
                      picked<S, Step, 4 * K + 2>(s), picked<S, Step, 4 * K + 3>(s)};
    stream_line(d + K * kLine, v);
}

// Whole lines past the caches, n a multiple of three: four groups fill as many.
template <int S, int Step>
void lines_of_groups(u8* d, const u8* s, i64 n) {
    constexpr i64 kLines = 3 * kLine, kAhead = Step * 16 * kLine;
    for (; n > 0; n -= 3, d += kLines, s += Step * kLines) {
        for (i64 k = 0; Step < 0 && k < kLines; k += kLine)
            __builtin_prefetch(s + kAhead - k);
        picked_line<S, Step, 0>(d, s);
        picked_line<S, Step, 1>(d, s);
        picked_line<S, Step, 2>(d, s);
    }
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
