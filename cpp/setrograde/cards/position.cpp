#include "setrograde/cards/position.hpp"

#include <cassert>

namespace setrograde {

PositionError check(const Position& position) {
    if (position.strain < 0 || position.strain > NOTRUMP || position.leader < 0 || position.leader > 3 ||
        position.trick_size < 0 || position.trick_size > 3)
        return PositionError::BAD_VALUE;
    CardSet seen = 0;
    for (CardSet hand : position.hands) {
        if (hand & ~ALL_CARDS) return PositionError::BAD_VALUE;
        if (hand & seen) return PositionError::CARD_TWICE;
        seen |= hand;
    }
    PerSeat<int> held{};
    for (int seat = 0; seat < 4; ++seat) held[seat] = count(position.hands[seat]);
    for (int step = 0; step < position.trick_size; ++step) {
        const Place card = position.trick[step];
        if (card < 0 || card > 63 || !(bit_of(card) & ALL_CARDS)) return PositionError::BAD_VALUE;
        if (bit_of(card) & seen) return PositionError::CARD_TWICE;
        seen |= bit_of(card);
        ++held[(position.leader + step) & 3];
    }
    for (int seat = 1; seat < 4; ++seat)
        if (held[seat] != held[0]) return PositionError::UNEQUAL_HANDS;
    return PositionError::NONE;
}

CardSet legal_cards(const Position& position) {
    const CardSet hand = position.hands[position.turn()];
    if (position.trick_size == 0) return hand;
    const CardSet following = cards_of(hand, suit_of(position.trick[0]));
    return following ? following : hand;
}

int play(Position& position, Place card) {
    assert(legal_cards(position) & bit_of(card));
    position.hands[position.turn()] &= ~bit_of(card);
    if (position.trick_size < 3) {
        position.trick[position.trick_size++] = card;
        return -1;
    }
    Place best = position.trick[0];
    int winner = 0;
    for (int step = 1; step < 4; ++step) {
        const Place later = step < 3 ? position.trick[step] : card;
        if (beats(later, best, position.strain)) {
            best = later;
            winner = step;
        }
    }
    position.leader = (position.leader + winner) & 3;
    position.trick_size = 0;
    return position.leader;
}

}  // namespace setrograde
