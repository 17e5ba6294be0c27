#include "strip.hpp"

#include <algorithm>
#include <cstdlib>

#include "paths.hpp"
#include "vectors.hpp"

namespace restride {

void Strip::reads(i64 from, i64 to) {
    lo_ = std::min(lo_, from);
    hi_ = std::max(hi_, to);
}

Strip::Step* Strip::add(How how, i64 dst, i64 bytes) {
    if (steps_.n == kMostSteps) return nullptr;
    Step* step = steps_.all + steps_.n++;
    *step = Step();
    step->how = how;
    step->dst = dst;
    step->bytes = bytes;
    step->ddst = 16;
    return step;
}

// As many of the value as 16 bytes hold whole, or bytes where all are equal.
bool Strip::add_fill(const Run& run, i64 size, const u8* value) {
    const bool even = std::all_of(value, value + size, [&](u8 b) { return b == *value; });
    Step* step = even || size <= 16 ? add(How::fill, run.dst, run.count * size) : nullptr;
    if (!step) return false;
    const i64 one = even ? 1 : size, whole = 16 / one * one;
    for (i64 k = 0; k < whole; ++k) step->pattern[k] = value[k % one];
    step->ddst = whole;
    step->n = (run.count * size + whole - 1) / whole;
    return true;
}

// As many elements a vector as lie within 16 bytes of the source and of the result.
bool Strip::add_shuffle(const Run& run, i64 size) {
    if (size > 16 || !kernels().shuffles) return false;
    const i64 stride = std::abs(run.step);
    i64 each = 1;
    while ((each + 1) * size <= 16 && each * stride + size <= 16) ++each;
    Step* step = add(How::shuffle, run.dst, run.count * size);
    if (!step) return false;
    const i64 back = run.step < 0 ? (each - 1) * stride : 0;
    for (i64 k = 0; k < each; ++k)
        for (i64 b = 0; b < size; ++b)
            step->pattern[k * size + b] = static_cast<u8>(back + k * run.step + b);
    step->src = run.src - back;
    step->n = (run.count + each - 1) / each;
    step->ddst = each * size;
    step->dsrc = each * run.step;
    const i64 last = step->src + (step->n - 1) * step->dsrc;
    reads(std::min(step->src, last), std::max(step->src, last) + 16);
    return true;
}

bool Strip::add_copy(const Run& run, i64 size) {
    Step* step = add(How::copy, run.dst, run.count * size);
    if (!step) return false;
    step->src = run.src;
    step->n = step->bytes;
    reads(run.src, run.src + step->n + 31);
    return true;
}

bool Strip::add_run(const Run& run, i64 size, const u8* fills) {
    if (run.fill >= 0) return add_fill(run, size, fills + run.fill * size);
    if (run.plain || run.count == 1) return add_copy(run, size);
    return add_shuffle(run, size);
}

i64 Strip::longest_copy() const {
    i64 most = 0;
    for (const Step* step = steps_.all; step < steps_.all + steps_.n; ++step) {
        if (step->how != How::copy) return 0;
        most = std::max(most, step->n);
    }
    return most;
}

bool Strip::is_framed() const {
    const auto is_end = [](const Step& step) {
        return step.how == How::copy ? step.n <= 16 : step.n == 1;
    };
    const Step* all = steps_.all;
    return steps_.n == 3 && is_end(all[0]) && all[1].how == How::copy && is_end(all[2]);
}

bool Strip::build(const Patchwork::Pattern& p) {
    if (!kernels().strip_rows) return false;
    for (const Run* run = p.runs; run < p.runs + p.n_runs; ++run)
        if (!add_run(*run, p.size, p.fills)) return false;
    steps_.longest = longest_copy();
    steps_.framed = is_framed();
    return true;
}

// About what a row costs in the time of a vector among many alike, as measured. A step
// that may be of another kind than the last costs 4 more.
i64 Strip::cost() const {
    const i64 longest = steps_.longest, n = steps_.n;
    if (longest > 0 && longest <= 32) return n;
    if (longest > 0 && n == 1) return (longest + 31) / 32;
    if (steps_.framed) return 4 + steps_.all[1].n / 48;
    i64 cost = n == 1 ? 3 : longest > 0 ? 2 * n : 4 * n;
    for (const Step* step = steps_.all; step < steps_.all + n; ++step)
        cost += step->how == How::copy ? step->n / 32 : step->n;
    return cost;
}

// Copies of one length without gaps, which the next row reads one element further on.
bool Strip::lay_out(const Patchwork::Pattern& p) {
    const i64 n = steps_.n, run = p.bytes / n;
    if (p.step != p.size || n > Mosaic::kMostRuns) return false;
    for (i64 k = 0; k < n; ++k) {
        const Step& step = steps_.all[k];
        if (step.how != How::copy || step.n != run || step.dst != k * run) return false;
    }
    const Mosaic::Kernel* kernel = kernels().mosaic_kernel(p.size, run, n);
    if (!kernel) return false;
    Mosaic& mosaic = steps_.mosaic;
    mosaic.kernel = kernel;
    for (i64 k = 0; k < n; ++k) {
        mosaic.places[k] = steps_.all[k].src;
        reads(mosaic.places[k] - Mosaic::kBefore, mosaic.places[k]);
    }
    return true;
}

void Strip::put_together(const Patchwork::Pattern& p) {
    if (lay_out(p)) return;
    Patchwork& patchwork = steps_.patchwork;
    // In tenths of a cycle: one vector alone 22, one of the patchwork 20 and 30 a term.
    const i64 plain = 22 * cost();
    if (!kernels().shuffles || 50 * p.bytes > plain * Patchwork::kVector) return;
    if (!patchwork.build(p)) return;
    if (patchwork.vectors * (20 + 30 * patchwork.terms) <= plain * patchwork.rows)
        reads(patchwork.lo, patchwork.hi);
    else
        patchwork.rows = 0;
}

void Strip::write(const StripRows& rows) const { kernels().strip_rows(steps_, rows); }

void Strip::send(const StripRows& rows, Stage& stage) const {
    kernels().strip_lines(steps_, rows, stage);
}

}  // namespace restride
