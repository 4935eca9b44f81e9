// Odds settled by sets against every layout solved alone, on random endings; and the two games with ties
// against all layouts they stand for.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "setrograde/odds/settle.hpp"
#include "setrograde/search/solver.hpp"

using namespace setrograde;

namespace {

int failures = 0;

struct Deal {
    PerSeat<CardSet> hands{};
};

Deal random_deal(std::mt19937_64& random, int tricks, int suits) {
    std::vector<Place> cards;
    for (int suit = 0; suit < suits; ++suit)
        for (int rank = 0; rank < 13; ++rank) cards.push_back(16 * suit + rank);
    Deal deal;
    for (std::size_t i = 0; i < static_cast<std::size_t>(4 * tricks); ++i) {
        std::swap(cards[i], cards[i + random() % (cards.size() - i)]);
        deal.hands[i % 4] |= bit_of(cards[i]);
    }
    return deal;
}

int points_of(CardSet cards) {
    int points = 0;
    for (; cards; cards &= cards - 1) points += std::max(0, lowest(cards) % 16 - 8);
    return points;
}

// All subsets of `cards` with `size` members.
std::vector<CardSet> subsets(CardSet cards, int size) {
    std::vector<CardSet> found;
    const int n = count(cards);
    for (unsigned chosen = 0; chosen < 1u << n; ++chosen) {
        if (std::popcount(chosen) != size) continue;
        CardSet subset = 0, rest = cards;
        for (int i = 0; i < n; ++i, rest &= rest - 1)
            if (chosen >> i & 1) subset |= rest & (0 - rest);
        found.push_back(subset);
    }
    return found;
}

void compare(std::mt19937_64& random, int tricks) {
    const int suits = 1 + static_cast<int>(random() % 4);
    if (4 * tricks > 13 * suits) return;
    Deal deal = random_deal(random, tricks, suits);
    OddsProblem problem;
    problem.strain = static_cast<int>(random() % 5);
    problem.leader = static_cast<int>(random() % 4);
    const int on_table = static_cast<int>(random() % 4) * (random() % 3 == 0);
    Position start;
    start.hands = deal.hands;
    start.strain = problem.strain;
    start.leader = problem.leader;
    for (int i = 0; i < on_table; ++i) {
        const CardSet legal = legal_cards(start);
        const Place card = random() % 2 ? lowest(legal) : highest(legal);
        play(start, card);
        problem.trick.push_back(card);
    }
    problem.north = start.hands[NORTH];
    problem.south = start.hands[SOUTH];
    problem.hidden = start.hands[EAST] | start.hands[WEST];
    if (random() % 3 == 0) {
        problem.min_points = static_cast<int>(random() % 4);
        problem.max_points = problem.min_points + static_cast<int>(random() % 8);
    }
    if (random() % 3 == 0) problem.east = start.hands[EAST] & (0 - start.hands[EAST]);
    const Layouts layouts(problem);

    const int left = count(problem.north) + (on_table > ((NORTH - problem.leader) & 3));
    const int need = 1 + static_cast<int>(random() % static_cast<unsigned>(left));
    Solver solver(8 << 20, ALL_TECHNIQUES, {});
    std::uint64_t yes = 0, all = 0;
    std::vector<std::pair<CardSet, bool>> listed;
    for (const CardSet east : subsets(problem.hidden, count(start.hands[EAST]))) {
        Position position = start;
        position.hands[EAST] = east;
        position.hands[WEST] = problem.hidden & ~east;
        const bool makes = solver.ask(position, need).yes;
        listed.emplace_back(east, makes);
        if ((east & problem.east) != problem.east) continue;
        if (points_of(east) < problem.min_points || points_of(east) > problem.max_points) continue;
        ++all;
        yes += makes;
    }
    if (layouts.size() != all) {
        std::printf("layouts: %lu, not %lu\n", static_cast<unsigned long>(layouts.size()),
                    static_cast<unsigned long>(all));
        ++failures;
    }
    for (const SettleMethod method : {SettleMethod::PATTERNS, SettleMethod::CLASSES})
        for (const int threads : {1, 2}) {
            const char* name = method == SettleMethod::PATTERNS ? "patterns" : "classes";
            const OddsResult result =
                settle(layouts, need, {.method = method, .threads = threads, .limit_bytes = 32 << 20}, {});
            std::uint64_t in_sets = 0;
            for (const OddsSet& set : result.sets) {
                in_sets += set.layouts;
                if (threads == 2) continue;
                for (const auto& [east, makes] : listed) {
                    bool inside = true;
                    for (const OddsBound& bound : set.bounds) {
                        const int held = count(east & bound.cards);
                        inside &= bound.low <= held && held <= bound.high;
                    }
                    if (inside && makes != set.makes) {
                        std::printf("a set of the method of %s is wrong (strain %d, need %d, %d tricks)\n", name,
                                    problem.strain, need, left);
                        ++failures;
                        return;
                    }
                }
            }
            if (result.counts.yes != yes || result.counts.yes + result.counts.no != all || in_sets != all) {
                std::printf("%s, %d threads: %lu of %lu, not %lu of %lu\n", name, threads,
                            static_cast<unsigned long>(result.counts.yes),
                            static_cast<unsigned long>(result.counts.yes + result.counts.no),
                            static_cast<unsigned long>(yes), static_cast<unsigned long>(all));
                ++failures;
            }
        }
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 150;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const int most = argc > 3 ? std::atoi(argv[3]) : 5;
    std::mt19937_64 random(seed);
    for (int i = 0; i < rounds && failures < 5; ++i)
        compare(random, 2 + static_cast<int>(random() % static_cast<unsigned>(most - 1)));
    std::printf("%d problems, %d failures\n", rounds, failures);
    return failures ? 1 : 0;
}
