#include "setrograde/endings/queries/card_values.hpp"

#include <algorithm>

namespace setrograde {

namespace {

class Trick {
public:
    explicit Trick(const DiagramLevel* below) : below_(below) {}

    // Tricks of North-South when `card` is played.
    int after(Position position, Place card) const {
        const int winner = play(position, card);
        if (winner < 0) return best(position);
        const int won = is_north_south(winner);
        if (!below_) return won;
        const std::uint8_t found = below_->value(position.hands, position.strain, winner);
        if (found == BAD_POSITION) below_->refuse_edge();
        return won + (won ? found : below_->tricks() - found);
    }

private:
    int best(const Position& position) const {
        const bool is_max = is_north_south(position.turn());
        CardSet present = position.hands[0] | position.hands[1] | position.hands[2] | position.hands[3];
        for (int i = 0; i < position.trick_size; ++i) present |= bit_of(position.trick[static_cast<std::size_t>(i)]);
        const CardSet hand = position.hands[position.turn()];
        int result = -1;
        for (CardSet left = legal_cards(position); left; left &= left - 1) {
            const Place card = lowest(left);
            if (!is_lowest_of_run(card, hand, present)) continue;
            const int value = after(position, card);
            if (result < 0 || (is_max ? value > result : value < result)) result = value;
        }
        return result;
    }

    // No card of the same hand lies directly below: of touching cards the lowest is enough.
    static bool is_lowest_of_run(Place card, CardSet hand, CardSet present) {
        const CardSet below = present & suit_mask(suit_of(card)) & (bit_of(card) - 1);
        return !below || !(hand & bit_of(highest(below)));
    }

    const DiagramLevel* below_;
};

}  // namespace

std::vector<std::pair<Place, int>> card_values(const Position& position, const DiagramLevel* below) {
    const Trick trick(below);
    const bool ns = is_north_south(position.turn());
    const int tricks = 1 + (below ? below->tricks() : 0);
    std::vector<std::pair<Place, int>> values;
    for (CardSet left = legal_cards(position); left; left &= left - 1) {
        const int value = trick.after(position, lowest(left));
        values.emplace_back(lowest(left), ns ? value : tricks - value);
    }
    return values;
}

}  // namespace setrograde
