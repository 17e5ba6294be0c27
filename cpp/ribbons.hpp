// Large turns of 2, 4 and 8 bytes whose result rows lie on whole lines, as most do: one
// pass over the source in its own order, memory read and written at the same time.
//
// A tile is a few ribbons, each eight source rows wide. Eight is what one set of the
// first cache holds, so rows may be any power of two apart. A ribbon is turned into a
// buffer as columns, one after the other; a result row of the tile is gathered from all
// its ribbons and streamed in a run of several lines. While one tile is turned the one
// before is sent, and with every line sent one of the next ribbon is asked for.
#pragma once

#include <algorithm>

#include "buffer.hpp"
#include "lines.hpp"
#include "pairs.hpp"
#include "turns.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

template <int S>
class Ribbons {
    static constexpr i64 kRows = 8;           // source rows of a ribbon
    static constexpr i64 kColumn = kRows * S;  // bytes of a column of it
    static constexpr i64 kRead = 512;          // bytes of a source row in a tile
    static constexpr i64 kWrite = S == 2 ? 256 : 512;  // and of a result row
    static constexpr i64 kPitch = kRead * kRows + kLine;  // from ribbon to ribbon
    static constexpr i64 kTile = kWrite / kColumn * kPitch;
    static_assert(2 * kTile <= kBufferBytes);

public:
    Ribbons(const Block& b, u8* buffer) : b_(b), buffer_{buffer, buffer + kTile} {}

    void run() {
        constexpr i64 ni = kRead / S, nj = kWrite / S;
        for (i64 j = 0; j < b_.nj; j += nj)
            for (i64 i = 0; i < b_.ni; i += ni) {
                const bool last = i + ni >= b_.ni;
                add({i, j, std::min(ni, b_.ni - i), std::min(nj, b_.nj - j)},
                    last ? source(0, j + nj) : source(i + ni, j));
            }
        send_all();
        stream_fence();
    }

private:
    struct Tile {
        i64 i, j, ni, nj;
    };

    // Asks for the lines of a ribbon in the order in which they are read.
    struct Ahead {
        const u8* at = nullptr;
        i64 row = 0;

        void line(i64 step) {
            __builtin_prefetch(at + row * step);
            if (++row < kRows) return;
            row = 0;
            at += kLine;
        }
    };

    const u8* source(i64 i, i64 j) const { return b_.s + i * S + j * b_.sj; }

    // Turn a tile, and meanwhile send the one before.
    void add(const Tile& t, const u8* next) {
        u8* to = buffer_[turned_++ & 1];
        const u8* first = to;
        for (i64 j = 0; j < t.nj; j += kRows, to += kPitch) {
            const u8* s = source(t.i, t.j + j);
            ahead_ = {j + kRows < t.nj ? s + kRows * b_.sj : next, 0};
            for (i64 k = 0; k < t.ni * S; k += kLine) {
                turn_lines(to + k * kRows, s + k);
                send(kRows);
            }
        }
        send_all();
        from_ = first;
        to_ = b_.d + t.i * b_.di + t.j * S;
        rows_ = t.ni;
        bytes_ = t.nj * S;
    }

    // A line of each of the eight rows.
    void turn_lines(u8* to, const u8* s) const {
        if constexpr (S == 2) {
            for (i64 k = 0; k < kLine; k += sizeof(Lanes)) {
                Lanes v[kRows];
#pragma GCC unroll 8
                for (int r = 0; r < kRows; ++r) v[r] = load_whole(s + r * b_.sj + k);
                turn<S>(v);
#pragma GCC unroll 8
                for (int r = 0; r < kRows; ++r)
                    store_apart(to + k * kRows + r * 16, kRows * 16, v[r]);
            }
        } else {
            for (i64 k = 0; k < kLine; k += 16)
                for (i64 r = 0; r < kRows; r += 16 / S * kLanes)
                    lane_square<S>(to + k * kRows + r * S, kColumn, s + r * b_.sj + k,
                                   b_.sj);
        }
    }

    // As many whole rows as these lines and those left over before are enough for.
    void send(i64 lines) {
        for (due_ += lines * kLine; rows_ > 0 && due_ >= bytes_; due_ -= bytes_) send_row();
    }

    void send_all() {
        while (rows_ > 0) send_row();
        due_ = 0;
    }

    void send_row() {
        const u8* from = from_;
        for (i64 k = 0; k < bytes_; k += kLine, from += kLine / kColumn * kPitch) {
            ahead_.line(b_.sj);
            send_line(to_ + k, from);
        }
        from_ += kColumn;
        to_ += b_.di;
        --rows_;
    }

    static void send_line(u8* to, const u8* from) {
        if constexpr (kColumn == kLine) {
            stream_lines(to, from, 1);
        } else {
            V16 v[4];
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) v[k] = gather(from, 16 * k);
            stream_line(to, v);
        }
    }

    // 16 bytes of a line, from byte `at`.
    static V16 gather(const u8* from, i64 at) {
        return load16(from + at / kColumn * kPitch + at % kColumn);
    }

    const Block& b_;
    u8* buffer_[2];
    i64 turned_ = 0;
    Ahead ahead_;
    // What is still to be sent of the tile before.
    const u8* from_ = nullptr;
    u8* to_ = nullptr;
    i64 rows_ = 0, bytes_ = 0, due_ = 0;
};

}  // namespace RESTRIDE_PATH
}  // namespace restride
