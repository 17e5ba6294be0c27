// source += result, as a program read backwards says.
#pragma once

#include "program.hpp"

namespace restride {

// What the elements are. A kind of two bytes in the result accumulates as float32.
enum class Kind { i1, i2, i4, i8, f4, f8, c8, c16, b1, f2, bf2, none };

Kind kind_of(const char* name);
i64 source_bytes(Kind kind);  // of one element
i64 result_bytes(Kind kind);

// One thread, in the row-major order of the program's axes: the sum of many elements
// does not depend on how memory is laid out. The program is changed.
void add(u8* source, const u8* result, Program& program, Arena& arena, Kind kind);

}  // namespace restride
