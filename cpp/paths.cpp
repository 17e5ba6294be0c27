#include "paths.hpp"

#include <cstdlib>
#include <cstring>

namespace restride {

#define RESTRIDE_DECLARE(path)                              \
    namespace path {                                        \
    RunFn choose_run(i64 size, i64 dstep, i64 sstep);       \
    LineRunFn choose_line_run(i64 size, i64 sstep);         \
    void send_lines(u8* d, const u8* s, i64 n);             \
    void move_block(const Block& block);                    \
    void weave_block(const Block& block);                   \
    bool weave_lines(const Block& block);                   \
    void strip_rows(const Strip::Steps& steps, const StripRows& rows);                 \
    void strip_lines(const Strip::Steps& steps, const StripRows& rows, Stage& stage);  \
    const Mosaic::Kernel* mosaic_kernel(i64 size, i64 run, i64 runs);                  \
    }
#define RESTRIDE_ENTRY(path, ...)                                            \
    {#path, path::choose_run, path::choose_line_run, path::send_lines,       \
     path::move_block, path::weave_block, path::weave_lines, __VA_ARGS__}

RESTRIDE_DECLARE(scalar)
RESTRIDE_DECLARE(baseline)
#ifdef RESTRIDE_X86
RESTRIDE_DECLARE(avx2)
#endif

namespace {

// From the plainest to the best.
constexpr Kernels kPaths[] = {
    RESTRIDE_ENTRY(scalar, false, nullptr, nullptr, nullptr),
#ifdef RESTRIDE_AARCH64
    // Every one of these has NEON.
    RESTRIDE_ENTRY(baseline, true, baseline::strip_rows, baseline::strip_lines,
                   baseline::mosaic_kernel),
#else
    RESTRIDE_ENTRY(baseline, false, baseline::strip_rows, baseline::strip_lines,
                   baseline::mosaic_kernel),
#endif
#ifdef RESTRIDE_X86
    RESTRIDE_ENTRY(avx2, true, avx2::strip_rows, avx2::strip_lines, avx2::mosaic_kernel),
#endif
};

const Kernels* best() {
#ifdef RESTRIDE_X86
    if (__builtin_cpu_supports("avx2")) return &kPaths[2];
#endif
    return &kPaths[1];
}

const Kernels* choose() {
    const Kernels* most = best();
    if (const char* wanted = std::getenv("RESTRIDE_ISA"))
        for (const Kernels* k = kPaths; k < most; ++k)
            if (std::strcmp(wanted, k->name) == 0) return k;
    return most;
}

}  // namespace

const Kernels& kernels() {
    static const Kernels* chosen = choose();
    return *chosen;
}

RunFn choose_run(i64 size, i64 dstep, i64 sstep) {
    return kernels().choose_run(size, dstep, sstep);
}

LineRunFn choose_line_run(i64 size, i64 sstep) {
    return kernels().choose_line_run(size, sstep);
}

void send_lines(u8* d, const u8* s, i64 n) { kernels().send_lines(d, s, n); }
void move_block(const Block& block) { kernels().move_block(block); }
void weave_block(const Block& block) { kernels().weave_block(block); }

}  // namespace restride
