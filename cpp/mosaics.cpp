// The kernels that lay windows out. Only with vectors of 32 bytes; elsewhere there are
// none.
#include "mosaic.hpp"

#include <utility>

#include "lines.hpp"

namespace restride {
namespace RESTRIDE_PATH {

#if defined(__AVX2__)
namespace {

// The source is asked for this far ahead.
constexpr i64 kAhead = 4096;

// Which words of vector K lie in run I.
template <int Run, int K, int I>
constexpr int words() {
    int mask = 0;
    for (int word = 0; word < 8; ++word) {
        const int at = 32 * K + 4 * word;
        if (at >= Run * I && at < Run * (I + 1)) mask |= 1 << word;
    }
    return mask;
}

// Windows of runs of so many bytes, of which run I stands at byte Run * I of its group.
template <int Size, int Run, int Runs>
struct Layout {
    static constexpr int kVectors = static_cast<int>(kLine) / Size * Run * Runs / 32;

    // So that the run's bytes stand where they do in vector K.
    template <int K, int I>
    static __m256i load(const u8* const (&from)[Runs]) {
        const u8* p = from[I % Runs] + I / Runs * Size - (Run * I - 32 * K);
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    }

    template <int K, int First, int... More>
    static __m256i vector(const u8* const (&from)[Runs],
                          std::integer_sequence<int, More...>) {
        __m256i v = load<K, First>(from);
        ((v = _mm256_blend_epi32(v, (load<K, First + 1 + More>(from)),
                                 (words<Run, K, First + 1 + More>()))),
         ...);
        return v;
    }

    template <bool Past, int... K>
    static void group(u8* d, const u8* const (&from)[Runs],
                      std::integer_sequence<int, K...>) {
        (store<Past, K>(d, from), ...);
    }

    template <bool Past, int K>
    static void store(u8* d, const u8* const (&from)[Runs]) {
        constexpr int first = 32 * K / Run, last = (32 * K + 31) / Run;
        const __m256i v =
            vector<K, first>(from, std::make_integer_sequence<int, last - first>());
        Past ? stream_lanes(d + 32 * K, (Lanes)v) : store_lanes(d + 32 * K, (Lanes)v);
    }

    template <bool Past>
    static void groups(u8* d, const u8* s, const i64* places, i64 n) {
        const u8* from[Runs];
        for (int j = 0; j < Runs; ++j) from[j] = s + places[j];
        for (; n > 0; --n, d += 32 * kVectors, s += kLine) {
            if (Past) ask_memory(s + kAhead);
            group<Past>(d, from, std::make_integer_sequence<int, kVectors>());
            for (int j = 0; j < Runs; ++j) from[j] += kLine;
        }
    }

    static constexpr Mosaic::Kernel kernel() {
        return {Size, Run, Runs, groups<false>, groups<true>};
    }
};

constexpr Mosaic::Kernel kKernels[] = {
    Layout<4, 12, 3>::kernel(),
    Layout<4, 20, 5>::kernel(),
    Layout<8, 24, 3>::kernel(),
};

}  // namespace

const Mosaic::Kernel* mosaic_kernel(i64 size, i64 run, i64 runs) {
    for (const Mosaic::Kernel& k : kKernels)
        if (k.size == size && k.run == run && k.runs == runs) return &k;
    return nullptr;
}
#else
const Mosaic::Kernel* mosaic_kernel(i64, i64, i64) { return nullptr; }
#endif

}  // namespace RESTRIDE_PATH
}  // namespace restride
