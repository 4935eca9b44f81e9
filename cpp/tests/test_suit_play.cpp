#include "check.hpp"
#include "setrograde/suit_play.hpp"

#include <bit>

using namespace setrograde;

namespace {

using Lies = std::vector<std::vector<std::uint8_t>>;

// How many lies an outcome wins so many tricks or more in.
int count(const SuitSolver& solver, const OutcomeFront& front, std::size_t outcome, int tricks) {
    const std::size_t width = solver.words() * static_cast<std::size_t>(solver.levels());
    int lies = 0;
    for (std::size_t i = 0; i < solver.words(); ++i)
        lies += std::popcount(front.bits[outcome * width +
                                         static_cast<std::size_t>(tricks - 1) * solver.words() + i]);
    return lies;
}

// North A Q, South 3 2 against the king and six low cards: the finesse wins in half of the lies.
void test_a_finesse_wins_where_the_king_is_onside() {
    Lies lies;
    for (std::uint8_t king = 0; king < 2; ++king)
        for (std::uint8_t low = 0; low <= 8; ++low) lies.push_back({king, low});
    SuitSolver solver({0x1400, 0x3}, {0x0800, 0x03FC}, lies);
    const OutcomeFront& front = solver.front({{0x1400, 0x3}, {}, {}});
    int best = 0;
    for (std::size_t i = 0; i < front.size; ++i) {
        CHECK(count(solver, front, i, 1) == 18);
        best = std::max(best, count(solver, front, i, 2));
    }
    CHECK(best == 9);
}

// Without entries to South the finesse cannot be taken, only the singleton king dropped.
void test_a_finesse_needs_a_lead_from_the_other_hand() {
    Lies lies;
    for (std::uint8_t king = 0; king < 2; ++king)
        for (std::uint8_t low = 0; low <= 8; ++low) lies.push_back({king, low});
    SuitSolver solver({0x1400, 0x3}, {0x0800, 0x03FC}, lies);
    const OutcomeFront& front = solver.front({{0x1400, 0x3}, {}, {}, {0, 0}, 0});
    CHECK(front.size == 1 && count(solver, front, 0, 2) == 2);
}

void test_top_cards_win_in_every_lie() {
    SuitSolver solver({0x1C00, 0x7}, {0x03F8}, {{0}, {3}, {7}});
    const OutcomeFront& front = solver.front({{0x1C00, 0x7}, {}, {}});
    CHECK(front.size == 1 && count(solver, front, 0, 3) == 3);
}

template <typename Work>
bool is_refused(Work work) {
    try {
        work();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void test_nonsense_is_refused() {
    CHECK(is_refused([] { SuitSolver({1, 1}, {2}, {{0}}); }));
    CHECK(is_refused([] { SuitSolver({1, 2}, {2}, {{0}}); }));
    CHECK(is_refused([] { SuitSolver({1, 2}, {4}, {{2}}); }));
    CHECK(is_refused([] { SuitSolver({1, 2}, {4}, {}); }));
    SuitSolver solver({1, 2}, {4}, {{1}});
    CHECK(is_refused([&] { solver.front({{4, 0}, {}, {}}); }));
    CHECK(is_refused([&] { solver.front({{1, 2}, {{{2}}}, {}}); }));
}

}  // namespace

int main() {
    test_a_finesse_wins_where_the_king_is_onside();
    test_a_finesse_needs_a_lead_from_the_other_hand();
    test_top_cards_win_in_every_lie();
    test_nonsense_is_refused();
    return 0;
}
