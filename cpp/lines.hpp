// Whole cache lines: past the caches, and gathered in a stage.
#pragma once

#include "runs.hpp"
#include "vectors.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace restride {

// Bytes of a contiguous result that wait to be sent on as whole lines: one thing for
// every path of the kernels, so that they can take turns at it. It begins on the line
// that holds the first byte: `lead` bytes of it belong to another task.
struct Stage {
    static constexpr i64 kRoom = 4096;  // bytes it always has free
    // A store across two pages waits until every store past the caches is done, and so
    // do the reads behind it. The first kilobytes, which are used most, lie in one page.
    static constexpr i64 kPage = 4096;
    static constexpr i64 kOver = 64;
    // Lines are sent in short bursts: while a long one fills the queue of stores, reads
    // stand still.
    static constexpr i64 kSend = 1024;

    Stage(u8* to, bool past_caches)
        : stream(past_caches),
          lead(static_cast<i64>(reinterpret_cast<std::uintptr_t>(to)) & (kLine - 1)),
          used(lead), line(to - lead) {}

    alignas(kPage) u8 bytes[2 * kRoom + kLine + kOver];
    bool stream;
    i64 lead, used;
    u8* line;  // where the stage's first byte belongs
};

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

// Sends a contiguous result on in whole lines, gathered in a stage. What is staged may
// be overwritten past its end by up to Stage::kOver bytes, which lets short stores be
// wide ones.
class Lines {
public:
    explicit Lines(Stage& stage) : at_(stage) {}

    u8* room() { return at_.bytes + at_.used; }

    void wrote(i64 n) {
        at_.used += n;
        if (at_.used >= Stage::kSend) flush();
    }

    void copy(const u8* s, i64 n) {
        if (n < kShort) {
            copy_short(room(), s, n);
            return wrote(n);
        }
        const i64 head = to_line();
        copy_short(room(), s, head);
        at_.used += head;
        flush();
        const i64 lines = (n - head) / kLine, body = lines * kLine;
        send(s + head, lines);
        copy_short(room(), s + head + body, n - head - body);
        at_.used += n - head - body;
    }

    // Bytes until the staged end lies on a line.
    i64 to_line() const { return -at_.used & (kLine - 1); }

    // Where the next n lines lie, which the caller writes, once `staged` bytes have
    // filled the line begun last.
    u8* skip(i64 staged, i64 n) {
        at_.used += staged;
        flush();
        at_.line += n * kLine;
        return at_.line - n * kLine;
    }

    // Send every whole line. The first line may start inside another task's.
    void flush() {
        i64 lines = at_.used / kLine;
        if (!lines) return;
        const u8* from = at_.bytes;
        if (at_.lead) {
            copy_short(at_.line + at_.lead, at_.bytes + at_.lead, kLine - at_.lead);
            at_.line += kLine;
            from += kLine;
            --lines;
            at_.lead = 0;
        }
        send(from, lines);
        const i64 rest = at_.used & (kLine - 1);
        std::memcpy(at_.bytes, at_.bytes + at_.used - rest, kLine);
        at_.used = rest;
    }

protected:
    void send(const u8* s, i64 lines) {
        if (at_.stream && kVector == 32)  // this path's own stores are the widest
            stream_lines(at_.line, s, lines);
        else if (at_.stream)
            send_lines(at_.line, s, lines);
        else
            std::memcpy(at_.line, s, static_cast<std::size_t>(lines * kLine));
        at_.line += lines * kLine;
    }

    Stage& at_;
};

// Lines with a stage of their own: what is still staged at the end goes out as it is.
class Writer : public Lines {
public:
    static constexpr i64 kRoom = Stage::kRoom;

    Writer(u8* to, bool stream) : Lines(stage_), stage_(to, stream) {}

    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    ~Writer() {
        flush();
        std::memcpy(stage_.line + stage_.lead, stage_.bytes + stage_.lead,
                    static_cast<std::size_t>(stage_.used - stage_.lead));
        if (stage_.stream) stream_fence();
    }

    Stage& stage() { return stage_; }

private:
    Stage stage_;
};

}  // namespace RESTRIDE_PATH
}  // namespace restride
