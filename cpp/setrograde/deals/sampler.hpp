// Sampler: random deals that fit, drawn backwards through the counts
//
// All deals that fit are equally likely and independent of each other: each choice is made with a whole
// random number below a whole count. Conditions too costly to count may be checked afterwards; deals that
// fail are drawn again, which keeps the rest equally likely.
#pragma once

#include <memory>
#include <span>

#include "setrograde/common/dice.hpp"
#include "setrograde/deals/counting.hpp"

namespace setrograde {

class DealSampler {
public:
    // `checks` are conditions that the counts leave out, with the measures they use.
    DealSampler(std::shared_ptr<const DealCounts> counts, std::vector<Measure> measures, std::vector<Watch> checks,
                std::uint64_t seed);

    // Fills `deals` with the next deals and returns the number filled: fewer than all only if `most_tries`
    // were not enough. Throws Stopped if the check, told how many are done, says so.
    std::size_t draw(std::span<PerSeat<CardSet>> deals, std::uint64_t most_tries, const ProgressCheck& should_stop);

    // Deals drawn so far, with those that failed the checks.
    std::uint64_t tries() const { return tries_; }

private:
    struct SuitChoice {
        const SuitWays* ways;
        std::int32_t next;
    };

    PerSeat<CardSet> draw_one();
    SuitChoice choose_ways(int place, std::int32_t state);
    bool passes(const PerSeat<CardSet>& deal) const;
    CardSet choose_cards(CardSet cards, int number);

    std::shared_ptr<const DealCounts> counts_;
    std::vector<Measure> measures_;
    std::vector<Watch> checks_;
    Dice dice_;
    std::uint64_t tries_ = 0;
};

}  // namespace setrograde
