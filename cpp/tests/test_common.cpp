// Threads, stop flags, numbers in files, dice, binomial coefficients.
#include <array>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "check.hpp"
#include "setrograde/common/bytes.hpp"
#include "setrograde/common/checksum.hpp"
#include "setrograde/common/choose.hpp"
#include "setrograde/common/dice.hpp"
#include "setrograde/common/parallel.hpp"

using namespace setrograde;

namespace {

void all_pieces_are_done_once() {
    for (const std::size_t threads : {1, 2, 5}) {
        std::array<std::atomic<int>, 200> times{};
        run_parallel(threads, times.size(), {},
                     [&](const StopCheck&) { return [&](std::size_t piece) { ++times[piece]; }; });
        for (const auto& time : times) CHECK(time == 1);
    }
    run_parallel(3, 0, {}, [](const StopCheck&) { return [](std::size_t) { CHECK(false); }; });
}

void exceptions_of_threads_arrive() {
    bool caught = false;
    try {
        run_parallel(3, 100, {}, [](const StopCheck&) {
            return [](std::size_t piece) {
                if (piece == 50) throw std::runtime_error("piece");
            };
        });
    } catch (const std::runtime_error&) {
        caught = true;
    }
    CHECK(caught);
}

// Every piece waits until it is stopped, so only the flag ends the work.
void a_flag_stops_all_threads() {
    StopFlag flag;
    const std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        flag.set();
    });
    bool stopped = false;
    try {
        run_parallel(
            3, 3, [&](std::size_t) { return flag.is_set(); },
            [](const StopCheck& should_stop) {
                return [should_stop](std::size_t) {
                    while (!should_stop()) std::this_thread::yield();
                    throw Stopped{};
                };
            });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
}

void a_flag_ends_the_wait_for_a_lock() {
    std::timed_mutex mutex;
    StopFlag flag;
    const StopCheck check = [&] { return flag.is_set(); };
    { const auto lock = lock_unless_stopped(mutex, check); }
    const std::scoped_lock held(mutex);
    std::atomic<bool> stopped{false};
    const std::jthread waiting([&] {
        try {
            lock_unless_stopped(mutex, check);
        } catch (const Stopped&) {
            stopped = true;
        }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(!stopped);
    flag.set();
    for (int i = 0; i < 500 && !stopped; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(stopped);
}

void numbers_have_their_lowest_byte_first() {
    std::array<std::uint8_t, 8> bytes{};
    put_number(bytes.data(), 0x0102'0304'0506'0708, 8);
    CHECK(bytes[0] == 8 && bytes[7] == 1);
    CHECK(get_number(bytes.data(), 8) == 0x0102'0304'0506'0708);
    CHECK(get_number(bytes.data(), 3) == 0x06'07'08);
}

// Published values of XXH64 with seed 0.
void checksums_are_those_of_others() {
    constexpr std::string_view text = "xxhash";
    CHECK(checksum("", 0) == 0xEF46'DB37'51D8'E999);
    CHECK(checksum(text.data(), text.size()) == 0x32DD'3895'2C4B'C720);
    // From the page of its authors: FNV-1a of "" and "a".
    const std::uint8_t letter[] = {'a'};
    CHECK(fnv1a({}) == 0xCBF2'9CE4'8422'2325 && fnv1a(letter) == 0xAF63'DC4C'8601'EC8C);
}

void dice_are_the_same_everywhere() {
    CHECK(Dice(5489).below(1'000'000) == 117'030);  // the engine's first number is 14514284786278117030
    Dice one(7), same(7), other(8);
    int equal = 0;
    std::array<int, 6> times{};
    for (int i = 0; i < 6000; ++i) {
        const std::uint64_t face = one.below(6);
        CHECK(face < 6 && face == same.below(6));
        equal += face == other.below(6);
        ++times[face];
    }
    CHECK(equal > 800 && equal < 1200);
    for (const int time : times) CHECK(time > 800 && time < 1200);
    CHECK(one.below(1) == 0);
}

void ways_to_choose_are_counted() {
    static_assert(choose(13, 0) == 1 && choose(13, 13) == 1 && choose(5, 2) == 10);
    static_assert(choose(13, -1) == 0 && choose(13, 14) == 0);
    static_assert(choose(26, 13) == 10'400'600 && choose(52, 13) == 635'013'559'600);
    for (int n = 1; n <= MAX_CHOICE; ++n) {
        std::uint64_t all = 0;
        for (int k = 0; k <= n; ++k) all += choose(n, k);
        CHECK(all == std::uint64_t{1} << n);
    }
}

}  // namespace

int main() {
    all_pieces_are_done_once();
    exceptions_of_threads_arrive();
    a_flag_stops_all_threads();
    a_flag_ends_the_wait_for_a_lock();
    numbers_have_their_lowest_byte_first();
    checksums_are_those_of_others();
    dice_are_the_same_everywhere();
    ways_to_choose_are_counted();
}
