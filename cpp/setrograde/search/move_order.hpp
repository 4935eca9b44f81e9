// Move order: which card to try first
//
// A cut-off on the first card is what makes zero-window search fast. Followers are ordered by the
// outcome of the trick, leads by what they attack. Cards come as groups, each a set to be walked
// upward or downward, so nothing is sorted that a cut-off makes needless.
#pragma once

#include <algorithm>

#include "setrograde/search/quick_tricks.hpp"

namespace setrograde {
namespace SETROGRADE_ARCH {

// Groups of cards in the order to be tried.
class MoveOrder {
public:
    void upward(CardSet cards) { add(cards, true); }
    void downward(CardSet cards) { add(cards, false); }

    // The next card that is not in `skip`, or -1.
    Place next(CardSet skip) {
        for (; at_ < size_; ++at_) {
            const CardSet cards = groups_[at_] &= ~skip;
            if (!cards) continue;
            const Place card = up_[at_] ? lowest(cards) : highest(cards);
            groups_[at_] ^= bit_of(card);
            return card;
        }
        return -1;
    }

private:
    void add(CardSet cards, bool up) {
        groups_[size_] = cards;
        up_[size_++] = up;
    }

    CardSet groups_[16];
    bool up_[16];
    int size_ = 0, at_ = 0;
};

// True if card `a`, played later, beats `b`.
template <bool HAS_TRUMP>
constexpr bool beats(Place a, Place b) {
    return suit_of(a) == suit_of(b) ? a > b : HAS_TRUMP && suit_of(a) == TRUMP;
}

// The trick as a follower sees it.
struct TrickView {
    const PerSeat<CardSet>& hands;
    int seat;      // on turn
    int led;       // suit
    Place best;    // winning so far
    int winner;    // its seat
    int position;  // 1, 2 or 3 cards on the table
};

// Discards: the lowest card of the longest suits first.
template <bool HAS_TRUMP>
void order_discards(const TrickView& trick, CardSet cards, MoveOrder& order) {
    int suits[4], lengths[4], n = 0;
    CardSet lows = 0;
    for (int suit = 0; suit < (HAS_TRUMP ? 3 : 4); ++suit) {
        const CardSet held = cards & suit_mask(suit);
        if (!held) continue;
        lows |= held & (0 - held);
        const int length = count(trick.hands[trick.seat] & suit_mask(suit));
        int at = n++;
        for (; at > 0 && lengths[at - 1] < length; --at) {
            lengths[at] = lengths[at - 1];
            suits[at] = suits[at - 1];
        }
        lengths[at] = length;
        suits[at] = suit;
    }
    for (int i = 0; i < n; ++i) order.upward(lows & suit_mask(suits[i]));
    order.upward(cards & ~lows);
}

template <bool HAS_TRUMP>
void order_following(const TrickView& trick, CardSet cards, MoveOrder& order) {
    const CardSet higher = suit_of(trick.best) == trick.led ? cards & above(trick.best) : 0;
    if (!higher) return order.upward(cards);
    const CardSet lower = cards & ~higher;
    const int left = next_seat(trick.seat), opposite = partner(trick.seat);
    const bool partner_wins = trick.winner == opposite;
    if (trick.position == 3) {
        if (partner_wins) return order.upward(cards);
        order.upward(higher);
        return order.upward(lower);
    }
    const CardSet suit = suit_mask(trick.led);
    const CardSet of_left = trick.hands[left] & suit;
    const Place left_top = of_left ? highest(of_left) : -1;
    const auto can_ruff = [&](int seat) {
        return HAS_TRUMP && trick.led != TRUMP && !(trick.hands[seat] & suit) && (trick.hands[seat] & TRUMPS);
    };
    const CardSet sure = left_top < 0 ? higher : higher & above(left_top);
    if (trick.position == 2) {
        if (can_ruff(left) || (partner_wins && left_top < trick.best)) return order.upward(cards);
        if (partner_wins && !sure) {
            // Useless to play high if no card of the last player lies between.
            const CardSet between = of_left & above(trick.best) & (bit_of(highest(higher)) - 1);
            if (!between) return order.upward(cards);
        }
        order.upward(sure);
        order.downward(higher & ~sure);
        return order.upward(lower);
    }
    const CardSet of_partner = trick.hands[opposite] & suit;
    const Place partner_top = of_partner ? highest(of_partner) : -1;
    if (can_ruff(left) && !can_ruff(opposite)) return order.upward(cards);
    if (can_ruff(opposite) || partner_top > std::max(left_top, trick.best)) return order.upward(cards);
    if (sure) {
        order.upward(sure);
        order.upward(lower);
        return order.upward(higher & ~sure);
    }
    if (partner_top > trick.best) {
        order.upward(lower);
        return order.downward(higher);
    }
    order.downward(higher);
    order.upward(lower);
}

template <bool HAS_TRUMP>
void order_void(const TrickView& trick, CardSet cards, MoveOrder& order) {
    CardSet trumps = HAS_TRUMP ? cards & TRUMPS : 0;
    const CardSet others = cards & ~trumps;
    if (trumps) {
        const int left = next_seat(trick.seat);
        const CardSet of_left = trick.hands[left] & suit_mask(trick.led);
        const bool left_has_trump = trick.hands[left] & TRUMPS;
        const bool partner_wins = trick.winner == partner(trick.seat);
        bool partner_is_safe = partner_wins;
        if (partner_wins && trick.position < 3)
            partner_is_safe = of_left ? beats<HAS_TRUMP>(trick.best, highest(of_left)) : !left_has_trump;
        const bool was_ruffed = suit_of(trick.best) == TRUMP;
        const CardSet winning = was_ruffed ? trumps & above(trick.best) : trumps;
        if (!partner_is_safe && winning && !(was_ruffed && partner_wins)) {
            const bool cheapest_holds = trick.position == 3 || of_left || !left_has_trump;
            const CardSet first = cheapest_holds ? winning & (0 - winning) : winning;
            order.upward(first);
            trumps &= ~first;
        }
    }
    order_discards<HAS_TRUMP>(trick, others, order);
    order.upward(trumps);
}

// What leading a suit means, and how promising that is.
struct LeadMerit {
    int merit;
    bool low_first = false;
};

// The figures (in sixteenths) were tuned by coordinate search for fewest nodes on 250 random
// deals. Notrump likes partner's long suits: entries and length count there for
// more than honours. Trump leads early are bad, and not only for the defence.
template <bool HAS_TRUMP>
LeadMerit lead_merit(const PerSeat<CardSet>& hands, int seat, CardSet all, int suit) {
    const int opposite = partner(seat), left = next_seat(seat), right = (seat + 3) & 3;
    const CardSet mask = suit_mask(suit);
    const CardSet mine = hands[seat] & mask, partners = hands[opposite] & mask;
    const CardSet of_left = hands[left] & mask, of_right = hands[right] & mask;
    const CardSet ours = mine | partners, theirs = of_left | of_right;
    const int length = HAS_TRUMP ? -10 * count(mine) : 3 * count(mine) + 27 * count(partners);
    const auto merit = [length](int trump, int notrump, bool low_first = false) {
        return LeadMerit{16 * (HAS_TRUMP ? trump : notrump) + length, low_first};
    };
    if constexpr (HAS_TRUMP) {
        if (suit == TRUMP) return count(ours) > count(theirs) ? merit(-35, 0, true) : merit(-60, 0);
        if (!of_left && (hands[left] & TRUMPS)) return merit(-80, 0);  // they ruff
        if (!of_right && (hands[right] & TRUMPS)) return merit(-105, 0);
        if (!partners && (hands[opposite] & TRUMPS))  // partner ruffs, better with the shorter trumps
            return merit(count(hands[opposite] & TRUMPS) <= count(hands[seat] & TRUMPS) ? 15 : 0, 0);
        if (count(mine) == 1 && (hands[seat] & TRUMPS) && partners) return merit(25, 0);
    }
    CardSet rest = all & mask;
    CardSet top[4] = {};  // ace, king, queen, jack among the cards left
    for (int i = 0; i < 4 && rest; ++i) {
        top[i] = bit_of(highest(rest));
        rest ^= top[i];
    }
    const auto [ace, king, queen, jack] = top;
    // Through the left opponent's honour, towards ours.
    if (count(partners) >= 2 && count(of_left) >= 2 &&
        (((partners & king) && (of_left & ace)) ||
         ((partners & ace) && (of_left & king) && ((partners & queen) || ((ours & queen) && (ours & jack)))) ||
         ((partners & king) && (of_left & queen) && (ours & jack))))
        return merit(30, 38, HAS_TRUMP);
    // Away from an honour into the right opponent's.
    if (count(mine) >= 2 && count(of_right) >= 2 &&
        (((mine & ace) && (of_right & king)) || ((mine & king) && (of_right & ace) && !(ours & queen))))
        return merit(-25, -50);
    if (of_left && of_right && count(ours & (ace | king | queen)) >= 2) return merit(15, 40);
    if (ours & ace) return merit(0, 8);
    return merit(0, -17);
}

// Leads: suits by merit; in each the highest, then the lowest; what lies between comes last.
template <bool HAS_TRUMP>
void order_leads(const PerSeat<CardSet>& hands, int seat, CardSet all, CardSet cards, MoveOrder& order) {
    int suits[4], n = 0;
    LeadMerit merits[4];
    CardSet ends = 0;
    for (int suit = 0; suit < 4; ++suit) {
        const CardSet held = cards & suit_mask(suit);
        if (!held) continue;
        ends |= bit_of(highest(held)) | bit_of(lowest(held));
        const LeadMerit merit = lead_merit<HAS_TRUMP>(hands, seat, all, suit);
        int at = n++;
        for (; at > 0 && merits[at - 1].merit < merit.merit; --at) {
            merits[at] = merits[at - 1];
            suits[at] = suits[at - 1];
        }
        merits[at] = merit;
        suits[at] = suit;
    }
    for (int i = 0; i < n; ++i) {
        const CardSet cards_of_suit = ends & suit_mask(suits[i]);
        if (merits[i].low_first)
            order.upward(cards_of_suit);
        else
            order.downward(cards_of_suit);
    }
    for (int i = 0; i < n; ++i) order.upward(cards & ~ends & suit_mask(suits[i]));
}

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde
