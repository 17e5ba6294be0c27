// The core without Python: random programs against a reading one element at a time,
// with every buffer exactly as large as the program says, so that a sanitizer sees a
// byte too far.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "add.hpp"
#include "copy.hpp"
#include "paths.hpp"
#include "pool.hpp"
#include "program.hpp"
#include "threads.hpp"

using namespace restride;

namespace {

int failures = 0;

void expect(bool good, const char* what, long detail = 0) {
    if (good) return;
    std::fprintf(stderr, "FAILED: %s (%ld)\n", what, detail);
    ++failures;
}

struct Random {
    std::mt19937_64 engine;
    i64 between(i64 low, i64 high) {
        return low + static_cast<i64>(engine() % static_cast<std::uint64_t>(high - low + 1));
    }
    void fill(std::vector<u8>& bytes) {
        for (std::size_t k = 0; k < bytes.size(); k += 8) {
            const std::uint64_t word = engine();
            std::memcpy(bytes.data() + k, &word, std::min<std::size_t>(8, bytes.size() - k));
        }
    }
    bool chance(int percent) { return between(1, 100) <= percent; }
    template <std::size_t N>
    i64 pick(const i64 (&from)[N]) {
        return from[static_cast<std::size_t>(between(0, N - 1))];
    }
};

// A program, with the axes kept for the reading.
struct Sample {
    i64 size, source_offset, result_offset, background, n_fills;
    std::vector<i64> strides;
    std::vector<std::vector<Piece>> axes;
    std::vector<u8> fills;
    i64 source_bytes, result_bytes;

    i64 extent(std::size_t a) const {
        i64 n = 0;
        for (const Piece& p : axes[a]) n += p.count;
        return n;
    }

    // What the engine runs, in the pieces and fills kept here.
    const char* tell(Program& p) const {
        p.itemsize = size;
        p.source_offset = source_offset;
        p.result_offset = result_offset;
        p.background = background;
        p.n_fills = n_fills;
        p.fills = fills.data();
        p.rank = static_cast<int>(axes.size());
        for (std::size_t a = 0; a < axes.size(); ++a)
            p.axes[a] = {strides[a], 0, static_cast<i64>(axes[a].size()), axes[a].data(),
                         nullptr};
        return settle(p);
    }

    void read(u8* result, const u8* source) const {
        walk(0, result + result_offset, source + source_offset, background);
    }

