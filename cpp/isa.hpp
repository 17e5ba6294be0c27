// Which instructions the kernels use.
#pragma once

namespace restride {

// Each includes those before it. `scalar` moves one element at a time, `baseline` uses
// what the compiler may assume of every processor it builds for.
enum class Isa { scalar, baseline, avx2 };

// The best that the processor has, or what RESTRIDE_ISA names where that is less. The
// environment is read once.
Isa isa();

const char* isa_name();

}  // namespace restride
