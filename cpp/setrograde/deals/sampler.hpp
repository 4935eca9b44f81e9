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
    DealSampler(const DealSampler&) = delete;
    DealSampler& operator=(const DealSampler&) = delete;

    // Fills `hands`, four for each deal, with the next deals and returns the number of deals: fewer than all
    // only if `most_tries` were not enough. Throws Stopped if the check, told how many are done, says so.
    std::size_t draw(std::span<CardSet> hands, std::uint64_t most_tries, const ProgressCheck& should_stop);

    // Deals drawn so far, with those that failed the checks.
    std::uint64_t tries() const { return tries_; }

private:
    // A letter of a state, and the state it leads to.
    struct Step {
        std::uint32_t letter;
        std::int32_t next;
    };

    // All steps of a state that is often visited: the first step that ends above a number is found at once.
    struct Shortcut {
        struct Entry {
            Wide end;  // deals of this step and of those before it
            Step step;
        };
        std::vector<Entry> entries;
        std::vector<std::uint32_t> first;  // by the high bits of the number
        int shift = 0;
    };

    PerSeat<CardSet> draw_one();
    Step choose_step(int place, std::int32_t state);
    const Shortcut* shortcut(int place, std::int32_t state);
    const SuitWays& choose_ways(int place, const JointLetter& letter);
    bool passes(const PerSeat<CardSet>& deal) const;
    CardSet choose_cards(CardSet cards, int number);

    std::shared_ptr<const DealCounts> counts_;
    std::vector<Measure> measures_;
    std::vector<Watch> checks_;
    Dice dice_;
    std::uint64_t tries_ = 0;
    PerSuit<std::vector<std::uint8_t>> visits_;  // of each state, while it has no shortcut
    PerSuit<std::vector<std::unique_ptr<Shortcut>>> shortcuts_;
    std::size_t shortcut_bytes_ = 0;
};

}  // namespace setrograde
