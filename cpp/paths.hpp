// The kernels, compiled once for every set of instructions, and the one that is used.
#pragma once

#include "runs.hpp"
#include "strip.hpp"
#include "turns.hpp"

namespace restride {

struct Kernels {
    const char* name;
    RunFn (*choose_run)(i64 size, i64 dstep, i64 sstep);
    LineRunFn (*choose_line_run)(i64 size, i64 sstep);
    LinesFn send_lines;
    void (*move_block)(const Block& block);
    void (*weave_block)(const Block& block);
    bool (*weave_lines)(const Block& block);
    bool shuffles;       // of bytes, in one instruction
    StripFn strip_rows;  // null, as the next, where there are no vectors for it
    StripLinesFn strip_lines;
    MosaicKernelFn mosaic_kernel;
};

// The best that the processor has, or what RESTRIDE_ISA names where that is less:
// "scalar" moves one element at a time, "baseline" uses what the compiler may assume of
// every processor it builds for, and "avx2" what its name says. Chosen once.
const Kernels& kernels();

}  // namespace restride
