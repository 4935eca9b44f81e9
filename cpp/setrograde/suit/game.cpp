#include "setrograde/suit/game.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "setrograde/common/hash.hpp"

namespace setrograde {

namespace {

constexpr RankSet ALL_RANKS = (1 << SUIT_RANKS) - 1;

RankSet single(int rank) { return static_cast<RankSet>(1 << rank); }

// Cards strictly between two ranks.
RankSet between_ranks(int low, int high) { return static_cast<RankSet>((single(high) - 1) & ~(2 * single(low) - 1)); }

int highest(RankSet ranks) { return static_cast<int>(std::bit_width(ranks)) - 1; }

}  // namespace

bool is_empty(const LayoutWords& layouts) {
    return std::ranges::all_of(layouts, [](std::uint64_t word) { return word == 0; });
}

void keep(LayoutWords& layouts, const LayoutWords& others) {
    assert(layouts.size() == others.size());
    for (std::size_t i = 0; i < layouts.size(); ++i) layouts[i] &= others[i];
}

void drop(LayoutWords& layouts, const LayoutWords& others) {
    assert(layouts.size() == others.size());
    for (std::size_t i = 0; i < layouts.size(); ++i) layouts[i] &= ~others[i];
}

LayoutWords repeated(const LayoutWords& layouts, std::size_t width) {
    LayoutWords outcome(width);
    for (std::size_t i = 0; i < width; ++i) outcome[i] = layouts[i % layouts.size()];
    return outcome;
}

std::size_t SuitKeyHash::operator()(const SuitKey& key) const { return hash_of(std::array{key.hands, key.seen}); }

SuitGame::SuitGame(PerHand<RankSet> own, std::vector<RankSet> runs,
                   const std::vector<std::vector<std::uint8_t>>& layouts)
    : own_(own),
      runs_(std::move(runs)),
      words_((layouts.size() + 63) / 64),
      levels_(std::max(std::popcount(own[0]), std::popcount(own[1]))),
      width_(words_ * static_cast<std::size_t>(levels_)),
      all_(words_) {
    if ((own[0] & own[1]) || ((own[0] | own[1]) & ~ALL_RANKS)) throw std::invalid_argument("not two holdings");
    if (levels_ == 0 || layouts.empty()) throw std::invalid_argument("no cards, or no layouts");
    add_runs();
    for (std::size_t i = 0; i < layouts.size(); ++i) add_layout(i, layouts[i]);
}

void SuitGame::add_runs() {
    RankSet seen = own_[0] | own_[1];
    for (const RankSet ranks : runs_) {
        if (!ranks || (ranks & seen) || (ranks & ~ALL_RANKS))
            throw std::invalid_argument("a run without cards, or with cards that others hold");
        seen |= ranks;
        sizes_.push_back(static_cast<std::uint8_t>(std::popcount(ranks)));
    }
    for (auto& by_run : holds_)
        for (const std::uint8_t size : sizes_) by_run.emplace_back(size + 2u, LayoutWords(words_));
}

void SuitGame::add_layout(std::size_t number, const std::vector<std::uint8_t>& west) {
    if (west.size() != runs_.size()) throw std::invalid_argument("a layout of other runs");
    const std::uint64_t bit = std::uint64_t{1} << number % 64;
    all_[number / 64] |= bit;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (west[i] > sizes_[i]) throw std::invalid_argument("a layout with more cards than a run has");
        const std::size_t east = sizes_[i] - std::size_t{west[i]};
        for (std::size_t n = 0; n <= west[i]; ++n) holds_[0][i][n][number / 64] |= bit;
        for (std::size_t n = 0; n <= east; ++n) holds_[1][i][n][number / 64] |= bit;
    }
}

