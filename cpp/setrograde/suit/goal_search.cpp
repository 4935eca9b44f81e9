#include "setrograde/suit/goal_search.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "setrograde/suit/play.hpp"

namespace setrograde {

namespace {

constexpr std::size_t MOST_KNOWN = 1 << 20;  // answers WinTest keeps

// What may be lost first, as a share of what can be won: finer where bounds are close.
constexpr std::int64_t STEPS = 64, FINE_STEPS = 256;

template <typename Use>
void for_each_lie(std::uint64_t word, std::size_t first, Use use) {
    for (; word; word &= word - 1) use(first + static_cast<std::size_t>(std::countr_zero(word)));
}

bool has_worth(const SuitWorth& worth, int tricks) {
    return std::ranges::any_of(worth[static_cast<std::size_t>(tricks - 1)],
                               [](std::int64_t weight) { return weight != 0; });
}

}  // namespace

SuitGoalSearch::SuitGoalSearch(SuitGame& game, const SuitState& state, std::vector<SuitDemand> demands,
                               WorkMeter& meter)
    : game_(game), start_(game.checked(state)), demands_(std::move(demands)), meter_(meter), words_(game.words()) {
    for (const SuitDemand& demand : demands_) {
        if (demand.worth.size() != static_cast<std::size_t>(game.levels()))
            throw std::invalid_argument("a demand for other numbers of tricks");
        for (const auto& by_lie : demand.worth)
            if (by_lie.size() > 64 * words_ ||
                std::ranges::any_of(by_lie, [](std::int64_t weight) { return weight < 0; }))
                throw std::invalid_argument("a demand for other lies, or for fewer tricks");
    }
    for (int tricks = 1; tricks <= game.levels(); ++tricks)
        if (std::ranges::any_of(demands_, [&](const SuitDemand& demand) { return has_worth(demand.worth, tricks); }))
            planes_.push_back(tricks);
    if (planes_.empty()) planes_.push_back(1);
    width_ = planes_.size() * words_;
    const LieWords lies = game_.consistent(start_);
    bound_ = planes_of(game_.bound(start_, lies), lies, 0);
    for (const SuitDemand& demand : demands_) {
        Weights& weights = weights_.emplace_back();
        weights.by_bit.resize(64 * width_);
        weights.sure_losses.resize(planes_.size());
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            const auto& by_lie = demand.worth[static_cast<std::size_t>(planes_[p] - 1)];
            std::ranges::copy(by_lie, weights.by_bit.begin() + static_cast<std::ptrdiff_t>(64 * p * words_));
        }
        for (std::size_t i = 0; i < width_; ++i)
            for_each_lie(bound_[i], 64 * i, [&](std::size_t bit) { weights.bound += weights.by_bit[bit]; });
        weights.allowed = weights.bound - demand.least;
    }
}

std::int64_t SuitGoalSearch::bound_of(int tricks) const {
    std::int64_t worth = 0;
    for (std::size_t i = 0; i < width_; ++i)
        if (planes_[i / words_] == tricks)
            for_each_lie(bound_[i], 64 * i, [&](std::size_t bit) { worth += weights_.back().by_bit[bit]; });
    return worth;
}

std::int64_t SuitGoalSearch::most() const {
    std::int64_t worth = weights_.back().bound;
    for (const std::int64_t loss : weights_.back().sure_losses) worth -= loss;
    return worth;
}

void SuitGoalSearch::set_sure_losses(std::vector<std::int64_t> losses) {
    for (std::size_t p = 0; p < planes_.size(); ++p)
        weights_.back().sure_losses[p] = losses[static_cast<std::size_t>(planes_[p] - 1)];
    fronts_.clear();
}

void SuitGoalSearch::set_least(std::int64_t least) {
    weights_.back().allowed = weights_.back().bound - least;
    fronts_.clear();
}

