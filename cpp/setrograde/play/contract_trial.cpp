#include "setrograde/play/contract_trial.hpp"

#include <algorithm>
#include <cassert>
#include <ctime>
#include <unordered_map>
#include <utility>

#include "setrograde/common/dice.hpp"
#include "setrograde/common/hash.hpp"
#include "setrograde/play/layout_classes.hpp"
#include "setrograde/play/strategy_search.hpp"

namespace setrograde {

namespace {

constexpr int DUMMY = NORTH, DECLARER = SOUTH;
constexpr int MANY_TRIES = 2000;  // for one world that keeps the promise

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int points(CardSet cards) {
    constexpr CardSet JACKS = 0x0200'0200'0200'0200;
    return 4 * count(cards & JACKS << 3) + 3 * count(cards & JACKS << 2) + 2 * count(cards & JACKS << 1) +
           count(cards & JACKS);
}

// What is public of a game, and the true hands.
struct Game {
    Position position;
    PerSeat<CardSet> played{};
    PerSeat<CardSet> void_in{};  // whole suits that a player did not follow
    int need = 0;                // tricks declarer still wants, the current one included

    int tricks_left() const {
        return (count(position.hands[0] | position.hands[1] | position.hands[2] | position.hands[3]) +
                position.trick_size) /
               4;
    }
    bool is_over() const { return need <= 0 || need > tricks_left(); }

    void play_card(Place card) {
        const int seat = position.turn();
        if (position.trick_size > 0 && suit_of(card) != suit_of(position.trick[0]))
            void_in[seat] |= suit_mask(suit_of(position.trick[0]));
        played[seat] |= bit_of(card);
        const int winner = play(position, card);
        if (winner >= 0 && is_north_south(winner)) --need;
    }

    // The same for all declarers who come to the same cards, whatever the defenders hold.
    std::uint64_t public_hash(std::uint64_t seed) const {
        std::uint64_t hash = mix(seed, static_cast<std::uint64_t>(position.leader));
        for (const CardSet cards : played) hash = mix(hash, cards);
        for (int i = 0; i < position.trick_size; ++i) hash = mix(hash, static_cast<std::uint64_t>(position.trick[i]));
        return hash ^ hash >> 32;
    }
};

CardSet random_part(CardSet from, int size, Dice& dice) {
    CardSet chosen = 0;
    for (; size > 0; --size) {
        CardSet card = from;
        for (std::uint64_t skip = dice.below(static_cast<std::uint64_t>(count(from))); skip > 0; --skip)
            card &= card - 1;
        card &= 0 - card;
        chosen |= card;
        from ^= card;
    }
    return chosen;
}

// Two hidden hands: the cards of the first, if the other has the rest.
struct Hidden {
    CardSet cards, void_first, void_second;
    int length;  // of the first

    CardSet draw(Dice& dice) const {
        const CardSet sure = cards & void_second, open = cards & ~void_first & ~void_second;
        return sure | random_part(open, length - count(sure), dice);
    }
    // Ways to deal the cards, or a large number.
    double layouts() const {
        const CardSet sure = cards & void_second, open = cards & ~void_first & ~void_second;
        const int chosen = length - count(sure), of = count(open);
        double ways = 1;
        for (int i = 1; i <= chosen; ++i) ways = ways * (of - chosen + i) / i;
        return ways;
    }
};

Hidden hidden_between(const Game& game, int first, int second) {
    return {game.position.hands[first] | game.position.hands[second], game.void_in[first], game.void_in[second],
            count(game.position.hands[first])};
}

class DeclarerPlay {
public:
    DeclarerPlay(const DeclarerStyle& style, std::uint64_t seed, Outcomes& outcomes, const StopCheck& should_stop)
        : style_(style), seed_(seed), outcomes_(outcomes), should_stop_(should_stop) {}

