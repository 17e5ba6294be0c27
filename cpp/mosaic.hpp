// Windows: rows of a few short runs, each row one element further on in the source. As
// many rows at once as a line has elements are laid out in registers: a run that is
// loaded from a little before it begins stands in its place already, so that a vector of
// the result is a few loads, blended. Each is stored once, past the caches or not.
#pragma once

#include "program.hpp"

namespace restride {

struct Mosaic {
    static constexpr i64 kMostRuns = 5;
    static constexpr i64 kBefore = 28;  // bytes before a run that may be read

    // Groups of rows to d; the first row's runs begin `places` bytes from s.
    using Fn = void (*)(u8* d, const u8* s, const i64* places, i64 groups);

    struct Kernel {
        i64 size, run, runs;  // bytes of an element and of a run; runs of a row
        Fn write, send;       // send: past the caches, d lies on a line
    };

    i64 rows() const { return kernel ? 64 / kernel->size : 0; }  // of a group
    bool serves(i64 n, i64 apart) const {
        return kernel && apart == kernel->size && n >= rows();
    }

    const Kernel* kernel = nullptr;
    i64 places[kMostRuns] = {};
};

// The kernel for such rows, or null.
using MosaicKernelFn = const Mosaic::Kernel* (*)(i64 size, i64 run, i64 runs);

}  // namespace restride
