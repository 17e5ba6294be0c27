// Blocks of elements of 3, 6 or 12 bytes, such as pixels: three quarters of a vector's
// words. They are spread to words of 4, 8 or 16 bytes on the way into a buffer, turned
// there as those are, and drawn together again on the way out.
#pragma once

#include <algorithm>

#include "buffer.hpp"
#include "lines.hpp"
#include "pairs.hpp"
#include "turns.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

// The orders of bytes that lead from elements of S bytes to words and back.
struct Order {
    u8 at[16];
};

template <int S>
constexpr Order spread_order() {
    constexpr int W = S / 3 * 4;
    Order order = {};
    for (int k = 0; k < 16; ++k)
        order.at[k] = static_cast<u8>(k % W < S ? k / W * S + k % W : 128);
    return order;
}

template <int S>
constexpr Order draw_order() {
    constexpr int W = S / 3 * 4;
    Order order = {};
    for (int k = 0; k < 16; ++k)
        order.at[k] = static_cast<u8>(k < 12 ? k / S * W + k % S : 128);
    return order;
}

template <int S>
class Threes {
    static constexpr int W = S / 3 * 4;            // bytes of a word
    static constexpr int B = 16 / W;               // words of a vector
    static constexpr i64 kRead = 384;              // bytes of a source row in a tile
    static constexpr i64 kNi = kRead / S;          // and its elements
    static constexpr i64 kNj = 64;                 // elements of a result row in a tile
    static constexpr i64 kIn = kNi * W + kLine;    // from row to row of the buffers: an
    static constexpr i64 kOut = kNj * W + kLine;   // odd number of lines
    static constexpr i64 kAhead = 4;               // rows asked for ahead
    static constexpr Order kApart = spread_order<S>(), kTogether = draw_order<S>();

public:
    static constexpr i64 kBytes = kNj * kIn + kNi * kOut;

    Threes(const Block& b, u8* buffer) : b_(b), in_(buffer), out_(buffer + kNj * kIn) {}

    void run() const {
        for (i64 i = 0; i < b_.ni; i += kNi)
            for (i64 j = 0; j < b_.nj; j += kNj)
                tile(i, j, std::min(kNi, b_.ni - i), std::min(kNj, b_.nj - j));
    }

private:
    void tile(i64 i, i64 j, i64 ni, i64 nj) const {
        const u8* s = b_.s + i * S + j * b_.sj;
        for (i64 k = 0; k < nj; ++k, s += b_.sj) {
            for (i64 n = 0; n < ni * S; n += kLine)
                __builtin_prefetch(s + kAhead * b_.sj + n);
            spread(in_ + k * kIn, s, ni);
        }
        for (i64 a = 0; a < ni; a += B)
            for (i64 k = 0; k < nj; k += B * kLanes)
                square(out_ + a * kOut + k * W, in_ + k * kIn + a * W);
        for (i64 a = 0; a < ni; ++a)
            draw(b_.d + (i + a) * b_.di + j * S, out_ + a * kOut, nj);
    }

    // A source row's elements as words. A vector is read only where the source has 16
    // bytes left.
    void spread(u8* to, const u8* s, i64 n) const {
        const V16 order = load16(kApart.at);
        i64 k = 0;
        for (; k + B <= n && s + k * S + 16 <= b_.end; k += B)
            store16(to + k * W, shuffle(load16(s + k * S), order));
        for (; k < n; ++k) move_one<S>(to + k * W, s + k * S, S);
    }

    // Words as elements of a result row. What a vector writes past its words the next
    // one mends, and the last ones are written singly.
    static void draw(u8* d, const u8* from, i64 n) {
        const V16 order = load16(kTogether.at);
        i64 k = 0;
        for (; k + 2 * B <= n; k += B)
            store16(d + k * S, shuffle(load16(from + k * W), order));
        for (; k < n; ++k) move_one<S>(d + k * S, from + k * W, S);
    }

    static void square(u8* d, const u8* s) {
        Lanes v[B];
#pragma GCC unroll 4
        for (int k = 0; k < B; ++k) v[k] = load_lanes(s + k * kIn, B * kIn);
        turn<W>(v);
#pragma GCC unroll 4
        for (int k = 0; k < B; ++k) store_lanes(d + k * kOut, v[k]);
    }

    const Block& b_;
    u8 *in_, *out_;
};

// False where there is no room for its buffers.
template <int S>
bool threes(const Block& b) {
    static_assert(Threes<S>::kBytes <= kBufferBytes);
    u8* buffer = thread_buffer();
    if (!buffer) return false;
    Threes<S>(b, buffer).run();
    return true;
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
