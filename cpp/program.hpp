// What the engine runs: plain structs, and the passes that make them simple.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace restride {

using i64 = std::int64_t;
using u8 = std::uint8_t;

constexpr int kMaxRank = 64;

// A straight run along one result axis; fill >= 0 names a fill value instead.
struct Piece {
    i64 count, offset, step, fill;
};

// One result axis: its stride in bytes and the pieces that make up its extent. `starts`
// holds the first position of each piece where there are many, else null.
struct Axis {
    i64 stride, extent, n;
    const Piece* pieces;
    const i64* starts = nullptr;
};

// Pieces that the passes rewrite. Most programs fit the inline store, so a small
// call allocates nothing.
class Arena {
public:
    Piece* take(i64 n);
    i64* take_words(i64 n);

private:
    static constexpr i64 kInline = 96;
    Piece store_[kInline];
    i64 used_ = 0;
    std::vector<std::unique_ptr<Piece[]>> more_;
    std::vector<std::unique_ptr<i64[]>> words_;
};

struct Program {
    i64 itemsize, source_offset, result_offset, background, n_fills;
    int rank;
    const u8* fills;
    Axis axes[kMaxRank];

    i64 elements() const;
};

// Source bytes a program may read, relative to the source pointer: [lo, hi).
struct Span {
    i64 lo, hi;
    bool empty() const { return hi <= lo; }
};

// Finds the extents of a program that was just read; null, or what is wrong with it.
const char* settle(Program& program);

// Passes. Each keeps the meaning of the program.
void fold_single(Program& program);               // drop axes of extent 1
void fold_fills(Program& program, Arena& arena);  // all-fill axes to background
void face_forward(Program& program, Arena& arena);  // result strides positive
void order(Program& program);                       // largest result stride first
void coalesce(Program& program, Arena& arena);      // merge neighbouring axes
void find_starts(Program& program, Arena& arena);   // last: for axes of many pieces

Span source_span(const Program& program);

}  // namespace restride
