#include "convert.hpp"

#include <stdexcept>

namespace nb = nanobind;

namespace setrograde {

Position make_position(const std::array<CardSet, 4>& hands, int strain, int leader, const std::vector<int>& trick) {
    Position position;
    position.hands = hands;
    position.strain = strain;
    position.leader = leader;
    if (trick.size() > 3) throw nb::value_error("more than three cards on the table");
    position.trick_size = static_cast<int>(trick.size());
    for (std::size_t i = 0; i < trick.size(); ++i) position.trick[i] = trick[i];
    switch (check(position)) {
        case PositionError::NONE: return position;
        case PositionError::BAD_VALUE: throw nb::value_error("value out of range");
        case PositionError::CARD_TWICE: throw nb::value_error("card twice");
        case PositionError::UNEQUAL_HANDS: throw nb::value_error("hands differ in length");
    }
    throw std::logic_error("unknown position error");
}

}  // namespace setrograde