SuitState SuitGame::checked(const SuitState& state) const {
    for (int i = 0; i < 2; ++i) {
        if (state.own[i] & ~own_[i]) throw std::invalid_argument("a state with cards of others");
        if (state.entries[i] > FREE_ENTRIES) throw std::invalid_argument("too many entries");
    }
    if (state.on_lead < EITHER_HAND || state.on_lead > NO_HAND) throw std::invalid_argument("not a hand on lead");
    for (std::size_t i = 0; i < SUIT_RANKS; ++i)
        if (state.played[0][i] + state.played[1][i] > (i < sizes_.size() ? sizes_[i] : 0))
            throw std::invalid_argument("more cards played than a run has");
    SuitState start = state;
    if (state.has_free_entries()) start.on_lead = EITHER_HAND;
    return start;
}

SuitKey SuitGame::key(const SuitState& state) const {
    SuitKey key{.hands = state.own[0] | std::uint64_t{state.own[1]} << 13, .seen = 0};
    key.hands |= std::uint64_t{state.is_void[0]} << 26 | std::uint64_t{state.is_void[1]} << 27;
    key.hands |= std::uint64_t{state.entries[0]} << 28 | std::uint64_t{state.entries[1]} << 32;
    key.hands |= static_cast<std::uint64_t>(state.on_lead + 1) << 36;
    for (std::size_t i = 0; i < runs_.size(); ++i)
        for (const auto& played : state.played) key.seen = key.seen * (sizes_[i] + 1u) + played[i];
    return key;
}

// Step 1. What a state tells about the layout.

LayoutWords SuitGame::without_cards(const SuitState& state, int defender) const {
    LayoutWords layouts = all_;
    for (std::size_t i = 0; i < runs_.size(); ++i) drop(layouts, holds_[defender][i][state.played[defender][i] + 1u]);
    return layouts;
}

LayoutWords SuitGame::consistent(const SuitState& state) const {
    LayoutWords layouts = all_;
    for (int d = 0; d < 2; ++d) {
        for (std::size_t i = 0; i < runs_.size(); ++i) keep(layouts, holds_[d][i][state.played[d][i]]);
        if (state.is_void[d]) keep(layouts, without_cards(state, d));
    }
    return layouts;
}

std::vector<SuitReply> SuitGame::replies(const SuitState& state, int defender, const LayoutWords& layouts) const {
    std::vector<SuitReply> found;
    const auto add = [&](int run, LayoutWords allowed) {
        keep(allowed, layouts);
        if (is_empty(allowed)) return;
        SuitState next = state;
        if (run == SHOWS_OUT)
            next.is_void[defender] = true;
        else
            ++next.played[defender][static_cast<std::size_t>(run)];
        found.push_back({.run = run, .layouts = std::move(allowed), .state = next});
    };
    for (std::size_t i = 0; i < runs_.size(); ++i)
        add(static_cast<int>(i), holds_[defender][i][state.played[defender][i] + 1u]);
    add(SHOWS_OUT, without_cards(state, defender));
    return found;
}

// Step 2. Declarer's cards: of those that nothing separates, the lowest.

RankSet SuitGame::outstanding(const SuitState& state) const {
    RankSet ranks = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i)
        if (state.played[0][i] + state.played[1][i] < sizes_[i]) ranks |= runs_[i];
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
    return outstanding(state) | (state.has_free_entries() ? RankSet{0} : state.own[1 - hand]);
}

bool SuitGame::may_lead(const SuitState& state, int hand) const {
    if (!state.own[hand]) return false;
    return state.on_lead == EITHER_HAND || state.on_lead == hand || state.entries[hand] > 0;
}

int SuitGame::tricks_left(const SuitState& state) const {
    return std::max(std::popcount(state.own[0]), std::popcount(state.own[1]));
}

std::vector<SuitLead> SuitGame::leads(const SuitState& state) const {
    std::vector<SuitLead> found;
    const PerHand<RankSet> between{{separators(state, 0), separators(state, 1)}};
    for (int hand = 0; hand < 2; ++hand) {
        if (!may_lead(state, hand)) continue;
        for (const int card : choices(state.own[hand], between[hand]))
            found.push_back({.hand = hand, .card = card, .separators = between});
    }
    return found;
}

