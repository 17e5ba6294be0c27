// Turns sheet by sheet: both sides are walked in runs of several lines.
//
// Rows that are a multiple of a page apart share one set of a cache, which holds eight
// lines and waits for no more than these at a time. So a sheet of some lines each way is
// read eight source rows at once, turned into a buffer as ribbons, and written from there
// one result row, or a few, after the other. It serves results that stay in the cache,
// and bytes that are streamed: of these a line takes so many steps that Ribbons, which
// mix reading and writing, are the slower for it.
#pragma once

#include <algorithm>

#include "buffer.hpp"
#include "lines.hpp"
#include "pairs.hpp"
#include "turns.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

template <int S, bool Stream>
class Sheets {
    static constexpr i64 W = sizeof(Lanes);
    static constexpr i64 kRows = 8;            // source rows of a ribbon
    static constexpr i64 kColumn = kRows * S;  // bytes of a column of it
    static constexpr i64 kRead = 256;          // bytes of a source row in a sheet
    static constexpr i64 kWrite = Stream ? 512 : 256;  // and of a result row
    // From ribbon to ribbon: an odd number of lines, or their columns would collide.
    static constexpr i64 kPitch = kRead * kRows + kLine;
    static_assert(kWrite / kColumn * kPitch <= kBufferBytes);

public:
    // What the two sides of a block are multiples of, in elements. Where it is streamed,
    // its result rows are whole lines.
    static constexpr i64 kAcross = S <= 2 ? W / S : 16 / S;
    static constexpr i64 kAlong = Stream ? kLine / S : std::max(kRows, W / S);

    Sheets(const Block& b, u8* buffer) : b_(b), buffer_(buffer) {}

    void run() {
        constexpr i64 ni = kRead / S, nj = kWrite / S;
        for (i64 j = 0; j < b_.nj; j += nj)
            for (i64 i = 0; i < b_.ni; i += ni) {
                const i64 across = std::min(ni, b_.ni - i), along = std::min(nj, b_.nj - j);
                read(source(i, j), across, along);
                next_ = i + ni < b_.ni ? source(i + ni, j) : source(0, j + nj);
                asked_ = 0;
                write(b_.d + i * b_.di + j * S, across, along * S);
            }
        if (Stream) stream_fence();
    }

private:
    const u8* source(i64 i, i64 j) const { return b_.s + i * S + j * b_.sj; }

    void read(const u8* s, i64 ni, i64 nj) const {
        u8* to = buffer_;
        for (i64 j = 0; j < nj; j += kRows, to += kPitch, s += kRows * b_.sj)
            for (i64 k = 0; k < ni * S; k += kAcross * S) turn_rows(to + k * kRows, s + k);
    }

    // One vector of each of the eight rows. Where elements are small, a vector of the
    // ribbon is kept as it falls: a column or two in each lane.
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

    void write(u8* d, i64 ni, i64 bytes) {
        const u8* from = buffer_;
        if constexpr (S <= 2) {
            for (i64 i = 0; i < ni; i += kAcross, d += kAcross * b_.di)
                for (i64 r = 0; r < kRows; ++r, from += W)
                    write_rows(d + r * kLane * b_.di, from, bytes);
        } else {
            for (i64 i = 0; i < ni; ++i, d += b_.di, from += kColumn)
                write_row(d, from, bytes);
        }
    }

    static void write_row(u8* d, const u8* from, i64 bytes) {
        for (i64 k = 0; k < bytes; k += kColumn, from += kPitch)
            for (i64 x = 0; x < kColumn; x += W)
                store_lanes(d + k + x, load_whole(from + x));
    }

    // Columns in a lane, and in a vector, of small elements.
    static constexpr i64 kLane = S <= 2 ? 2 / S : 1, kHeld = kLane * kLanes;

    // The result rows that one vector of each ribbon holds. Streamed, each goes out in
    // one run, and a line of eight rows of the next sheet is asked for.
    void write_rows(u8* d, const u8* from, i64 bytes) {
        u8* row[kHeld];
        for (i64 k = 0; k < kHeld; ++k) row[k] = d + (k / kLane * (16 / S) + k % kLane) * b_.di;
        if constexpr (!Stream) return gather(row, from, bytes);
        alignas(kLine) u8 stage[kHeld * (kWrite + kLine)];
        u8* staged[kHeld];
        for (i64 k = 0; k < kHeld; ++k) staged[k] = stage + k * (kWrite + kLine);
        gather(staged, from, bytes);
        for (i64 k = 0; k < kHeld; ++k) {
            stream_lines(row[k], staged[k], bytes / kLine);
            ask();
        }
    }

    void ask() {
        for (i64 r = 0; r < kRows; ++r) __builtin_prefetch(next_ + asked_ + r * b_.sj);
        asked_ += kLine;
        if (asked_ < kRead) return;
        asked_ = 0;
        next_ += kRows * b_.sj;
    }

    static void gather(u8* const (&row)[kHeld], const u8* from, i64 bytes) {
        for (i64 k = 0; k < bytes; k += W, from += W / kColumn * kPitch) {
            Lanes v[kHeld];
            for (i64 r = 0; r < kHeld; ++r) v[r] = load_whole(from + r * kPitch);
            if constexpr (S == 1) turn_columns(v);
#if defined(__AVX2__)
            for (i64 r = 0; r < kLane; ++r) {
                store_lanes(row[r] + k, halves<0, 0>(v[r], v[r + kLane]));
                store_lanes(row[r + kLane] + k, halves<1, 1>(v[r], v[r + kLane]));
            }
#else
            for (i64 r = 0; r < kHeld; ++r) store_lanes(row[r] + k, v[r]);
#endif
        }
    }

    // From two columns of each ribbon to the first columns of every two ribbons, then
    // the second ones.
    static void turn_columns(Lanes (&v)[kHeld]) {
#if defined(__AVX2__)
        const Lanes a = low_pairs<8>(v[0], v[1]), b = high_pairs<8>(v[0], v[1]);
        const Lanes c = low_pairs<8>(v[2], v[3]), e = high_pairs<8>(v[2], v[3]);
        v[0] = a, v[1] = b, v[2] = c, v[3] = e;
#else
        const Lanes a = low_pairs<8>(v[0], v[1]), b = high_pairs<8>(v[0], v[1]);
        v[0] = a, v[1] = b;
#endif
    }

    const Block& b_;
    u8* buffer_;
    const u8* next_ = nullptr;  // what is asked for next
    i64 asked_ = 0;
};

}  // namespace RESTRIDE_PATH
}  // namespace restride
