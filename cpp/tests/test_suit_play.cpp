#include "check.hpp"
#include "setrograde/suit/goal_search.hpp"
#include "setrograde/suit/play.hpp"

#include <bit>

using namespace setrograde;

namespace {

using Lies = std::vector<std::vector<std::uint8_t>>;

// How many lies an outcome wins so many tricks or more in.
int count(const SuitGame& game, const OutcomeFront& front, std::size_t outcome, int tricks) {
    int lies = 0;
    for (std::size_t i = 0; i < game.words(); ++i)
        lies +=
            std::popcount(front.bits[outcome * game.width() + static_cast<std::size_t>(tricks - 1) * game.words() + i]);
    return lies;
}

// North A Q, South 3 2 against the king and six low cards: the finesse wins in half of the lies.
void test_a_finesse_wins_where_the_king_is_onside() {
    Lies lies;
    for (std::uint8_t king = 0; king < 2; ++king)
        for (std::uint8_t low = 0; low <= 8; ++low) lies.push_back({king, low});
    SuitGame game({0x1400, 0x3}, {0x0800, 0x03FC}, lies);
    SuitSolver solver(game);
    const OutcomeFront& front = solver.front({{0x1400, 0x3}, {}, {}});
    int best = 0;
    for (std::size_t i = 0; i < front.size; ++i) {
        CHECK(count(game, front, i, 1) == 18);
        best = std::max(best, count(game, front, i, 2));
    }
    CHECK(best == 9);
}

// Without entries to South the finesse cannot be taken, only the singleton king dropped.
void test_a_finesse_needs_a_lead_from_the_other_hand() {
    Lies lies;
    for (std::uint8_t king = 0; king < 2; ++king)
        for (std::uint8_t low = 0; low <= 8; ++low) lies.push_back({king, low});
    SuitGame game({0x1400, 0x3}, {0x0800, 0x03FC}, lies);
    SuitSolver solver(game);
    const OutcomeFront& front = solver.front({{0x1400, 0x3}, {}, {}, {0, 0}, 0});
    CHECK(front.size == 1 && count(game, front, 0, 2) == 2);
}

void test_top_cards_win_in_every_lie() {
    SuitGame game({0x1C00, 0x7}, {0x03F8}, {{0}, {3}, {7}});
    SuitSolver solver(game);
    const OutcomeFront& front = solver.front({{0x1C00, 0x7}, {}, {}});
    CHECK(front.size == 1 && count(game, front, 0, 3) == 3);
}

void test_nonsense_is_refused() {
    CHECK(is_refused([] { SuitGame({1, 1}, {2}, {{0}}); }));
    CHECK(is_refused([] { SuitGame({1, 2}, {2}, {{0}}); }));
    CHECK(is_refused([] { SuitGame({1, 2}, {4}, {{2}}); }));
    CHECK(is_refused([] { SuitGame({1, 2}, {4}, {}); }));
    SuitGame game({1, 2}, {4}, {{1}});
    SuitSolver solver(game);
    CHECK(is_refused([&] { solver.front({{4, 0}, {}, {}}); }));
    CHECK(is_refused([&] { solver.front({{1, 2}, {{{2}}}, {}}); }));
}

// The finesse again, for one goal, with its proof; and what cannot be won.
void test_a_goal_has_the_value_of_the_front() {
    Lies lies;
    for (std::uint8_t king = 0; king < 2; ++king)
        for (std::uint8_t low = 0; low <= 8; ++low) lies.push_back({king, low});
    SuitGame game({0x1400, 0x3}, {0x0800, 0x03FC}, lies);
    const SuitState start{{0x1400, 0x3}, {}, {}};
    const SuitWorth two{std::vector<std::int64_t>(18, 0), std::vector<std::int64_t>(18, 1)};
    WorkMeter meter;
    const BestOutcome best = best_outcome(game, start, two, {}, {}, meter);
    CHECK(best.outcome && best.worth == 9 && best.at_most == 9);
    WinTest test(game);
    CHECK(test.can_win(start, *best.outcome, meter));
    LieWords more = *best.outcome;
    more[1] |= 1;  // and with the king, and all low cards, in the East
    CHECK(!test.can_win(start, more, meter));
}

void test_too_little_work_gives_a_bound() {
    SuitGame game({0x1400, 0x3}, {0x0800, 0x03FC}, {{0, 2}, {1, 2}});
    const SuitState start{{0x1400, 0x3}, {}, {}};
    const SuitWorth two{{0, 0}, {1, 1}};
    WorkMeter meter;
    meter.allow(1);
    const BestOutcome best = best_outcome(game, start, two, {}, {}, meter);
    CHECK(!best.outcome && best.at_most >= 1);
}

}  // namespace

int main() {
    test_a_finesse_wins_where_the_king_is_onside();
    test_a_finesse_needs_a_lead_from_the_other_hand();
    test_top_cards_win_in_every_lie();
    test_nonsense_is_refused();
    test_a_goal_has_the_value_of_the_front();
    test_too_little_work_gives_a_bound();
    return 0;
}
