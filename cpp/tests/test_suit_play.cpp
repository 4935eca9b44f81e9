#include "check.hpp"
#include "setrograde/suit/goal_search.hpp"
#include "setrograde/suit/play.hpp"

#include <bit>

using namespace setrograde;

namespace {

using Layouts = std::vector<std::vector<std::uint8_t>>;

// North has ace and queen, South the three and the two; the king and eight low cards are outstanding.
constexpr PerHand<RankSet> FINESSE{{0x1400, 0x3}};

SuitGame finesse_game() {
    Layouts layouts;
    for (std::uint8_t king = 0; king < 2; ++king)
        for (std::uint8_t low = 0; low <= 8; ++low) layouts.push_back({king, low});
    return SuitGame(FINESSE, {0x0800, 0x03FC}, layouts);
}

// In how many layouts an outcome wins `tricks` or more.
int count(const SuitGame& game, const OutcomeFront& front, std::size_t outcome, int tricks) {
    int layouts = 0;
    const std::uint64_t* words = front.at(outcome, game.width()) + static_cast<std::size_t>(tricks - 1) * game.words();
    for (std::size_t i = 0; i < game.words(); ++i) layouts += std::popcount(words[i]);
    return layouts;
}

void test_a_finesse_wins_where_the_king_is_onside() {
    SuitGame game = finesse_game();
    SuitSolver solver(game);
    WorkMeter meter;
    const OutcomeFront& front = solver.front({.own = FINESSE}, meter);
    int best = 0;
    for (std::size_t i = 0; i < front.size; ++i) {
        CHECK(count(game, front, i, 1) == 18);
        best = std::max(best, count(game, front, i, 2));
    }
    CHECK(best == 9);
}

// Without entries to South the finesse cannot be taken, only the singleton king dropped.
void test_a_finesse_needs_a_lead_from_the_other_hand() {
    SuitGame game = finesse_game();
    SuitSolver solver(game);
    WorkMeter meter;
    const OutcomeFront& front = solver.front({.own = FINESSE, .entries = {{0, 0}}, .on_lead = 0}, meter);
    CHECK(front.size == 1 && count(game, front, 0, 2) == 2);
}

void test_top_cards_win_in_every_layout() {
    SuitGame game({{0x1C00, 0x7}}, {0x03F8}, {{0}, {3}, {7}});
    SuitSolver solver(game);
    WorkMeter meter;
    const OutcomeFront& front = solver.front({.own = {{0x1C00, 0x7}}}, meter);
    CHECK(front.size == 1 && count(game, front, 0, 3) == 3);
}

void test_nonsense_is_refused() {
    CHECK(is_refused([] { SuitGame({{1, 1}}, {2}, {{0}}); }));
    CHECK(is_refused([] { SuitGame({{1, 2}}, {2}, {{0}}); }));
    CHECK(is_refused([] { SuitGame({{1, 2}}, {4}, {{2}}); }));
    CHECK(is_refused([] { SuitGame({{1, 2}}, {4}, {}); }));
    SuitGame game({{1, 2}}, {4}, {{1}});
    SuitSolver solver(game);
    WorkMeter meter;
    CHECK(is_refused([&] { solver.front({.own = {{4, 0}}}, meter); }));
    SuitState state{.own = {{1, 2}}};
    state.played[0][0] = 2;
    CHECK(is_refused([&] { solver.front(state, meter); }));
}

// The finesse again, for one goal, with its proof; and what cannot be won.
void test_a_goal_has_the_value_of_the_front() {
    SuitGame game = finesse_game();
    const SuitState start{.own = FINESSE};
    const SuitWorth two{std::vector<std::int64_t>(18, 0), std::vector<std::int64_t>(18, 1)};
    WorkMeter meter;
    const BestOutcome best = best_outcome(game, start, two, {}, {}, meter);
    CHECK(best.outcome && best.worth == 9 && best.at_most == 9);
    WinTest test(game);
    CHECK(test.can_win(start, *best.outcome, meter));
    LayoutWords more = *best.outcome;
    more[1] |= 1;  // and with the king, and all low cards, in the East
    CHECK(!test.can_win(start, more, meter));
}

void test_too_little_work_gives_a_bound() {
    SuitGame game(FINESSE, {0x0800, 0x03FC}, {{0, 2}, {1, 2}});
    const SuitWorth two{{0, 0}, {1, 1}};
    WorkMeter meter({}, 1);
    const BestOutcome best = best_outcome(game, {.own = FINESSE}, two, {}, {}, meter);
    CHECK(!best.outcome && best.at_most >= 1);
}

void test_stopped_work_can_be_done_again() {
    SuitGame game = finesse_game();
    SuitSolver solver(game);
    bool was_stopped = false;
    try {
        WorkMeter meter([] { return true; });
        for (int i = 0; i < 1000; ++i) {  // a short search may end before it looks
            solver.front({.own = FINESSE}, meter);
            meter.pass(WORK_BETWEEN_LOOKS);
        }
    } catch (const Stopped&) {
        was_stopped = true;
    }
    CHECK(was_stopped);
    WorkMeter meter;
    CHECK(solver.front({.own = FINESSE}, meter).size == 2);
}

}  // namespace

int main() {
    test_a_finesse_wins_where_the_king_is_onside();
    test_a_finesse_needs_a_lead_from_the_other_hand();
    test_top_cards_win_in_every_layout();
    test_nonsense_is_refused();
    test_a_goal_has_the_value_of_the_front();
    test_too_little_work_gives_a_bound();
    test_stopped_work_can_be_done_again();
    return 0;
}
