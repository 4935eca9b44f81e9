#include <random>
#include <thread>

#include "check.hpp"
#include "setrograde/search/solver.hpp"

using namespace setrograde;

namespace {

// The definition: every card, no table, no bounds.
int minimax(const Position& position) {
    const CardSet legal = legal_cards(position);
    if (!legal) return 0;
    const bool ours = is_north_south(position.turn());
    int best = ours ? -1 : 99;
    for (CardSet rest = legal; rest; rest &= rest - 1) {
        Position next = position;
        const int winner = play(next, lowest(rest));
        const int won = winner >= 0 && is_north_south(winner);
        const int value = won + minimax(next);
        best = ours ? std::max(best, value) : std::min(best, value);
    }
    return best;
}

Position random_position(std::mt19937& random, int tricks, int played) {
    Per<Place, 52> deck;
    for (int i = 0; i < 52; ++i) deck[i] = 16 * (i / 13) + i % 13;
    std::shuffle(deck.begin(), deck.end(), random);
    Position position;
    for (int seat = 0; seat < SEATS; ++seat)
        for (int i = 0; i < tricks; ++i) position.hands[seat] |= bit_of(deck[seat * 13 + i]);
    position.strain = static_cast<int>(random() % 5);
    position.leader = static_cast<int>(random() % 4);
    for (int i = 0; i < played; ++i) {
        CardSet legal = legal_cards(position);
        for (auto skip = random() % static_cast<unsigned>(count(legal)); skip > 0; --skip) legal &= legal - 1;
        play(position, lowest(legal));
    }
    return position;
}

void test_small_endings_agree_with_minimax() {
    std::mt19937 random(1);
    Solver solver(8 << 20, ALL_TECHNIQUES, {});
    for (int i = 0; i < 400; ++i) {
        const Position position = random_position(random, 1 + i % 4, static_cast<int>(random() % 4));
        CHECK(solver.solve(position).tricks_ns == minimax(position));
        for (const CardValue& value : solver.solve_cards(position)) {
            Position next = position;
            const int winner = play(next, value.card);
            CHECK(value.tricks_ns == minimax(next) + (winner >= 0 && is_north_south(winner)));
        }
    }
}

void test_techniques_do_not_change_answers() {
    std::mt19937 random(2);
    for (int i = 0; i < 60; ++i) {
        const Position position = random_position(random, 5, static_cast<int>(random() % 4));
        Solver all(8 << 20, ALL_TECHNIQUES, {}), none(8 << 20, 0, {});
        const int tricks = all.solve(position).tricks_ns;
        CHECK(none.solve(position).tricks_ns == tricks);
        for (unsigned bit = 1; bit < ALL_TECHNIQUES; bit *= 2) {
            Solver without(8 << 20, ALL_TECHNIQUES & ~bit, {}), only(8 << 20, bit, {});
            CHECK(without.solve(position).tricks_ns == tricks);
            CHECK(only.solve(position).tricks_ns == tricks);
        }
    }
}

// Not only the answers: the same nodes, sets and table entries.
void test_the_portable_version_does_the_same() {
    std::mt19937 random(6);
    const auto fast = make_search(16 << 20, ALL_TECHNIQUES, {});
    const auto portable = make_portable_search(16 << 20, ALL_TECHNIQUES, {});
    for (int i = 0; i < 40; ++i) {
        const Position position = random_position(random, 8 + i % 4, static_cast<int>(random() % 4));
        fast->reset();
        portable->reset();
        for (int need = 1; need <= 8; ++need) {
            const Answer a = fast->ask(position, need), b = portable->ask(position, need);
            CHECK(a.yes == b.yes && a.named == b.named);
        }
    }
    CHECK(fast->statistics().nodes == portable->statistics().nodes);
    CHECK(fast->statistics().stores == portable->statistics().stores);
}

// Without patterns every position has an entry of its own: the smallest table overflows.
void test_a_full_table_is_thinned_and_stays_right() {
    std::mt19937 random(3);
    std::uint64_t collections = 0;
    for (int i = 0; i < 3; ++i) {
        const Position position = random_position(random, 13, 0);
        Solver large(64 << 20, ALL_TECHNIQUES, {}), small(0, ALL_TECHNIQUES & ~(PATTERNS | QUICK_TRICKS), {});
        CHECK(small.solve(position).tricks_ns == large.solve(position).tricks_ns);
        CHECK(small.statistics().table_bytes <= 2 << 20);
        collections += small.statistics().collections;
    }
    CHECK(collections > 0);
}

void test_threads_agree_with_one() {
    std::mt19937 random(4);
    std::vector<Position> positions;
    for (int i = 0; i < 64; ++i) positions.push_back(random_position(random, 7, i % 4));
    std::size_t done = 0;
    const ProgressCheck listen = [&](std::size_t now) {
        CHECK(done <= now && now <= positions.size());
        done = now;
        return false;
    };
    const auto eight = solve_many(positions, 8, 64 << 20, listen);
    done = 0;
    CHECK(eight == solve_many(positions, 1, 8 << 20, listen));
    CHECK(done == positions.size());  // one thread asks after every position
}

void test_a_stopped_batch_throws_and_leaves_nothing_running() {
    std::mt19937 random(5);
    std::vector<Position> positions;
    for (int i = 0; i < 400; ++i) positions.push_back(random_position(random, 13, 0));
    bool stopped = false;
    try {
        solve_many(positions, 2, 64 << 20, [](std::size_t done) { return done > 3; });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
}

}  // namespace

int main() {
    test_small_endings_agree_with_minimax();
    test_techniques_do_not_change_answers();
    test_the_portable_version_does_the_same();
    test_a_full_table_is_thinned_and_stays_right();
    test_threads_agree_with_one();
    test_a_stopped_batch_throws_and_leaves_nothing_running();
    return 0;
}