std::vector<int> SuitGame::followers(const SuitState& state, const SuitLead& lead) const {
    const int partner = 1 - lead.hand;
    if (!state.own[partner]) return {NO_CARD};
    return choices(state.own[partner], lead.separators[partner]);
}

// Step 3. A trick: a card of each of declarer's hands, a run of each defender.

bool SuitGame::wins(int led, int followed, int first_run, int second_run) const {
    int defended = NO_CARD;
    for (const int run : {first_run, second_run})
        if (run != SHOWS_OUT) defended = std::max(defended, highest(runs_[static_cast<std::size_t>(run)]));
    return std::max(led, followed) > defended;
}

SuitState SuitGame::after_trick(const SuitReply& last, const SuitLead& lead, int followed, bool won) const {
    SuitState state = last.state;
    assert(state.own[lead.hand] & single(lead.card));
    state.own[lead.hand] &= static_cast<RankSet>(~single(lead.card));
    if (followed != NO_CARD) state.own[1 - lead.hand] &= static_cast<RankSet>(~single(followed));
    for (int d = 0; d < 2; ++d) {  // known to be void without having shown it: the same state
        LayoutWords rest = last.layouts;
        drop(rest, without_cards(state, d));
        if (is_empty(rest)) state.is_void[d] = true;
    }
    if (state.has_free_entries()) {
        state.on_lead = EITHER_HAND;
        return state;
    }
    const bool took_entry = state.on_lead != EITHER_HAND && state.on_lead != lead.hand;
    if (took_entry && state.entries[lead.hand] != FREE_ENTRIES) --state.entries[lead.hand];
    state.on_lead = !won ? NO_HAND : lead.card > followed ? lead.hand : 1 - lead.hand;
    return state;
}

// Step 4. Outcomes: sets of layouts for "1 trick or more", "2 or more", and so on.

LayoutWords SuitGame::with_trick(const std::uint64_t* outcome, const LayoutWords& layouts, bool won) const {
    LayoutWords counted(width_);
    for (std::size_t i = 0; i < width_; ++i) {
        const std::size_t word = i % words_;
        const std::uint64_t later = !won ? outcome[i] : i < words_ ? layouts[word] : outcome[i - words_];
        counted[i] = later | ~layouts[word];
    }
    return counted;
}

// Step 5. What declarer could win if he saw the layout, for all layouts at a time.

const LayoutWords& SuitGame::bound(const SuitState& state, const LayoutWords& layouts, WorkMeter& meter) {
    const SuitKey place = key(state);
    if (const auto known = bounds_.find(place); known != bounds_.end()) return known->second;
    meter.pass(WORK_OF_STATE);
    LayoutWords best(width_);
    for (const SuitLead& lead : leads(state)) {
        LayoutWords outcome = everything(layouts);
        for (const SuitReply& first : replies(state, defender_after(lead.hand), layouts)) {
            LayoutWords answer(width_);
            for (const int followed : followers(state, lead)) {
                const LayoutWords found = bound_of_card(first, lead, followed, meter);
                for (std::size_t i = 0; i < width_; ++i) answer[i] |= found[i];
            }
            for (std::size_t i = 0; i < width_; ++i) outcome[i] &= answer[i] | ~first.layouts[i % words_];
        }
        for (std::size_t i = 0; i < width_; ++i) best[i] |= outcome[i];
    }
    return bounds_.emplace(place, std::move(best)).first->second;
}

LayoutWords SuitGame::bound_of_card(const SuitReply& first, const SuitLead& lead, int followed, WorkMeter& meter) {
    LayoutWords outcome = everything(first.layouts);
    for (const SuitReply& last : replies(first.state, 1 - defender_after(lead.hand), first.layouts)) {
        const bool won = wins(lead.card, followed, first.run, last.run);
        const LayoutWords& later = bound(after_trick(last, lead, followed, won), last.layouts, meter);
        keep(outcome, with_trick(later.data(), last.layouts, won));
    }
    return outcome;
}

}  // namespace setrograde
