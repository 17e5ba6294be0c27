// One copy under way: a program with the addresses it runs on.
#pragma once

#include "lines.hpp"
#include "program.hpp"
#include "runs.hpp"

namespace restride {

// Result bytes of one task: enough to pay for waking a thread, few enough to share out.
constexpr i64 kTaskBytes = i64{256} << 10;

// Fills whose repeated form is made once for a copy.
constexpr i64 kPatterns = 4;

struct Move {
    u8* result;
    const u8* source;
    const Program* program;
    const u8* begin;  // the first source byte that may be read
    const u8* end;    // past the last one
    bool stream;      // the result is too large to stay in a cache
    V16 patterns[kPatterns];  // of the first fills, where their size has one

    i64 size() const { return program->itemsize; }
    const u8* fill(i64 id) const { return program->fills + id * program->itemsize; }
};

// Write n elements of a fill to d, d + dstep, ...
inline void fill_run(const Move& m, u8* d, i64 dstep, i64 n, i64 id) {
    const i64 size = m.size();
    if (dstep == size && repeats(size) && n * size <= kShort)
        return splat_bytes(d, id < kPatterns ? m.patterns[id] : repeat16(m.fill(id), size),
                           n * size);
    choose_run(size, dstep, 0)(d, dstep, m.fill(id), 0, n, size);
}

// The two ways to run one: row by row, or in blocks across axis i.
void copy_rows(const Move& m);
void copy_blocks(const Move& m, int i);

// The axis along which the source is walked closest, where that is not the result's
// own last axis and reading along it is worth the change; or -1.
int across_axis(const Program& p);

}  // namespace restride
