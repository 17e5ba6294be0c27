// Blocks whose source rows have to be packed: elements whose size is no power of two, such
// as pixels of 3, 6 and 12 bytes, and elements of any size up to 16 some way apart.
//
// A tile's source rows are packed into a buffer. From there a few result rows at a time
// are turned: elements are spread to words of as many bytes as a power of two, turned as
// those are and drawn together again, all in registers, into a stage of less than a page.
// Each row of the stage goes out in one run, and after it one source row of the next tile
// is packed: so neither side meets the strides of the other, and memory is read and
// written at the same time.
#pragma once

#include <algorithm>

#include "buffer.hpp"
#include "lines.hpp"
#include "pairs.hpp"
#include "runs.hpp"
#include "turns.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

// The orders of bytes that lead from the elements of a vector, S bytes each, to words of
// W and back.
struct Order {
    u8 at[16];
};

template <int S, int W>
constexpr Order spread_order() {
    Order order = {};
    for (int k = 0; k < 16; ++k)
        order.at[k] = static_cast<u8>(k % W < S ? k / W * S + k % W : 128);
    return order;
}

template <int S, int W>
constexpr Order draw_order() {
    Order order = {};
    for (int k = 0; k < 16; ++k)
        order.at[k] = static_cast<u8>(k / S < 16 / W ? k / S * W + k % S : 128);
    return order;
}

template <int S>
class Packs {
    static constexpr int W = word_bytes(S);
    static constexpr int B = 16 / W;           // words of a vector
    static constexpr i64 kDeep = B * kLanes;   // source rows of a square
    static constexpr i64 kSide = pack_side(S);
    // From row to row of the buffers: an odd number of lines, or columns would collide.
    // Squares read and write up to a vector too far.
    static constexpr i64 kPitch = ((kSide * S + 16 + kLine - 1) / kLine | 1) * kLine;
    static constexpr i64 kTile = kSide * kPitch;
    static constexpr i64 kAhead = 4;  // source rows asked for ahead of the one packed
    static constexpr Order kApart = spread_order<S, W>(), kTogether = draw_order<S, W>();
    static constexpr bool kOrders = S < W && B > 1;  // one element is in its place
    static_assert(kSide % kDeep == 0 && B * kPitch <= Stage::kPage);
    static_assert(2 * kTile <= kBufferBytes);

public:
    // Without this, one element after the other is no slower.
    static constexpr bool kPays = kVector > 1 && (kShuffles || !kOrders);

    // Source rows are walked forwards: b.si is not negative.
    Packs(const Block& b, u8* buffer)
        : b_(b), run_(choose_run(S, S, b.si)), buffer_{buffer, buffer + kTile} {}

    void run() {
        Tile now = tile(0, 0);
        begin_packing(now, buffer_[0]);
        while (left_) pack_row();
        for (int turned = 0; now.ni; turned ^= 1) {
            const Tile next = after(now);
            begin_packing(next, buffer_[turned ^ 1]);
            move(now, buffer_[turned]);
            while (left_) pack_row();
            now = next;
        }
        if (b_.stream) stream_fence();
    }

private:
    struct Tile {
        i64 i, j, ni, nj;
    };

    Tile tile(i64 i, i64 j) const {
        return {i, j, std::min(kSide, b_.ni - i), std::min(kSide, b_.nj - j)};
    }

    // Along the source's rows, then on to the next rows; ni is 0 past the end.
    Tile after(const Tile& t) const {
        if (t.i + t.ni < b_.ni) return tile(t.i + t.ni, t.j);
        return t.j + t.nj < b_.nj ? tile(0, t.j + t.nj) : Tile{};
    }

    void begin_packing(const Tile& t, u8* to) {
        from_ = b_.s + t.i * b_.si + t.j * b_.sj;
        to_ = to;
        elements_ = t.ni;
        left_ = t.ni ? t.nj : 0;
    }

    void pack_row() {
        const i64 bytes = b_.si <= kLine ? elements_ * b_.si : 0;
        for (i64 k = 0; k < bytes; k += kLine)
            __builtin_prefetch(from_ + kAhead * b_.sj + k);
        if (b_.si == S)
            copy_short(to_, from_, elements_ * S);
        else
            run_(to_, S, from_, b_.si, elements_, S);
        from_ += b_.sj;
        to_ += kPitch;
        --left_;
    }

    void move(const Tile& t, const u8* from) {
        u8* d = b_.d + t.i * b_.di + t.j * S;
        for (i64 i = 0; i < t.ni; i += B, from += B * S) {
            turn_rows(from, t.nj);
            for (i64 k = 0; k < std::min<i64>(B, t.ni - i); ++k, d += b_.di) {
                send(d, stage_ + k * kPitch, t.nj * S);
                if (left_) pack_row();
            }
        }
    }

    // The next result rows of a tile, as many as words in a vector. What the squares hold
    // past the tile's own ends is not sent.
    void turn_rows(const u8* from, i64 nj) {
        const Lanes apart = in_lanes(load16(kApart.at));
        const Lanes together = in_lanes(load16(kTogether.at));
        u8* to = stage_;
        for (i64 j = 0; j < nj; j += kDeep, from += kDeep * kPitch, to += kDeep * S) {
            Lanes v[B];
#pragma GCC unroll 4
            for (int k = 0; k < B; ++k)
                v[k] = ordered(load_lanes(from + k * kPitch, B * kPitch), apart);
            turn<W>(v);
#pragma GCC unroll 4
            for (int k = 0; k < B; ++k)
                store_apart(to + k * kPitch, B * S, ordered(v[k], together));
        }
    }

    static Lanes ordered(Lanes v, [[maybe_unused]] Lanes order) {
        if constexpr (kOrders)
            return shuffle(v, order);
        else
            return v;
    }

    // A row of the stage to its place; parts of lines at its ends go through the caches.
    void send(u8* d, const u8* from, i64 bytes) const {
        const i64 head = static_cast<i64>(-reinterpret_cast<std::uintptr_t>(d) & 63);
        const i64 lines = (bytes - head) / kLine, body = head + lines * kLine;
        if (!b_.stream || lines < 1) return copy_short(d, from, bytes);
        copy_short(d, from, head);
        stream_lines(d + head, from + head, lines);
        copy_short(d + body, from + body, bytes - body);
    }

    const Block& b_;
    RunFn run_;
    u8* buffer_[2];
    // What is still to be packed.
    const u8* from_ = nullptr;
    u8* to_ = nullptr;
    i64 elements_ = 0, left_ = 0;
    alignas(Stage::kPage) u8 stage_[B * kPitch];
};

// False where there is no room for its buffers, or nothing to gain.
template <int S>
bool packs(const Block& b) {
    constexpr i64 kLeast = 4;  // elements each way
    if constexpr (Packs<S>::kPays) {
        u8* buffer = std::min(b.ni, b.nj) >= kLeast ? thread_buffer() : nullptr;
        if (!buffer) return false;
        Packs<S>(b, buffer).run();
        return true;
    }
    return false;
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
