// Dice: random numbers that are the same on every machine
//
// The standard fixes what its engines produce, but not what its distributions make of it. So numbers in a
// range are made here, and a seed gives the same deals, samples and games everywhere.
#pragma once

#include <cassert>
#include <cstdint>
#include <random>

namespace setrograde {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}

    // A number from 0 to end - 1, all equally likely.
    std::uint64_t below(std::uint64_t end) {
        assert(end > 0);
        const std::uint64_t most = ~std::uint64_t{0} - ~std::uint64_t{0} % end;
        for (;;)
            if (const std::uint64_t drawn = random_(); drawn < most) return drawn % end;
    }

private:
    std::mt19937_64 random_;
};

}  // namespace setrograde
