// Memory of the solver, counted by the program's own operator new and delete: every byte the solver
// allocates, at every moment, on every thread.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <type_traits>

#define SETROGRADE_ARCH portable_table

#include "check.hpp"
#include "setrograde/search/pattern_table.hpp"
#include "setrograde/search/solver.hpp"

namespace {

std::atomic<std::size_t> held{0}, most_held{0};

void* counted(void* memory) {
    if (!memory) throw std::bad_alloc();
    const std::size_t size = malloc_usable_size(memory);
    const std::size_t now = held.fetch_add(size) + size;
    std::size_t most = most_held;
    while (most < now && !most_held.compare_exchange_weak(most, now)) {}
    return memory;
}

void* take(std::size_t size) { return counted(std::malloc(std::max<std::size_t>(size, 1))); }

void* take_aligned(std::size_t size, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(unit, (std::max<std::size_t>(size, 1) + unit - 1) / unit * unit));
}

void release(void* memory) {
    held -= malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace

// The nothrow forms call these.
void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, std::align_val_t unit) { return take_aligned(size, unit); }
void* operator new[](std::size_t size, std::align_val_t unit) { return take_aligned(size, unit); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

using namespace setrograde;

namespace {

constexpr int HEARTS = 2, SPADES = 3;
constexpr std::size_t MB = 1 << 20;
constexpr std::size_t SMALL_OBJECTS = 64 << 10;  // questions, answers, threads: not the search

// Freak deals. With room, one lead from LIGHT takes about 5 MB in hearts or spades, and one from
// HEAVY at notrump 21 MB; the leads of MEDIUM together take more than 4 MB.
using Deal = PerSeat<CardSet>;
constexpr Deal LIGHT{0x104a'1528'0215'0000, 0x0e20'0845'0000'1425, 0x0000'0292'1548'03c0, 0x0195'0000'08a2'081a};
constexpr Deal MEDIUM{0x141b'0285'0000'0488, 0x0a24'0848'15a8'0000, 0x0000'1532'0241'1a01, 0x01c0'0000'0816'0176};
constexpr Deal HEAVY{0x0000'082a'0885'142a, 0x0254'0295'0000'0941, 0x1522'0000'022a'0294, 0x0889'1540'1550'0000};

Position led_by(int leader, const Deal& deal, int strain) {
    return {.hands = deal, .strain = strain, .leader = leader};
}

// The most `work` held at once, beyond what was held before.
template <typename Work>
std::size_t growth(Work work) {
    const std::size_t before = held;
    most_held = before;
    work();
    return most_held - before;
}

void check_solver(std::size_t limit_bytes, const std::vector<Position>& positions) {
    std::uint64_t collections = 0;
    std::vector<int> tricks;
    const std::size_t most = growth([&] {
        Solver solver(limit_bytes, ALL_TECHNIQUES, {});
        for (const Position& position : positions) {
            tricks.push_back(solver.solve(position).tricks_ns);
            CHECK(solver.statistics().table_bytes <= limit_bytes);
            CHECK(held <= solver.statistics().table_bytes + SMALL_OBJECTS);
            CHECK(held >= solver.statistics().table_bytes * 9 / 10);
        }
        collections = solver.statistics().collections;
    });
    CHECK(most <= limit_bytes + SMALL_OBJECTS);
    CHECK(collections > 0);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Solver roomy(256 * MB, ALL_TECHNIQUES, {});
        CHECK(roomy.solve(positions[i]).tricks_ns == tricks[i]);
        CHECK(roomy.statistics().collections == 0);
    }
}

void test_a_solver_stays_within_its_limit() {
    // A full table is reset between strains.
    const std::vector<Position> light{led_by(NORTH, LIGHT, SPADES), led_by(EAST, LIGHT, SPADES),
                                      led_by(NORTH, LIGHT, HEARTS), led_by(SOUTH, LIGHT, SPADES)};
    check_solver(2 * MB, light);
    check_solver(4 * MB, light);
    check_solver(16 * MB, {led_by(NORTH, HEAVY, NOTRUMP)});
}

struct Batch {
    std::size_t limit_bytes;
    int threads;
};

// As many as have the least memory each, whatever was asked.
std::size_t running_threads(std::size_t limit_bytes, int threads) {
    return std::min(static_cast<std::size_t>(threads), limit_bytes / MIN_LIMIT_BYTES);
}

// A batch does not tell how often it thinned its tables. But if no share is exceeded and three
// quarters of the limit are held at once, then some share was used up, which ends in thinning.
bool is_felt(std::size_t limit_bytes, std::size_t most) { return most >= limit_bytes * 3 / 4; }

void test_batches_of_positions_stay_within_their_limit() {
    std::vector<Position> light;
    for (int i = 0; i < 16; ++i) light.push_back(led_by(i % 4, LIGHT, SPADES));
    const std::vector<Position> heavy(2, led_by(NORTH, HEAVY, NOTRUMP));
    const std::vector<int> light_tricks = solve_many({light.begin(), light.begin() + 4}, 1, 256 * MB, {});
    const std::vector<int> heavy_tricks = solve_many({heavy.front()}, 1, 256 * MB, {});
    for (const auto& [limit_bytes, threads] :
         {Batch{2 * MB, 1}, {2 * MB, 8}, {4 * MB, 2}, {16 * MB, 1}, {16 * MB, 8}}) {
        const std::size_t running = running_threads(limit_bytes, threads);
        const bool is_tight = limit_bytes / running <= 4 * MB;
        std::vector<Position> positions = is_tight ? light : heavy;
        positions.resize(is_tight ? 2 * running : running);
        std::vector<int> tricks;
        const std::size_t most = growth([&] { tricks = solve_many(positions, threads, limit_bytes, {}); });
        CHECK(most <= limit_bytes + SMALL_OBJECTS);
        CHECK(is_felt(limit_bytes, most));
        const std::vector<int>& known = is_tight ? light_tricks : heavy_tricks;
        for (std::size_t i = 0; i < tricks.size(); ++i) CHECK(tricks[i] == known[i % known.size()]);
    }
}

void test_batches_of_tables_stay_within_their_limit() {
    const std::vector<Deal> deals(1, MEDIUM);
    const auto expected = solve_tables(deals, 1, 256 * MB, {});
    for (const auto& [limit_bytes, threads] : {Batch{2 * MB, 1}, {4 * MB, 2}, {16 * MB, 8}}) {
        std::remove_const_t<decltype(expected)> tables;
        const std::size_t most = growth([&] { tables = solve_tables(deals, threads, limit_bytes, {}); });
        CHECK(most <= limit_bytes + SMALL_OBJECTS);
        CHECK(limit_bytes > 4 * MB || is_felt(limit_bytes, most));  // 16 MB are enough for one deal
        CHECK(tables == expected);
    }
}

// Shapes with one pattern each are stored until the table is thinned. It then holds all shapes with at
// least some number of tricks and none of the others, and no more than half of all.
void test_thinning_keeps_the_longest_endings() {
    using portable_table::Table;
    const auto tricks_of = [](std::uint64_t key) { return static_cast<int>(2 + key * key % 11); };
    const auto table = std::make_unique<Table>(1 * MB);
    std::uint64_t last = 0;
    while (table->collections == 0) {
        ++last;
        table->store(last << 20 | last, tricks_of(last), {}, 0, {1, 1});
    }
    Per<std::uint64_t, 14> stored{}, found{};
    for (std::uint64_t key = 1; key < last; ++key) {
        const int tricks = tricks_of(key);
        ++stored[tricks];
        found[tricks] += table->lookup(key << 20 | key, tricks, {}, 1).found;
    }
    int from = 0;
    while (from < 13 && !found[from]) ++from;
    std::uint64_t kept = 0;
    for (int tricks = from; tricks < 14; ++tricks) {
        CHECK(found[tricks] == stored[tricks]);
        kept += found[tricks];
    }
    CHECK(last > 4000 && kept > 0 && kept * 2 <= last);
}

void test_nothing_is_left_behind() {
    const std::size_t before = held;
    {
        Solver solver(4 * MB, ALL_TECHNIQUES, {});
        solver.solve(led_by(NORTH, LIGHT, SPADES));
    }
    CHECK(held == before);
}

}  // namespace

int main() {
    test_a_solver_stays_within_its_limit();
    test_batches_of_positions_stay_within_their_limit();
    test_batches_of_tables_stay_within_their_limit();
    test_thinning_keeps_the_longest_endings();
    test_nothing_is_left_behind();
    return 0;
}
