// A row's runs written out as vector steps: short runs cost a load, a shuffle and a
// store each, without a call and without care for their ends.
#pragma once

#include "mosaic.hpp"
#include "patchwork.hpp"
#include "program.hpp"
#include "runs.hpp"

namespace restride {

struct Stage;

// A straight part of the pattern that is repeated for every row: elements of the
// pattern from `first` on, bytes from the row's own place in the result and the source.
struct Run {
    i64 first;
    i64 dst, src, count, step, fill;
    RunFn move;
    bool plain;  // source bytes in order
    LineRunFn lines;  // writes whole lines of it past the caches, or null
};

// Rows that lie one after the other, from places `step` apart.
struct StripRows {
    u8* d;
    i64 bytes;
    const u8* s;
    i64 step, n;
};

class Strip {
public:
    // A step may write this many bytes past its run; what comes next mends them.
    static constexpr i64 kOver = 32;
    static constexpr int kMostSteps = 64;

    enum class How { copy, shuffle, fill };

    // copy: n bytes. shuffle and fill: n vectors, ddst and dsrc apart. `bytes` of the
    // result in all.
    struct Step {
        How how;
        i64 dst, bytes, src, n, ddst, dsrc;
        u8 pattern[16];  // where each byte comes from, or the bytes themselves
    };

    // What the kernels are told.
    struct Steps {
        int n = 0;
        i64 longest = 0;  // bytes of the longest copy, where there are only copies; else 0
        bool framed = false;  // a copy between two ends of a vector each
        Step all[kMostSteps];
        Patchwork patchwork;  // several rows at once, or none
        Mosaic mosaic;        // the same for windows: goes first
    };

    // False where the runs have no such form, or this path no such shuffles.
    bool build(const Patchwork::Pattern& pattern);

    // Rows one `pattern.step` after the other, many of them, may be put together.
    void put_together(const Patchwork::Pattern& pattern);

    // Source bytes read for a row, from its own place: [lo, hi).
    i64 lo() const { return lo_; }
    i64 hi() const { return hi_; }

    void write(const StripRows& rows) const;
    void send(const StripRows& rows, Stage& stage) const;  // not to rows.d

private:
    Step* add(How how, i64 dst, i64 bytes);
    bool add_run(const Run& run, i64 size, const u8* fills);
    bool add_copy(const Run& run, i64 size);
    bool add_fill(const Run& run, i64 size, const u8* value);
    bool add_shuffle(const Run& run, i64 size);
    i64 longest_copy() const;
    bool is_framed() const;
    bool lay_out(const Patchwork::Pattern& pattern);
    i64 cost() const;
    void reads(i64 from, i64 to);

    Steps steps_;
    i64 lo_ = 0, hi_ = 0;
};

using StripFn = void (*)(const Strip::Steps& steps, const StripRows& rows);
using StripLinesFn = void (*)(const Strip::Steps& steps, const StripRows& rows,
                              Stage& stage);

}  // namespace restride
