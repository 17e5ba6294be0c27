// The inner loops along one axis: move runs of elements of a fixed item size.
#pragma once

#include <cstdint>

#include "program.hpp"

namespace restride {

// Move n elements from s, s + sstep, ... to d, d + dstep, ...
using RunFn = void (*)(u8* d, i64 dstep, const u8* s, i64 sstep, i64 n, i64 size);

// The best run kernel for these steps. A step of 0 repeats one element.
RunFn choose_run(i64 size, i64 dstep, i64 sstep);

// Write n whole lines of elements from s, s + sstep, ... past the caches. d lies on a
// line, and one more element could be read after the last.
using LineRunFn = void (*)(u8* d, const u8* s, i64 n);

// Null where no kernel does that for this step.
LineRunFn choose_line_run(i64 size, i64 sstep);

// n is a multiple of this: elements of 3, 6 or 12 bytes end with every third line.
constexpr i64 line_unit(i64 size) { return size % 3 ? 1 : 3; }

// Write n whole lines past the caches in this processor's widest stores: each takes a
// place in a queue that reads wait behind. d lies on a line.
using LinesFn = void (*)(u8* d, const u8* s, i64 n);
void send_lines(u8* d, const u8* s, i64 n);

}  // namespace restride
