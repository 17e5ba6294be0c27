// Several short rows at once: each vector of the result is put together from loads of the
// source, shuffled into place. So elements that lie close together in the source cost one
// load, however many runs and rows they stand in.
#pragma once

#include "program.hpp"
#include "runs.hpp"

namespace restride {

struct Run;

struct Patchwork {
    static constexpr i64 kVector = 32;  // bytes, in two halves that load for themselves
    static constexpr i64 kMostBytes = 512;
    static constexpr i64 kMostRows = 32;
    static constexpr int kMostTerms = 6;
    static constexpr i64 kMostVectors = kMostBytes / kVector;

    // Sixteen bytes from the group's own place + `at`, and from `apart` further on for
    // the second half; `order` says where each byte of the vector comes from.
    struct Term {
        i64 at, apart;
        u8 order[kVector];
    };

    // What is the same for all rows of a pattern: its runs, and how far apart rows lie.
    struct Pattern {
        const Run* runs;
        std::size_t n_runs;
        i64 size, bytes, step;
        const u8* fills;
    };

    // False where such rows have no patchwork: too long, or from too many places.
    bool build(const Pattern& pattern);

    bool serves(i64 n, i64 apart) const { return rows && n >= rows && apart == step; }

    i64 rows = 0;  // of a group; 0 where there is none
    i64 step;      // between rows, in the source
    i64 lo, hi;    // what a row reads, from its own place
    int vectors, terms;  // of a group; of each vector
    u8 values[kMostBytes];  // the constants, 0 elsewhere
    Term of[kMostVectors][kMostTerms];

private:
    struct Bytes;
    void place(const Pattern& pattern, const Run& run, Bytes& bytes);
    bool piece_together(const Bytes& bytes);
    bool add_half(const Bytes& bytes, int half);
};

}  // namespace restride