std::int64_t SuitGoalSearch::worth(const std::uint64_t* outcome) const {
    std::int64_t worth = 0;
    for (std::size_t p = 0; p < planes_.size(); ++p) {
        const std::uint64_t* lies = outcome + static_cast<std::size_t>(planes_[p] - 1) * words_;
        for (std::size_t i = 0; i < words_; ++i)
            for_each_lie(lies[i], 64 * (p * words_ + i),
                         [&](std::size_t bit) { worth += weights_.back().by_bit[bit]; });
    }
    return worth;
}

// Step 1. Outcomes by the tricks told apart, counted from the start: what was won already counts in.

LieWords SuitGoalSearch::planes_of(const LieWords& outcome, const LieWords& lies, int won) const {
    LieWords planes(width_);
    for (std::size_t p = 0; p < planes_.size(); ++p) {
        const int left = planes_[p] - won;
        for (std::size_t i = 0; i < words_; ++i)
            planes[p * words_ + i] = left <= 0 ? lies[i] : outcome[static_cast<std::size_t>(left - 1) * words_ + i];
    }
    return planes;
}

LieWords SuitGoalSearch::everything(const LieWords& lies) const {
    LieWords planes(width_);
    for (std::size_t i = 0; i < width_; ++i) planes[i] = lies[i % words_];
    return planes;
}

// Step 2. What may be lost.

bool SuitGoalSearch::is_allowed(const std::uint64_t* outcome, const LieWords& lies) const {
    for (const Weights& weights : weights_) {
        std::int64_t left = weights.allowed;
        for (const std::int64_t loss : weights.sure_losses) left -= loss;
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            std::int64_t loss = 0;
            for (std::size_t i = 0; i < words_; ++i) {
                const std::size_t word = p * words_ + i;
                for_each_lie(bound_[word] & lies[i] & ~outcome[word], 64 * word,
                             [&](std::size_t bit) { loss += weights.by_bit[bit]; });
            }
            left -= std::max<std::int64_t>(0, loss - weights.sure_losses[p]);
            if (left < 0) return false;
        }
        if (left < 0) return false;
    }
    return true;
}

bool SuitGoalSearch::is_useful(const LieWords& bound, const LieWords& lies, const OutcomeFront& known) const {
    return is_allowed(bound.data(), lies) && !is_covered(bound.data(), known, width_);
}

// Step 3. Fronts of what is allowed; they depend on the tricks won before.

const OutcomeFront& SuitGoalSearch::front(const SuitState& state, const LieWords& lies, int won) {
    SuitKey place = game_.key(state);
    place.hands |= static_cast<std::uint64_t>(won) << 40;
    if (const auto known = fronts_.find(place); known != fronts_.end()) return known->second;
    meter_.spend(WORK_OF_STATE);
    OutcomeFront found;
    const LieWords best = planes_of(game_.bound(state, lies), lies, won);
    if (is_allowed(best.data(), lies)) {
        if (best == planes_of(LieWords(game_.width()), lies, won)) {
            append(found, best.data(), width_);
        } else {
            for (const SuitLead& lead : game_.leads(state)) {
                append(found, front_of_lead(state, lies, lead, won, found));
                thin(found, width_, meter_);
                if (is_covered(best.data(), found, width_)) break;
            }
        }
    }
    return fronts_.emplace(place, std::move(found)).first->second;
}

