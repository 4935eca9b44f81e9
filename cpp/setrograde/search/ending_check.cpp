#include "setrograde/search/ending_check.hpp"

#include <algorithm>
#include <cassert>
#include <random>

namespace setrograde {

namespace {

// Another deal with the same lengths and the same owners of the named cards.
PerSeat<CardSet> random_member(const PerSeat<CardSet>& hands, CardSet named, std::mt19937_64& random) {
    PerSeat<CardSet> dealt;
    for (int seat = 0; seat < SEATS; ++seat) dealt[seat] = hands[seat] & named;
    for (int suit = 0; suit < SUITS; ++suit) {
        std::vector<Place> cards;
        std::vector<int> owners;
        for (int seat = 0; seat < SEATS; ++seat)
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
                          std::uint64_t seed, const StopCheck& should_stop) {
    assert(endings->tricks() == values.tricks());
    EndingCheck check;
    std::mt19937_64 random(seed);
    const auto poll = [&should_stop] { return should_stop && should_stop(); };
    Solver solver(std::size_t{256} << 20, ALL_TECHNIQUES, poll, endings);
    solver.search().observe_endings([&](const EndingUse& use) {
        ++check.answers;
        const Position& asked = use.position;
        for (int i = 0; i < members; ++i) {
            // The search asks once in many answers; trying their members may take longer than it does.
            if (++check.members % 1024 == 0 && poll()) throw Stopped{};
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
