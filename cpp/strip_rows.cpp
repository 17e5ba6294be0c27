// Writes the rows of a strip. Only on paths with a shuffle of bytes.
#include "strip_steps.hpp"

namespace restride {
namespace RESTRIDE_PATH {

void strip_rows(const Strip::Step* steps, int n_steps, const StripRows& rows) {
    u8* d = rows.d;
    const u8* s = rows.s;
    for (i64 r = 0; r < rows.n; ++r, d += rows.bytes, s += rows.step)
        for (const Strip::Step* step = steps; step < steps + n_steps; ++step)
            write_step(d + step->dst, s, *step);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