// Leaves out what `known` outcomes match.
OutcomeFront SuitGoalSearch::front_of_lead(const SuitState& state, const LieWords& lies, const SuitLead& lead, int won,
                                           const OutcomeFront& known) {
    const std::vector<int> followers = game_.followers(state, lead);
    const std::vector<SuitReply> replies = game_.replies(state, SuitGame::defender_after(lead.hand), lies);
    std::vector<LieWords> bounds;
    LieWords best = everything(lies);
    for (const SuitReply& first : replies) {
        LieWords answer(width_);
        for (const int followed : followers) {
            bounds.push_back(planes_of(game_.bound_of_card(first, lead, followed), first.lies, won));
            for (std::size_t i = 0; i < width_; ++i) answer[i] |= bounds.back()[i];
        }
        for (std::size_t i = 0; i < width_; ++i) best[i] &= answer[i] | ~first.lies[i % words_];
    }
    if (!is_useful(best, lies, known)) return {};
    OutcomeFront outcomes{everything(lies), 1};
    CoverTest test(known, width_, meter_);
    for (std::size_t i = 0; i < replies.size() && outcomes.size > 0; ++i) {
        OutcomeFront answers;
        for (std::size_t k = 0; k < followers.size(); ++k) {
            if (!is_useful(bounds[i * followers.size() + k], replies[i].lies, answers)) continue;
            append(answers, front_of_card(replies[i], lead, followers[k], won));
            thin(answers, width_, meter_);
        }
        outcomes = test.rest(combined(outcomes, answers, replies[i].lies, lies));
    }
    return outcomes;
}

OutcomeFront SuitGoalSearch::front_of_card(const SuitReply& first, const SuitLead& lead, int followed, int won) {
    const int defender = 1 - SuitGame::defender_after(lead.hand);
    const std::vector<SuitReply> replies = game_.replies(first.state, defender, first.lies);
    std::vector<std::pair<const OutcomeFront*, const LieWords*>> parts;
    for (const SuitReply& last : replies) {
        const bool is_won = game_.wins(lead.card, followed, first.card_class, last.card_class);
        const SuitState after = game_.after_trick(last, lead, followed, is_won);
        const OutcomeFront& later = front(after, last.lies, won + is_won);
        if (later.size == 0) return {};
        parts.emplace_back(&later, &last.lies);
    }
    std::ranges::sort(parts, {}, [](const auto& part) { return part.first->size; });
    OutcomeFront outcomes{everything(first.lies), 1};
    for (const auto& [later, lies] : parts) outcomes = combined(outcomes, *later, *lies, first.lies);
    return outcomes;
}

OutcomeFront SuitGoalSearch::combined(const OutcomeFront& front, const OutcomeFront& other, const LieWords& others_lies,
                                      const LieWords& lies) {
    OutcomeFront counted = other;
    for (std::size_t i = 0; i < counted.bits.size(); ++i) counted.bits[i] |= ~others_lies[i % words_];
    return minima(front, counted, width_, meter_,
                  [&](const std::uint64_t* outcome) { return is_allowed(outcome, lies); });
}

OutcomeFront SuitGoalSearch::outcomes() {
    const OutcomeFront& found = front(start_, game_.consistent(start_), 0);
    OutcomeFront written;
    for (std::size_t i = 0; i < found.size; ++i) {
        LieWords outcome(game_.width());
        std::size_t p = 0;
        for (int tricks = 1; tricks <= planes_.back(); ++tricks) {  // as many as the next told apart
            if (tricks > planes_[p]) ++p;
            for (std::size_t k = 0; k < words_; ++k)
                outcome[static_cast<std::size_t>(tricks - 1) * words_ + k] = found.bits[i * width_ + p * words_ + k];
        }
        append(written, outcome.data(), game_.width());
    }
    return written;
}

// Step 4. More and more may be lost, until a line is found.

