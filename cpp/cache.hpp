// How large the last level of cache is.
#pragma once

#include "program.hpp"

namespace restride {

// Bytes that the processors next to each other share, or 0 where it is not known.
i64 last_cache_bytes();

}  // namespace restride
