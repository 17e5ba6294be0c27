// Narrow blocks that follow each other in the result, woven a few KiB behind the place
// where memory is asked for them.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "lines.hpp"
#include "move.hpp"
#include "paths.hpp"

namespace restride {

// Some rows: of elements si apart in every plane, or of a fill. `ask`: they read what no
// other rows near by do.
struct Woven {
    const u8* s;
    i64 si, ni, fill;
    bool ask;
};

// A row of the result reads every plane, and rows may go backwards, turn round or jump:
// the processor does not guess what comes next. The loom knows, and asks in order.
class Loom {
public:
    // `like` says what the blocks have in common: planes, sizes and strides.
    Loom(const Move& m, u8* to, const Block& like)
        : m_(m), writer_(to, m.stream), weave_(kernels().weave_block), block_(like) {}
    Loom(const Loom&) = delete;
    Loom& operator=(const Loom&) = delete;
    ~Loom() {
        while (taken_ != added_) take();
    }

    // At most Writer::kRoom bytes of the result.
    void add(const Woven& part) {
        if (!m_.stream) return write(part);
        if (added_ - taken_ == kMost) take();
        if (part.ask && part.fill < 0) ask(part);
        waiting_[added_++ % kMost] = part;
        rows_ += part.ni;
        while (rows_ * block_.di > kAhead) take();
    }

private:
    static constexpr i64 kAhead = 5120;  // both sides stay in the first-level cache
    static constexpr unsigned kMost = 16;

    void ask(const Woven& part) const {
        const i64 far = (part.ni - 1) * part.si;
        const i64 step = std::max(kLine, std::abs(part.si));
        const i64 bytes = std::abs(far) + block_.size;
        const u8* low = part.s + std::min<i64>(far, 0);
        for (i64 j = 0; j < block_.nj; ++j, low += block_.sj)
            for (i64 k = 0; k < bytes; k += step) ask_memory(low + k);
    }

    void take() {
        const Woven& part = waiting_[taken_++ % kMost];
        rows_ -= part.ni;
        write(part);
    }

    void write(const Woven& part) {
        block_.d = writer_.room();
        block_.s = part.s;
        block_.si = part.si;
        block_.ni = part.ni;
        if (part.fill >= 0)
            fill_run(m_, block_.d, block_.size, part.ni * block_.nj, part.fill);
        else
            weave_(block_);
        writer_.wrote(part.ni * block_.di);
    }

    const Move& m_;
    Writer writer_;
    void (*weave_)(const Block&);
    Block block_;
    Woven waiting_[kMost];
    unsigned added_ = 0, taken_ = 0;
    i64 rows_ = 0;
};

}  // namespace restride