BestOutcome best_outcome(SuitGame& game, const SuitState& state, const SuitWorth& worth,
                         std::vector<SuitDemand> demands, std::vector<std::int64_t> most_by_tricks, WorkMeter& meter) {
    demands.push_back({worth, 0});
    SuitGoalSearch search(game, state, std::move(demands), meter);
    const bool has_bounds = !most_by_tricks.empty();
    if (has_bounds) {
        if (most_by_tricks.size() != static_cast<std::size_t>(game.levels()))
            throw std::invalid_argument("bounds for other numbers of tricks");
        for (int tricks = 1; tricks <= game.levels(); ++tricks) {
            std::int64_t& most = most_by_tricks[static_cast<std::size_t>(tricks - 1)];
            most = std::max<std::int64_t>(0, search.bound_of(tricks) - most);
        }
        search.set_sure_losses(std::move(most_by_tricks));
    }
    BestOutcome best;
    best.at_most = search.most();
    const std::int64_t step = best.at_most / (has_bounds ? FINE_STEPS : STEPS) + 1;
    std::int64_t lost = 0;
    try {
        while (true) {
            const std::int64_t least = std::max<std::int64_t>(0, search.most() - lost);
            search.set_least(least);
            const OutcomeFront found = search.outcomes();
            for (std::size_t i = 0; i < found.size; ++i) {
                const std::uint64_t* outcome = found.bits.data() + i * game.width();
                const std::int64_t value = search.worth(outcome);
                if (best.outcome && value <= best.worth) continue;
                best.outcome = LieWords(outcome, outcome + game.width());
                best.worth = value;
            }
            best.at_most = best.outcome ? best.worth : least - 1;
            if (best.outcome || least == 0) return best;
            lost += lost / 2 + step;
        }
    } catch (const WorkLimit&) {
        return best;
    }
}

// Step 5. A line for an outcome.

std::size_t WinTest::WordsHash::operator()(const LieWords& words) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) hash = (hash ^ word ^ hash >> 29) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

bool WinTest::can_win(const SuitState& state, const LieWords& outcome, WorkMeter& meter) {
    if (outcome.size() != game_.width()) throw std::invalid_argument("an outcome of other lies");
    if (known_.size() > MOST_KNOWN) known_.clear();
    const SuitState start = game_.checked(state);
    return wins(start, game_.consistent(start), outcome, meter);
}

bool WinTest::wins(const SuitState& state, const LieWords& lies, const LieWords& wanted, WorkMeter& meter) {
    if (is_empty(wanted)) return true;
    const LieWords& bound = game_.bound(state, lies);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i] & ~bound[i]) return false;
    const SuitKey key = game_.key(state);
    LieWords place = wanted;
    place.push_back(key.hands);
    place.push_back(key.seen);
    if (const auto known = known_.find(place); known != known_.end()) return known->second;
    meter.spend(WORK_OF_STATE);
    const std::vector<SuitLead> leads = game_.leads(state);
    const bool found = std::ranges::any_of(
        leads, [&](const SuitLead& lead) { return wins_with_lead(state, lies, wanted, lead, meter); });
    known_.emplace(std::move(place), found);
    return found;
}

bool WinTest::wins_with_lead(const SuitState& state, const LieWords& lies, const LieWords& wanted, const SuitLead& lead,
                             WorkMeter& meter) {
    const std::vector<SuitReply> replies = game_.replies(state, SuitGame::defender_after(lead.hand), lies);
    const std::vector<int> followers = game_.followers(state, lead);
    return std::ranges::all_of(replies, [&](const SuitReply& first) {
        return std::ranges::any_of(followers,
                                   [&](int followed) { return wins_with_card(first, wanted, lead, followed, meter); });
    });
}

bool WinTest::wins_with_card(const SuitReply& first, const LieWords& wanted, const SuitLead& lead, int followed,
                             WorkMeter& meter) {
    const std::size_t words = game_.words();
    const int defender = 1 - SuitGame::defender_after(lead.hand);
    const std::vector<SuitReply> replies = game_.replies(first.state, defender, first.lies);
    return std::ranges::all_of(replies, [&](const SuitReply& last) {
        const bool won = game_.wins(lead.card, followed, first.card_class, last.card_class);
        LieWords later(wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const std::size_t from = won ? i + words : i;
            later[i] = from < wanted.size() ? wanted[from] & last.lies[i % words] : 0;
        }
        return wins(game_.after_trick(last, lead, followed, won), last.lies, later, meter);
    });
}

}  // namespace setrograde
