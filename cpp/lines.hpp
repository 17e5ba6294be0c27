// Short exact copies inlined, and a writer that puts whole cache lines into memory.
#pragma once

#include <cstring>

#include "program.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace restride {

typedef u8 V16 __attribute__((vector_size(16)));

constexpr i64 kLine = 64;

inline V16 load16(const u8* p) {
    V16 v;
    std::memcpy(&v, p, 16);
    return v;
}

inline void store16(u8* p, V16 v) { std::memcpy(p, &v, 16); }

// One element. S is the item size, or 0 where it is only known at run time.
template <int S>
inline void move_one(u8* d, const u8* s, i64 size) {
    if constexpr (S > 0)
        std::memcpy(d, s, S);
    else
        std::memcpy(d, s, static_cast<std::size_t>(size));
}

// Up to this many bytes the loop below beats a call of memcpy.
constexpr i64 kShort = 512;

template <class Word>
inline void copy_ends(u8* d, const u8* s, i64 n) {
    Word a, b;
    std::memcpy(&a, s, sizeof a);
    std::memcpy(&b, s + n - static_cast<i64>(sizeof b), sizeof b);
    std::memcpy(d, &a, sizeof a);
    std::memcpy(d + n - static_cast<i64>(sizeof b), &b, sizeof b);
}

// Exactly n bytes: the last store overlaps the one before instead of going past.
inline void copy_short(u8* d, const u8* s, i64 n) {
    if (n >= 16) {
        i64 k = 0;
        for (; k + 32 <= n; k += 32) {
            const V16 a = load16(s + k), b = load16(s + k + 16);
            store16(d + k, a);
            store16(d + k + 16, b);
        }
        if (k + 16 <= n) store16(d + k, load16(s + k));
        store16(d + n - 16, load16(s + n - 16));
        return;
    }
    if (n >= 8) return copy_ends<std::uint64_t>(d, s, n);
    if (n >= 4) return copy_ends<std::uint32_t>(d, s, n);
    if (n >= 2) return copy_ends<std::uint16_t>(d, s, n);
    if (n == 1) *d = *s;
}

inline void copy_bytes(u8* d, const u8* s, i64 n) {
    if (n <= kShort)
        copy_short(d, s, n);
    else
        std::memcpy(d, s, static_cast<std::size_t>(n));
}

// A value of 1, 2, 4, 8 or 16 bytes, repeated over 16.
inline V16 repeat16(const u8* value, i64 size) {
    u8 all[16];
    for (i64 k = 0; k < 16; k += size)
        std::memcpy(all + k, value, static_cast<std::size_t>(size));
    return load16(all);
}

inline bool repeats(i64 size) { return size <= 16 && !(size & (size - 1)); }

// Exactly n bytes of a repeated value; n is a multiple of its size.
inline void splat_bytes(u8* d, V16 value, i64 n) {
    if (n < 16) {
        u8 all[16];
        store16(all, value);
        return copy_short(d, all, n);
    }
    i64 k = 0;
    for (; k + 16 <= n; k += 16) store16(d + k, value);
    store16(d + n - 16, value);
}

// Write n whole lines past the caches, so that memory is not read before it is
// written. d lies on a line.
inline void stream_lines(u8* d, const u8* s, i64 n) {
#if defined(__SSE2__)
    for (i64 k = 0; k < n * kLine; k += kLine) {
        const auto* from = reinterpret_cast<const __m128i*>(s + k);
        auto* to = reinterpret_cast<__m128i*>(d + k);
        const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1),
                      c = _mm_loadu_si128(from + 2), e = _mm_loadu_si128(from + 3);
        _mm_stream_si128(to, a);
        _mm_stream_si128(to + 1, b);
        _mm_stream_si128(to + 2, c);
        _mm_stream_si128(to + 3, e);
    }
#else
    std::memcpy(d, s, static_cast<std::size_t>(n * kLine));
#endif
}

// After streaming stores and before another thread may read them.
inline void stream_fence() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

// Gathers a contiguous result in a stage that stays in the first-level cache and
// sends it on in whole lines. What is staged may be overwritten past its end by up
// to kOver bytes, which lets short stores be wide ones.
class Writer {
public:
    static constexpr i64 kRoom = 4096;  // bytes the stage always has free
    static constexpr i64 kOver = 64;

    Writer(u8* to, bool stream)
        : stream_(stream), lead_(static_cast<i64>(reinterpret_cast<std::uintptr_t>(to)) &
                                 (kLine - 1)),
          used_(lead_), line_(to - lead_) {}

    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    ~Writer() {
        flush();
        std::memcpy(line_ + lead_, stage_ + lead_, static_cast<std::size_t>(used_ - lead_));
        if (stream_) stream_fence();
    }

    u8* room() { return stage_ + used_; }

    void wrote(i64 n) {
        used_ += n;
        if (used_ >= kRoom) flush();
    }

    void copy(const u8* s, i64 n) {
        if (n < kShort) {
            copy_short(room(), s, n);
            return wrote(n);
        }
        const i64 head = (kLine - (used_ & (kLine - 1))) & (kLine - 1);
        copy_short(room(), s, head);
        used_ += head;
        flush();
        const i64 lines = (n - head) / kLine, body = lines * kLine;
        send(s + head, lines);
        copy_short(room(), s + head + body, n - head - body);
        used_ += n - head - body;
    }

private:
    void send(const u8* s, i64 lines) {
        if (stream_)
            stream_lines(line_, s, lines);
        else
            std::memcpy(line_, s, static_cast<std::size_t>(lines * kLine));
        line_ += lines * kLine;
    }

    // Send every whole line. The first line may start inside another task's.
    void flush() {
        i64 lines = used_ / kLine;
        if (!lines) return;
        const u8* from = stage_;
        if (lead_) {
            std::memcpy(line_ + lead_, stage_ + lead_, static_cast<std::size_t>(kLine - lead_));
            line_ += kLine;
            from += kLine;
            --lines;
            lead_ = 0;
        }
        send(from, lines);
        const i64 rest = used_ & (kLine - 1);
        std::memcpy(stage_, stage_ + used_ - rest, kLine);
        used_ = rest;
    }

    alignas(kLine) u8 stage_[2 * kRoom + kLine + kOver];
    bool stream_;
    i64 lead_, used_;
    u8* line_;
};

}  // namespace restride
