// Whole cache lines: past the caches, and gathered in a stage.
#pragma once

#include "runs.hpp"
#include "vectors.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace restride {
inline namespace RESTRIDE_PATH {

// Write n whole lines past the caches, so that memory is not read before it is
// written. d lies on a line.
inline void stream_lines(u8* d, const u8* s, i64 n) {
#if defined(__AVX2__)
    for (i64 k = 0; k < n * kLine; k += kLine) {
        const auto a = (__m256i)load_whole(s + k), b = (__m256i)load_whole(s + k + 32);
        _mm256_stream_si256(reinterpret_cast<__m256i*>(d + k), a);
        _mm256_stream_si256(reinterpret_cast<__m256i*>(d + k + 32), b);
    }
#elif defined(__SSE2__)
    for (i64 k = 0; k < n * kLine; k += 16) {
        const auto v = (__m128i)load16(s + k);
        _mm_stream_si128(reinterpret_cast<__m128i*>(d + k), v);
    }
#else
    std::memcpy(d, s, static_cast<std::size_t>(n * kLine));
#endif
}

inline void stream_line(u8* d, const V16 (&v)[4]) {
#if defined(__AVX2__)
    for (int k = 0; k < 4; k += 2) {
        const auto low = _mm256_castsi128_si256((__m128i)v[k]);
        const auto both = _mm256_inserti128_si256(low, (__m128i)v[k + 1], 1);
        _mm256_stream_si256(reinterpret_cast<__m256i*>(d + 16 * k), both);
    }
#elif defined(__SSE2__)
    for (int k = 0; k < 4; ++k)
        _mm_stream_si128(reinterpret_cast<__m128i*>(d + 16 * k), (__m128i)v[k]);
#else
    for (int k = 0; k < 4; ++k) store16(d + 16 * k, v[k]);
#endif
}

// Ask memory for the line of p, which may be read soon. GCC takes a function that does
// only this for one without effect and drops its calls; the empty statement keeps them.
inline void ask_memory(const u8* p) {
    __builtin_prefetch(p);
    asm volatile("");
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
    // Lines are sent in short bursts: while a long one fills the queue of stores, reads
    // stand still.
    static constexpr i64 kSend = 1024;

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
        if (used_ >= kSend) flush();
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
            send_lines(line_, s, lines);
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
            copy_short(line_ + lead_, stage_ + lead_, kLine - lead_);
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

}  // namespace RESTRIDE_PATH
}  // namespace restride
