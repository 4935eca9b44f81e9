// Quick tricks: tricks that a side can take whatever the other does
//
// Bounds for positions at the start of a trick, each with the cards whose owners it relies on. It names no
// others, because a card named here ends up in every pattern above. All bounds are sound, none is
// complete.
#pragma once

#include <algorithm>

#include "setrograde/cards/cards.hpp"

namespace setrograde {
namespace SETROGRADE_ARCH {

inline constexpr int TRUMP = 3;  // the search moves the trump suit here
inline constexpr CardSet TRUMPS = suit_mask(TRUMP);

struct SureTricks {
    int tricks = 0;
    CardSet named = 0;
};

// Winners of one suit that `mine` (on lead) and `partners` can cash together, given how many of
// the suit's top cards each holds. Sets `entry` if partner can reach my hand in this suit.
inline int cash_suit(CardSet mine, int my_winners, CardSet partners, int partner_winners, bool& entry) {
    if (partners && my_winners > 0 && highest(mine) > lowest(partners)) entry = true;
    if (partner_winners == 0) return my_winners;
    if (my_winners == 0) return mine ? partner_winners : 0;
    if (highest(mine) < lowest(partners)) return partner_winners;  // partner must overtake
    if (lowest(mine) > highest(partners)) return my_winners;       // partner cannot get in
    if (partner_winners == count(partners)) --partner_winners;     // one falls under mine
    return std::min(count(mine), my_winners + partner_winners);
}

// Tricks the side on lead can cash at once, up to `target`.
template <bool HAS_TRUMP>
SureTricks quick_tricks(const PerSeat<CardSet>& hands, int seat, CardSet all, int tricks_left, int target) {
    const CardSet mine = hands[seat], partners = hands[partner(seat)];
    const CardSet left = hands[next_seat(seat)], right = hands[(seat + 3) & 3];
    const CardSet winners = (mine | partners) & ~close_down(left | right);
    CardSet named[4] = {};
    int trump_tricks = 0;
    if constexpr (HAS_TRUMP) {
        const int longest = std::max(count(mine & TRUMPS), count(partners & TRUMPS));
        if (!((left | right) & TRUMPS)) {
            trump_tricks = longest;  // by length: no rank matters
        } else if (winners & TRUMPS) {
            trump_tricks = std::min({longest, count(winners & TRUMPS), target});
            named[TRUMP] = top_cards(winners & TRUMPS, trump_tricks);
        }
        if (trump_tricks >= target) return {target, named[TRUMP]};
    }
    if (trump_tricks + count(HAS_TRUMP ? winners & ~TRUMPS : winners) < target) return {};
    int cashed[4] = {};
    int total = 0, total_from_partner = 0;
    bool entry_to_me = false, entry_to_partner = false;
    for (int suit = 0; suit < (HAS_TRUMP ? 3 : 4); ++suit) {
        const CardSet mask = suit_mask(suit);
        if (!(winners & mask)) continue;
        CardSet my = mine & mask, pd = partners & mask;
        const int left_length = count(left & mask), right_length = count(right & mask);
        const int my_length = count(my), pd_length = count(pd);
        if constexpr (HAS_TRUMP) {
            int rounds = 13;  // before an opponent can ruff
            if (left & TRUMPS) rounds = left_length;
            if (right & TRUMPS) rounds = std::min(rounds, right_length);
            my = top_cards(my, rounds);
            pd = top_cards(pd, rounds);
        }
        const CardSet others = all & mask & ~(my | pd);
        const CardSet run = others ? (my | pd) & above(highest(others)) : my | pd;
        // Winners beyond everybody else's length win by length.
        const int opponents = std::max(left_length, right_length);
        const int my_ranks = std::max(opponents, pd_length);
        const int pd_ranks = std::max(opponents, my_length);
        const int my_winners = count(my & run), pd_winners = count(pd & run);
        named[suit] = top_cards(my & run, my_ranks) | top_cards(pd & run, pd_ranks);
        cashed[suit] = cash_suit(my, my_winners, pd, pd_winners, entry_to_me);
        int from_partner = cash_suit(pd, pd_winners, my, my_winners, entry_to_partner);
        if (pd_winners == 0 && my_winners >= my_ranks) cashed[suit] = count(my);
        if (my_winners == 0 && pd_winners >= pd_ranks) from_partner = count(pd);
        total += cashed[suit];
        total_from_partner += from_partner;
    }
    int sure = trump_tricks + total;
    if (sure >= target) {
        // Leave out suits that are not needed.
        int spare = sure - target;
        for (int suit = 0; suit < (HAS_TRUMP ? 3 : 4); ++suit)
            if (cashed[suit] <= spare) {
                spare -= cashed[suit];
                named[suit] = 0;
            }
    } else if (entry_to_partner) {
        sure = std::max(sure, trump_tricks + total_from_partner);
    }
    return {std::min(sure, tricks_left), named[0] | named[1] | named[2] | named[3]};
}

// The same for defenders when declarer decides ties. Winners of both hands in one suit are tied with
// each other, and so are other cards as soon as no card of declarer's is left between; when one falls
// under another, declarer may leave the lead with either hand. So rounds are counted only while the
// partner has a card below one that an opponent still holds, and one more at the end.
template <bool HAS_TRUMP>
SureTricks tied_quick_tricks(const PerSeat<CardSet>& hands, int seat, int tricks_left, int target) {
    const CardSet left = hands[next_seat(seat)], right = hands[(seat + 3) & 3];
    const CardSet winners = (hands[seat] | hands[partner(seat)]) & ~close_down(left | right);
    CardSet trump_named = 0;
    int trump_tricks = 0;
    if constexpr (HAS_TRUMP) {
        const int longest = std::max(count(hands[seat] & TRUMPS), count(hands[partner(seat)] & TRUMPS));
        if (!((left | right) & TRUMPS)) {
            trump_tricks = longest;
        } else if (winners & TRUMPS) {
            trump_tricks = std::min({longest, count(winners & TRUMPS), target});
            trump_named = top_cards(winners & TRUMPS, trump_tricks);
        }
        if (trump_tricks >= target) return {target, trump_named};
    }
    SureTricks best;
    for (const int hand : {seat, partner(seat)}) {
        int total = trump_tricks;
        CardSet named = trump_named, last_named = 0;
        bool entry = hand == seat;
        for (int suit = 0; suit < (HAS_TRUMP ? 3 : 4) && total < target; ++suit) {
            const CardSet mask = suit_mask(suit);
            const CardSet top = hands[hand] & winners & mask;
            int rounds = std::min(count(top), target - total);
            if constexpr (HAS_TRUMP) {  // before an opponent can ruff
                if (left & TRUMPS) rounds = std::min(rounds, count(left & mask));
                if (right & TRUMPS) rounds = std::min(rounds, count(right & mask));
            }
            if (rounds == 0) continue;
            const CardSet others = hands[partner(hand)] & mask;
            int cashed = rounds;
            CardSet divider = 0;
            for (; others && cashed > 0; --cashed) {
                // The lowest of an opponent's best cards, one for each round.
                for (const CardSet enemy : {left & mask, right & mask})
                    if (count(enemy) >= cashed)
                        divider = std::max(divider, top_cards(enemy, cashed) & (0 - top_cards(enemy, cashed)));
                if (divider && count(others & (divider - 1)) >= cashed) break;
                divider = 0;
            }
            if (cashed > 0) {
                named |= top_cards(top, cashed) | divider;
                total += cashed;
                entry |= others != 0;
            }
            if (rounds > cashed && !last_named) last_named = top_cards(top, cashed + 1);
        }
        if (!entry) continue;
        if (total < target && last_named) {
            ++total;
            named |= last_named;
        }
        if (total > best.tricks) best = {std::min(total, tricks_left), named};
    }
    return best;
}

// One trump trick that side (x, its partner y) cannot lose although the enemy holds the ace.
inline SureTricks slow_trump_trick(const PerSeat<CardSet>& hands, int x, CardSet all, bool x_leads, int tricks_left) {
    const CardSet trumps = all & TRUMPS;
    if (count(trumps) < 3) return {};
    const int y = partner(x), left = next_seat(x), right = (x + 3) & 3;
    const CardSet ace = bit_of(highest(trumps));
    const CardSet king = bit_of(highest(trumps ^ ace));
    const CardSet queen = bit_of(highest(trumps ^ ace ^ king));
    const CardSet of_x = hands[x] & TRUMPS, of_y = hands[y] & TRUMPS;
    const auto guards = [](CardSet hand, CardSet honour, int length) {
        return (hand & honour) && count(hand) >= length;
    };
    // Kx behind the ace.
    if ((guards(of_x, king, 2) && (hands[right] & ace) && (!x_leads || tricks_left >= 3)) ||
        (guards(of_y, king, 2) && (hands[left] & ace)))
        return {1, ace | king};
    // KQ in one hand.
    const CardSet both = king | queen;
    if ((of_x & both) == both || (of_y & both) == both) return {1, ace | both};
    // Qxx behind ace and king.
    const CardSet over = ace | king;
    if (count(trumps) >= 5 &&
        ((guards(of_x, queen, 3) && (hands[right] & over) == over && (!x_leads || tricks_left >= 4)) ||
         (guards(of_y, queen, 3) && (hands[left] & over) == over)))
        return {1, over | queen};
    return {};
}

// One trick for the side of `x`, if the other side cannot take all that are left. That side never
// wins a trick in a suit headed by x's side but by a ruff, and wins at most as many in another suit
// as its longer hand has cards there, ruffs counted as one a trump. If so few come together that
// x's side can keep all its heads to the end, it takes one. Heads that are not needed stay unnamed.
template <bool HAS_TRUMP>
SureTricks last_stand(const PerSeat<CardSet>& hands, int x, CardSet all, int tricks_left) {
    const CardSet x_hand = hands[x], y_hand = hands[partner(x)];
    const CardSet left = hands[next_seat(x)], right = hands[(x + 3) & 3];
    if (HAS_TRUMP && ((left | right) & TRUMPS)) return {};  // they could ruff a head out
    int theirs = 0;                                         // tricks they can win elsewhere
    int x_heads = 0, y_heads = 0;
    struct Head {
        CardSet card;
        int tricks;  // theirs in this suit if the head is not relied on
    } heads[4];
    int n = 0;
    for (int suit = 0; suit < (HAS_TRUMP ? 3 : 4); ++suit) {
        const CardSet mask = suit_mask(suit);
        if (!(all & mask)) continue;
        const CardSet head = bit_of(highest(all & mask));
        const int longest = std::max(count(left & mask), count(right & mask));
        if ((x_hand | y_hand) & head) {
            ++(x_hand & head ? x_heads : y_heads);
            heads[n++] = {head, longest};
        } else {
            theirs += longest;
        }
    }
    if (n == 0 || theirs + std::max(x_heads, y_heads) > tricks_left) return {};
    CardSet named = 0;
    for (int i = 0; i < n; ++i) {
        int& held = x_hand & heads[i].card ? x_heads : y_heads;
        --held;
        if (x_heads + y_heads > 0 && theirs + heads[i].tricks + std::max(x_heads, y_heads) <= tricks_left) {
            theirs += heads[i].tricks;
        } else {
            ++held;
            named |= heads[i].card;
        }
    }
    return {1, named};
}

// Tricks the side not on lead is sure to take sooner or later.
template <bool HAS_TRUMP>
SureTricks slow_tricks(const PerSeat<CardSet>& hands, int seat, CardSet all, int tricks_left) {
    const CardSet mine = hands[seat], partners = hands[partner(seat)];
    const CardSet left = hands[next_seat(seat)], right = hands[(seat + 3) & 3];
    if (HAS_TRUMP && (all & TRUMPS)) {
        const int longest = std::max(count(left & TRUMPS), count(right & TRUMPS));
        if (!((mine | partners) & TRUMPS)) return {longest, 0};
        const CardSet winners = (left | right) & TRUMPS & ~close_down((mine | partners) & TRUMPS);
        if (!winners) return slow_trump_trick(hands, next_seat(seat), all, false, tricks_left);
        const int tricks = std::min(longest, count(winners));
        return {tricks, top_cards(winners, tricks)};
    }
    // Notrump: every suit the leader can lead is headed by the opponents.
    CardSet heads = 0;
    for (int suit = 0; suit < 4; ++suit) {
        if (!(mine & suit_mask(suit))) continue;
        const CardSet head = bit_of(highest(all & suit_mask(suit)));
        if ((mine | partners) & head) return {};
        heads |= head;
    }
    const bool in_one_hand = !(heads & ~left) || !(heads & ~right);
    return {in_one_hand ? count(heads) : 1, heads};
}

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde
