#include "setrograde/endings/shapes/owner_masks.hpp"

#include <array>

namespace setrograde {

namespace {

constexpr Masks LOWEST_BITS = 0x1111111111111111;

// True if some card of `everything` has no owner in `masks`.
bool has_orphan(Masks masks, Masks everything) {
    masks |= masks >> 1;
    masks |= masks >> 2;
    return (~masks & everything & LOWEST_BITS) != 0;
}

std::uint64_t count_suit(Masks masks, Split split) {
    // Ways to share out the highest cards, by how many of them each player got; a card is shared out
    // in ascending order of these numbers.
    constexpr std::size_t NUMBERS = MAX_SET_TRICKS + 1;
    std::array<std::uint64_t, NUMBERS * NUMBERS * NUMBERS * NUMBERS> ways{1};
    const int most[] = {held(split, 0), held(split, 1), held(split, 2), held(split, 3)};
    const int step[] = {(most[1] + 1) * (most[2] + 1) * (most[3] + 1), (most[2] + 1) * (most[3] + 1), most[3] + 1, 1};
    std::size_t at = 0;
    for (int a = 0; a <= most[0]; ++a)
        for (int b = 0; b <= most[1]; ++b)
            for (int c = 0; c <= most[2]; ++c)
                for (int d = 0; d <= most[3]; ++d, ++at) {
                    const int got[] = {a, b, c, d};
                    const int card = a + b + c + d;
                    if (card == length(split)) return ways[at];
                    for (std::size_t player = 0; player < 4; ++player)
                        if (got[player] < most[player] && (masks >> (4 * card + static_cast<int>(player)) & 1) != 0)
                            ways[at + static_cast<std::size_t>(step[player])] += ways[at];
                }
    return 0;  // not reached
}

// The players who have a card with that mask in some layout.
Masks used_owners(Masks mask, ByGroup cards, ByGroup room) {
    if ((mask & (mask - 1)) == 0) return mask;
    Masks used = 0;
    for (Masks rest = mask; rest != 0; rest &= rest - 1) {
        const Masks owner = rest & (~rest + 1);
        if (can_share(cards - one_with(mask) + one_with(owner), room)) used |= owner;
    }
    return used;
}

}  // namespace

MaskFields::MaskFields(const Shape& shape) {
    for (std::size_t suit = 0; suit < 4; ++suit) {
        SuitField& field = suits_[suit];
        field.cards = length(shape.suits[suit]);
        field.first = field.cards > 0 ? cards_ : 0;
        field.split = shape.suits[suit];
        field.room = places(shape.suits[suit]);
        for (int card = 0; card < field.cards; ++card) field.bits |= ANYONE << (4 * cards_++);
        everything_ |= field.bits;
    }
}

bool MaskFields::is_empty(Masks masks) const {
    for (std::size_t suit = 0; suit < 4; ++suit)
        if (!can_share(masks, suit)) return true;
    return false;
}

bool MaskFields::overlaps(Masks a, Masks b) const {
    const Masks common = a & b;
    if (common == a || common == b) return true;
    if (has_orphan(common, everything_)) return false;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const Masks bits = suits_[suit].bits;
        if (((common ^ a) & bits) != 0 && ((common ^ b) & bits) != 0 && !can_share(common, suit)) return false;
    }
    return true;
}

Masks MaskFields::tightened(Masks masks) const {
    Masks tight = 0;
    for (const SuitField& field : suits_) {
        const ByGroup cards = tally(masks >> (4 * field.first), field.cards);
        std::array<Masks, 16> used{};  // by mask: cards with the same mask are alike
        for (int card = field.first; card < field.first + field.cards; ++card) {
            const Masks mask = masks >> (4 * card) & ANYONE;
            if (used[mask] == 0) used[mask] = used_owners(mask, cards, field.room);
            tight |= used[mask] << (4 * card);
        }
    }
    return tight;
}

Masks MaskFields::extreme(Masks masks, const std::array<int, 4>& order) const {
    Masks layout = 0;
    for (const SuitField& field : suits_) {
        ByGroup cards = tally(masks >> (4 * field.first), field.cards), room = field.room;
        for (int card = field.first; card < field.first + field.cards; ++card) {
            const Masks mask = masks >> (4 * card) & ANYONE;
            cards -= one_with(mask);
            for (const int player : order) {
                const ByGroup left = room - PLACE_OF[player];
                if ((mask >> player & 1) != 0 && has_place(room, player) && setrograde::can_share(cards, left)) {
                    layout |= Masks{1} << (4 * card + player);
                    room = left;
                    break;
                }
            }
        }
    }
    return layout;
}

void MaskFields::subtract(Masks a, Masks b, std::vector<Masks>& parts) const {
    if (!overlaps(a, b)) {
        parts.push_back(a);
        return;
    }
    const Masks common = a & b;
    Masks done = 0;  // cards that agree with b
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const SuitField& field = suits_[suit];
        for (int card = field.first; card < field.first + field.cards; ++card) {
            const Masks bits = ANYONE << (4 * card);
            const Masks other = a & ~b & bits;
            if (other != 0) {
                const Masks part = (common & done) | other | (a & ~(done | bits));
                if (can_share(part, suit)) parts.push_back(part);
            }
            done |= bits;
        }
    }
}

std::uint64_t MaskFields::count(Masks masks) const {
    std::uint64_t product = 1;
    for (const SuitField& field : suits_) product *= count_suit(masks >> (4 * field.first), field.split);
    return product;
}

}  // namespace setrograde
