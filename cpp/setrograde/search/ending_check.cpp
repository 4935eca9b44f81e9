#include "setrograde/search/ending_check.hpp"

#include <algorithm>
#include <random>

namespace setrograde {

namespace {

// Another deal with the same lengths and the same owners of the named cards.
std::array<CardSet, 4> random_member(const std::array<CardSet, 4>& hands, CardSet named, std::mt19937_64& random) {
    std::array<CardSet, 4> dealt;
    for (std::size_t seat = 0; seat < 4; ++seat) dealt[seat] = hands[seat] & named;
    for (int suit = 0; suit < SUITS; ++suit) {
        std::vector<Place> cards;
        std::vector<std::size_t> owners;
        for (std::size_t seat = 0; seat < 4; ++seat)
            for (CardSet left = cards_of(hands[seat], suit) & ~named; left; left &= left - 1) {
                cards.push_back(lowest(left));
                owners.push_back(seat);
            }
        std::shuffle(owners.begin(), owners.end(), random);
        for (std::size_t i = 0; i < cards.size(); ++i) dealt[owners[i]] |= bit_of(cards[i]);
    }
    return dealt;
}

}  // namespace

EndingCheck check_endings(const Position& position, const Endings& endings, const DiagramLevel& values, int members,
                          std::uint64_t seed, StopCheck should_stop) {
    EndingCheck check;
    std::mt19937_64 random(seed);
    Solver solver(std::size_t{256} << 20, ALL_TECHNIQUES, std::move(should_stop), endings);
    solver.search().observe_endings([&](const EndingUse& use) {
        ++check.answers;
        const Position& asked = use.position;
        for (int i = 0; i < members; ++i) {
            ++check.members;
            const auto hands = i ? random_member(asked.hands, use.answer.named, random) : asked.hands;
            const int found = values.value(hands, asked.strain, asked.leader);
            const int ns = is_north_south(asked.leader) ? found : values.tricks() - found;
            check.wrong += found == BAD_POSITION || (ns >= use.need) != use.answer.yes;
        }
    });
    solver.solve(position);
    return check;
}

}  // namespace setrograde