    Place choose(const Game& game) {
        problem_ = {};
        const Position& position = game.position;
        problem_.play.seen[NORTH] = position.hands[NORTH];
        problem_.play.seen[SOUTH] = position.hands[SOUTH];
        problem_.play.strain = position.strain;
        problem_.play.leader = position.leader;
        for (int i = 0; i < position.trick_size; ++i) problem_.play.trick.push_back(position.trick[i]);
        problem_.play.hidden = position.hands[EAST] | position.hands[WEST];
        problem_.steps = {{game.need, 1.0}};
        problem_.depth = style_.depth;
        problem_.has_labels = style_.has_labels;
        problem_.work_limit = style_.work_limit;
        if (!take_classes(game)) take_sample(game);
        const StrategyAnswer answer = search_strategy(problem_, outcomes_, should_stop_);
        assert(!answer.candidates.empty());
        const CandidateValue* best = &answer.candidates[0];
        for (const CandidateValue& candidate : answer.candidates)
            if (merit(candidate) > merit(*best) + 1e-9) best = &candidate;
        // Depth 1 promises nothing: it is what would be won if all cards were seen from here on.
        if (style_.keeps_plan && answer.depth > 1) plan_ = best->vector;
        return best->card;
    }

private:
    double merit(const CandidateValue& candidate) const {
        const double share = style_.double_dummy_share;
        return (1 - share) * candidate.value + share * candidate.double_dummy;
    }

    bool take_classes(const Game& game) {
        if (style_.class_limit <= 0) return false;
        const Position& position = game.position;
        const Hidden hidden = hidden_between(game, EAST, WEST);
        LayoutProblem layouts{.hidden = hidden.cards,
                              .others = position.hands[NORTH] | position.hands[SOUTH],
                              .length = hidden.length,
                              .held = hidden.cards & hidden.void_second,
                              .denied = hidden.cards & hidden.void_first,
                              .grouping = Grouping::SMALL,
                              .seed = game.public_hash(seed_)};
        for (int i = 0; i < position.trick_size; ++i) layouts.others |= bit_of(position.trick[i]);
        auto found = find_layout_classes(layouts, static_cast<std::size_t>(style_.class_limit));
        if (!found) return false;
        problem_.play.worlds = found->layouts;
        problem_.weights.assign(found->weights.begin(), found->weights.end());
        if (style_.keeps_plan && !groups_.empty() && !plan_.empty()) {
            // A class was promised if the class it comes from was.
            std::unordered_map<std::uint64_t, std::size_t> old;
            for (std::size_t i = 0; i < worlds_.size(); ++i) old[key_of(worlds_[i])] = i;
            std::vector<std::uint8_t> plan(found->layouts.size());
            for (std::size_t i = 0; i < plan.size(); ++i)
                if (const auto it = old.find(key_of(found->layouts[i] | game.played[EAST])); it != old.end())
                    plan[i] = plan_[it->second];
            problem_.plan = std::move(plan);
        }
        groups_ = std::move(found->groups);
        worlds_ = std::move(found->layouts);
        plan_ = problem_.plan;
        return true;
    }

    // How many cards of each group a hand has.
    std::uint64_t key_of(CardSet hand) const {
        std::uint64_t key = 0;
        for (const CardSet group : groups_) key = mix(key, static_cast<std::uint64_t>(count(hand & group)));
        return key;
    }

