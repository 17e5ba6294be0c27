#include "pool.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace restride::pool {
namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kHuge = std::size_t{2} << 20;
// From here buffers come from mmap; below, from the heap.
constexpr std::size_t kMapped = std::size_t{1} << 20;
// Classes are a power of two in this many steps: at most 12.5 % is unused.
constexpr int kSteps = 8;
constexpr int kClasses = 48 * kSteps;
// Of a buffer that is given back at once: it has the room that was asked for.
constexpr int kNoClass = -1;

// Lies in the 64 bytes before the data.
struct alignas(kAlign) Header {
    std::size_t capacity;  // bytes of the data
    void* map;             // what munmap gets, or null for the heap
    std::size_t mapped;    // and how much
    int size_class;
    Header* next;
};
static_assert(sizeof(Header) == kAlign, "the data keeps the header's alignment");

int class_of(std::size_t bytes, std::size_t& capacity) {
    std::size_t base = kAlign * kSteps;
    int k = 0;
    if (bytes <= base) {
        k = static_cast<int>((std::max<std::size_t>(bytes, 1) - 1) / kAlign);
        capacity = (static_cast<std::size_t>(k) + 1) * kAlign;
        return k;
    }
    int power = 0;
    while (base * 2 < bytes) {
        base *= 2;
        ++power;
    }
    const std::size_t step = base / kSteps;
    const std::size_t steps = (bytes - base + step - 1) / step;
    capacity = base + steps * step;
    k = (power + 1) * kSteps + static_cast<int>(steps) - 1;
    return k;
}

void want_huge(std::uintptr_t page, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    madvise(reinterpret_cast<void*>(page), bytes, MADV_HUGEPAGE);
#endif
}

Header* make_mapped(std::size_t capacity, int size_class) {
    const std::size_t want = (capacity + kAlign + kPage - 1) / kPage * kPage;
    const std::size_t align = want >= kHuge ? kHuge : kPage;
    const std::size_t mapped = want + (align > kPage ? align : 0);
    void* map = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return nullptr;
    auto at = reinterpret_cast<std::uintptr_t>(map);
    at = (at + align - 1) / align * align;
    if (align == kHuge) want_huge(at, want);
    auto* head = reinterpret_cast<Header*>(at);
    *head = {capacity, map, mapped, size_class, nullptr};
    return head;
}

// The C library may keep some of its pages for the next one.
Header* make_on_heap(std::size_t capacity, int size_class) {
    auto* head = static_cast<Header*>(std::aligned_alloc(kAlign, capacity + kAlign));
    if (!head) return nullptr;
    if (capacity >= 2 * kHuge) {
        const auto at = reinterpret_cast<std::uintptr_t>(head);
        const std::uintptr_t page = (at + kPage - 1) / kPage * kPage;
        want_huge(page, at + capacity - page);
    }
    *head = {capacity, nullptr, 0, size_class, nullptr};
    return head;
}

Header* make(std::size_t capacity, int size_class) {
    return capacity >= kMapped ? make_mapped(capacity, size_class)
                               : make_on_heap(capacity, size_class);
}

void destroy(Header* head) {
    if (head->map) munmap(head->map, head->mapped);
    else std::free(head);
}

// All that the system has set aside for it, so that the limit is an honest one.
std::int64_t bytes_of(const Header* head) {
    return static_cast<std::int64_t>(head->map ? head->mapped : head->capacity + kAlign);
}

// All of the pool's state; the lock is also held across a fork, so that a child
// finds the lists whole.
struct State {
    std::mutex lock;
    Header* held[kClasses] = {};
    std::int64_t limit = kDefaultLimit, held_bytes = 0, held_buffers = 0;
    std::int64_t live_bytes = 0, live_buffers = 0, hits = 0, misses = 0;
    int highest = 0;  // no class above it holds a buffer

    Header* pop(int k) {
        Header* head = held[k];
        if (!head) return nullptr;
        held[k] = head->next;
        held_bytes -= bytes_of(head);
        --held_buffers;
        return head;
    }

    void push(Header* head) {
        head->next = held[head->size_class];
        held[head->size_class] = head;
        highest = std::max(highest, head->size_class);
        held_bytes += bytes_of(head);
        ++held_buffers;
    }

    // Largest first: few releases make the room. Returns a list to destroy unlocked.
    Header* shrink(std::int64_t to) {
        Header* out = nullptr;
        while (held_bytes > to) {
            while (highest > 0 && !held[highest]) --highest;
            Header* head = pop(highest);
            if (!head) break;
            head->next = out;
            out = head;
        }
        return out;
    }
};

State& state() {
    // Never destroyed: arrays may outlive every static object.
    static State* made = [] {
        auto* s = new State;
        pthread_atfork([] { state().lock.lock(); }, [] { state().lock.unlock(); },
                       [] { state().lock.unlock(); });
        return s;
    }();
    return *made;
}

void destroy_all(Header* head) {
    while (head) {
        Header* next = head->next;
        destroy(head);
        head = next;
    }
}

void count_live(State& s, const Header* head, int sign) {
    s.live_bytes += sign * bytes_of(head);
    s.live_buffers += sign;
}

Header* header(void* data) {
    return reinterpret_cast<Header*>(static_cast<char*>(data) - kAlign);
}

}  // namespace

void* take(std::size_t bytes) {
    if (bytes > (std::size_t{1} << 46)) return nullptr;  // more than any machine maps
    std::size_t capacity = 0;
    const int k = class_of(bytes, capacity);
    State& s = state();
    Header* head = nullptr;
    bool is_off;
    {
        std::lock_guard<std::mutex> hold(s.lock);
        is_off = s.limit == 0;
        if (!is_off) head = s.pop(k);
        if (head) {
            ++s.hits;
            count_live(s, head, 1);
        }
    }
    if (!head) {
        head = is_off ? make_on_heap((bytes + kAlign - 1) / kAlign * kAlign, kNoClass)
                      : make(capacity, k);
        if (!head) return nullptr;
        std::lock_guard<std::mutex> hold(s.lock);
        ++s.misses;
        count_live(s, head, 1);
    }
    return reinterpret_cast<char*>(head) + kAlign;
}

void* take_zeroed(std::size_t bytes) {
    void* data = take(bytes);
    if (data) std::memset(data, 0, bytes);
    return data;
}

void* resize(void* data, std::size_t bytes) {
    if (!data) return take(bytes);
    const std::size_t capacity = header(data)->capacity;
    if (bytes <= capacity && bytes * 2 >= capacity) return data;
    void* moved = take(bytes);
    if (!moved) return nullptr;
    std::memcpy(moved, data, std::min(bytes, capacity));
    give(data);
    return moved;
}

void give(void* data) {
    if (!data) return;
    Header* head = header(data);
    State& s = state();
    Header* gone = nullptr;
    {
        std::lock_guard<std::mutex> hold(s.lock);
        count_live(s, head, -1);
        if (head->size_class != kNoClass && bytes_of(head) <= s.limit) {
            gone = s.shrink(s.limit - bytes_of(head));
            s.push(head);
            head = nullptr;
        }
    }
    if (head) destroy(head);
    destroy_all(gone);
}

std::int64_t limit() {
    State& s = state();
    std::lock_guard<std::mutex> hold(s.lock);
    return s.limit;
}

void set_limit(std::int64_t bytes) {
    State& s = state();
    Header* gone;
    {
        std::lock_guard<std::mutex> hold(s.lock);
        s.limit = std::max<std::int64_t>(bytes, 0);
        gone = s.shrink(s.limit);
    }
    destroy_all(gone);
}

void clear() {
    State& s = state();
    Header* gone;
    {
        std::lock_guard<std::mutex> hold(s.lock);
        gone = s.shrink(0);
    }
    destroy_all(gone);
}

Stats stats() {
    State& s = state();
    std::lock_guard<std::mutex> hold(s.lock);
    return {s.limit,      s.held_bytes, s.held_buffers, s.live_bytes,
            s.live_buffers, s.hits,       s.misses};
}

}  // namespace restride::pool
