#include "setrograde/suit_play.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <utility>

namespace setrograde {

namespace {

constexpr RankSet ALL_RANKS = (1 << SUIT_RANKS) - 1;
constexpr int SHOWS_OUT = -1;  // instead of a class
constexpr int NO_CARD = -1;    // of a hand that has none left

// Fronts of thousands of outcomes: fewer than FEW are compared one by one, and about BATCH are written
// down before those that others match are left out.
constexpr std::size_t FEW = 64;
constexpr std::size_t BATCH = 1 << 14;

RankSet single(int rank) { return static_cast<RankSet>(1 << rank); }

// Cards strictly between two ranks.
RankSet between_ranks(int low, int high) {
    return static_cast<RankSet>((single(high) - 1) & ~(2 * single(low) - 1));
}

bool is_empty(const std::vector<std::uint64_t>& lies) {
    return std::ranges::all_of(lies, [](std::uint64_t word) { return word == 0; });
}

void keep(std::vector<std::uint64_t>& lies, const std::vector<std::uint64_t>& others) {
    for (std::size_t i = 0; i < lies.size(); ++i) lies[i] &= others[i];
}

void drop(std::vector<std::uint64_t>& lies, const std::vector<std::uint64_t>& others) {
    for (std::size_t i = 0; i < lies.size(); ++i) lies[i] &= ~others[i];
}

std::size_t hash_of(const std::vector<std::uint64_t>& words) {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) hash = (hash ^ word ^ hash >> 29) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

// Outcomes kept so far, written column by column: for each (lie, number of tricks) which of 64 outcomes
// win it. An outcome is matched by one of the 64 if something is left of all its columns; with the rare
// ones first that is settled after a few.
class CoverIndex {
public:
    // `front`: outcomes like those to come; what they all win needs no column.
    CoverIndex(const OutcomeFront& front, std::size_t width) : width_(width), place_(64 * width) {
        std::vector<std::size_t> counts(64 * width);
        for (std::size_t i = 0; i < front.size; ++i)
            for_each_bit(front.bits.data() + i * width, [&](std::size_t bit) { ++counts[bit]; });
        for (std::size_t bit = 0; bit < counts.size(); ++bit)
            if (counts[bit] < front.size) order_.push_back(bit);
        std::ranges::sort(order_, {}, [&](std::size_t bit) { return counts[bit]; });
        for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i + 1;
    }

    void add(const std::uint64_t* outcome) {
        if (size_ % 64 == 0) columns_.resize(columns_.size() + order_.size());
        std::uint64_t* block = columns_.data() + size_ / 64 * order_.size();
        for_each_bit(outcome, [&](std::size_t bit) {
            if (place_[bit]) block[place_[bit] - 1] |= std::uint64_t{1} << size_ % 64;
        });
        ++size_;
    }

    bool covers(const std::uint64_t* outcome) {
        wanted_.clear();
        for (std::size_t i = 0; i < order_.size(); ++i)
            if (outcome[order_[i] / 64] >> order_[i] % 64 & 1) wanted_.push_back(i);
        for (std::size_t start = 0; start < size_; start += 64) {
            const std::uint64_t* block = columns_.data() + start / 64 * order_.size();
            const std::size_t count = std::min<std::size_t>(64, size_ - start);
            std::uint64_t left = ~std::uint64_t{0} >> (64 - count);
            for (const std::size_t i : wanted_) {
                left &= block[i];
                if (!left) break;
            }
            if (left) return true;
        }
        return false;
    }

private:
    template <typename Use>
    void for_each_bit(const std::uint64_t* outcome, Use use) const {
        for (std::size_t i = 0; i < width_; ++i)
            for (std::uint64_t word = outcome[i]; word; word &= word - 1)
                use(64 * i + static_cast<std::size_t>(std::countr_zero(word)));
    }

