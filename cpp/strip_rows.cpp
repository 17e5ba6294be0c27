// Writes the rows of a strip. Only on paths with vectors.
#include "strip_steps.hpp"

namespace restride {
namespace RESTRIDE_PATH {

void strip_rows(const Strip::Steps& steps, const StripRows& rows) {
    write_rows(steps, rows);
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
