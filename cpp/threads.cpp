#include "threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

namespace restride {
namespace {

constexpr int kMostThreads = 256;
// Looks at the job counter before a worker parks: about 10 us, so that calls in a
// row find it awake, and an idle process is quiet at once.
constexpr int kSpins = 3000;

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Leave processor `cpu`, where the calling thread runs, for another one that it may run
// on. Its affinity is the same afterwards; with one processor only, nothing happens.
void step_aside(int cpu) {
    cpu_set_t allowed, now;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t others = allowed;
    CPU_CLR(cpu, &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0)
        return;
    // Not where somebody else has set it meanwhile.
    if (sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &others))
        sched_setaffinity(0, sizeof allowed, &allowed);
}

class Crew {
public:
    bool try_run(std::int64_t tasks, void (*job)(void*, std::int64_t), void* context,
                 int threads) {
        if (!busy_.try_lock()) return false;
        std::lock_guard<std::mutex> hold(busy_, std::adopt_lock);
        hire(threads - 1);
        const int hands = std::min(threads - 1, hired_);
        job_ = job;
        context_ = context;
        tasks_ = tasks;
        caller_cpu_.store(sched_getcpu(), std::memory_order_relaxed);
        next_.store(0, std::memory_order_relaxed);
        working_.store(hands, std::memory_order_relaxed);
        // Last: a worker that wins a place must see all of the above.
        open_.store(hands, std::memory_order_release);
        {
            std::lock_guard<std::mutex> lock(door_);
            round_.fetch_add(1, std::memory_order_release);
        }
        if (parked_.load()) wake_.notify_all();
        work();
        close();
        return true;
    }

private:
    void hire(int wanted) {
        while (hired_ < wanted) {
            try {
                const auto seen = round_.load();
                std::thread([this, seen] { live(seen); }).detach();
            } catch (const std::system_error&) {
                return;  // the system gives no more threads: use those there are
            }
            ++hired_;
        }
    }

    // Places nobody took are given up, so that a late worker cannot delay the caller.
    void close() {
        int open = open_.load();
        while (open > 0 && !open_.compare_exchange_weak(open, 0)) {
        }
        if (open > 0) working_.fetch_sub(open);
        for (int k = 0; working_.load(std::memory_order_acquire) > 0; ++k) {
            if (k < kSpins) relax();
            else sched_yield();
        }
    }

    bool enter() {
        int open = open_.load();
        while (open > 0)
            if (open_.compare_exchange_weak(open, open - 1)) return true;
        return false;
    }

    void work() {
        for (;;) {
            const std::int64_t k = next_.fetch_add(1, std::memory_order_relaxed);
            if (k >= tasks_) return;
            job_(context_, k);
        }
    }

    void live(std::uint64_t seen) {
        for (;;) {
            seen = wait(seen);
            // A worker may be woken on the caller's own processor, to take turns with it.
            const int cpu = sched_getcpu();
            if (cpu >= 0 && cpu == caller_cpu_.load(std::memory_order_relaxed))
                step_aside(cpu);
            if (!enter()) continue;
            work();
            working_.fetch_sub(1, std::memory_order_release);
        }
    }

    std::uint64_t wait(std::uint64_t seen) {
        for (int k = 0; k < kSpins; ++k) {
            const std::uint64_t now = round_.load(std::memory_order_acquire);
            if (now != seen) return now;
            relax();
        }
        std::unique_lock<std::mutex> lock(door_);
        parked_.fetch_add(1);
        wake_.wait(lock, [&] { return round_.load() != seen; });
        parked_.fetch_sub(1);
        return round_.load();
    }

    std::mutex busy_, door_;
    std::condition_variable wake_;
    std::atomic<std::uint64_t> round_{0};
    std::atomic<std::int64_t> next_{0};
    std::atomic<int> open_{0}, working_{0}, parked_{0}, caller_cpu_{-1};
    int hired_ = 0;
    std::int64_t tasks_ = 0;
    void (*job_)(void*, std::int64_t) = nullptr;
    void* context_ = nullptr;
};

std::atomic<Crew*> crew{nullptr};
std::atomic<int> wanted{0};

// A child has none of its parent's threads: it leaves the old crew, which may have
// been in the middle of a job, and hires its own when first asked.
void forget_crew() { crew.store(nullptr); }

Crew* the_crew() {
    Crew* now = crew.load(std::memory_order_acquire);
    if (now) return now;
    static std::once_flag once;
    std::call_once(once, [] { pthread_atfork(nullptr, nullptr, forget_crew); });
    // Never deleted: its workers live as long as the process.
    Crew* made = new Crew;
    if (crew.compare_exchange_strong(now, made)) return made;
    delete made;
    return now;
}

int default_count() {
    if (const char* text = std::getenv("RESTRIDE_THREADS")) {
        char* end = nullptr;
        const long n = std::strtol(text, &end, 10);
        if (end != text && *end == '\0' && n >= 1)
            return static_cast<int>(std::min<long>(n, kMostThreads));
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return std::clamp(CPU_COUNT(&set), 1, kMostThreads);
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1,
                      kMostThreads);
}

}  // namespace

int thread_count() {
    int n = wanted.load(std::memory_order_relaxed);
    if (n) return n;
    int none = 0;
    n = default_count();
    return wanted.compare_exchange_strong(none, n) ? n : none;
}

void set_thread_count(int n) { wanted.store(std::clamp(n, 1, kMostThreads)); }

void run_tasks(std::int64_t tasks, void (*job)(void*, std::int64_t), void* context) {
    const int threads =
        static_cast<int>(std::min<std::int64_t>(tasks, thread_count()));
    if (threads > 1 && the_crew()->try_run(tasks, job, context, threads)) return;
    for (std::int64_t k = 0; k < tasks; ++k) job(context, k);
}

}  // namespace restride
