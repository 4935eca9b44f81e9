#include "setrograde/suit/goal_search.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "setrograde/common/hash.hpp"

namespace setrograde {

namespace {

constexpr std::size_t MOST_KNOWN = 1 << 20;  // answers WinTest keeps

// What may be lost first, as a share of what can be won: finer where bounds are close.
constexpr std::int64_t STEPS = 64, FINE_STEPS = 256;

bool has_worth(const SuitWorth& worth, int tricks) {
    return std::ranges::any_of(worth[static_cast<std::size_t>(tricks - 1)],
                               [](std::int64_t weight) { return weight != 0; });
}

}  // namespace

SuitGoalSearch::SuitGoalSearch(SuitGame& game, const SuitState& state, std::vector<SuitDemand> demands,
                               WorkMeter& meter)
    : game_(game), start_(game.checked(state)), demands_(std::move(demands)), meter_(meter), words_(game.words()) {
    check_demands();
    find_planes();
    const LayoutWords layouts = game_.consistent(start_);
    bound_ = planes_of(game_.bound(start_, layouts, meter_), layouts, 0);
    for (const SuitDemand& demand : demands_) weights_.push_back(weights_of(demand));
}

void SuitGoalSearch::check_demands() const {
    const auto is_negative = [](std::int64_t weight) { return weight < 0; };
    for (const SuitDemand& demand : demands_) {
        if (demand.worth.size() != static_cast<std::size_t>(game_.levels()))
            throw std::invalid_argument("a demand for other numbers of tricks");
        for (const auto& by_layout : demand.worth)
            if (by_layout.size() > 64 * words_ || std::ranges::any_of(by_layout, is_negative))
                throw std::invalid_argument("a demand for other layouts, or for fewer tricks");
    }
}

void SuitGoalSearch::find_planes() {
    for (int tricks = 1; tricks <= game_.levels(); ++tricks)
        if (std::ranges::any_of(demands_, [&](const SuitDemand& demand) { return has_worth(demand.worth, tricks); }))
            planes_.push_back(tricks);
    if (planes_.empty()) planes_.push_back(1);
    width_ = planes_.size() * words_;
}

SuitGoalSearch::Weights SuitGoalSearch::weights_of(const SuitDemand& demand) const {
    Weights weights{.by_bit = std::vector<std::int64_t>(64 * width_),
                    .sure_losses = std::vector<std::int64_t>(planes_.size())};
    for (std::size_t p = 0; p < planes_.size(); ++p) {
        const auto& by_layout = demand.worth[static_cast<std::size_t>(planes_[p] - 1)];
        std::ranges::copy(by_layout, weights.by_bit.begin() + static_cast<std::ptrdiff_t>(64 * p * words_));
    }
    for (std::size_t i = 0; i < width_; ++i) weights.bound += sum(weights, bound_[i], i);
    weights.allowed = weights.bound - demand.least;
    return weights;
}

// What a demand gives for the layouts in one word of an outcome.
std::int64_t SuitGoalSearch::sum(const Weights& weights, std::uint64_t layouts, std::size_t word) const {
    std::int64_t worth = 0;
    for_each_bit(layouts, 64 * word, [&](std::size_t bit) { worth += weights.by_bit[bit]; });
    return worth;
}

std::int64_t SuitGoalSearch::bound_of(int tricks) const {
    std::int64_t worth = 0;
    for (std::size_t i = 0; i < width_; ++i)
        if (planes_[i / words_] == tricks) worth += sum(weights_.back(), bound_[i], i);
    return worth;
}

std::int64_t SuitGoalSearch::most() const {
    std::int64_t worth = weights_.back().bound;
    for (const std::int64_t loss : weights_.back().sure_losses) worth -= loss;
    return worth;
}

void SuitGoalSearch::set_sure_losses(const std::vector<std::int64_t>& losses) {
    assert(losses.size() == static_cast<std::size_t>(game_.levels()));
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
        const std::uint64_t* layouts = outcome + static_cast<std::size_t>(planes_[p] - 1) * words_;
        for (std::size_t i = 0; i < words_; ++i) worth += sum(weights_.back(), layouts[i], p * words_ + i);
    }
    return worth;
}

// Step 1. Outcomes by the tricks told apart, counted from the start: what was won already counts in.

LayoutWords SuitGoalSearch::planes_of(const LayoutWords& outcome, const LayoutWords& layouts, int won) const {
    LayoutWords planes(width_);
    for (std::size_t p = 0; p < planes_.size(); ++p) {
        const int left = planes_[p] - won;
        for (std::size_t i = 0; i < words_; ++i)
            planes[p * words_ + i] = left <= 0 ? layouts[i] : outcome[static_cast<std::size_t>(left - 1) * words_ + i];
    }
    return planes;
}

// Step 2. What may be lost.

bool SuitGoalSearch::is_allowed(const std::uint64_t* outcome, const LayoutWords& layouts) const {
    for (const Weights& weights : weights_) {
        std::int64_t left = weights.allowed;
        for (const std::int64_t loss : weights.sure_losses) left -= loss;
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            std::int64_t loss = 0;
            for (std::size_t i = 0; i < words_; ++i) {
                const std::size_t word = p * words_ + i;
                loss += sum(weights, bound_[word] & layouts[i] & ~outcome[word], word);
            }
            left -= std::max<std::int64_t>(0, loss - weights.sure_losses[p]);
            if (left < 0) return false;
        }
        if (left < 0) return false;
    }
    return true;
}

bool SuitGoalSearch::is_useful(const LayoutWords& bound, const LayoutWords& layouts, const OutcomeFront& known) const {
    return is_allowed(bound.data(), layouts) && !is_covered(bound.data(), known, width_);
}

// Step 3. Fronts of what is allowed; they depend on the tricks won before.

const OutcomeFront& SuitGoalSearch::front(const SuitState& state, const LayoutWords& layouts, int won) {
    SuitKey place = game_.key(state);
    place.hands |= static_cast<std::uint64_t>(won) << 40;
    if (const auto known = fronts_.find(place); known != fronts_.end()) return known->second;
    meter_.spend(WORK_OF_STATE);
    const LayoutWords best = planes_of(game_.bound(state, layouts, meter_), layouts, won);
    const bool is_over = best == planes_of(LayoutWords(game_.width()), layouts, won);  // no trick to come counts
    OutcomeFront found;
    if (is_allowed(best.data(), layouts)) {
        if (is_over)
            append(found, best.data(), width_);
        else
            found = front_of_leads(state, layouts, best, won);
    }
    return fronts_.emplace(place, std::move(found)).first->second;
}

OutcomeFront SuitGoalSearch::front_of_leads(const SuitState& state, const LayoutWords& layouts, const LayoutWords& best,
                                            int won) {
    OutcomeFront found;
    for (const SuitLead& lead : game_.leads(state)) {
        append(found, front_of_lead(state, layouts, lead, won, found));
        thin(found, width_, meter_);
        if (is_covered(best.data(), found, width_)) break;
    }
    return found;
}

// Leaves out outcomes that `known` ones match.
OutcomeFront SuitGoalSearch::front_of_lead(const SuitState& state, const LayoutWords& layouts, const SuitLead& lead,
                                           int won, const OutcomeFront& known) {
    const std::vector<int> followers = game_.followers(state, lead);
    const std::vector<SuitReply> replies = game_.replies(state, SuitGame::defender_after(lead.hand), layouts);
    std::vector<LayoutWords> bounds;
    LayoutWords best = repeated(layouts, width_);
    for (const SuitReply& first : replies) {
        LayoutWords answer(width_);
        for (const int followed : followers) {
            bounds.push_back(planes_of(game_.bound_of_card(first, lead, followed, meter_), first.layouts, won));
            for (std::size_t i = 0; i < width_; ++i) answer[i] |= bounds.back()[i];
        }
        for (std::size_t i = 0; i < width_; ++i) best[i] &= answer[i] | ~first.layouts[i % words_];
    }
    if (!is_useful(best, layouts, known)) return {};
    OutcomeFront outcomes{.bits = repeated(layouts, width_), .size = 1};
    CoverTest test(known, width_, meter_);
    for (std::size_t i = 0; i < replies.size() && outcomes.size > 0; ++i) {
        OutcomeFront answers;
        for (std::size_t k = 0; k < followers.size(); ++k) {
            if (!is_useful(bounds[i * followers.size() + k], replies[i].layouts, answers)) continue;
            append(answers, front_of_card(replies[i], lead, followers[k], won));
            thin(answers, width_, meter_);
        }
        outcomes = test.rest(combined(outcomes, answers, replies[i].layouts, layouts));
    }
    return outcomes;
}

