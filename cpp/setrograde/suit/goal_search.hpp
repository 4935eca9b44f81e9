// Goals of suit play: the best line for one goal, without the front of all lines
//
// A goal gives every lie a worth that grows with the tricks won there; a line is worth the sum over lies.
// That is so for the chance of n tricks, for their average, and for what a line gains against another at
// matchpoints or IMPs. Two things keep fronts small:
// - only numbers of tricks that the goal tells apart are written down (one for "n tricks or more");
// - a line loses, against a declarer who sees the lie, at least what it loses in any position on its way.
//   An outcome that loses more there than the goal allows is left out, in whatever position it arises.
//   What is allowed to be lost begins with nothing and grows until a line is found: that is the best one,
//   and before that the loss tried last bounds what any line is worth.
// Where the best of each number of tricks alone is known, a line loses that much for each of them, so that
// only what it loses on top counts (for the average, which is the sum of them).
//
// Whether some line wins so many tricks in each lie needs no front at all: WinTest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "setrograde/suit/fronts.hpp"
#include "setrograde/suit/game.hpp"

namespace setrograde {

// By number of tricks, then lie: what that trick adds to the worth of a line. None is negative.
using SuitWorth = std::vector<std::vector<std::int64_t>>;

struct SuitDemand {
    SuitWorth worth;
    std::int64_t least;
};

// A search for all lines that meet demands.
class SuitGoalSearch {
public:
    // Throws std::invalid_argument for cards that are not there.
    SuitGoalSearch(SuitGame& game, const SuitState& state, std::vector<SuitDemand> demands, WorkMeter& meter);

    // Outcomes that meet the demands and that no other matches, by the tricks the demands tell apart, and
    // written as those of SuitSolver. Throws WorkLimit, Stopped.
    OutcomeFront outcomes();

    // What a declarer who sees the lie wins of the last demand, less what lines lose for sure.
    std::int64_t most() const;
    // Every line loses `losses[t - 1]` or more of what t tricks are worth in the last demand.
    void set_sure_losses(std::vector<std::int64_t> losses);
    void set_least(std::int64_t least);  // of the last demand
    // What a declarer who sees the lie wins of the last demand by one number of tricks alone.
    std::int64_t bound_of(int tricks) const;
    std::int64_t worth(const std::uint64_t* outcome) const;  // in the last demand

private:
    struct Weights {
        std::vector<std::int64_t> by_bit;
        std::vector<std::int64_t> sure_losses;  // by plane
        std::int64_t bound = 0, allowed = 0;
    };

    LieWords planes_of(const LieWords& outcome, const LieWords& lies, int won) const;
    LieWords everything(const LieWords& lies) const;
    bool is_allowed(const std::uint64_t* outcome, const LieWords& lies) const;
    bool is_useful(const LieWords& bound, const LieWords& lies, const OutcomeFront& known) const;
    OutcomeFront combined(const OutcomeFront& front, const OutcomeFront& other, const LieWords& others_lies,
                          const LieWords& lies);
    const OutcomeFront& front(const SuitState& state, const LieWords& lies, int won);
    OutcomeFront front_of_lead(const SuitState& state, const LieWords& lies, const SuitLead& lead, int won,
                               const OutcomeFront& known);
    OutcomeFront front_of_card(const SuitReply& first, const SuitLead& lead, int followed, int won);

    SuitGame& game_;
    SuitState start_;
    std::vector<SuitDemand> demands_;
    WorkMeter& meter_;
    std::vector<int> planes_;  // numbers of tricks told apart
    std::size_t words_, width_;
    LieWords bound_;  // of the start
    std::vector<Weights> weights_;
    std::unordered_map<SuitKey, OutcomeFront, SuitKeyHash> fronts_;
};

struct BestOutcome {
    std::optional<LieWords> outcome;  // none if the work allowed was not enough, or no line meets demands
    std::int64_t worth = 0;           // of it
    std::int64_t at_most = 0;         // no line is worth more; -1 if none meets the demands
};

// The outcome that is worth most, among those that meet other demands. `most_by_tricks`: what no line
// exceeds in each number of tricks alone, or empty.
BestOutcome best_outcome(SuitGame& game, const SuitState& state, const SuitWorth& worth,
                         std::vector<SuitDemand> demands, std::vector<std::int64_t> most_by_tricks, WorkMeter& meter);

// Whether a line wins an outcome: all of it, whatever the lie.
class WinTest {
public:
    explicit WinTest(SuitGame& game) : game_(game) {}

    // Throws std::invalid_argument for cards that are not there, WorkLimit, Stopped.
    bool can_win(const SuitState& state, const LieWords& outcome, WorkMeter& meter);

private:
    struct WordsHash {
        std::size_t operator()(const LieWords& words) const;
    };

    bool wins(const SuitState& state, const LieWords& lies, const LieWords& wanted, WorkMeter& meter);
    bool wins_with_lead(const SuitState& state, const LieWords& lies, const LieWords& wanted, const SuitLead& lead,
                        WorkMeter& meter);
    bool wins_with_card(const SuitReply& first, const LieWords& wanted, const SuitLead& lead, int followed,
                        WorkMeter& meter);

    SuitGame& game_;
    std::unordered_map<LieWords, bool, WordsHash> known_;
};

}  // namespace setrograde
