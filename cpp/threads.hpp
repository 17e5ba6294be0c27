// A small pool of threads: parked when idle, remade after a fork.
#pragma once

#include <cstdint>
#include <type_traits>

namespace restride {

// Threads a job may use, the caller's own among them. n >= 1 sets it.
int thread_count();
void set_thread_count(int n);

// Run job(context, k) for every k in [0, tasks), each exactly once, in any order.
// While another caller holds the pool, the calling thread runs them all itself.
void run_tasks(std::int64_t tasks, void (*job)(void*, std::int64_t), void* context);

template <class Job>
void parallel(std::int64_t tasks, Job&& job) {
    using Plain = typename std::remove_reference<Job>::type;
    run_tasks(
        tasks,
        [](void* context, std::int64_t k) { (*static_cast<Plain*>(context))(k); },
        const_cast<void*>(static_cast<const void*>(&job)));
}

}  // namespace restride