OutcomeFront SuitGoalSearch::front_of_card(const SuitReply& first, const SuitLead& lead, int followed, int won) {
    const int defender = 1 - SuitGame::defender_after(lead.hand);
    const std::vector<SuitReply> replies = game_.replies(first.state, defender, first.layouts);
    std::vector<std::pair<const OutcomeFront*, const LayoutWords*>> parts;
    for (const SuitReply& last : replies) {
        const bool is_won = game_.wins(lead.card, followed, first.run, last.run);
        const SuitState after = game_.after_trick(last, lead, followed, is_won);
        const OutcomeFront& later = front(after, last.layouts, won + is_won);
        if (later.size == 0) return {};
        parts.emplace_back(&later, &last.layouts);
    }
    std::ranges::sort(parts, {}, [](const auto& part) { return part.first->size; });
    OutcomeFront outcomes{.bits = repeated(first.layouts, width_), .size = 1};
    for (const auto& [later, layouts] : parts) outcomes = combined(outcomes, *later, *layouts, first.layouts);
    return outcomes;
}

OutcomeFront SuitGoalSearch::combined(const OutcomeFront& front, const OutcomeFront& other,
                                      const LayoutWords& others_layouts, const LayoutWords& layouts) {
    OutcomeFront counted = other;
    for (std::size_t i = 0; i < counted.bits.size(); ++i) counted.bits[i] |= ~others_layouts[i % words_];
    return minima(front, counted, width_, meter_,
                  [&](const std::uint64_t* outcome) { return is_allowed(outcome, layouts); });
}

OutcomeFront SuitGoalSearch::outcomes() {
    const OutcomeFront& found = front(start_, game_.consistent(start_), 0);
    OutcomeFront written;
    for (std::size_t i = 0; i < found.size; ++i) {
        LayoutWords outcome(game_.width());
        std::size_t p = 0;
        for (int tricks = 1; tricks <= planes_.back(); ++tricks) {  // as many as the next told apart
            if (tricks > planes_[p]) ++p;
            for (std::size_t k = 0; k < words_; ++k)
                outcome[static_cast<std::size_t>(tricks - 1) * words_ + k] = found.at(i, width_)[p * words_ + k];
        }
        append(written, outcome.data(), game_.width());
    }
    return written;
}

// Step 4. More and more may be lost, until a line is found.

namespace {

// What every line loses in each number of tricks, if none exceeds `most_by_tricks`.
std::vector<std::int64_t> sure_losses(const SuitGoalSearch& search, const std::vector<std::int64_t>& most_by_tricks) {
    std::vector<std::int64_t> losses;
    int tricks = 0;
    for (const std::int64_t most : most_by_tricks)
        losses.push_back(std::max<std::int64_t>(0, search.bound_of(++tricks) - most));
    return losses;
}

// The most valuable outcome of a front, if there is one.
void take_best(BestOutcome& best, const SuitGoalSearch& search, const OutcomeFront& found, std::size_t width) {
    for (std::size_t i = 0; i < found.size; ++i) {
        const std::uint64_t* outcome = found.at(i, width);
        const std::int64_t value = search.worth(outcome);
        if (best.outcome && value <= best.worth) continue;
        best.outcome = LayoutWords(outcome, outcome + width);
        best.worth = value;
    }
}

}  // namespace

