// Strategy search on random endings: depth 1 against single questions, cuts against none, and, since asserts
// are on, all worlds of every node agreeing on the winner of each trick.
#include <algorithm>
#include <cmath>
#include <random>

#include "check.hpp"
#include "setrograde/play/layout_classes.hpp"
#include "setrograde/play/strategy_search.hpp"

using namespace setrograde;

namespace {

using Random = std::mt19937_64;

int below(Random& random, int end) { return static_cast<int>(random() % static_cast<std::uint64_t>(end)); }

// An ending in which declarer sees North and South, or a defender in the North seat sees East as dummy.
PlayProblem random_problem(Random& random, int tricks, bool is_declarer) {
    std::vector<Place> cards;
    for (int card = 0; card < 64; ++card)
        if (ALL_CARDS >> card & 1) cards.push_back(card);
    Position position;
    position.strain = below(random, STRAINS);
    position.leader = below(random, SEATS);
    for (int i = 0; i < 4 * tricks; ++i) {
        std::swap(cards[static_cast<std::size_t>(i)], cards[static_cast<std::size_t>(i + below(random, 52 - i))]);
        position.hands[i % 4] |= bit_of(cards[static_cast<std::size_t>(i)]);
    }
    PlayProblem problem;
    problem.strain = position.strain;
    problem.leader = position.leader;
    for (int size = below(random, 4); size > 0; --size) {
        const CardSet legal = legal_cards(position);
        const Place card = below(random, 2) ? lowest(legal) : highest(legal);
        play(position, card);
        problem.trick.push_back(card);
    }
    problem.seen = position.hands;
    if (!is_declarer) {
        problem.hidden_seats = {{SOUTH, WEST}};
        problem.roles[SOUTH] = Role::FRIEND;
    }
    for (const int seat : problem.hidden_seats) {
        problem.hidden |= problem.seen[seat];
        problem.seen[seat] = 0;
    }
    LayoutProblem layouts;
    layouts.hidden = problem.hidden;
    layouts.length = count(position.hands[problem.hidden_seats[0]]);
    layouts.grouping = Grouping::LAYOUTS;
    problem.worlds = find_layout_classes(layouts, 4096).value().layouts;
    return problem;
}

bool is_near(double a, double b) { return std::abs(a - b) < 1e-9; }

void check_ending(Random& random, Outcomes& outcomes, int tricks, bool is_declarer) {
    StrategyProblem problem{
        .play = random_problem(random, tricks, is_declarer), .weights = {}, .steps = {}, .plan = {}};
    std::vector<CardSet>& worlds = problem.play.worlds;
    std::shuffle(worlds.begin(), worlds.end(), random);
    worlds.resize(std::min(worlds.size(), static_cast<std::size_t>(1 + below(random, 80))));
    const int first = 1 + below(random, tricks);
    problem.steps = {{first, 1.0}};
    if (first < tricks && below(random, 2)) problem.steps.push_back({first + 1, 2.0});
    if (below(random, 2))
        for (std::size_t i = 0; i < worlds.size(); ++i) problem.weights.push_back(1 + below(random, 5));
    problem.has_labels = below(random, 2) == 0;
    problem.small = below(random, 2) ? 3 : NO_SMALL_CARDS;
    problem.searches_forced_cards = true;
    CHECK(check(problem) == nullptr);

    problem.depth = 2;
    const StrategyAnswer all = search_strategy(problem, outcomes, {});
    problem.cuts = 0;
    const StrategyAnswer none = search_strategy(problem, outcomes, {});
    CHECK(is_near(all.value, none.value));
    CHECK(all.value <= all.double_dummy + 1e-9);

    problem.cuts = ALL_CUTS;
    problem.depth = 52;
    problem.work_limit = 200000;
    const StrategyAnswer deep = search_strategy(problem, outcomes, {});
    CHECK(deep.is_complete || deep.is_limited);
    CHECK(deep.value <= all.value + 1e-9);
    const StrategyAnswer again = search_strategy(problem, outcomes, {});
    CHECK(again.work == deep.work && again.value == deep.value && again.nodes == deep.nodes);
}

void check_what_is_refused() {
    StrategyProblem problem;
    CHECK(check(problem) != nullptr);
    problem.play.worlds = {0};
    CHECK(check(problem) != nullptr);
}

}  // namespace

int main() {
    Outcomes outcomes(std::size_t{16} << 20, {});
    Random random(1);
    for (int i = 0; i < 150; ++i) check_ending(random, outcomes, 2 + i % 4, i % 3 != 0);
    check_what_is_refused();
}
