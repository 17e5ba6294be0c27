// Large blocks, tile by tile: memory is read and written in runs of several lines.
//
// A tile's source rows are packed into a buffer, turned from there into a second one, and
// sent on from there line by line, each time with a line of the next tile packed. So
// neither side sees strides that are powers of two in its caches, and memory reads and
// writes at the same time.
#pragma once

#include <algorithm>

#include "buffer.hpp"
#include "lines.hpp"
#include "pairs.hpp"
#include "turns.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

// Bytes of a source row in a tile: shorter runs leave the prefetcher no time.
constexpr i64 kTileRead = 512;
// Bytes of a result row in a tile, at the least: shorter runs cost memory a new page.
constexpr i64 kTileWrite = 256;
// Source rows that are asked for ahead of the one being packed.
constexpr i64 kTileAhead = 4;

// The buffers of a tile of S-byte elements. Rows are an odd number of lines apart, and
// both buffers fit the second-level cache.
template <int S>
struct TileShape {
    static constexpr i64 read = S == 1 ? kTileRead / 2 : kTileRead;
    static constexpr i64 ni = read / S;
    static constexpr i64 nj = std::max<i64>(kTileWrite / S, 32);
    static constexpr i64 in_pitch = read + kLine;
    static constexpr i64 out_pitch = nj * S + kLine;
    static constexpr i64 in_bytes = nj * in_pitch;
    static constexpr i64 out_bytes = ni * out_pitch;
    static_assert(in_bytes + out_bytes <= kBufferBytes);
    static_assert(in_pitch / kLine % 2 == 1 && out_pitch / kLine % 2 == 1);
};

template <int S>
class Tiles {
    using Shape = TileShape<S>;

public:
    Tiles(const Block& b, u8* buffer) : b_(b), in_(buffer), out_(buffer + Shape::in_bytes) {}

    void run() {
        Place t = {0, 0, std::min(b_.ni, Shape::ni), std::min(b_.nj, Shape::nj)};
        for (Packer first(b_, t, in_); first.more();) first.line();
        while (t.ni) {
            const Place next = after(t);
            find_rows(t);
            turn_all(t);
            Packer packer(b_, next, in_);
            for (i64 i = 0; i < t.ni; ++i) send(t, i, packer);
            while (packer.more()) packer.line();
            t = next;
        }
        if (b_.stream) stream_fence();
    }

private:
    struct Place {
        i64 i, j, ni, nj;
    };

    // Takes in the source rows of a tile, a line at a time.
    class Packer {
    public:
        Packer(const Block& b, const Place& t, u8* in)
            : s_(b.s + t.i * S + t.j * b.sj),
              d_(in),
              step_(b.sj),
              left_(t.ni ? t.nj : 0),
              bytes_(t.ni * S) {}

        bool more() const { return left_ > 0; }

        void line() {
            __builtin_prefetch(s_ + kTileAhead * step_ + k_);
            if (bytes_ - k_ >= kLine)
                copy_line(d_ + k_, s_ + k_);
            else
                copy_short(d_ + k_, s_ + k_, bytes_ - k_);
            k_ += kLine;
            if (k_ < bytes_) return;
            k_ = 0;
            --left_;
            s_ += step_;
            d_ += Shape::in_pitch;
        }

    private:
        const u8* s_;
        u8* d_;
        i64 step_, left_, bytes_, k_ = 0;
    };

    // Along the result's rows, then on to the next rows; ni is 0 past the end.
    Place after(const Place& t) const {
        Place n = {t.i, t.j + t.nj, t.ni, 0};
        if (n.j == b_.nj) n = {t.i + t.ni, 0, std::min(b_.ni - t.i - t.ni, Shape::ni), 0};
        if (n.ni) n.nj = std::min(b_.nj - n.j, Shape::nj);
        return n;
    }

    u8* place(const Place& t, i64 i) const { return b_.d + (t.i + i) * b_.di + t.j * S; }

    // Where a row of the result begins inside its line.
    i64 skew(const Place& t, i64 i) const {
        return static_cast<i64>(reinterpret_cast<std::uintptr_t>(place(t, i)) &
                                (kLine - 1));
    }

    void find_rows(const Place& t) {
        constexpr i64 B = 16 / S;
        for (i64 i = 0; i < (t.ni + B - 1) / B * B; ++i)
            row_[i] = out_ + i * Shape::out_pitch + skew(t, i);
    }

    // Squares past the tile's own ends turn what the buffer holds there.
    void turn_all(const Place& t) const {
        constexpr i64 B = 16 / S, J = B * kLanes;
        for (i64 i = 0; i < t.ni; i += B)
            for (i64 j = 0; j < t.nj; j += J)
                turn_square(in_ + j * Shape::in_pitch + i * S, row_ + i, j * S);
    }

    static void turn_square(const u8* s, u8* const* rows, i64 at) {
        constexpr int B = 16 / S;
        constexpr i64 P = Shape::in_pitch;
        Lanes v[B];
#pragma GCC unroll 16
        for (int k = 0; k < B; ++k) v[k] = load_lanes(s + k * P, B * P);
        turn<S>(v);
#pragma GCC unroll 16
        for (int k = 0; k < B; ++k) store_lanes(rows[k] + at, v[k]);
    }

    // A row in whole lines. The block's first and last may be parts; what a tile leaves
    // of its last line goes before the next tile's row.
    void send(const Place& t, i64 i, Packer& packer) {
        u8* from = out_ + i * Shape::out_pitch;
        const i64 lead = skew(t, i), total = lead + t.nj * S;
        const i64 whole = total / kLine * kLine;
        u8* to = place(t, i) - lead;
        i64 k = 0;
        if (lead && t.j == 0) {
            copy_short(to + lead, from + lead, std::min(kLine, total) - lead);
            k = kLine;
        }
        for (; k < whole; k += kLine) {
            if (packer.more()) packer.line();
            if (b_.stream)
                stream_lines(to + k, from + k, 1);
            else
                copy_line(to + k, from + k);
        }
        if (k > total) return;
        if (t.j + t.nj == b_.nj)
            copy_short(to + whole, from + whole, total - whole);
        else
            copy_line(from, from + whole);
    }

    const Block& b_;
    u8 *in_, *out_;
    u8* row_[Shape::ni];
};

// False where there is no room for its buffers.
template <int S>
bool tiles(const Block& b) {
    u8* buffer = thread_buffer();
    if (!buffer) return false;
    Tiles<S>(b, buffer).run();
    return true;
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
