#include "setrograde/suit/game.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace setrograde {

namespace {

constexpr RankSet ALL_RANKS = (1 << SUIT_RANKS) - 1;

RankSet single(int rank) { return static_cast<RankSet>(1 << rank); }

// Cards strictly between two ranks.
RankSet between_ranks(int low, int high) { return static_cast<RankSet>((single(high) - 1) & ~(2 * single(low) - 1)); }

}  // namespace

bool is_empty(const LieWords& lies) {
    return std::ranges::all_of(lies, [](std::uint64_t word) { return word == 0; });
}

void keep(LieWords& lies, const LieWords& others) {
    for (std::size_t i = 0; i < lies.size(); ++i) lies[i] &= others[i];
}

void drop(LieWords& lies, const LieWords& others) {
    for (std::size_t i = 0; i < lies.size(); ++i) lies[i] &= ~others[i];
}

std::size_t SuitKeyHash::operator()(const SuitKey& key) const {
    std::uint64_t hash = key.hands * 0x9E3779B97F4A7C15u ^ (key.seen + 1) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
    return hash ^ hash >> 32;
}

SuitGame::SuitGame(std::array<RankSet, 2> own, std::vector<RankSet> classes,
                   const std::vector<std::vector<std::uint8_t>>& lies)
    : own_(own),
      classes_(std::move(classes)),
      words_((lies.size() + 63) / 64),
      levels_(std::max(std::popcount(own[0]), std::popcount(own[1]))),
      width_(words_ * static_cast<std::size_t>(levels_)),
      all_(words_) {
    RankSet seen = own[0] | own[1];
    if ((own[0] & own[1]) || (seen & ~ALL_RANKS)) throw std::invalid_argument("not two holdings");
    if (!seen || lies.empty()) throw std::invalid_argument("no cards, or no lies");
    for (const RankSet ranks : classes_) {
        if (!ranks || (ranks & seen) || (ranks & ~ALL_RANKS))
            throw std::invalid_argument("classes of cards that others hold");
        seen |= ranks;
        sizes_.push_back(static_cast<std::uint8_t>(std::popcount(ranks)));
    }
    for (auto& by_class : holds_)
        for (const std::uint8_t size : sizes_) by_class.emplace_back(size + 2u, LieWords(words_));
    for (std::size_t lie = 0; lie < lies.size(); ++lie) {
        if (lies[lie].size() != classes_.size()) throw std::invalid_argument("a lie of other classes");
        const std::uint64_t bit = std::uint64_t{1} << lie % 64;
        all_[lie / 64] |= bit;
        for (std::size_t i = 0; i < classes_.size(); ++i) {
            const int west = lies[lie][i], east = sizes_[i] - west;
            if (east < 0) throw std::invalid_argument("a lie with more cards than a class has");
            for (int n = 0; n <= west; ++n) holds_[0][i][static_cast<std::size_t>(n)][lie / 64] |= bit;
            for (int n = 0; n <= east; ++n) holds_[1][i][static_cast<std::size_t>(n)][lie / 64] |= bit;
        }
    }
}

SuitState SuitGame::checked(const SuitState& state) const {
    for (std::size_t i = 0; i < 2; ++i) {
        if (state.own[i] & ~own_[i]) throw std::invalid_argument("a state with cards of others");
        if (state.entries[i] > FREE_ENTRIES) throw std::invalid_argument("too many entries");
    }
    if (state.on_lead < EITHER_HAND || state.on_lead > NO_HAND) throw std::invalid_argument("not a hand on lead");
    for (std::size_t i = 0; i < SUIT_RANKS; ++i)
        if (state.played[0][i] + state.played[1][i] > (i < sizes_.size() ? sizes_[i] : 0))
            throw std::invalid_argument("more cards played than a class has");
    SuitState start = state;
    if (state.entries[0] == FREE_ENTRIES && state.entries[1] == FREE_ENTRIES) start.on_lead = EITHER_HAND;
    return start;
}

