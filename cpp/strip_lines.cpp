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

    // Rows until the staged end lies on a line, or `most` where it does not before.
    i64 rows_to_line(i64 bytes, i64 most) const {
        i64 n = 0;
        while (n < most && (to_line() - n * bytes) % kLine != 0) ++n;
        return n;
    }

    // n windows, whole groups, where the staged end lies on a line.
    void send_groups(const Mosaic& mosaic, const u8* s, i64 n, i64 bytes) {
        u8* to = skip(0, n * bytes / kLine);
        mosaic.kernel->send(to, s, mosaic.places, n / mosaic.rows());
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

void send_direct(const Strip::Steps& steps, const StripRows& rows, StripLines& lines) {
    const u8* s = rows.s;
    for (i64 r = 0; r < rows.n; ++r, s += rows.step) {
        lines.ask(rows, s, 1);
        for (const Strip::Step* step = steps.all; step < steps.all + steps.n; ++step)
            lines.write(*step, s);
    }
}

// Rows [begin, end) through the stage.
void send_staged(const Strip::Steps& steps, const StripRows& rows, i64 begin, i64 end,
                 StripLines& lines) {
    const i64 most = rows_at_once(steps, rows.bytes);
    const u8* s = rows.s + begin * rows.step;
    for (i64 r = begin; r < end; r += most) {
        const i64 n = std::min(most, end - r);
        lines.ask(rows, s, n);
        write_rows(steps, {lines.room(), rows.bytes, s, rows.step, n});
        lines.wrote_soon(n * rows.bytes);
        s += n * rows.step;
    }
}

}  // namespace

void strip_lines(const Strip::Steps& steps, const StripRows& rows, Stage& stage) {
    StripLines lines(stage);
    if (any_direct(steps)) return send_direct(steps, rows, lines);
    if (!stage.stream || !steps.mosaic.serves(rows.n, rows.step))
        return send_staged(steps, rows, 0, rows.n, lines);
    const i64 group = steps.mosaic.rows(), head = lines.rows_to_line(rows.bytes, group);
    const i64 whole = head < group ? (rows.n - head) / group * group : 0;
    send_staged(steps, rows, 0, head, lines);
    const u8* first = rows.s + head * rows.step;
    if (whole > 0) lines.send_groups(steps.mosaic, first, whole, rows.bytes);
    send_staged(steps, rows, head + whole, rows.n, lines);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
