// Contracts played out: legal cards only (asserts of `play` are on), the same game for the same seed, and
// results that fit what all-seeing defenders allow.
#include "check.hpp"
#include "setrograde/common/dice.hpp"
#include "setrograde/play/contract_trial.hpp"

using namespace setrograde;

namespace {

constexpr std::size_t LIMIT_BYTES = 64 << 20;

CardSet draw(CardSet& from, Dice& dice) {
    CardSet hand = 0;
    while (count(hand) < 13) {
        CardSet card = from;
        for (auto skip = dice.below(static_cast<std::uint64_t>(count(from))); skip > 0; --skip) card &= card - 1;
        card &= 0 - card;
        hand |= card;
        from ^= card;
    }
    return hand;
}

ContractTrial random_trial(std::uint64_t seed) {
    Dice dice(seed);
    ContractTrial trial;
    CardSet rest = ALL_CARDS;
    for (CardSet& hand : trial.hands) hand = draw(rest, dice);
    trial.strain = static_cast<int>(seed % STRAINS);
    trial.seed = seed;
    return trial;
}

constexpr DeclarerStyle PLAIN{
    .worlds = 4, .depth = 1, .has_labels = false, .keeps_plan = false, .class_limit = 0, .double_dummy_share = 0};
constexpr DeclarerStyle PLANNED{.worlds = 4, .depth = 2, .class_limit = 16};

// Nobody makes more against perfect defence than the deal is worth, and a contract that cannot fail is made.
void check_bounds(TrialContext& context) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        context.reset();
        ContractTrial trial = random_trial(seed);
        const int worth =
            context.all_seeing.solve({.hands = trial.hands, .strain = trial.strain, .leader = WEST}).tricks_ns;
        for (const DeclarerStyle& style : {PLAIN, PLANNED}) {
            trial.need = worth + 1;
            CHECK(!play_contract(trial, style, context, {}).is_made);
            trial.need = 0;
            CHECK(play_contract(trial, style, context, {}).is_made);
            CHECK(play_contract(trial, style, context, {}).choices == 0);
        }
    }
}

void check_seeds(TrialContext& context) {
    for (const Defence defence : {Defence::PERFECT, Defence::ERRING, Defence::MONTE_CARLO}) {
        ContractTrial trial = random_trial(11);
        trial.defence = defence;
        trial.defence_worlds = 2;
        trial.need = 6;
        context.reset();
        const TrialResult first = play_contract(trial, PLANNED, context, {});
        const TrialResult again = play_contract(trial, PLANNED, context, {});
        CHECK(first.is_made == again.is_made && first.choices == again.choices);
        CHECK(first.choices > 0);
    }
}

// Twelve top cards in one hand take twelve tricks, whoever defends.
void check_cold_contract(TrialContext& context) {
    ContractTrial trial;
    constexpr CardSet HONOURS = 0x1C00'1C00'1C00'1C00;  // ace, king, queen of each suit
    trial.hands[NORTH] = HONOURS | bit_of(9);           // and the jack of clubs
    CardSet rest = ALL_CARDS & ~trial.hands[NORTH];
    Dice dice(5);
    for (const int seat : {EAST, SOUTH, WEST}) trial.hands[seat] = draw(rest, dice);
    for (const Defence defence : {Defence::PERFECT, Defence::ERRING, Defence::MONTE_CARLO}) {
        context.reset();
        trial.defence = defence;
        trial.defence_worlds = 2;
        trial.need = 12;
        CHECK(play_contract(trial, PLANNED, context, {}).is_made);
    }
}

void check_promise() {
    CHECK(keeps({}, 0, 0));
    constexpr CardSet ACES = 0x1000'1000'1000'1000;
    CHECK(keeps({.least_points = 16, .most_points = 16}, ACES, 0));
    CHECK(!keeps({.least_points = 17}, ACES, 0));
    CHECK(!keeps({.most_points = 15}, ACES, 0));
    CHECK(!keeps({.shortest = 1}, ACES, ACES >> 16));
    CHECK(keeps({.shortest = 1}, ACES, ACES));
    CHECK(!keeps({.longest_major = 1}, suit_mask(2), 0) && keeps({.longest_major = 1}, suit_mask(1), 0));
}

void check_stopping(TrialContext& context) {
    const ContractTrial trial = random_trial(3);
    bool is_stopped = false;
    try {
        play_contract(trial, PLAIN, context, [] { return true; });
    } catch (const Stopped&) {
        is_stopped = true;
    }
    CHECK(is_stopped);
}

}  // namespace

int main() {
    TrialContext context(LIMIT_BYTES, {}, {});
    check_promise();
    check_bounds(context);
    check_seeds(context);
    check_cold_contract(context);
    check_stopping(context);
}
