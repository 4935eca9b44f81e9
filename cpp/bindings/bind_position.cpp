#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "setrograde/position.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

Position make_position(const std::array<CardSet, 4>& hands, int strain, int leader,
                       const std::vector<int>& trick) {
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

}  // namespace

void bind_position(nb::module_& module) {
    module.def(
        "legal_cards",
        [](const std::array<CardSet, 4>& hands, int strain, int leader,
           const std::vector<int>& trick) {
            return legal_cards(make_position(hands, strain, leader, trick));
        },
        nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"),
        "Card set the player on turn may play from. Raises ValueError for an impossible position.");
    module.def(
        "play_card",
        [](const std::array<CardSet, 4>& hands, int strain, int leader,
           const std::vector<int>& trick, int card) {
            Position position = make_position(hands, strain, leader, trick);
            if (card < 0 || card > 63 || !(legal_cards(position) & bit_of(card)))
                throw nb::value_error("illegal card");
            return play(position, card);
        },
        nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"), nb::arg("card"),
        "Seat that wins the trick if `card` completes it, else -1.");
}
