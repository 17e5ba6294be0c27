// Turns that stay in the cache: both sides are walked in runs of several lines.
//
// Rows that are a multiple of a page apart share one set of a cache, which holds eight
// lines and waits for no more than these at a time. So a sheet of some lines each way is
// read eight source rows at once, turned into a buffer as ribbons, and written from there
// one result row, or a few, after the other. Unlike Ribbons, nothing is asked for ahead
// and nothing mixed: a cache answers so soon that the processor finds enough to do.
#pragma once

#include <algorithm>

#include "buffer.hpp"
#include "pairs.hpp"
#include "turns.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

template <int S>
class Sheets {
    static constexpr i64 W = sizeof(Lanes);
    static constexpr i64 kRows = 8;            // source rows of a ribbon
    static constexpr i64 kColumn = kRows * S;  // bytes of a column of it
    static constexpr i64 kSide = 256;          // bytes of a sheet's rows, both ways
    // From ribbon to ribbon; an odd number of lines, so that their columns do not collide.
    static constexpr i64 kPitch = kSide * kRows + kLine;
    static_assert(kSide / kColumn * kPitch <= kBufferBytes);

public:
    // What the two sides of a block are multiples of, in elements.
    static constexpr i64 kAcross = S <= 2 ? W / S : 16 / S;
    static constexpr i64 kAlong = std::max(kRows, W / S);

    Sheets(const Block& b, u8* buffer) : b_(b), buffer_(buffer) {}

    void run() const {
        constexpr i64 side = kSide / S;
        for (i64 j = 0; j < b_.nj; j += side)
            for (i64 i = 0; i < b_.ni; i += side) {
                const i64 ni = std::min(side, b_.ni - i), nj = std::min(side, b_.nj - j);
                read(b_.s + i * S + j * b_.sj, ni, nj);
                write(b_.d + i * b_.di + j * S, ni, nj * S);
            }
    }

private:
    void read(const u8* s, i64 ni, i64 nj) const {
        u8* to = buffer_;
        for (i64 j = 0; j < nj; j += kRows, to += kPitch, s += kRows * b_.sj)
            for (i64 k = 0; k < ni * S; k += kAcross * S) turn_rows(to + k * kRows, s + k);
    }

    // One vector of each of the eight rows. Where elements are small, a vector of the
    // ribbon is kept as it falls: a few columns in each lane.
    void turn_rows(u8* to, const u8* s) const {
        if constexpr (S <= 2) {
            Lanes v[kRows];
#pragma GCC unroll 8
            for (int r = 0; r < kRows; ++r) v[r] = load_whole(s + r * b_.sj);
            turn<S>(v);
#pragma GCC unroll 8
            for (int r = 0; r < kRows; ++r) store_lanes(to + r * W, v[r]);
        } else {
            for (i64 r = 0; r < kRows; r += 16 / S * kLanes)
                lane_square<S>(to + r * S, kColumn, s + r * b_.sj, b_.sj);
        }
    }

    void write(u8* d, i64 ni, i64 bytes) const {
        const u8* from = buffer_;
        if constexpr (S <= 2) {
            for (i64 i = 0; i < ni; i += kAcross, d += kAcross * b_.di)
                for (i64 r = 0; r < kRows; ++r, from += W)
                    write_rows(d + r * (2 / S) * b_.di, from, bytes);
        } else {
            for (i64 i = 0; i < ni; ++i, d += b_.di, from += kColumn)
                write_row(d, from, bytes);
        }
    }

    static void write_row(u8* d, const u8* from, i64 bytes) {
        for (i64 k = 0; k < bytes; k += kColumn, from += kPitch)
            for (i64 x = 0; x < kColumn; x += W) store_lanes(d + k + x, load_whole(from + x));
    }

    // The result rows that one vector of each ribbon holds.
    void write_rows(u8* d, const u8* from, i64 bytes) const {
        [[maybe_unused]] u8* far = d + 16 / S * b_.di;  // the second lane's
        for (i64 k = 0; k < bytes; k += W, from += W / kColumn * kPitch) {
#if defined(__AVX2__)
            if constexpr (S == 1) {
                const Lanes p = load_whole(from), q = load_whole(from + kPitch);
                const Lanes r = load_whole(from + 2 * kPitch);
                const Lanes t = load_whole(from + 3 * kPitch);
                const Lanes a = low_pairs<8>(p, q), b = low_pairs<8>(r, t);
                const Lanes e = high_pairs<8>(p, q), f = high_pairs<8>(r, t);
                store_lanes(d + k, halves<0, 0>(a, b));
                store_lanes(d + b_.di + k, halves<0, 0>(e, f));
                store_lanes(far + k, halves<1, 1>(a, b));
                store_lanes(far + b_.di + k, halves<1, 1>(e, f));
            } else {
                const Lanes a = load_whole(from), b = load_whole(from + kPitch);
                store_lanes(d + k, halves<0, 0>(a, b));
                store_lanes(far + k, halves<1, 1>(a, b));
            }
#else
            if constexpr (S == 1) {
                const V16 a = load16(from), b = load16(from + kPitch);
                store16(d + k, low_pairs<8>(a, b));
                store16(d + b_.di + k, high_pairs<8>(a, b));
            } else {
                store16(d + k, load16(from));
            }
#endif
        }
    }

    const Block& b_;
    u8* buffer_;
};

}  // namespace RESTRIDE_PATH
}  // namespace restride
