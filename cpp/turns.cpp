#include "turns.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "any.hpp"
#include "lines.hpp"
#include "packs.hpp"
#include "pairs.hpp"
#include "ribbons.hpp"
#include "sheets.hpp"
#include "tiles.hpp"

namespace restride {
namespace RESTRIDE_PATH {
namespace {

// One vector square: 16 bytes of each of 16/S source rows, to as many result rows.
template <int S>
inline void square(u8* d, i64 di, const u8* s, i64 sj) {
    constexpr int B = 16 / S;
    V16 v[B];
#pragma GCC unroll 16
    for (int k = 0; k < B; ++k) v[k] = load16(s + k * sj);
    turn<S>(v);
#pragma GCC unroll 16
    for (int k = 0; k < B; ++k) store16(d + k * di, v[k]);
}

// The left-over rows of a block, fewer than a vector holds: whole vectors are read
// where the source allows, and only the rows wanted are written.
template <int S>
void thin_rows(const Block& b) {
    constexpr int B = 16 / S;
    i64 j = 0;
    for (; j + B <= b.nj; j += B) {
        const u8* s = b.s + j * b.sj;
        const u8* far = std::max(s, s + (B - 1) * b.sj);
        if (far + 16 > b.end) break;
        V16 v[B];
        for (int k = 0; k < B; ++k) v[k] = load16(s + k * b.sj);
        turn<S>(v);
        for (int k = 0; k < b.ni; ++k) store16(b.d + k * b.di + j * S, v[k]);
    }
    if (j < b.nj) {
        Block rest = b;
        rest.d += j * S;
        rest.s += j * b.sj;
        rest.nj -= j;
        block_any<S>(rest);
    }
}

// Left-over columns, fewer than a vector holds.
template <int S>
void thin_columns(const Block& b) {
    constexpr int B = 16 / S;
    i64 i = 0;
    for (; i + B <= b.ni; i += B) {
        V16 v[B] = {};
        for (int k = 0; k < b.nj; ++k) v[k] = load16(b.s + i * S + k * b.sj);
        turn<S>(v);
        u8 row[16];
        for (int k = 0; k < B; ++k) {
            store16(row, v[k]);
            u8* d = b.d + (i + k) * b.di;
            for (i64 j = 0; j < b.nj; ++j) move_one<S>(d + j * S, row + j * S, S);
        }
    }
    if (i < b.ni) {
        Block rest = b;
        rest.d += i * b.di;
        rest.s += i * S;
        rest.ni -= i;
        block_any<S>(rest);
    }
}

template <int S>
Block part(const Block& b, i64 i, i64 j, i64 ni, i64 nj) {
    Block p = b;
    p.d += i * b.di + j * S;
    p.s += i * S + j * b.sj;
    p.ni = ni;
    p.nj = nj;
    return p;
}

template <int S>
void squares(const Block& b) {
    constexpr int B = 16 / S;
    const i64 ni = b.ni / B * B, nj = b.nj / B * B;
    for (i64 i = 0; i < ni; i += B)
        for (i64 j = 0; j < nj; j += B)
            square<S>(b.d + i * b.di + j * S, b.di, b.s + i * S + j * b.sj, b.sj);
    if (nj < b.nj) thin_columns<S>(part<S>(b, 0, nj, b.ni, b.nj - nj));
    if (ni < b.ni) thin_rows<S>(part<S>(b, ni, 0, b.ni - ni, nj));
}

// How far a column of squares runs along the source's fast axis before the next: the
// reads are long enough for the hardware to fetch ahead, the result's lines few.
constexpr i64 kDeep = 512;

// A square of whole cache lines on both sides, turned in a stage, so that each line of
// the source is read in one go and each line of the result written in one: strides
// that are powers of two leave a line no time in the cache.
template <int S>
inline void line_square(u8* d, i64 di, const u8* s, i64 sj, bool stream) {
    constexpr int B = 16 / S, T = 64 / S, J = std::min(B * kLanes, T);
    alignas(kLine) u8 out[T * kLine];
    for (int j = 0; j < T; j += J) {
        const u8* from = s + j * sj;
        i64 step = sj;
        alignas(kLine) u8 in[S == 1 ? J * kLine : 1];
        if constexpr (S == 1) {
            for (int k = 0; k < J; ++k) copy_line(in + k * kLine, from + k * sj);
            from = in;
            step = kLine;
        }
        for (int i = 0; i < T; i += B)
            lane_square<S>(out + i * kLine + j * S, kLine, from + i * S, step);
    }
    for (int i = 0; i < T; ++i) {
        if (stream)
            stream_lines(d + i * di, out + i * kLine, 1);
        else
            copy_line(d + i * di, out + i * kLine);
    }
}

// The same without the stage: a vector of each result row at a time. A line is read and
// written in parts, and must stay in the first cache until the last of them. (Unrolled,
// the addresses of all these rows would not fit the registers.)
template <int S>
inline void open_square(u8* d, i64 di, const u8* s, i64 sj) {
    constexpr i64 B = 16 / S, T = 64 / S, J = std::min(B * kLanes, T);
#pragma GCC unroll 1
    for (i64 i = 0; i < T; i += B, d += B * di, s += 16) {
        const u8* from = s;
#pragma GCC unroll 1
        for (i64 j = 0; j < T; j += J, from += J * sj) lane_square<S>(d + j * S, di, from, sj);
    }
}

// Source bytes of a block from which squares of small elements ask for what they will
// read: many rows each, which push others out of the first cache. Nearer ones come soon
// enough.
constexpr i64 kFar = i64{6} << 20;

template <int S>
bool asks(const Block& b) {
    return S > 2 || b.nj * std::abs(b.sj) >= kFar;
}

// Open squares ask for the rows that are read once this run along the source is over,
// which the processor does not guess.
template <int S, bool Open>
void line_squares(const Block& b) {
    constexpr i64 T = 64 / S;
    const i64 deep = kDeep / S;
    const i64 shift = static_cast<i64>(-reinterpret_cast<std::uintptr_t>(b.d) & 63);
    const bool aligned = b.di % kLine == 0 && shift % S == 0;
    const i64 first = aligned ? std::min(shift / S, b.nj) : 0;
    const i64 nj = first + (b.nj - first) / T * T, ni = b.ni / T * T;
    const i64 asked = Open && asks<S>(b) ? nj - T : 0;  // rows before this ask
    const auto turn_at = [&, di = b.di, sj = b.sj](i64 i, i64 j) {
        u8* d = b.d + i * di + j * S;
        const u8* s = b.s + i * S + j * sj;
        if constexpr (!Open) return line_square<S>(d, di, s, sj, b.stream && aligned);
        if (j < asked)
            for (i64 r = T; r < 2 * T; ++r) __builtin_prefetch(s + r * sj);
        open_square<S>(d, di, s, sj);
    };
    for (i64 i0 = 0; i0 < ni; i0 += deep)
        for (i64 j = first; j < nj; j += T)
            for (i64 i = i0; i < std::min(ni, i0 + deep); i += T) turn_at(i, j);
    if (first) squares<S>(part<S>(b, 0, 0, ni, first));
    if (nj < b.nj) squares<S>(part<S>(b, 0, nj, ni, b.nj - nj));
    if (ni < b.ni) squares<S>(part<S>(b, ni, 0, b.ni - ni, b.nj));
    if (b.stream) stream_fence();
}

// A square at a time reads and writes runs of one line. That is enough but where strides
// collide in the caches, where the rows of the result do not begin on lines and could
// not be streamed, and where a line holds so many elements that a square takes long.
template <int S>
bool suits_tiles(const Block& b) {
    constexpr i64 kCollide = 4096;
    const bool aligned = b.di % kLine == 0;
    return S <= 2 || (S < 16 && (!aligned || b.di % kCollide == 0 || b.sj % kCollide == 0));
}

// Results that are streamed. False where their rows are not made of whole lines, the
// block is too small, or there is no room for the buffers.
template <int S>
bool ribbons(const Block& b) {
    using Kind = std::conditional_t<S == 1, Sheets<1, true>, Ribbons<S>>;
    constexpr i64 U = kLine / S, kLeast = 256;  // bytes each way
    const i64 ni = b.ni / U * U, nj = b.nj / U * U;
    const bool whole = b.di % kLine == 0 && reinterpret_cast<std::uintptr_t>(b.d) % kLine == 0;
    u8* buffer = whole && std::min(ni, nj) * S >= kLeast ? thread_buffer() : nullptr;
    if (!buffer) return false;
    Kind(part<S>(b, 0, 0, ni, nj), buffer).run();
    if (nj < b.nj) squares<S>(part<S>(b, 0, nj, ni, b.nj - nj));
    if (ni < b.ni) squares<S>(part<S>(b, ni, 0, b.ni - ni, b.nj));
    return true;
}

// Squares reach single lines in turn, which is enough where these spread over the places
// of a cache; where rows are a multiple of this apart, a few of them find one. Squares of
// small elements have more to do for each line, and feel it later.
template <int S>
bool suits_sheets(const Block& b) {
    constexpr i64 kCollide = S == 1 ? 512 : S == 2 ? 2048 : 256;
    return b.di % kCollide == 0 || b.sj % kCollide == 0;
}

// Results that stay in the cache. False where squares are as good, the block is too small
// or there is no room for the buffer. Rows of the result are cut at lines where they can
// be.
template <int S>
bool sheets(const Block& b) {
    using Kind = Sheets<S, false>;
    constexpr i64 I = Kind::kAcross, J = Kind::kAlong, kLeast = 256;  // bytes each way
    u8* buffer = std::min(b.ni, b.nj) * S >= kLeast ? thread_buffer() : nullptr;
    if (!buffer) return false;
    const i64 shift = static_cast<i64>(-reinterpret_cast<std::uintptr_t>(b.d) & 63);
    const i64 first = b.di % kLine == 0 && shift % S == 0 ? shift / S : 0;
    const i64 nj = first + (b.nj - first) / J * J, ni = b.ni / I * I;
    Kind(part<S>(b, 0, first, ni, nj - first), buffer).run();
    if (first) squares<S>(part<S>(b, 0, 0, ni, first));
    if (nj < b.nj) squares<S>(part<S>(b, 0, nj, ni, b.nj - nj));
    if (ni < b.ni) squares<S>(part<S>(b, ni, 0, b.ni - ni, b.nj));
    return true;
}

// A block that walks its source backwards is the same with its result rows the other
// way round.
void read_forwards(Block& b) {
    if (b.si >= 0) return;
    b.s += (b.ni - 1) * b.si;
    b.d += (b.ni - 1) * b.di;
    b.di = -b.di;
    b.si = -b.si;
}

// Packing costs a load and a store for each element where these are large or far apart.
// If the lines that are read stay close by and do not collide, going through them is less.
template <int S>
bool suits_runs(const Block& b) {
    constexpr i64 kCollide = 256, kClose = i64{1} << 20;
    if (b.stream || b.sj % kCollide == 0 || b.si < (S > 8 ? 2 : 3) * S) return false;
    return b.ni * b.si <= kClose / b.nj;
}

template <int S>
void block_in_packs(Block b) {
    read_forwards(b);
    if (kVector > 1 && suits_runs<S>(b)) return block_in_runs<S>(b);
    if (!packs<S>(b)) block_any<S>(b);
}

// A tile is packed, turned and sent in phases, of which a small block has too few to mix.
// It stays in the second cache until its lines are whole.
constexpr i64 kSmallBlock = i64{256} << 10;

template <int S>
void block_of(Block b) {
    read_forwards(b);
    if (kVector == 1) return block_any<S>(b);
    if (b.si != S) return block_in_packs<S>(b);
    if (b.ni * S < kLine || b.nj * S < kLine) return squares<S>(b);
    if constexpr (S < 16)
        if (b.stream && ribbons<S>(b)) return;
    if (b.stream && suits_tiles<S>(b)) {
        b.stream = b.ni * b.nj * S > kSmallBlock;
        if (b.stream && tiles<S>(b)) return;
    }
    const bool collide = suits_sheets<S>(b);
    if constexpr (S < 16)
        if (!b.stream && collide && sheets<S>(b)) return;
    if (b.stream || collide) return line_squares<S, false>(b);
    line_squares<S, true>(b);
}

}  // namespace

void move_block(const Block& b) {
    switch (b.size) {
        case 1: return block_of<1>(b);
        case 2: return block_of<2>(b);
        case 4: return block_of<4>(b);
        case 8: return block_of<8>(b);
        case 16: return block_of<16>(b);
        case 3: return block_in_packs<3>(b);
        case 5: return block_in_packs<5>(b);
        case 6: return block_in_packs<6>(b);
        case 7: return block_in_packs<7>(b);
        case 9: return block_in_packs<9>(b);
        case 10: return block_in_packs<10>(b);
        case 11: return block_in_packs<11>(b);
        case 12: return block_in_packs<12>(b);
        case 13: return block_in_packs<13>(b);
        case 14: return block_in_packs<14>(b);
        case 15: return block_in_packs<15>(b);
        default: return block_any<0>(b);
    }
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
