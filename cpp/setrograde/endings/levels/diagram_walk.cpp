// The walk through a diagram. Compiled once for each kind of processor: SETROGRADE_ARCH.
#include <algorithm>

#include "setrograde/cards/pack.hpp"
#include "setrograde/endings/levels/diagram_level.hpp"

namespace setrograde {
namespace SETROGRADE_ARCH {

namespace {

constexpr CardSet LANES = 0x0001'0001'0001'0001;

// Cards of each suit, sixteen bits a suit.
constexpr std::uint64_t count_suits(CardSet cards) {
    cards -= cards >> 1 & 0x5555 * LANES;
    cards = (cards & 0x3333 * LANES) + (cards >> 2 & 0x3333 * LANES);
    cards = (cards + (cards >> 4)) & 0x0F0F * LANES;
    return (cards + (cards >> 8)) & 0x00FF * LANES;
}

// A position as the diagram sees it.
struct Seen {
    std::uint64_t plane0, plane1;       // owner = bit of plane 0 + 2 * bit of plane 1
    std::uint32_t rank;                 // of the shape
    std::array<std::uint8_t, 4> first;  // where the lowest card of each suit lies in the planes
    std::array<std::uint8_t, 4> from;   // which suit it is

    int owner(std::size_t suit, int unread) const {
        const int place = (first[suit] + unread - 1) & 63;
        return static_cast<int>((plane0 >> place & 1) | (plane1 >> place & 1) << 1);
    }
};

// False for hands that are not of the level.
bool see(const DiagramLevel& level, const PerSeat<CardSet>& hands, int strain, int leader, Seen& seen) {
    const CardSet a = hands[leader & 3], b = hands[(leader + 1) & 3], c = hands[(leader + 2) & 3],
                  d = hands[(leader + 3) & 3];
    const CardSet all = a | b | c | d;
    if (((a & b) | (c & d) | ((a | b) & (c | d))) || (all & ~ALL_CARDS) || strain < 0 || strain > NOTRUMP ||
        leader < 0 || leader > 3)
        return false;
    const std::uint64_t counts[4] = {count_suits(a), count_suits(b), count_suits(c), count_suits(d)};
    const auto tricks = static_cast<std::uint64_t>(level.tricks());
    for (const std::uint64_t count : counts)
        if ((count * LANES) >> 48 != tricks) return false;

    const std::uint64_t splits = counts[0] << 12 | counts[1] << 8 | counts[2] << 4 | counts[3];
    const std::uint64_t lengths = counts[0] + counts[1] + counts[2] + counts[3];
    const std::uint64_t ends = lengths * LANES;  // cards up to and with each suit
    struct Suit {
        std::uint32_t key;
        std::uint8_t suit;
    };
    Suit suits[4];
    int used = 0;
    const auto describe = [&](int suit) {
        const auto split = static_cast<std::uint32_t>(splits >> (16 * suit) & 0xFFFF);
        const auto cards = static_cast<std::uint32_t>(lengths >> (16 * suit) & 0xFFFF);
        return Suit{cards << 16 | split, static_cast<std::uint8_t>(suit)};
    };
    const bool trumps = strain < NOTRUMP && (lengths >> (16 * strain) & 0xFFFF) != 0;
    for (int suit = 0; suit < 4; ++suit) {
        if (trumps && suit == strain) continue;
        const Suit fresh = describe(suit);
        int at = used++;
        for (; at > 0 && suits[at - 1].key > fresh.key; --at) suits[at] = suits[at - 1];
        suits[at] = fresh;
    }
    if (trumps) suits[3] = describe(strain);

    Shape shape;
    shape.has_trumps = trumps;
    for (std::size_t i = 0; i < 4; ++i) {
        const int suit = suits[i].suit;
        shape.suits[i] = static_cast<Split>(suits[i].key);
        seen.from[i] = suits[i].suit;
        seen.first[i] = static_cast<std::uint8_t>((ends >> (16 * suit) & 0xFFFF) - (suits[i].key >> 16));
    }
    seen.rank = level.index().rank(shape);
    seen.plane0 = pack(b | d, all);
    seen.plane1 = pack(c | d, all);
    return true;
}

Edge next(const DiagramLevel& level, const Seen& seen, Edge edge) {
    const Tag tag = tag_of(edge);
    return level.follow(edge, seen.owner(static_cast<std::size_t>(suit_of_tag(tag)), unread_of_tag(tag)));
}

std::uint8_t checked_value(const DiagramLevel& level, Edge edge) {
    if (target_of(edge) > static_cast<std::uint32_t>(level.tricks())) level.refuse_edge();
    return static_cast<std::uint8_t>(target_of(edge));
}

}  // namespace

// Positions are walked a few side by side, so that the memory of one is fetched while others go on.
void walk_many(const DiagramLevel& level, std::span<const PerSeat<CardSet>> hands,
               std::span<const std::uint8_t> strains, std::span<const std::uint8_t> leaders,
               std::span<std::uint8_t> out) {
    constexpr std::size_t SIDE_BY_SIDE = 16;
    Seen seen[SIDE_BY_SIDE];
    Edge edges[SIDE_BY_SIDE];
    std::size_t at[SIDE_BY_SIDE];
    for (std::size_t begin = 0; begin < hands.size(); begin += SIDE_BY_SIDE) {
        const std::size_t end = std::min(begin + SIDE_BY_SIDE, hands.size());
        std::size_t walking = 0;
        for (std::size_t i = begin; i < end; ++i) {
            out[i] = BAD_POSITION;
            if (!see(level, hands[i], strains[i], leaders[i], seen[i - begin])) continue;
            level.prefetch_root(seen[i - begin].rank);
            at[walking++] = i - begin;
        }
        for (std::size_t k = 0; k < walking; ++k) {
            edges[at[k]] = level.root(seen[at[k]].rank);
            level.prefetch(edges[at[k]]);
        }
        for (int steps = 4 * level.tricks(); walking; --steps) {
            if (steps < 0) level.refuse_edge();
            std::size_t still = 0;
            for (std::size_t k = 0; k < walking; ++k) {
                const std::size_t i = at[k];
                Edge& edge = edges[i];
                if (is_value(edge)) {
                    out[begin + i] = checked_value(level, edge);
                    continue;
                }
                edge = next(level, seen[i], edge);
                level.prefetch(edge);
                at[still++] = i;
            }
            walking = still;
        }
    }
}

void walk_path(const DiagramLevel& level, const PerSeat<CardSet>& hands, int strain, int leader,
               std::vector<Asked>& path) {
    Seen seen;
    if (!see(level, hands, strain, leader, seen)) return;
    Edge edge = level.root(seen.rank);
    while (!is_value(edge)) {
        if (path.size() == static_cast<std::size_t>(4 * level.tricks())) level.refuse_edge();
        const Tag tag = tag_of(edge);
        const auto suit = static_cast<std::size_t>(suit_of_tag(tag));
        Asked asked{seen.from[suit], unread_of_tag(tag), seen.owner(suit, unread_of_tag(tag)), 0};
        const Edge next = level.follow(edge, asked.owner);
        for (int owner = 0; owner < 4; ++owner)
            asked.same |= static_cast<unsigned>(level.follow(edge, owner) == next) << owner;
        path.push_back(asked);
        edge = next;
    }
}

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde
