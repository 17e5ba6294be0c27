#include "isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace restride {
namespace {

constexpr const char* kNames[] = {"scalar", "baseline", "avx2"};
constexpr int kCount = sizeof kNames / sizeof *kNames;

Isa best() {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) return Isa::avx2;
#endif
    return Isa::baseline;
}

Isa choose() {
    const Isa most = best();
    const char* wanted = std::getenv("RESTRIDE_ISA");
    for (int k = 0; wanted && k < kCount; ++k)
        if (std::strcmp(wanted, kNames[k]) == 0) return std::min(most, static_cast<Isa>(k));
    return most;
}

}  // namespace

Isa isa() {
    static const Isa chosen = choose();
    return chosen;
}

const char* isa_name() { return kNames[static_cast<int>(isa())]; }

}  // namespace restride
