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
    if (n_ == kMostSteps) return nullptr;
    Step* step = steps_ + n_++;
    *step = Step();
    step->how = how;
    step->dst = dst;
    step->bytes = bytes;
    step->ddst = 16;
    return step;
}

// Any value of a size that 16 bytes are a multiple of, and others of equal bytes.
bool Strip::add_fill(const Run& run, i64 size, const u8* value) {
    const bool even = std::all_of(value, value + size, [&](u8 b) { return b == *value; });
    Step* step = even || repeats(size) ? add(How::fill, run.dst, run.count * size) : nullptr;
    if (!step) return false;
    store16(step->pattern, repeat16(value, even ? 1 : size));
    step->n = (run.count * size + 15) / 16;
    return true;
}

// As many elements a vector as lie within 16 bytes of the source and of the result.
bool Strip::add_shuffle(const Run& run, i64 size) {
    if (size > 16) return false;
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

bool Strip::build(const Run* runs, std::size_t n, i64 size, const u8* fills) {
    if (!kernels().strip_rows) return false;
    for (const Run* run = runs; run < runs + n; ++run) {
        if (run->fill >= 0) {
            if (!add_fill(*run, size, fills + run->fill * size)) return false;
        } else if (run->plain || run->count == 1) {
            Step* step = add(How::copy, run->dst, run->count * size);
            if (!step) return false;
            step->src = run->src;
            step->n = step->bytes;
            reads(run->src, run->src + step->n + 31);
        } else if (!add_shuffle(*run, size)) {
            return false;
        }
    }
    return true;
}

void Strip::write(const StripRows& rows) const { kernels().strip_rows(steps_, n_, rows); }

void Strip::send(const StripRows& rows, Stage& stage) const {
    kernels().strip_lines(steps_, n_, rows, stage);
}

}  // namespace restride
