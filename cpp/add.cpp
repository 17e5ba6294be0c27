#include "add.hpp"

#include <algorithm>
#include <cstring>

#include "walk.hpp"

namespace restride {
namespace {

struct Name {
    const char* name;
    Kind kind;
    i64 source, result;
};

constexpr Name kNames[] = {
    {"i1", Kind::i1, 1, 1},    {"i2", Kind::i2, 2, 2},   {"i4", Kind::i4, 4, 4},
    {"i8", Kind::i8, 8, 8},    {"f4", Kind::f4, 4, 4},   {"f8", Kind::f8, 8, 8},
    {"c8", Kind::c8, 8, 8},    {"c16", Kind::c16, 16, 16}, {"b1", Kind::b1, 1, 1},
    {"f2", Kind::f2, 4, 2},    {"bf2", Kind::bf2, 4, 2},
};

const Name* entry(Kind kind) {
    for (const Name& n : kNames)
        if (n.kind == kind) return &n;
    return nullptr;
}

float bits_float(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

float from_half(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 31u, fraction = half & 1023u;
    if (exponent == 31) return bits_float(sign | 0x7f800000u | fraction << 13);
    if (exponent) return bits_float(sign | (exponent + 112) << 23 | fraction << 13);
    const float tiny = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -tiny : tiny;
}

// How one element of the result is added to one of the source.
template <class T>
struct Sum {
    static void at(u8* s, const u8* r) {
        T a, b;
        std::memcpy(&a, s, sizeof a);
        std::memcpy(&b, r, sizeof b);
        a = static_cast<T>(a + b);
        std::memcpy(s, &a, sizeof a);
    }
};

template <class T>
struct Pair {
    static void at(u8* s, const u8* r) {
        Sum<T>::at(s, r);
        Sum<T>::at(s + sizeof(T), r + sizeof(T));
    }
};

struct Or {
    static void at(u8* s, const u8* r) { *s = *s || *r; }
};

template <bool Brain>
struct Half {
    static void at(u8* s, const u8* r) {
        std::uint16_t half;
        float sum;
        std::memcpy(&half, r, sizeof half);
        std::memcpy(&sum, s, sizeof sum);
        sum += Brain ? bits_float(static_cast<std::uint32_t>(half) << 16)
                     : from_half(half);
        std::memcpy(s, &sum, sizeof sum);
    }
};

template <class How>
void add_rows(u8* source, const u8* result, const Program& p) {
    const Axis& j = p.axes[p.rank - 1];
    const i64 rows = p.elements() / j.extent;
    Odometer at(p.axes, p.rank - 1, p.source_offset, p.result_offset, p.background, 0);
    for (i64 r = 0; r < rows; ++r, at.next()) {
        if (at.fill() >= 0) continue;
        const u8* from = result + at.result();
        for (i64 q = 0; q < j.n; ++q) {
            const Piece& piece = j.pieces[q];
            u8* to = source + at.source() + piece.offset;
            if (piece.fill < 0)
                for (i64 k = 0; k < piece.count; ++k)
                    How::at(to + k * piece.step, from + k * j.stride);
            from += piece.count * j.stride;
        }
    }
}

}  // namespace

Kind kind_of(const char* name) {
    for (const Name& n : kNames)
        if (std::strcmp(n.name, name) == 0) return n.kind;
    return Kind::none;
}

i64 source_bytes(Kind kind) { return entry(kind)->source; }
i64 result_bytes(Kind kind) { return entry(kind)->result; }

void add(u8* source, const u8* result, Program& p, Arena& arena, Kind kind) {
    fold_single(p);
    fold_fills(p, arena);
    if (p.background >= 0) return;
    coalesce(p, arena);
    static const Piece one{1, 0, 0, -1};
    if (p.rank == 0) p.axes[p.rank++] = {p.itemsize, 1, 1, &one, nullptr};
    switch (kind) {
        case Kind::i1: return add_rows<Sum<std::uint8_t>>(source, result, p);
        case Kind::i2: return add_rows<Sum<std::uint16_t>>(source, result, p);
        case Kind::i4: return add_rows<Sum<std::uint32_t>>(source, result, p);
        case Kind::i8: return add_rows<Sum<std::uint64_t>>(source, result, p);
        case Kind::f4: return add_rows<Sum<float>>(source, result, p);
        case Kind::f8: return add_rows<Sum<double>>(source, result, p);
        case Kind::c8: return add_rows<Pair<float>>(source, result, p);
        case Kind::c16: return add_rows<Pair<double>>(source, result, p);
        case Kind::b1: return add_rows<Or>(source, result, p);
        case Kind::f2: return add_rows<Half<false>>(source, result, p);
        case Kind::bf2: return add_rows<Half<true>>(source, result, p);
        case Kind::none: return;
    }
}

}  // namespace restride
