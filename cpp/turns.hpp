// The inner loops across two axes: blocks whose rows become columns.
#pragma once

#include "program.hpp"

namespace restride {

// An ni x nj block: element (i, j) goes from s + i*si + j*sj to d + i*di + j*size.
// Meant for |si| < |sj|: it reads along i and writes along j.
struct Block {
    u8* d;
    i64 di;
    const u8* s;
    i64 si, sj, ni, nj, size;
    const u8* end;  // no source byte at or past it may be read
    bool stream;    // the result is too large to stay in a cache
};

void move_block(const Block& block);

// Elements each way of a tile whose source rows are packed; 0 where none are.
constexpr i64 pack_side(i64 size) {
    return size > 16 ? 0 : size > 7 ? 64 : size > 4 ? 96 : 128;
}

// The same where d is a stage, di is nj*size, and up to 16 bytes past the last row
// may be overwritten.
void weave_block(const Block& block);

// The same past the caches: d lies on a line, and ni rows are as many lines as there are
// planes, or a multiple. False, with nothing written, where no kernel does that.
bool weave_lines(const Block& block);

}  // namespace restride