    void take_sample(const Game& game) {
        const Hidden hidden = hidden_between(game, EAST, WEST);
        if (style_.keeps_plan && !worlds_.empty()) {
            std::vector<CardSet> kept;
            std::vector<std::uint8_t> plan;
            for (std::size_t i = 0; i < worlds_.size(); ++i) {
                const CardSet east = worlds_[i], now = east & hidden.cards;
                if ((game.played[EAST] & ~east) || (game.played[WEST] & east) || (now & hidden.void_first) ||
                    (hidden.cards & ~now & hidden.void_second))
                    continue;
                kept.push_back(east);
                if (!plan_.empty()) plan.push_back(plan_[i]);
            }
            if (!kept.empty() && (is_complete_ || static_cast<int>(kept.size()) >= std::max(6, style_.worlds / 4))) {
                worlds_ = std::move(kept);
                plan_ = std::move(plan);
                problem_.plan = plan_;
                for (const CardSet east : worlds_) problem_.play.worlds.push_back(east & hidden.cards);
                return;
            }
        }
        plan_.clear();
        worlds_.clear();
        Dice dice(game.public_hash(seed_));
        is_complete_ = hidden.layouts() <= style_.worlds;
        // All of them if there are few: drawing until each has come is quick.
        const std::size_t size =
            is_complete_ ? static_cast<std::size_t>(hidden.layouts() + 0.5) : static_cast<std::size_t>(style_.worlds);
        while (problem_.play.worlds.size() < size) {
            const CardSet east = hidden.draw(dice);
            if (std::ranges::find(problem_.play.worlds, east) != problem_.play.worlds.end()) continue;
            problem_.play.worlds.push_back(east);
            worlds_.push_back(east | game.played[EAST]);
        }
    }

    const DeclarerStyle& style_;
    const std::uint64_t seed_;
    Outcomes& outcomes_;
    const StopCheck& should_stop_;
    StrategyProblem problem_;
    std::vector<CardSet> worlds_;  // East's hands, with what he has played
    std::vector<std::uint8_t> plan_;
    std::vector<CardSet> groups_;  // of classes; none while there is a sample
    bool is_complete_ = false;
};

class Defenders {
public:
    Defenders(const ContractTrial& trial, TrialContext& context) : trial_(trial), context_(context) {}

    Place choose(const Game& game) {
        const CardSet legal = legal_cards(game.position);
        if ((legal & (legal - 1)) == 0) return lowest(legal);
        Dice dice(game.public_hash(trial_.seed ^ 0x5EED));
        if (trial_.defence == Defence::MONTE_CARLO) return sampled(game, legal, dice);
        if (trial_.defence == Defence::ERRING && static_cast<double>(dice.below(1'000'000)) < 1e6 * trial_.error_share)
            return highest(random_part(legal, 1, dice));
        const std::vector<CardValue> values = context_.all_seeing.solve_cards(game.position);
        int least = 99;
        for (const CardValue& value : values) least = std::min(least, value.tricks_ns);
        CardSet best = 0;
        for (const CardValue& value : values)
            if (value.tricks_ns == least) best |= bit_of(value.card);
        return highest(random_part(best, 1, dice));
    }

private:
    // The card that beats the contract in most worlds; among equals the one that gives fewer tricks.
    Place sampled(const Game& game, CardSet legal, Dice& dice) {
        CardSet present = 0;
        for (const CardSet hand : game.position.hands) present |= hand;
        for (int i = 0; i < game.position.trick_size; ++i) present |= bit_of(game.position.trick[i]);
        const std::vector<Position> worlds = sample(game, dice);
        struct Card {
            Place card;
            int score = 0;
        };
        std::vector<Card> cards;
        for (CardSet rest = legal & ~next_up(legal, present); rest; rest &= rest - 1) cards.push_back({lowest(rest)});
        const auto add = [&](Card& card, int more, int worth) {
            for (const Position& world : worlds) {
                Position next = world;
                const int winner = play(next, card.card);
                const int won = winner >= 0 && is_north_south(winner) ? 1 : 0;
                if (!context_.defenders.ask(next, game.need + more - won)) card.score += worth;
            }
        };
        if (cards.size() == 1) return cards[0].card;
        int most = 0;
        for (Card& card : cards) {
            add(card, 0, 1000);
            most = std::max(most, card.score);
        }
        const bool is_lead = game.position.trick_size == 0 && game.tricks_left() == 13;
        std::erase_if(cards, [&](const Card& card) { return card.score < most; });
        if (cards.size() > 1 && !is_lead)
            for (Card& card : cards)
                for (const int more : {-1, 1}) add(card, more, 1);
        for (const Card& card : cards) most = std::max(most, card.score);
        std::erase_if(cards, [&](const Card& card) { return card.score < most; });
        return cards[dice.below(cards.size())].card;
    }

