// Dice: random numbers that are the same on every machine
//
// The standard fixes what its engines produce, but not what its distributions make of it. So numbers in a
// range are made here, and a seed gives the same deals, samples and games everywhere.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <random>

#include "setrograde/common/wide.hpp"

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

    // The same without a division (Lemire, "Fast random integer generation in an interval", 2019); the
    // numbers differ from those of `below`.
    std::uint64_t pick(std::uint64_t end) {
        assert(end > 0);
        Wide product = Wide{random_()} * end;
        if (static_cast<std::uint64_t>(product) < end) {
            const std::uint64_t least = (0 - end) % end;
            while (static_cast<std::uint64_t>(product) < least) product = Wide{random_()} * end;
        }
        return static_cast<std::uint64_t>(product >> 64);
    }

    // The same for ends of more than 64 bits.
    Wide pick_wide(Wide end) {
        assert(end > 0);
        const auto high = static_cast<std::uint64_t>((end - 1) >> 64);
        if (high == 0) return pick(static_cast<std::uint64_t>(end));
        const std::uint64_t mask = ~std::uint64_t{0} >> std::countl_zero(high);
        for (;;) {
            const Wide drawn = Wide{random_() & mask} << 64 | random_();
            if (drawn < end) return drawn;
        }
    }

private:
    std::mt19937_64 random_;
};

}  // namespace setrograde
