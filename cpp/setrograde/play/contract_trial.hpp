// Contract trials: a contract played out by one way to choose cards against one kind of defence
//
// To compare declarers, each plays the same deals against the same defence, and chance is the same for all:
// whatever is drawn is drawn from the seed and the position. So the same position has the same worlds, and two
// declarers who choose the same cards meet the same defence. North-South declare, South's partner is dummy, and
// West leads.
#pragma once

#include <cstdint>

#include "setrograde/play/outcomes.hpp"
#include "setrograde/search/solver.hpp"

namespace setrograde {

// How declarer chooses. Depth 1 is plain Monte Carlo.
struct DeclarerStyle {
    int worlds = 40;
    int depth = 4;
    bool has_labels = true;
    bool keeps_plan = true;         // worlds and plan are kept from card to card, else drawn anew
    int class_limit = 0;            // all layouts in classes, as soon as there are no more classes than this
    double double_dummy_share = 0;  // of the choice: the rest is the value of the strategy
    std::uint64_t work_limit = 3'000'000;
};

enum class Defence {
    PERFECT,      // sees all cards; one of the cards that give declarer fewest tricks
    ERRING,       // the same, but now and then any card at all
    MONTE_CARLO,  // each defender plays by his own sample of what he does not see
};

// What the auction promised of declarer and dummy together, for the samples of defenders.
struct Promise {
    int least_points = 0, most_points = 40;  // 4, 3, 2, 1 for ace, king, queen, jack
    int shortest = 0;                        // suit of either hand
    int longest_major = 13;                  // of both hands together
};

struct ContractTrial {
    PerSeat<CardSet> hands{};
    int strain = NOTRUMP;
    int need = 9;  // tricks of the contract
    Defence defence = Defence::PERFECT;
    double error_share = 0.15;  // of an erring defender's cards
    int defence_worlds = 20;
    Promise promise;
    std::uint64_t seed = 0;
};

struct TrialResult {
    bool is_made = false;
    int choices = 0;     // cards of declarer and dummy that were searched
    double seconds = 0;  // declarer's, on the processor
    double longest = 0;  // for one card
};

// What players learn of a board: declarer's outcomes, the defenders', and a solver for those who see all.
struct TrialContext {
    TrialContext(std::size_t limit_bytes, const StopCheck& should_stop, const Endings& endings);
    void reset();

    Outcomes declarer, defenders;
    Solver all_seeing;
};

// True if the two hands keep the promise.
bool keeps(const Promise& promise, CardSet declarer, CardSet dummy);

// Hands that are whole and make up the pack. Throws Stopped.
TrialResult play_contract(const ContractTrial& trial, const DeclarerStyle& style, TrialContext& context,
                          const StopCheck& should_stop);

}  // namespace setrograde