SuitKey SuitGame::key(const SuitState& state) const {
    SuitKey key{state.own[0] | std::uint64_t{state.own[1]} << 13, 0};
    key.hands |= std::uint64_t{state.is_void[0]} << 26 | std::uint64_t{state.is_void[1]} << 27;
    key.hands |= std::uint64_t{state.entries[0]} << 28 | std::uint64_t{state.entries[1]} << 32;
    key.hands |= static_cast<std::uint64_t>(state.on_lead + 1) << 36;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        for (const auto& played : state.played) key.seen = key.seen * (sizes_[i] + 1u) + played[i];
    return key;
}

// Step 1. What a state tells about the lie.

LieWords SuitGame::without_cards(const SuitState& state, int defender) const {
    const auto d = static_cast<std::size_t>(defender);
    LieWords lies = all_;
    for (std::size_t i = 0; i < classes_.size(); ++i) drop(lies, holds_[d][i][state.played[d][i] + 1u]);
    return lies;
}

LieWords SuitGame::consistent(const SuitState& state) const {
    LieWords lies = all_;
    for (std::size_t d = 0; d < 2; ++d) {
        for (std::size_t i = 0; i < classes_.size(); ++i) keep(lies, holds_[d][i][state.played[d][i]]);
        if (state.is_void[d]) keep(lies, without_cards(state, static_cast<int>(d)));
    }
    return lies;
}

std::vector<SuitReply> SuitGame::replies(const SuitState& state, int defender, const LieWords& lies) const {
    const auto d = static_cast<std::size_t>(defender);
    std::vector<SuitReply> found;
    const auto add = [&](int card_class, LieWords allowed) {
        keep(allowed, lies);
        if (is_empty(allowed)) return;
        SuitState next = state;
        if (card_class == SHOWS_OUT)
            next.is_void[d] = true;
        else
            ++next.played[d][static_cast<std::size_t>(card_class)];
        found.push_back({card_class, std::move(allowed), next});
    };
    for (std::size_t i = 0; i < classes_.size(); ++i) add(static_cast<int>(i), holds_[d][i][state.played[d][i] + 1u]);
    add(SHOWS_OUT, without_cards(state, defender));
    return found;
}

// Step 2. Declarer's cards, the lowest of each run that nothing separates.

RankSet SuitGame::outstanding(const SuitState& state) const {
    RankSet ranks = 0;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (state.played[0][i] + state.played[1][i] < sizes_[i]) ranks |= classes_[i];
    return ranks;
}

std::vector<int> SuitGame::choices(RankSet hand, RankSet between) const {
    std::vector<int> found;
    int last = NO_CARD;
    for (RankSet rest = hand; rest; rest &= static_cast<RankSet>(rest - 1)) {
        const int rank = std::countr_zero(rest);
        if (last == NO_CARD || (between_ranks(last, rank) & between)) found.push_back(rank);
        last = rank;
    }
    return found;
}

// Partner's cards between two cards matter only where it matters which hand wins.
RankSet SuitGame::separators(const SuitState& state, int hand) const {
    const bool is_free = state.entries[0] == FREE_ENTRIES && state.entries[1] == FREE_ENTRIES;
    return outstanding(state) | (is_free ? RankSet{0} : state.own[static_cast<std::size_t>(1 - hand)]);
}

bool SuitGame::may_lead(const SuitState& state, int hand) const {
    const auto h = static_cast<std::size_t>(hand);
    if (!state.own[h]) return false;
    return state.on_lead == EITHER_HAND || state.on_lead == hand || state.entries[h] > 0;
}

int SuitGame::tricks_left(const SuitState& state) const {
    return std::max(std::popcount(state.own[0]), std::popcount(state.own[1]));
}

// Step 3. A trick: led and followed by declarer, a card class of each defender.

bool SuitGame::wins(int led, int followed, int first_class, int second_class) const {
    int defended = NO_CARD;
    for (const int i : {first_class, second_class})
        if (i != SHOWS_OUT)
            defended = std::max(defended, static_cast<int>(std::bit_width(classes_[static_cast<std::size_t>(i)])) - 1);
    return std::max(led, followed) > defended;
}

