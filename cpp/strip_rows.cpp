// Writes the rows of a strip. Only on paths with vectors.
#include "strip_steps.hpp"

namespace restride {
namespace RESTRIDE_PATH {

void strip_rows(const Strip::Steps& steps, const StripRows& rows) {
    const Mosaic& mosaic = steps.mosaic;
    if (!mosaic.serves(rows.n, rows.step)) return write_rows(steps, rows);
    const i64 groups = rows.n / mosaic.rows(), n = groups * mosaic.rows();
    mosaic.kernel->write(rows.d, rows.s, mosaic.places, groups);
    write_rows(steps, {rows.d + n * rows.bytes, rows.bytes, rows.s + n * rows.step,
                       rows.step, rows.n - n});
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
