// Sends the rows of a strip past the caches. Only on paths with a shuffle of bytes.
#include <algorithm>
#include <cstdlib>

#include "lines.hpp"
#include "strip_steps.hpp"

namespace restride {
namespace RESTRIDE_PATH {
namespace {

// Copies of this many bytes go to their lines at once: only what begins and ends them
// passes through the stage. So the source is read while the lines before are written.
constexpr i64 kDirect = 2 * kLine;

// Staged bytes are sent on from this many: small parts let reading and writing overlap.
constexpr i64 kSoon = 512;

// Asks for the source this far ahead.
constexpr i64 kAhead = 4096;

class StripLines : public Lines {
public:
    using Lines::Lines;

    void write(const Strip::Step& step, const u8* s) {
        if (step.how == Strip::How::copy && step.n >= kDirect)
            return copy_over_lines(s + step.src, step.n);
        write_step(room(), s, step);
        at_.used += step.bytes;
        if (at_.used >= kSoon) flush();
    }

private:
    // Reads up to 31 bytes past the n.
    void copy_over_lines(const u8* s, i64 n) {
        const i64 head = to_line();
        copy_line(room(), s);
        at_.used += head;
        flush();
        const i64 lines = (n - head) / kLine, body = head + lines * kLine;
        send(s + head, lines);
        copy_over(at_.bytes, s + body, n - body);
        at_.used = n - body;
    }
};

}  // namespace

void strip_lines(const Strip::Step* steps, int n_steps, const StripRows& rows,
                 Stage& stage) {
    StripLines lines(stage);
    const u8* s = rows.s;
    const i64 ahead = rows.step * (kAhead / (std::abs(rows.step) + 1) + 1);
    const i64 fresh = std::min(std::abs(rows.step), rows.bytes);
    const i64 off = rows.step > 0 ? rows.bytes - fresh : 0;
    for (i64 r = 0; r < rows.n; ++r, s += rows.step) {
        for (i64 k = 0; k < fresh; k += kLine) __builtin_prefetch(s + ahead + off + k);
        for (const Strip::Step* step = steps; step < steps + n_steps; ++step)
            lines.write(*step, s);
    }
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