SuitState SuitGame::after_trick(const SuitReply& last, const SuitLead& lead, int followed, bool won) const {
    SuitState state = last.state;
    const auto h = static_cast<std::size_t>(lead.hand);
    state.own[h] &= static_cast<RankSet>(~single(lead.card));
    if (followed != NO_CARD) state.own[1 - h] &= static_cast<RankSet>(~single(followed));
    for (int d = 0; d < 2; ++d) {  // known to be void without having shown it: the same state
        LieWords rest = last.lies;
        drop(rest, without_cards(state, d));
        if (is_empty(rest)) state.is_void[static_cast<std::size_t>(d)] = true;
    }
    if (state.entries[0] == FREE_ENTRIES && state.entries[1] == FREE_ENTRIES) {
        state.on_lead = EITHER_HAND;
        return state;
    }
    const bool took_entry = state.on_lead != EITHER_HAND && state.on_lead != lead.hand;
    if (took_entry && state.entries[h] != FREE_ENTRIES) --state.entries[h];
    state.on_lead = !won ? NO_HAND : lead.card > followed ? lead.hand : 1 - lead.hand;
    return state;
}

std::vector<int> SuitGame::followers(const SuitState& state, const SuitLead& lead) const {
    const int partner = 1 - lead.hand;
    const RankSet hand = state.own[static_cast<std::size_t>(partner)];
    if (!hand) return {NO_CARD};
    return choices(hand, lead.separators[static_cast<std::size_t>(partner)]);
}

std::vector<SuitLead> SuitGame::leads(const SuitState& state) const {
    std::vector<SuitLead> found;
    for (int hand = 0; hand < 2; ++hand) {
        if (!may_lead(state, hand)) continue;
        const std::array<RankSet, 2> between{separators(state, 0), separators(state, 1)};
        for (const int card :
             choices(state.own[static_cast<std::size_t>(hand)], between[static_cast<std::size_t>(hand)]))
            found.push_back({hand, card, between});
    }
    return found;
}

// Step 4. Outcomes: sets of lies for "1 trick or more", "2 or more", and so on.

// All tricks in these lies, none elsewhere: where minima begin.
LieWords SuitGame::everything(const LieWords& lies) const {
    LieWords outcome(width_);
    for (std::size_t i = 0; i < width_; ++i) outcome[i] = lies[i % words_];
    return outcome;
}

// The outcome with this trick counted in, and everything in other lies.
LieWords SuitGame::with_trick(const std::uint64_t* outcome, const LieWords& lies, bool won) const {
    LieWords counted(width_);
    for (std::size_t i = 0; i < width_; ++i) {
        const std::size_t word = i % words_;
        const std::uint64_t later = !won ? outcome[i] : i < words_ ? lies[word] : outcome[i - words_];
        counted[i] = later | ~lies[word];
    }
    return counted;
}

// Step 5. What declarer could win if he saw the lie, for all lies at a time.

const LieWords& SuitGame::bound(const SuitState& state, const LieWords& lies) {
    const SuitKey place = key(state);
    if (const auto known = bounds_.find(place); known != bounds_.end()) return known->second;
    LieWords best(width_);
    for (const SuitLead& lead : leads(state)) {
        LieWords outcome = everything(lies);
        for (const SuitReply& first : replies(state, defender_after(lead.hand), lies)) {
            LieWords answer(width_);
            for (const int followed : followers(state, lead)) {
                const LieWords found = bound_of_card(first, lead, followed);
                for (std::size_t i = 0; i < width_; ++i) answer[i] |= found[i];
            }
            for (std::size_t i = 0; i < width_; ++i) outcome[i] &= answer[i] | ~first.lies[i % words_];
        }
        for (std::size_t i = 0; i < width_; ++i) best[i] |= outcome[i];
    }
    return bounds_.emplace(place, std::move(best)).first->second;
}

LieWords SuitGame::bound_of_card(const SuitReply& first, const SuitLead& lead, int followed) {
    LieWords outcome = everything(first.lies);
    for (const SuitReply& last : replies(first.state, 1 - defender_after(lead.hand), first.lies)) {
        const bool won = wins(lead.card, followed, first.card_class, last.card_class);
        const LieWords& later = bound(after_trick(last, lead, followed, won), last.lies);
        keep(outcome, with_trick(later.data(), last.lies, won));
    }
    return outcome;
}

}  // namespace setrograde