    void walk(std::size_t a, u8* d, const u8* s, i64 fill) const {
        if (a == axes.size()) {
            const u8* from = fill >= 0 ? fills.data() + fill * size : s;
            std::memcpy(d, from, static_cast<std::size_t>(size));
            return;
        }
        for (const Piece& p : axes[a])
            for (i64 k = 0; k < p.count; ++k, d += strides[a])
                walk(a + 1, d, s + p.offset + k * p.step, p.fill > fill ? p.fill : fill);
    }
};

std::vector<Piece> random_axis(Random& r, i64 extent, i64 size, i64 fills) {
    std::vector<Piece> pieces;
    while (extent) {
        const i64 n = r.chance(40) ? r.between(1, extent) : extent;
        const i64 steps[] = {1, 1, 1, 2, 3, 0, -1, -1, -2, 40, 150};
        extent -= n;
        if (fills && r.chance(25))
            pieces.push_back({n, 0, 0, r.between(0, fills - 1)});
        else
            pieces.push_back({n, r.between(-3, 3) * size, r.pick(steps) * size, -1});
    }
    return pieces;
}

void place_source(Sample& s) {
    i64 low = 0, high = s.size;
    for (const auto& pieces : s.axes) {
        i64 least = 0, most = 0;
        bool any = false;
        for (const Piece& p : pieces) {
            if (p.fill >= 0) continue;
            const i64 last = p.offset + p.step * (p.count - 1);
            const i64 a = std::min(p.offset, last), b = std::max(p.offset, last);
            least = any ? std::min(least, a) : a;
            most = any ? std::max(most, b) : b;
            any = true;
        }
        low += least;
        high += most;
    }
    s.source_offset = -low;
    s.source_bytes = high - low;
}

Sample random_sample(Random& r, i64 size, i64 budget) {
    Sample s{};
    s.size = size;
    s.n_fills = r.chance(50) ? r.between(1, 3) : 0;
    s.fills.resize(static_cast<std::size_t>(s.n_fills * size));
    for (u8& byte : s.fills) byte = static_cast<u8>(r.between(0, 255));
    s.background = s.n_fills && r.chance(5) ? r.between(0, s.n_fills - 1) : -1;
    const i64 extents[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 100, 257, 1000};
    for (i64 rank = r.between(0, 5); rank > 0; --rank) {
        const i64 n = r.pick(extents);
        if (n > budget) continue;
        budget /= n;
        s.axes.push_back(random_axis(r, n, size, s.n_fills));
    }
    const i64 gap = r.chance(30) ? r.between(0, 20) : 0;
    i64 step = size;
    s.strides.resize(s.axes.size());
    for (std::size_t a = s.axes.size(); a-- > 0;) {
        s.strides[a] = step;
        step = step * s.extent(a) + gap;
        if (gap && r.chance(30)) {
            s.result_offset += s.strides[a] * (s.extent(a) - 1);
            s.strides[a] = -s.strides[a];
        }
    }
    s.result_bytes = size;
    for (std::size_t a = 0; a < s.axes.size(); ++a)
        s.result_bytes += std::abs(s.strides[a]) * (s.extent(a) - 1);
    place_source(s);
    return s;
}

// Elements from the beginning of a cache line, and no more than asked for.
template <class T>
struct Lined {
    static constexpr std::align_val_t kLine{64};
    using value_type = T;
    T* allocate(std::size_t n) {
        return static_cast<T*>(operator new(n * sizeof(T), kLine));
    }
    void deallocate(T* p, std::size_t) { operator delete(p, kLine); }
    bool operator==(const Lined&) const { return true; }
    bool operator!=(const Lined&) const { return false; }
};

// Results of so many bytes go past the caches here, and large ones have so many: a tenth
// of what is worth it, so that these tests do not take half an hour under the sanitizers.
constexpr i64 kStreamed = 1000000, kLarge = 1700000;

// The result begins `skew` bytes into a cache line.
void compare(const Sample& s, Random& r, long which, i64 skew,
             i64 streamed = kStreamed) {
    std::vector<u8> source(static_cast<std::size_t>(s.source_bytes));
    r.fill(source);
    const auto room = static_cast<std::size_t>(skew + s.result_bytes);
    std::vector<u8, Lined<u8>> got(room, 0xA5), want = got;
    Arena arena;
    Program program;
    const char* wrong = s.tell(program);
    expect(!wrong, wrong ? wrong : "", which);
    if (wrong) return;
    copy(got.data() + skew, source.data(), program, arena, streamed);
    s.read(want.data() + skew, source.data());
    expect(got == want, "a copy differs from its reading", which);
}

void compare(const Sample& s, Random& r, long which) {
    compare(s, r, which, r.chance(50) ? 0 : r.between(1, 63));
}

void test_copies(int rounds) {
    for (int threads = 1; threads <= 3; ++threads) {
        set_thread_count(threads);
        Random r{std::mt19937_64(static_cast<unsigned>(threads))};
        for (int k = 0; k < rounds; ++k)
            for (i64 size = 1; size <= 17; ++size)
                compare(random_sample(r, size, k % 25 ? 3000 : 600000), r, k);
    }
}

// Rows of several pieces, at least so many elements in all.
Sample rows_of_pieces(Random& r, i64 size, i64 width, i64 elements) {
    Sample s{};
    s.size = size;
    s.n_fills = r.between(1, 3);
    s.fills.resize(static_cast<std::size_t>(s.n_fills * s.size));
    const bool even = r.chance(50);
    for (u8& byte : s.fills) byte = even ? 7 : static_cast<u8>(r.between(0, 255));
    s.background = -1;
    const i64 rows = elements / width + r.between(8, 30);
    s.axes = {random_axis(r, rows, s.size * r.between(0, width), s.n_fills),
              random_axis(r, width, s.size, s.n_fills)};
    s.strides = {width * s.size, s.size};
    s.result_bytes = rows * width * s.size;
    place_source(s);
    return s;
}

// Many short rows, the source as large as they need and no larger.
void test_short_rows(int rounds) {
    Random r{std::mt19937_64(5)};
    const i64 widths[] = {1, 3, 4, 7, 9, 20, 47, 64, 230, 700};
    for (int k = 0; k < rounds; ++k) {
        const i64 size = r.between(1, 17);
        compare(rows_of_pieces(r, size, r.pick(widths), 5000), r, k);
    }
}

// Rows of results that are too large for the caches.
void test_streamed_rows() {
    Random r{std::mt19937_64(6)};
    const i64 widths[] = {3, 7, 15, 47, 70, 230};
    for (const i64 width : widths)
        for (const i64 size : {i64{4}, r.between(1, 16)})
            compare(rows_of_pieces(r, size, width, kLarge / size), r, width);
}

// Windows of a picture, overlapping, of elements some apart or backwards, perhaps a
// mirrored or filled column beside them: rows of many very short runs.
Sample windows(Random& r, i64 size, i64 elements) {
    const i64 high = r.between(1, 7), wide = r.between(1, 9);
    const i64 across = r.between(2, 150), down = elements / (high * wide * across) + 1;
    const i64 apart = r.chance(70) ? 1 : r.between(2, 3);
    const i64 back = r.chance(80) ? 1 : -1, step = r.chance(80) ? 1 : r.between(-2, 2);
    const i64 pitch = (across + 3 * wide) * size;
    Sample s{};
    s.size = size;
    s.background = -1;
    s.n_fills = 1;
    s.fills.resize(static_cast<std::size_t>(size));
    for (u8& byte : s.fills) byte = static_cast<u8>(r.between(0, 255));
    s.axes = {{{down, 0, pitch, -1}},
              {{across, 0, step * size, -1}},
              {{high, 0, pitch * apart, -1}},
              {{wide, 0, size * apart * back, -1}}};
    if (r.chance(20)) s.axes[3].push_back({r.between(1, 3), 0, 0, 0});
    if (r.chance(10)) s.axes[1].push_back({r.between(1, 30), 0, -size, -1});
    i64 bytes = size;
    s.strides.resize(s.axes.size());
    for (std::size_t a = s.axes.size(); a-- > 0; bytes *= s.extent(a)) s.strides[a] = bytes;
    s.result_bytes = bytes;
    place_source(s);
    return s;
}

// Many small turns, one after the other; the last axis backwards or not.
Sample small_turns(Random& r, i64 size, i64 elements) {
    const i64 a = r.between(2, 9), b = r.between(2, 9), back = r.chance(50) ? 1 : -1;
    const i64 gap = r.between(0, 2) * size, n = elements / (a * b) + 1;
    Sample s{};
    s.size = size;
    s.background = -1;
    s.axes = {{{n, 0, a * b * size + gap, -1}},
              {{a, 0, size, -1}},
              {{b, 0, back * a * size, -1}}};
    s.strides = {a * b * size, b * size, size};
    s.result_bytes = n * a * b * size;
    place_source(s);
    return s;
}

void test_windows(int rounds) {
    Random r{std::mt19937_64(17)};
    for (int k = 0; k < rounds; ++k) {
        const i64 size = r.between(1, 17);
        const i64 elements = k % 10 ? 2000 : 20000;
        compare(windows(r, size, elements), r, k);
        compare(small_turns(r, size, elements), r, k);
    }
    // Too large for the caches.
    for (i64 size : {1, 2, 3, 4, 8, 12, 16})
        for (int k = 0; k < 4; ++k) compare(windows(r, size, kLarge / size), r, size);
}

// Windows that have a kernel of their own, some more or less than a group of them in a
// row, to results that begin anywhere in a line; in the cache and past it.
void test_laid_windows() {
    Random r{std::mt19937_64(23)};
    const i64 kinds[][2] = {{4, 3}, {4, 5}, {8, 3}};
    for (const auto& [size, k] : kinds)
        for (const i64 across : {7, 8, 15, 16, 17, 31, 33, 60, 126})
            for (const i64 skew : {0, 4, 8, 20, 56, 63}) {
                const i64 pitch = (across + k - 1 + r.between(0, 3)) * size;
                Sample s{};
                s.size = size;
                s.background = -1;
                const i64 down = 40000 / (across * k * k * size) + 2;
                s.axes = {{{down, 0, pitch, -1}},
                          {{across, 0, size, -1}},
                          {{k, 0, pitch, -1}},
                          {{k, 0, size, -1}}};
                s.strides = {across * k * k * size, k * k * size, k * size, size};
                s.result_bytes = down * across * k * k * size;
                place_source(s);
                compare(s, r, across, skew);
                compare(s, r, across, skew, 0);
            }
}

// Turns larger than the caches: from and to places that lie on no boundary, backwards,
// with strides that are powers of two, and to rows that begin on lines but end on none.
void test_large_turns() {
    enum Kind { anywhere, power, lines };
    for (i64 size : {1, 2, 3, 4, 6, 8, 12, 16})
        for (const Kind kind : {anywhere, power, lines}) {
            const i64 n = kind == power ? 2048 : 1517, step = kind == power ? -size : size;
            const i64 m = kLarge / (n * size) / 64 * 64 + (kind == power ? 64 : 37);
            const i64 gap = kind == lines ? -(m * size) & 63 : 0;
            Sample s{};
            s.size = size;
            s.background = -1;
            s.axes = {{{n, 0, step, -1}}, {{m, 0, n * size, -1}}};
            s.strides = {m * size + gap, size};
            s.result_bytes = n * (m * size + gap) - gap;
            place_source(s);
            Random r{std::mt19937_64(7)};
            compare(s, r, size, kind == anywhere ? 16 : 0);
        }
}

// Turns that stay in the cache, a few sheets and some elements more each way: from rows
// a multiple of a page apart, or not, or far apart, to rows that begin on lines, on pages
// or anywhere.
void turns_in_the_cache(Random& r, i64 pitch) {
    for (i64 size : {1, 2, 4, 8, 16})
        for (i64 whole : {1, 64, 1024})
            for (i64 skew : {i64{0}, i64{64} - 3 * size, i64{3}}) {
                const i64 n = r.between(256, 600) / size + r.between(0, 40);
                const i64 m = r.between(256, 600) / size + r.between(0, 40);
                const i64 row = (m * size + whole - 1) / whole * whole;
                Sample s{};
                s.size = size;
                s.background = -1;
                s.axes = {{{n, 0, r.chance(50) ? size : -size, -1}}, {{m, 0, pitch, -1}}};
                s.strides = {row, size};
                s.result_bytes = (n - 1) * row + m * size;
                place_source(s);
                compare(s, r, size, skew);
            }
}

void test_turns_in_the_cache() {
    Random r{std::mt19937_64(14)};
    for (i64 pitch : {4096, 3120, 26000}) turns_in_the_cache(r, pitch);
}

// Turns whose source rows are packed first, about a tile each way: of elements of every
// size, next to each other or some apart, forwards or backwards, to and past the caches.
void test_packed_turns() {
    Random r{std::mt19937_64(19)};
    const i64 apart[] = {1, -1, 2, -2, 3, -5};
    for (i64 size = 1; size <= 16; ++size)
        for (const i64 step : apart)
            for (const i64 streamed : {kStreamed, i64{1}}) {
                const i64 n = r.between(2, 150), m = r.between(2, 210);
                const i64 row = n * size * std::abs(step) + r.between(0, 70);
                const i64 gap = r.chance(30) ? r.between(1, 70) : 0;
                const i64 way = r.chance(20) ? -1 : 1;
                Sample s{};
                s.size = size;
                s.background = -1;
                s.axes = {{{n, 0, step * size, -1}},
                          {{m, 0, way * (r.chance(20) ? 8192 : row), -1}}};
                s.strides = {m * size + gap, size};
                s.result_bytes = (n - 1) * s.strides[0] + m * size;
                place_source(s);
                compare(s, r, 100 * size + step, r.between(0, 63), streamed);
            }
}

// Planes that become columns, `rows` of `wide` places and a border mirrored on each
// side; the whole row mirrored or not.
Sample planes(i64 size, i64 n, i64 rows, i64 wide, bool mirrored) {
    const i64 border = std::min<i64>(wide - 1, 5), step = mirrored ? -size : size;
    const i64 first = mirrored ? wide - 1 : 0, pitch = wide * size;
    Sample s{};
    s.size = size;
    s.background = -1;
    s.axes = {{{rows, 0, pitch, -1}},
              {{border, first * size + border * step, -step, -1},
               {wide, first * size, step, -1},
               {border, (wide - 1 - first) * size - step, -step, -1}},
              {{n, 0, rows * pitch + 3, -1}}};
    s.strides = {(wide + 2 * border) * n * size, n * size, size};
    s.result_bytes = rows * s.strides[0];
    place_source(s);
    return s;
}

void test_planes() {
    Random r{std::mt19937_64(13)};
    for (i64 size : {1, 2, 4, 8, 16})
        for (i64 n = 2; n * size < 64; ++n)
            for (i64 wide : {2, 7, 15, 33, 64, 500})
                for (const bool mirrored : {false, true}) {
                    const Sample s = planes(size, n, 3, wide, mirrored);
                    compare(s, r, 100 * size + n);
                    for (i64 skew : {i64{0}, r.between(0, 15) * 4, r.between(1, 63)})
                        compare(s, r, 100 * size + n, skew, 1);  // past the caches
                }
    // Larger than the caches: woven behind the place where memory is asked for.
    for (i64 size : {1, 4})
        for (i64 wide : {20, 3000})
            compare(planes(size, 3, kLarge / (3 * size * wide), wide, true), r, size);
}

// Long runs backwards and of every second element, too large for the caches, the source
// ending with what they need.
void test_large_runs() {
    for (i64 size : {1, 2, 3, 4, 6, 8, 12, 16})
        for (const i64 step : {-size, 2 * size})
            for (const i64 n : {i64{3001}, 540001 / size}) {  // and rows done in parts
                const i64 rows = kLarge / (n * size) + 1;
                Sample s{};
                s.size = size;
                s.background = -1;
                s.axes = {{{rows, 0, n * step, -1}}, {{n, 0, step, -1}}};
                if (step > 0 || n > 3001) s.axes[0][0].step += size;  // or one long run
                s.strides = {n * size, size};
                s.result_bytes = rows * n * size;
                place_source(s);
                Random r{std::mt19937_64(13)};
                for (const i64 skew : {i64{0}, i64{8}, i64{3}}) compare(s, r, size, skew);
            }
}

// Runs of pixels of every length around that of a group, backwards and of every second,
// alone in their rows and between two fills.
void test_runs_of_pixels() {
    Random r{std::mt19937_64(17)};
    for (i64 size : {3, 6, 12})
        for (const i64 step : {-size, 2 * size})
            for (i64 n = 1; n <= 70; ++n)
                for (const bool framed : {false, true}) {
                    Sample s = rows_of_pieces(r, size, n, 3 * n);
                    const i64 rows = s.extent(0);
                    s.axes = {{{rows, 0, n * size, -1}}, {{n, 0, step, -1}}};
                    if (framed) {
                        s.axes[1].insert(s.axes[1].begin(), {r.between(1, 6), 0, 0, 0});
                        s.axes[1].push_back({r.between(1, 6), 0, 0, 0});
                    }
                    s.strides = {s.extent(1) * size, size};
                    s.result_bytes = rows * s.strides[0];
                    place_source(s);
                    compare(s, r, 100 * size + n);
                }
}

// What was asked for runs, unless the processor lacks it.
void test_isa() {
    const char* wanted = std::getenv("RESTRIDE_ISA");
    for (const char* always : {"scalar", "baseline"})
        if (wanted && std::strcmp(wanted, always) == 0)
            expect(std::strcmp(kernels().name, always) == 0, "RESTRIDE_ISA is not heard");
}

// One figure of a good program made wrong: it is refused.
void test_wrong_programs() {
    Random r{std::mt19937_64(11)};
    for (int k = 0; k < 3000; ++k) {
        Sample s = random_sample(r, r.between(1, 9), 200);
        Program program;
        expect(!s.tell(program), "a good program is refused", k);
        s.axes.push_back({{2, 0, s.size, -1}});
        s.strides.push_back(s.size);
        Piece& piece = s.axes.back().back();
        switch (k % 7) {
            case 0: s.size = -r.between(0, 5); break;
            case 1: s.background = s.n_fills + r.between(0, 3); break;
            case 2: piece.count = -r.between(0, 5); break;
            case 3: piece.fill = s.n_fills + r.between(0, 3); break;
            case 4: piece.fill = -2; break;
            case 5: piece.count = INT64_MAX; break;
            case 6: s.axes.back().clear(); break;
        }
        if (k % 7 == 5) s.axes.back().push_back({1, 0, 0, -1});
        expect(s.tell(program), "a wrong program is not refused", k);
    }
}

void test_add() {
    Sample s{};
    s.size = 4;
    s.background = -1;
    s.axes = {{{100, 0, 0, -1}}, {{50, 0, 4, -1}}};
    s.strides = {200, 4};
    const std::vector<float> ones(5000, 1.0F);
    std::vector<float> sum(50, 0.5F);
    Arena arena;
    Program program;
    expect(!s.tell(program), "add: the program is refused");
    add(reinterpret_cast<u8*>(sum.data()), reinterpret_cast<const u8*>(ones.data()),
        program, arena, Kind::f4);
    for (float value : sum) expect(value == 100.5F, "add: a sum is wrong");
}

void test_pool() {
    pool::set_limit(i64{4} << 20);
    std::vector<void*> kept;
    for (std::size_t bytes = 1; bytes < (std::size_t{3} << 20); bytes = bytes * 3 / 2 + 1) {
        void* data = pool::take(bytes);
        expect(reinterpret_cast<std::uintptr_t>(data) % 64 == 0, "pool: alignment");
        std::memset(data, 1, bytes);
        kept.push_back(data);
    }
    for (void* data : kept) {
        pool::give(data);
        expect(pool::stats().held_bytes <= pool::limit(), "pool: over its limit");
    }
    expect(pool::stats().live_buffers == 0, "pool: a buffer is still live");
    void* data = pool::resize(pool::take_zeroed(100), 100000);
    expect(static_cast<u8*>(data)[99] == 0, "pool: resize");
    pool::give(data);
    pool::clear();
    expect(pool::stats().held_bytes == 0, "pool: not empty after clear");
}

void test_callers() {
    set_thread_count(3);
    std::vector<std::thread> callers;
    for (unsigned t = 0; t < 4; ++t)
        callers.emplace_back([t] {
            Random r{std::mt19937_64(t)};
            for (int k = 0; k < 20; ++k) compare(random_sample(r, 4, 400000), r, k);
        });
    for (std::thread& caller : callers) caller.join();
}

void test_fork() {
    const pid_t child = fork();
    if (child == 0) {
        Random r{std::mt19937_64(1)};
        for (int k = 0; k < 10; ++k) compare(random_sample(r, 8, 400000), r, k);
        pool::give(pool::take(5000000));
        _exit(failures ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "fork: the child failed");
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
    test_isa();
    test_copies(rounds);
    test_short_rows(3 * rounds);
    test_streamed_rows();
    test_windows(3 * rounds);
    test_laid_windows();
    test_large_turns();
    test_turns_in_the_cache();
    test_packed_turns();
    test_large_runs();
    test_runs_of_pixels();
    test_planes();
    test_wrong_programs();
    test_add();
    test_pool();
    test_callers();
    // An emulator of one program's processor loses its own threads at a fork.
    if (std::getenv("RESTRIDE_EMULATED"))
        std::printf("not tried under an emulator: fork\n");
    else
        test_fork();
    std::printf("%d failures on %s\n", failures, kernels().name);
    return failures ? 1 : 0;
}