BestOutcome best_outcome(SuitGame& game, const SuitState& state, const SuitWorth& worth,
                         std::vector<SuitDemand> demands, const std::vector<std::int64_t>& most_by_tricks,
                         WorkMeter& meter) {
    const bool has_bounds = !most_by_tricks.empty();
    if (has_bounds && most_by_tricks.size() != static_cast<std::size_t>(game.levels()))
        throw std::invalid_argument("bounds for other numbers of tricks");
    demands.push_back({.worth = worth, .least = 0});
    SuitGoalSearch search(game, state, std::move(demands), meter);
    if (has_bounds) search.set_sure_losses(sure_losses(search, most_by_tricks));
    BestOutcome best;
    best.at_most = search.most();
    const std::int64_t step = best.at_most / (has_bounds ? FINE_STEPS : STEPS) + 1;
    std::int64_t lost = 0;
    try {
        while (true) {
            const std::int64_t least = std::max<std::int64_t>(0, search.most() - lost);
            search.set_least(least);
            take_best(best, search, search.outcomes(), game.width());
            best.at_most = best.outcome ? best.worth : least - 1;
            if (best.outcome || least == 0) return best;
            lost += lost / 2 + step;
        }
    } catch (const WorkLimit&) {
        return best;
    }
}

// Step 5. A line for an outcome.

std::size_t WinTest::WordsHash::operator()(const LayoutWords& words) const { return hash_of(words); }

bool WinTest::can_win(const SuitState& state, const LayoutWords& outcome, WorkMeter& meter) {
    if (outcome.size() != game_.width()) throw std::invalid_argument("an outcome of other layouts");
    if (known_.size() > MOST_KNOWN) known_.clear();
    const SuitState start = game_.checked(state);
    return wins(start, game_.consistent(start), outcome, meter);
}

bool WinTest::wins(const SuitState& state, const LayoutWords& layouts, const LayoutWords& wanted, WorkMeter& meter) {
    if (is_empty(wanted)) return true;
    const LayoutWords& bound = game_.bound(state, layouts, meter);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i] & ~bound[i]) return false;
    const SuitKey key = game_.key(state);
    LayoutWords place = wanted;
    place.push_back(key.hands);
    place.push_back(key.seen);
    if (const auto known = known_.find(place); known != known_.end()) return known->second;
    meter.spend(WORK_OF_STATE);
    const std::vector<SuitLead> leads = game_.leads(state);
    const bool found = std::ranges::any_of(
        leads, [&](const SuitLead& lead) { return wins_with_lead(state, layouts, wanted, lead, meter); });
    known_.emplace(std::move(place), found);
    return found;
}

bool WinTest::wins_with_lead(const SuitState& state, const LayoutWords& layouts, const LayoutWords& wanted,
                             const SuitLead& lead, WorkMeter& meter) {
    const std::vector<SuitReply> replies = game_.replies(state, SuitGame::defender_after(lead.hand), layouts);
    const std::vector<int> followers = game_.followers(state, lead);
    return std::ranges::all_of(replies, [&](const SuitReply& first) {
        return std::ranges::any_of(followers,
                                   [&](int followed) { return wins_with_card(first, wanted, lead, followed, meter); });
    });
}

bool WinTest::wins_with_card(const SuitReply& first, const LayoutWords& wanted, const SuitLead& lead, int followed,
                             WorkMeter& meter) {
    const std::size_t words = game_.words();
    const int defender = 1 - SuitGame::defender_after(lead.hand);
    const std::vector<SuitReply> replies = game_.replies(first.state, defender, first.layouts);
    return std::ranges::all_of(replies, [&](const SuitReply& last) {
        const bool won = game_.wins(lead.card, followed, first.run, last.run);
        LayoutWords later(wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const std::size_t from = won ? i + words : i;
            later[i] = from < wanted.size() ? wanted[from] & last.layouts[i % words] : 0;
        }
        return wins(game_.after_trick(last, lead, followed, won), last.layouts, later, meter);
    });
}

}  // namespace setrograde
