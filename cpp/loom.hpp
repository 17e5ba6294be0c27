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
        : m_(m), writer_(to, m.stream), block_(like), straight_(m.stream) {}
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
    static constexpr i64 kAhead = 3072;  // both sides stay in the first-level cache
    static constexpr unsigned kMost = 16;
    static constexpr i64 kMostPlanes = 4;  // of blocks that have a kernel for lines

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

    // Whole lines go straight past the caches. Through a stage there are twice as many
    // stores, and what is read next waits behind them.
    void write(Woven part) {
        const i64 unit = kLine / block_.size;
        const i64 head = straight_ && part.fill < 0 ? rows_to_line() : -1;
        if (head >= 0 && part.ni >= head + unit) {
            if (head) begin(part, head, unit);
            send(part, part.ni / unit * unit);
            if (straight_ && part.ni) return end(part, unit);
        }
        if (part.ni) stage(part);
    }

    // Rows until the staged end lies on a line, or -1 where it never does.
    i64 rows_to_line() const {
        const i64 left = writer_.to_line();
        for (i64 rows = 0; rows < kLine; ++rows)
            if ((left - rows * block_.di) % kLine == 0) return rows;
        return -1;
    }

    static void drop(Woven& part, i64 rows) {
        part.s += rows * part.si;
        part.ni -= rows;
    }

    void weave(const u8* s, i64 si, u8* to, i64 rows) {
        block_.d = to;
        block_.s = s;
        block_.si = si;
        block_.ni = rows;
        kernel_.weave_block(block_);
    }

    // The first rows of a part into the stage. A whole unit is woven faster than less,
    // and what is too much is not counted as written.
    void begin(Woven& part, i64 rows, i64 unit) {
        weave(part.s, part.si, writer_.room(), std::max(rows, unit));
        writer_.wrote(rows * block_.di);
        drop(part, rows);
    }

    void send(Woven& part, i64 rows) {
        block_.d = writer_.skip(0, 0);
        block_.s = part.s;
        block_.si = part.si;
        block_.ni = rows;
        straight_ = kernel_.weave_lines(block_);
        if (!straight_) return;
        drop(part, rows);
        writer_.skip(0, rows * block_.di / kLine);
    }

    // The last rows of a part, with those before them that make a unit.
    void end(const Woven& part, i64 unit) {
        u8 rows[kMostPlanes * kLine + Stage::kOver];
        const i64 before = unit - part.ni;
        weave(part.s - before * part.si, part.si, rows, unit);
        copy_short(writer_.room(), rows + before * block_.di, part.ni * block_.di);
        writer_.wrote(part.ni * block_.di);
    }

    void stage(const Woven& part) {
        if (part.fill >= 0)
            fill_run(m_, writer_.room(), block_.size, part.ni * block_.nj, part.fill);
        else
            weave(part.s, part.si, writer_.room(), part.ni);
        writer_.wrote(part.ni * block_.di);
    }

    const Move& m_;
    Writer writer_;
    const Kernels& kernel_ = kernels();
    Block block_;
    bool straight_;  // until a block has no kernel for that
    Woven waiting_[kMost];
    unsigned added_ = 0, taken_ = 0;
    i64 rows_ = 0;
};

}  // namespace restride
