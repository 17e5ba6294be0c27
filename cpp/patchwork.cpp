#include "patchwork.hpp"

#include <algorithm>
#include <cstring>

#include "strip.hpp"

namespace restride {
namespace {

constexpr i64 kHalf = Patchwork::kVector / 2;
constexpr u8 kNothing = 0x80;  // an order that gives 0

// As many rows as fill their vectors to a sixteenth, or come closest to that.
i64 rows_of_group(i64 bytes) {
    i64 best = 0, least = 0;
    for (i64 n = 1; n <= Patchwork::kMostRows && n * bytes <= Patchwork::kMostBytes; ++n) {
        const i64 used = n * bytes, over = -used & (Patchwork::kVector - 1);
        if (!best || over * best * bytes < least * used) {  // a smaller share is wasted
            best = n;
            least = over;
        }
        if (used >= 2 * Patchwork::kVector && over * 16 <= used) return n;
    }
    return best;
}

}  // namespace

// Where each byte of a group comes from.
struct Patchwork::Bytes {
    i64 src[kMostBytes];
    bool copied[kMostBytes];  // else a constant, or no matter
};

bool Patchwork::add_half(const Bytes& bytes, int half) {
    const i64* src = bytes.src + half * kHalf;
    bool open[kHalf];
    std::memcpy(open, bytes.copied + half * kHalf, sizeof open);
    Term* term = of[half / 2];
    for (int t = 0;; ++t, ++term) {
        i64 from = INT64_MAX;
        for (i64 k = 0; k < kHalf; ++k)
            if (open[k]) from = std::min(from, src[k]);
        if (from == INT64_MAX) break;
        if (t == kMostTerms) return false;
        (half % 2 ? term->apart : term->at) = from;
        for (i64 k = 0; k < kHalf; ++k) {
            if (!open[k] || src[k] - from >= kHalf) continue;
            term->order[half % 2 * kHalf + k] = static_cast<u8>(src[k] - from);
            open[k] = false;
        }
        terms = std::max(terms, t + 1);
    }
    return true;
}

bool Patchwork::piece_together(const Bytes& bytes) {
    for (int k = 0; k < vectors; ++k)
        for (Term& term : of[k]) {
            term.at = term.apart = lo;  // which may be read
            std::memset(term.order, kNothing, sizeof term.order);
        }
    terms = 1;
    for (int half = 0; half < 2 * vectors; ++half)
        if (!add_half(bytes, half)) return false;
    for (int k = 0; k < vectors; ++k)
        for (Term& term : of[k]) term.apart -= term.at;
    return true;
}

void Patchwork::place(const Pattern& p, const Run& run, Bytes& bytes) {
    for (i64 k = 0; k < run.count * p.size; ++k) {
        const i64 b = k % p.size, src = run.src + k / p.size * run.step + b;
        u8* value = values + run.dst + k;
        for (i64 r = 0, at = run.dst + k; r < rows; ++r, at += p.bytes) {
            bytes.copied[at] = run.fill < 0;
            bytes.src[at] = src + r * p.step;
            if (run.fill >= 0) value[r * p.bytes] = p.fills[run.fill * p.size + b];
        }
        if (run.fill >= 0) continue;
        lo = std::min(lo, src);
        hi = std::max(hi, src + kHalf);
    }
}

bool Patchwork::build(const Pattern& p) {
    Bytes bytes;
    rows = rows_of_group(p.bytes);
    step = p.step;
    lo = INT64_MAX;
    hi = INT64_MIN;
    std::memset(bytes.copied, 0, sizeof bytes.copied);
    std::memset(values, 0, sizeof values);
    for (const Run* run = p.runs; rows && run < p.runs + p.n_runs; ++run)
        place(p, *run, bytes);
    vectors = static_cast<int>((rows * p.bytes + kVector - 1) / kVector);
    if (lo < hi && piece_together(bytes)) return true;
    rows = 0;
    return false;
}

}  // namespace restride