    std::size_t width_, size_ = 0;
    std::vector<std::size_t> order_;  // bits that differ, rare ones first
    std::vector<std::size_t> place_;  // of each bit in `order_`, from 1; 0 if it does not differ
    std::vector<std::size_t> wanted_;
    std::vector<std::uint64_t> columns_;
};

}  // namespace

std::size_t SuitSolver::KeyHash::operator()(const Key& key) const {
    std::uint64_t hash = key.hands * 0x9E3779B97F4A7C15u ^ (key.seen + 1) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
    return hash ^ hash >> 32;
}

SuitSolver::SuitSolver(std::array<RankSet, 2> own, std::vector<RankSet> classes,
                       std::vector<std::vector<std::uint8_t>> lies, StopCheck should_stop)
    : own_(own),
      classes_(std::move(classes)),
      should_stop_(std::move(should_stop)),
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
        for (const std::uint8_t size : sizes_) by_class.emplace_back(size + 2u, Words(words_));
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

SuitSolver::Key SuitSolver::key(const SuitState& state) const {
    Key key{state.own[0] | std::uint64_t{state.own[1]} << 13, 0};
    key.hands |= std::uint64_t{state.is_void[0]} << 26 | std::uint64_t{state.is_void[1]} << 27;
    key.hands |= std::uint64_t{state.entries[0]} << 28 | std::uint64_t{state.entries[1]} << 32;
    key.hands |= static_cast<std::uint64_t>(state.on_lead + 1) << 36;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        for (const auto& played : state.played) key.seen = key.seen * (sizes_[i] + 1u) + played[i];
    return key;
}

// Step 1. What a state tells about the lie.

SuitSolver::Words SuitSolver::without_cards(const SuitState& state, int defender) const {
    const auto d = static_cast<std::size_t>(defender);
    Words lies = all_;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        drop(lies, holds_[d][i][state.played[d][i] + 1u]);
    return lies;
}

SuitSolver::Words SuitSolver::consistent(const SuitState& state) const {
    Words lies = all_;
    for (std::size_t d = 0; d < 2; ++d) {
        for (std::size_t i = 0; i < classes_.size(); ++i) keep(lies, holds_[d][i][state.played[d][i]]);
        if (state.is_void[d]) keep(lies, without_cards(state, static_cast<int>(d)));
    }
    return lies;
}

std::vector<SuitSolver::Reply> SuitSolver::replies(const SuitState& state, int defender,
                                                   const Words& lies) const {
    const auto d = static_cast<std::size_t>(defender);
    std::vector<Reply> found;
    const auto add = [&](int card_class, Words allowed) {
        keep(allowed, lies);
        if (is_empty(allowed)) return;
        SuitState next = state;
        if (card_class == SHOWS_OUT)
            next.is_void[d] = true;
        else
            ++next.played[d][static_cast<std::size_t>(card_class)];
        found.push_back({card_class, std::move(allowed), next});
    };
    for (std::size_t i = 0; i < classes_.size(); ++i)
        add(static_cast<int>(i), holds_[d][i][state.played[d][i] + 1u]);
    add(SHOWS_OUT, without_cards(state, defender));
    return found;
}

// Step 2. Declarer's cards, the lowest of each run that nothing separates.

RankSet SuitSolver::outstanding(const SuitState& state) const {
    RankSet ranks = 0;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (state.played[0][i] + state.played[1][i] < sizes_[i]) ranks |= classes_[i];
    return ranks;
}

std::vector<int> SuitSolver::choices(RankSet hand, RankSet between) const {
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
RankSet SuitSolver::separators(const SuitState& state, int hand) const {
    const bool is_free = state.entries[0] == FREE_ENTRIES && state.entries[1] == FREE_ENTRIES;
    return outstanding(state) | (is_free ? RankSet{0} : state.own[static_cast<std::size_t>(1 - hand)]);
}

bool SuitSolver::may_lead(const SuitState& state, int hand) const {
    const auto h = static_cast<std::size_t>(hand);
    if (!state.own[h]) return false;
    return state.on_lead == EITHER_HAND || state.on_lead == hand || state.entries[h] > 0;
}

int SuitSolver::tricks_left(const SuitState& state) const {
    return std::max(std::popcount(state.own[0]), std::popcount(state.own[1]));
}

// Step 3. A trick: led and followed by declarer, a card class of each defender.

bool SuitSolver::wins(int led, int followed, int first_class, int second_class) const {
    int defended = NO_CARD;
    for (const int i : {first_class, second_class})
        if (i != SHOWS_OUT)
            defended = std::max(defended,
                                static_cast<int>(std::bit_width(classes_[static_cast<std::size_t>(i)])) - 1);
    return std::max(led, followed) > defended;
}

SuitState SuitSolver::after_trick(const Reply& last, const Lead& lead, int followed, bool won) const {
    SuitState state = last.state;
    const auto h = static_cast<std::size_t>(lead.hand);
    state.own[h] &= static_cast<RankSet>(~single(lead.card));
    if (followed != NO_CARD) state.own[1 - h] &= static_cast<RankSet>(~single(followed));
    for (int d = 0; d < 2; ++d) {  // known to be void without having shown it: the same state
        Words rest = last.lies;
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

std::vector<int> SuitSolver::followers(const SuitState& state, const Lead& lead) const {
    const int partner = 1 - lead.hand;
    const RankSet hand = state.own[static_cast<std::size_t>(partner)];
    if (!hand) return {NO_CARD};
    return choices(hand, lead.separators[static_cast<std::size_t>(partner)]);
}

std::vector<SuitSolver::Lead> SuitSolver::leads(const SuitState& state) const {
    std::vector<Lead> found;
    for (int hand = 0; hand < 2; ++hand) {
        if (!may_lead(state, hand)) continue;
        const std::array<RankSet, 2> between{separators(state, 0), separators(state, 1)};
        for (const int card : choices(state.own[static_cast<std::size_t>(hand)],
                                      between[static_cast<std::size_t>(hand)]))
            found.push_back({hand, card, between});
    }
    return found;
}

// Step 4. Outcomes: sets of lies for "1 trick or more", "2 or more", and so on.

bool SuitSolver::is_within(const std::uint64_t* inner, const std::uint64_t* outer) const {
    for (std::size_t i = 0; i < width_; ++i)
        if (inner[i] & ~outer[i]) return false;
    return true;
}

bool SuitSolver::is_covered(const std::uint64_t* outcome, const OutcomeFront& front) const {
    for (std::size_t i = 0; i < front.size; ++i)
        if (is_within(outcome, front.bits.data() + i * width_)) return true;
    return false;
}

void SuitSolver::append(OutcomeFront& front, const std::uint64_t* outcome) const {
    front.bits.insert(front.bits.end(), outcome, outcome + width_);
    ++front.size;
}

// Leaves out what another outcome matches. The largest sets first: then one that is kept is never
// matched by a later one.
void SuitSolver::thin(OutcomeFront& front) const {
    if (front.size < 2) return;
    std::vector<std::pair<int, std::size_t>> order(front.size);
    for (std::size_t i = 0; i < front.size; ++i) {
        int count = 0;
        for (std::size_t k = 0; k < width_; ++k) count += std::popcount(front.bits[i * width_ + k]);
        order[i] = {-count, i};
    }
    std::ranges::sort(order);
    if (front.size >= BATCH && should_stop_ && should_stop_()) throw Stopped{};
    OutcomeFront kept;
    if (front.size < FEW) {
        for (const auto& [count, i] : order) {
            const std::uint64_t* outcome = front.bits.data() + i * width_;
            if (!is_covered(outcome, kept)) append(kept, outcome);
        }
    } else {
        CoverIndex index(front, width_);
        for (const auto& [count, i] : order) {
            const std::uint64_t* outcome = front.bits.data() + i * width_;
            if (index.covers(outcome)) continue;
            index.add(outcome);
            append(kept, outcome);
        }
    }
    front = std::move(kept);
}

// All tricks in these lies, none elsewhere: where minima begin.
SuitSolver::Words SuitSolver::everything(const Words& lies) const {
    Words outcome(width_);
    for (std::size_t i = 0; i < width_; ++i) outcome[i] = lies[i % words_];
    return outcome;
}

// The outcome with this trick counted in, and everything in other lies.
SuitSolver::Words SuitSolver::with_trick(const std::uint64_t* outcome, const Words& lies, bool won) const {
    Words counted(width_);
    for (std::size_t i = 0; i < width_; ++i) {
        const std::size_t word = i % words_;
        const std::uint64_t later = !won ? outcome[i] : i < words_ ? lies[word] : outcome[i - words_];
        counted[i] = later | ~lies[word];
    }
    return counted;
}

// Many of the minima are the same; those seen lately are not written again.
void SuitSolver::combine(OutcomeFront& front, const OutcomeFront& other, const Words& lies,
                         bool won) const {
    const std::size_t pairs = front.size * other.size;
    std::vector<std::size_t> recent(std::bit_ceil(std::min(pairs, BATCH)));  // places, from 1
    std::size_t limit = BATCH;
    OutcomeFront combined;
    Words minimum(width_);
    for (std::size_t j = 0; j < other.size; ++j) {
        const Words counted = with_trick(other.bits.data() + j * width_, lies, won);
        for (std::size_t i = 0; i < front.size; ++i) {
            for (std::size_t k = 0; k < width_; ++k) minimum[k] = front.bits[i * width_ + k] & counted[k];
            std::size_t& place = recent[hash_of(minimum) & (recent.size() - 1)];
            const std::uint64_t* seen = combined.bits.data() + (place ? place - 1 : 0) * width_;
            if (place && std::equal(minimum.begin(), minimum.end(), seen)) continue;
            append(combined, minimum.data());
            place = combined.size;
        }
        if (combined.size > limit) {
            thin(combined);
            std::ranges::fill(recent, 0);
            limit = 2 * combined.size + BATCH;
        }
    }
    thin(combined);
    front = std::move(combined);
}

// Step 5. What declarer could win if he saw the lie, for all lies at a time.

const SuitSolver::Words& SuitSolver::bound(const SuitState& state, const Words& lies) {
    const Key place = key(state);
    if (const auto known = bounds_.find(place); known != bounds_.end()) return known->second;
    Words best(width_);
    for (const Lead& lead : leads(state)) {
        Words outcome = everything(lies);
        for (const Reply& first : replies(state, defender_after(lead.hand), lies)) {
            Words answer(width_);
            for (const int followed : followers(state, lead)) {
                const Words found = bound_of_card(first, lead, followed);
                for (std::size_t i = 0; i < width_; ++i) answer[i] |= found[i];
            }
            for (std::size_t i = 0; i < width_; ++i) outcome[i] &= answer[i] | ~first.lies[i % words_];
        }
        for (std::size_t i = 0; i < width_; ++i) best[i] |= outcome[i];
    }
    return bounds_.emplace(place, std::move(best)).first->second;
}

SuitSolver::Words SuitSolver::bound_of_card(const Reply& first, const Lead& lead, int followed) {
    Words outcome = everything(first.lies);
    for (const Reply& last : replies(first.state, 1 - defender_after(lead.hand), first.lies)) {
        const bool won = wins(lead.card, followed, first.card_class, last.card_class);
        const Words& later = bound(after_trick(last, lead, followed, won), last.lies);
        keep(outcome, with_trick(later.data(), last.lies, won));
    }
    return outcome;
}

// Step 6. What he can win without seeing it.

const OutcomeFront& SuitSolver::front(const SuitState& state) {
    const bool is_free = state.entries[0] == FREE_ENTRIES && state.entries[1] == FREE_ENTRIES;
    for (std::size_t i = 0; i < 2; ++i) {
        if (state.own[i] & ~own_[i]) throw std::invalid_argument("a state with cards of others");
        if (state.entries[i] > FREE_ENTRIES) throw std::invalid_argument("too many entries");
    }
    if (state.on_lead < EITHER_HAND || state.on_lead > NO_HAND)
        throw std::invalid_argument("not a hand on lead");
    for (std::size_t i = 0; i < SUIT_RANKS; ++i)
        if (state.played[0][i] + state.played[1][i] > (i < sizes_.size() ? sizes_[i] : 0))
            throw std::invalid_argument("more cards played than a class has");
    SuitState start = state;
    if (is_free) start.on_lead = EITHER_HAND;
    return front(start, consistent(state));
}

const OutcomeFront& SuitSolver::front(const SuitState& state, const Words& lies) {
    const Key place = key(state);
    if (const auto known = fronts_.find(place); known != fronts_.end()) return known->second;
    if (should_stop_ && fronts_.size() % 256 == 0 && should_stop_()) throw Stopped{};
    OutcomeFront found;
    if (tricks_left(state) > 0) {
        const Words best = bound(state, lies);
        for (const Lead& lead : leads(state)) {
            const OutcomeFront outcomes = front_of_lead(state, lies, lead, found);
            for (std::size_t i = 0; i < outcomes.size; ++i)
                append(found, outcomes.bits.data() + i * width_);
            thin(found);
            if (is_covered(best.data(), found)) break;
        }
    }
    if (found.size == 0) found = {Words(width_), 1};
    return fronts_.emplace(place, std::move(found)).first->second;
}

// Leaves out what `known` outcomes match.
OutcomeFront SuitSolver::front_of_lead(const SuitState& state, const Words& lies, const Lead& lead,
                                       const OutcomeFront& known) {
    OutcomeFront outcomes{everything(lies), 1};
    std::optional<CoverIndex> index;
    if (known.size >= FEW) {
        index.emplace(known, width_);
        for (std::size_t i = 0; i < known.size; ++i) index->add(known.bits.data() + i * width_);
    }
    for (const Reply& first : replies(state, defender_after(lead.hand), lies)) {
        OutcomeFront answers;
        for (const int followed : followers(state, lead)) {
            if (is_covered(bound_of_card(first, lead, followed).data(), answers)) continue;
            const OutcomeFront found = front_of_card(first, lead, followed);
            for (std::size_t i = 0; i < found.size; ++i)
                append(answers, found.bits.data() + i * width_);
            thin(answers);
        }
        combine(outcomes, answers, first.lies, false);
        OutcomeFront useful;
        for (std::size_t i = 0; i < outcomes.size; ++i) {
            const std::uint64_t* outcome = outcomes.bits.data() + i * width_;
            if (!(index ? index->covers(outcome) : is_covered(outcome, known))) append(useful, outcome);
        }
        outcomes = std::move(useful);
        if (outcomes.size == 0) break;
    }
    return outcomes;
}

OutcomeFront SuitSolver::front_of_card(const Reply& first, const Lead& lead, int followed) {
    OutcomeFront outcomes{everything(first.lies), 1};
    for (const Reply& last : replies(first.state, 1 - defender_after(lead.hand), first.lies)) {
        const bool won = wins(lead.card, followed, first.card_class, last.card_class);
        combine(outcomes, front(after_trick(last, lead, followed, won), last.lies), last.lies, won);
    }
    return outcomes;
}

}  // namespace setrograde
