// Writes the rows of a strip. Only on paths with a shuffle of bytes.
#include "strip_steps.hpp"

namespace restride {
namespace RESTRIDE_PATH {

void strip_rows(const Strip::Step* steps, int n_steps, const StripRows& rows) {
    write_rows(steps, n_steps, rows);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
