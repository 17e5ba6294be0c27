// result := source, as a program says.
#pragma once

#include "program.hpp"

namespace restride {

// Runs at or above this many result bytes are worth waking another thread.
constexpr i64 kThreadBytes = i64{256} << 10;

// Results of this many bytes and more go past the caches.
i64 stream_bytes();

// Write every result element of the program exactly once. The program is changed:
// the passes rewrite it.
void copy(u8* result, const u8* source, Program& program, Arena& arena,
          i64 stream_from = stream_bytes());

}  // namespace restride
