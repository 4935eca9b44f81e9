// Goal search: the best line of one suit for one goal, without the front of all lines
//
// A goal gives every layout a worth that grows with the tricks won there; a line is worth the sum over
// layouts. That is so for the chance of n tricks, for their average, and for what a line gains against
// another at matchpoints or IMPs. Two things keep fronts small:
// - only numbers of tricks that the goal tells apart are written down (one for "n tricks or more");
// - a line loses, against a declarer who sees the layout, at least what it loses in any position on its
//   way. An outcome that loses more there than the goal allows is left out, in whatever position it
//   arises. The loss allowed begins at zero and grows until a line is found: that is the best one, and
//   before that the loss tried last bounds what any line is worth.
// Where the best line for each number of tricks alone is known, every line loses that much for each of
// them, so that only what it loses on top counts (for the average, which is the sum of them).
//
// Whether some line wins a given number of tricks in each layout needs no front at all: WinTest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "setrograde/suit/fronts.hpp"
#include "setrograde/suit/game.hpp"

namespace setrograde {

// By number of tricks, then layout: what that trick adds to the worth of a line. None is negative.
using SuitWorth = std::vector<std::vector<std::int64_t>>;

// A worth, and the least that a line must have of it.
struct SuitDemand {
    SuitWorth worth;
    std::int64_t least;
};

// A search for all lines that meet demands. Its constructor and `outcomes` throw Stopped.
class SuitGoalSearch {
public:
    // The game and the meter must outlive it. Throws std::invalid_argument for cards that are not there
    // and demands that do not fit the game.
    SuitGoalSearch(SuitGame& game, const SuitState& state, std::vector<SuitDemand> demands, WorkMeter& meter);

    // Outcomes that meet the demands and that no other matches, by the tricks the demands tell apart, and
    // written as those of SuitSolver. Throws WorkLimit.
    OutcomeFront outcomes();

    // What a declarer who sees the layout wins of the last demand, less what every line loses.
    std::int64_t most() const;
    // Every line loses `losses[t - 1]` or more of what t tricks are worth in the last demand.
    void set_sure_losses(const std::vector<std::int64_t>& losses);
    void set_least(std::int64_t least);  // of the last demand
    // What a declarer who sees the layout wins of the last demand by one number of tricks alone.
    std::int64_t bound_of(int tricks) const;
    std::int64_t worth(const std::uint64_t* outcome) const;  // in the last demand

private:
    struct Weights {
        std::vector<std::int64_t> by_bit;
        std::vector<std::int64_t> sure_losses;  // by plane
        std::int64_t bound = 0, allowed = 0;
    };

    void check_demands() const;
    void find_planes();
    Weights weights_of(const SuitDemand& demand) const;
    std::int64_t sum(const Weights& weights, std::uint64_t layouts, std::size_t word) const;
    LayoutWords planes_of(const LayoutWords& outcome, const LayoutWords& layouts, int won) const;
    bool is_allowed(const std::uint64_t* outcome, const LayoutWords& layouts) const;
    bool is_useful(const LayoutWords& bound, const LayoutWords& layouts, const OutcomeFront& known) const;
    OutcomeFront combined(const OutcomeFront& front, const OutcomeFront& other, const LayoutWords& others_layouts,
                          const LayoutWords& layouts);
    const OutcomeFront& front(const SuitState& state, const LayoutWords& layouts, int won);
    OutcomeFront front_of_leads(const SuitState& state, const LayoutWords& layouts, const LayoutWords& best, int won);
    OutcomeFront front_of_lead(const SuitState& state, const LayoutWords& layouts, const SuitLead& lead, int won,
                               const OutcomeFront& known);
    OutcomeFront front_of_card(const SuitReply& first, const SuitLead& lead, int followed, int won);

    SuitGame& game_;
    SuitState start_;
    std::vector<SuitDemand> demands_;
    WorkMeter& meter_;
    std::vector<int> planes_;        // numbers of tricks told apart
    std::size_t words_, width_ = 0;  // of a set of layouts; of an outcome, a set for each plane
    LayoutWords bound_;              // of the start
    std::vector<Weights> weights_;   // by demand
    std::unordered_map<SuitKey, OutcomeFront, SuitKeyHash> fronts_;
};

struct BestOutcome {
    std::optional<LayoutWords> outcome;  // none if the work allowed was not enough, or no line meets demands
    std::int64_t worth = 0;              // of it
    std::int64_t at_most = 0;            // no line is worth more; -1 if none meets the demands
};

// The outcome that is worth most, among those that meet other demands. `most_by_tricks`: what no line
// exceeds in each number of tricks alone, or empty. Throws std::invalid_argument, Stopped.
BestOutcome best_outcome(SuitGame& game, const SuitState& state, const SuitWorth& worth,
                         std::vector<SuitDemand> demands, const std::vector<std::int64_t>& most_by_tricks,
                         WorkMeter& meter);

// Tells whether a line wins an outcome: all of it, whatever the layout.
class WinTest {
public:
    // The game must outlive it.
    explicit WinTest(SuitGame& game) : game_(game) {}

    // Throws std::invalid_argument for cards that are not there, WorkLimit, Stopped.
    bool can_win(const SuitState& state, const LayoutWords& outcome, WorkMeter& meter);

private:
    struct WordsHash {
        std::size_t operator()(const LayoutWords& words) const;
    };

    bool wins(const SuitState& state, const LayoutWords& layouts, const LayoutWords& wanted, WorkMeter& meter);
    bool wins_with_lead(const SuitState& state, const LayoutWords& layouts, const LayoutWords& wanted,
                        const SuitLead& lead, WorkMeter& meter);
    bool wins_with_card(const SuitReply& first, const LayoutWords& wanted, const SuitLead& lead, int followed,
                        WorkMeter& meter);

    SuitGame& game_;
    std::unordered_map<LayoutWords, bool, WordsHash> known_;
};

}  // namespace setrograde