    // Positions as they may be for the defender on turn. Before dummy is seen, dummy is drawn, too.
    std::vector<Position> sample(const Game& game, Dice& dice) const {
        const int seat = game.position.turn(), other = partner(seat);
        const bool sees_dummy = game.position.trick_size > 0 || game.tricks_left() < 13;
        std::vector<Position> worlds;
        Position world = game.position;
        while (static_cast<int>(worlds.size()) < trial_.defence_worlds) {
            for (int tries = 0; tries < MANY_TRIES; ++tries) {
                if (!sees_dummy) {
                    const CardSet unseen = ALL_CARDS & ~game.position.hands[seat];
                    world.hands[DUMMY] = random_part(unseen, 13, dice);
                    world.hands[DECLARER] = random_part(unseen & ~world.hands[DUMMY], 13, dice);
                    world.hands[other] = unseen & ~world.hands[DUMMY] & ~world.hands[DECLARER];
                } else {
                    const Hidden hidden = hidden_between(game, DECLARER, other);
                    world.hands[DECLARER] = hidden.draw(dice);
                    world.hands[other] = hidden.cards & ~world.hands[DECLARER];
                }
                if (keeps(trial_.promise, world.hands[DECLARER] | game.played[DECLARER],
                          world.hands[DUMMY] | game.played[DUMMY]))
                    break;
            }
            worlds.push_back(world);
        }
        return worlds;
    }

    const ContractTrial& trial_;
    TrialContext& context_;
};

}  // namespace

TrialContext::TrialContext(std::size_t limit_bytes, const StopCheck& should_stop, const Endings& endings)
    : declarer(limit_bytes / 2, should_stop, endings),
      defenders(limit_bytes / 4, should_stop, endings),
      all_seeing(limit_bytes / 4, ALL_TECHNIQUES, should_stop, endings) {}

void TrialContext::reset() {
    declarer.reset();
    defenders.reset();
    all_seeing.reset();
}

bool keeps(const Promise& promise, CardSet declarer, CardSet dummy) {
    const int both = points(declarer) + points(dummy);
    if (both < promise.least_points || both > promise.most_points) return false;
    for (int suit = 0; suit < SUITS; ++suit) {
        const int mine = count(cards_of(declarer, suit)), dummys = count(cards_of(dummy, suit));
        if (std::min(mine, dummys) < promise.shortest) return false;
        if (suit >= 2 && mine + dummys > promise.longest_major) return false;
    }
    return true;
}

TrialResult play_contract(const ContractTrial& trial, const DeclarerStyle& style, TrialContext& context,
                          const StopCheck& should_stop) {
    Game game;
    game.position = {.hands = trial.hands, .strain = trial.strain, .leader = WEST};
    game.need = trial.need;
    DeclarerPlay declarer(style, trial.seed, context.declarer, should_stop);
    Defenders defenders(trial, context);
    TrialResult result;
    while (!game.is_over()) {
        if (should_stop && should_stop()) throw Stopped{};
        if (!is_north_south(game.position.turn())) {
            game.play_card(defenders.choose(game));
            continue;
        }
        const CardSet legal = legal_cards(game.position);
        if ((legal & (legal - 1)) == 0) {
            game.play_card(lowest(legal));
            continue;
        }
        const double begin = cpu_seconds();
        game.play_card(declarer.choose(game));
        const double used = cpu_seconds() - begin;
        ++result.choices;
        result.seconds += used;
        result.longest = std::max(result.longest, used);
        // Against perfect defence a lost contract stays lost.
        if (trial.defence == Defence::PERFECT && game.need > 0 && !context.all_seeing.ask(game.position, game.need).yes)
            return result;
    }
    result.is_made = game.need <= 0;
    return result;
}

}  // namespace setrograde
