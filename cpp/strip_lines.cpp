// Sends the rows of a strip past the caches. Only on paths with vectors.
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

// The source is asked for this far ahead.
constexpr i64 kAhead = 4096;

class StripLines : public Lines {
public:
    using Lines::Lines;

    // Ask for what n rows to come will read: all that lies between them where that is
    // little, else each for itself.
    static void ask(const StripRows& rows, const u8* s, i64 n) {
        const i64 step = std::abs(rows.step), sign = rows.step < 0 ? -1 : 1;
        if (step <= rows.bytes + kLine) return ask_line(s, sign, kAhead, n * step);
        s += kAhead / step * rows.step;
        for (i64 r = 0; r < n; ++r)
            ask_line(s += rows.step, 1, 0, rows.bytes);
    }

    void write(const Strip::Step& step, const u8* s) {
        if (step.how == Strip::How::copy && step.n >= kDirect)
            return copy_over_lines(s + step.src, step.n);
        write_step(room(), s, step);
        wrote_soon(step.bytes);
    }

    void wrote_soon(i64 n) {
        at_.used += n;
        if (at_.used >= kSoon) flush();
    }

private:
    static void ask_line(const u8* s, i64 sign, i64 from, i64 n) {
        for (i64 k = 0; k < n; k += kLine) ask_memory(s + sign * (from + k));
    }

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

bool any_direct(const Strip::Steps& steps) {
    return std::any_of(steps.all, steps.all + steps.n, [](const Strip::Step& step) {
        return step.how == Strip::How::copy && step.n >= kDirect;
    });
}

// Rows that are staged before they are sent on: whole groups, where there are any.
i64 rows_at_once(const Strip::Steps& steps, i64 bytes) {
    const i64 group = std::max<i64>(1, steps.patchwork.rows), of_group = group * bytes;
    return (kSoon + of_group - 1) / of_group * group;
}

}  // namespace

void strip_lines(const Strip::Steps& steps, const StripRows& rows, Stage& stage) {
    StripLines lines(stage);
    const u8* s = rows.s;
    if (any_direct(steps)) {
        for (i64 r = 0; r < rows.n; ++r, s += rows.step) {
            lines.ask(rows, s, 1);
            for (const Strip::Step* step = steps.all; step < steps.all + steps.n; ++step)
                lines.write(*step, s);
        }
        return;
    }
    const i64 most = rows_at_once(steps, rows.bytes);
    for (i64 r = 0; r < rows.n; r += most) {
        const i64 n = std::min(most, rows.n - r);
        lines.ask(rows, s, n);
        write_rows(steps, {lines.room(), rows.bytes, s, rows.step, n});
        lines.wrote_soon(n * rows.bytes);
        s += n * rows.step;
    }
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
