// Result buffers: 64-byte aligned, kept for reuse up to a limit when let go.
#pragma once

#include <cstddef>
#include <cstdint>

namespace restride::pool {

// Bytes of idle buffers kept unless the caller sets another limit. Buffers in use are
// not counted: they are the caller's results.
constexpr std::int64_t kDefaultLimit = std::int64_t{1} << 30;

struct Stats {
    std::int64_t limit, held_bytes, held_buffers, live_bytes, live_buffers, hits, misses;
};

// Null when memory is short. The contents are whatever was there before.
void* take(std::size_t bytes);
void* take_zeroed(std::size_t bytes);
void* resize(void* data, std::size_t bytes);
void give(void* data);

std::int64_t limit();
void set_limit(std::int64_t bytes);  // lets go of what no longer fits
void clear();
Stats stats();

}  // namespace restride::pool
