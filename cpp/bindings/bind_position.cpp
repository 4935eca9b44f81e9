#include "convert.hpp"

namespace nb = nanobind;
using namespace setrograde;

void bind_position(nb::module_& module) {
    module.def(
        "legal_cards",
        [](const PerSeat<CardSet>& hands, int strain, int leader, const std::vector<int>& trick) {
            return legal_cards(make_position(hands, strain, leader, trick));
        },
        nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"),
        "Card set the player on turn may play from. Raises ValueError for an impossible position.");
    module.def(
        "play_card",
        [](const PerSeat<CardSet>& hands, int strain, int leader, const std::vector<int>& trick, int card) {
            Position position = make_position(hands, strain, leader, trick);
            if (card < 0 || card > 63 || !(legal_cards(position) & bit_of(card))) throw nb::value_error("illegal card");
            return play(position, card);
        },
        nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"), nb::arg("card"),
        "Seat that wins the trick if `card` completes it, else -1.");
}
