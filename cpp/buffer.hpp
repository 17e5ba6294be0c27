// Room for large turns.
#pragma once

#include <memory>
#include <new>

#include "vectors.hpp"

namespace restride {
inline namespace RESTRIDE_PATH {

constexpr i64 kBufferBytes = i64{264} << 10;

// Kept by each thread that ever turned a large block, on a line; null when memory is
// short.
inline u8* thread_buffer() {
    static thread_local const std::unique_ptr<u8[]> kept(
        new (std::nothrow) u8[static_cast<std::size_t>(kBufferBytes + kLine)]());
    const auto at = reinterpret_cast<std::uintptr_t>(kept.get());
    return at ? kept.get() + (-at & (kLine - 1)) : nullptr;
}

}  // namespace RESTRIDE_PATH
}  // namespace restride
