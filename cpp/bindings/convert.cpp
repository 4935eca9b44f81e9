#include "convert.hpp"

#include <stdexcept>

namespace nb = nanobind;

namespace setrograde {

Position make_position(const PerSeat<CardSet>& hands, int strain, int leader, const std::vector<int>& trick) {
    Position position{.hands = {hands}, .strain = strain, .leader = leader};
    if (trick.size() > position.trick.size()) throw nb::value_error("more than three cards on the table");
    for (const int card : trick) position.trick[position.trick_size++] = card;
    switch (check(position)) {
        case PositionError::NONE: return position;
        case PositionError::BAD_VALUE: throw nb::value_error("value out of range");
        case PositionError::CARD_TWICE: throw nb::value_error("card twice");
        case PositionError::UNEQUAL_HANDS: throw nb::value_error("hands differ in length");
    }
    throw std::logic_error("unknown position error");
}

}  // namespace setrograde
