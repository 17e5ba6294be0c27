// Narrow blocks: a few planes become the columns of rows that lie next to each other.
#include "any.hpp"
#include "pairs.hpp"
#include "thirds.hpp"
#include "turns.hpp"

namespace restride {
namespace RESTRIDE_PATH {
namespace {

// Rows of the result that a group of vectors makes, one element of each plane a row.
template <int S>
constexpr i64 kGroup = kLanes * 16 / S;

// N vectors, one of each plane, become as many of rows: lane after lane of its own.
template <int S, int N, bool Back>
inline void mix(Lanes (&v)[N]) {
    if constexpr (N == 3) return mix_thirds<S, Back>(v);
    if constexpr (Back)
#pragma GCC unroll 4
        for (int k = 0; k < N; ++k) v[k] = reversed_lanes<S>(v[k]);
    if constexpr (N == 2) {
        const Lanes low = low_pairs<S>(v[0], v[1]);
        v[1] = high_pairs<S>(v[0], v[1]);
        v[0] = low;
    } else if constexpr (N == 4) {
        constexpr int P = 2 * S;
        const Lanes a = low_pairs<S>(v[0], v[1]), b = high_pairs<S>(v[0], v[1]);
        const Lanes c = low_pairs<S>(v[2], v[3]), d = high_pairs<S>(v[2], v[3]);
        v[0] = low_pairs<P>(a, c);
        v[1] = high_pairs<P>(a, c);
        v[2] = low_pairs<P>(b, d);
        v[3] = high_pairs<P>(b, d);
    }
}

// One group from N planes sj apart; s is the lowest address in the first.
template <int S, int N, bool Back, bool Past>
inline void weave_group(u8* d, const u8* s, i64 sj) {
    Lanes v[N];
#pragma GCC unroll 4
    for (int k = 0; k < N; ++k) v[k] = load_whole(s + k * sj);
    mix<S, N, Back>(v);
    store_by_lane<N, Back, Past>(d, v);
}

// Whole groups; the last overlaps the one before, so that nothing is left over. Places
// are kept apart from the block, since for all the compiler knows stores change it.
template <int S, int N, bool Back, bool Past>
void weave_groups(const Block& b) {
    constexpr i64 G = kGroup<S>, next = Back ? -16 * kLanes : 16 * kLanes;
    const i64 sj = b.sj, groups = b.ni / G, over = b.ni % G;
    const u8* s = Back ? b.s - (G - 1) * S : b.s;
    u8* d = b.d;
    for (i64 k = 0; k < groups; ++k, s += next, d += N * 16 * kLanes)
        weave_group<S, N, Back, Past>(d, s, sj);
    if (!over) return;
    const i64 last = over - G;
    weave_group<S, N, Back, false>(d + last * N * S, s + (Back ? -last : last) * S, sj);
}

template <int S, int N, bool Past>
void weave_n(const Block& b, bool back) {
    return back ? weave_groups<S, N, true, Past>(b) : weave_groups<S, N, false, Past>(b);
}

// False where the block has too many planes or too few rows for groups.
template <int S, bool Past>
bool weave_wide(const Block& b, bool back) {
    if (!kShuffles || b.ni < kGroup<S>) return false;
    if constexpr (S < 16) {
        if (b.nj == 2) return weave_n<S, 2, Past>(b, back), true;
        if (b.nj == 3) return weave_n<S, 3, Past>(b, back), true;
    }
    if constexpr (S < 8)
        if (b.nj == 4) return weave_n<S, 4, Past>(b, back), true;
    return false;
}

// N of a square's source rows, N <= 16/S, into N columns of the result; in reverse
// where the block walks its source backwards.
template <int S, int N>
inline void weave_square(u8* d, i64 di, const u8* s, i64 sj, bool back) {
    constexpr int B = 16 / S;
    V16 v[B] = {};
#pragma GCC unroll 16
    for (int k = 0; k < N; ++k) v[k] = load16(s + k * sj);
    turn<S>(v);
    if (back) {
#pragma GCC unroll 16
        for (int k = 0; k < B; ++k) store16(d + k * di, v[B - 1 - k]);
    } else {
#pragma GCC unroll 16
        for (int k = 0; k < B; ++k) store16(d + k * di, v[k]);
    }
}

// The left-over columns of a weave, chosen once for the block.
template <int S>
using WeaveFn = void (*)(u8* d, i64 di, const u8* s, i64 sj, bool back);

template <int S, int N>
WeaveFn<S> weave_fn(i64 n) {
    if constexpr (N > 1)
        if (n < N) return weave_fn<S, N - 1>(n);
    return weave_square<S, N>;
}

// Rows [0, whole) of a block with N columns, 16/S at a time.
template <int S, int N>
i64 weave_few(const Block& b, bool back) {
    constexpr int B = 16 / S;
    i64 i = 0;
    for (; i + B <= b.ni; i += B)
        weave_square<S, N>(b.d + i * (N * S), N * S,
                           back ? b.s - (i + B - 1) * S : b.s + i * S, b.sj, back);
    return i;
}

template <int S>
i64 weave_many(const Block& b, bool back) {
    constexpr int B = 16 / S;
    const i64 last = (b.nj - 1) / B * B;
    const WeaveFn<S> rest = weave_fn<S, B>(b.nj - last);
    i64 i = 0;
    for (; i + B <= b.ni; i += B) {
        const u8* s = back ? b.s - (i + B - 1) * S : b.s + i * S;
        u8* d = b.d + i * b.di;
        rest(d + last * S, b.di, s + last * b.sj, b.sj, back);
        for (i64 j = last - B; j >= 0; j -= B)
            weave_square<S, B>(d + j * S, b.di, s + j * b.sj, b.sj, back);
    }
    return i;
}

// Rows [0, whole) of a block with any number of columns.
template <int S>
i64 weave_squares(const Block& b, bool back) {
    if (S < 16 && b.nj == 2) return weave_few<S, S < 16 ? 2 : 1>(b, back);
    if (S < 8 && b.nj == 3) return weave_few<S, S < 8 ? 3 : 1>(b, back);
    if (S < 8 && b.nj == 4) return weave_few<S, S < 8 ? 4 : 1>(b, back);
    return weave_many<S>(b, back);
}

// The rows of a narrow block lie next to each other: store whole vectors, each row
// mending what the one before wrote past its end.
template <int S>
void weave_of(const Block& b) {
    const bool back = b.si == -S;
    if (kVector == 1 || (!back && b.si != S)) return block_any<S>(b);
    if (weave_wide<S, false>(b, back)) return;
    const i64 done = weave_squares<S>(b, back);
    if (done == b.ni) return;
    Block rest = b;
    rest.d += done * b.di;
    rest.s += done * b.si;
    rest.ni -= done;
    block_any<S>(rest);
}

template <int S>
bool lines_of(const Block& b) {
    const bool back = b.si == -S;
    return (back || b.si == S) && weave_wide<S, true>(b, back);
}

}  // namespace

bool weave_lines(const Block& b) {
    switch (b.size) {
        case 1: return lines_of<1>(b);
        case 2: return lines_of<2>(b);
        case 4: return lines_of<4>(b);
        case 8: return lines_of<8>(b);
        default: return false;
    }
}

void weave_block(const Block& b) {
    switch (b.size) {
        case 1: return weave_of<1>(b);
        case 2: return weave_of<2>(b);
        case 4: return weave_of<4>(b);
        case 8: return weave_of<8>(b);
        case 16: return weave_of<16>(b);
        default: return block_any<0>(b);
    }
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
