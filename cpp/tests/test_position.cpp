#include "check.hpp"
#include "setrograde/cards/position.hpp"

using namespace setrograde;

namespace {

constexpr Place place(int suit, int rank) { return 16 * suit + rank; }

Position two_tricks() {
    Position position;  // N: SA H2, E: SK S2, S: HA HK, W: S3 D2
    position.hands = {bit_of(place(3, 12)) | bit_of(place(2, 0)), bit_of(place(3, 11)) | bit_of(place(3, 0)),
                      bit_of(place(2, 12)) | bit_of(place(2, 11)), bit_of(place(3, 1)) | bit_of(place(1, 0))};
    return position;
}

void test_void_suit_may_ruff() {
    Position position = two_tricks();
    position.strain = 2;
    CHECK(play(position, place(3, 12)) == -1);
    CHECK(legal_cards(position) == position.hands[EAST]);
    CHECK(play(position, place(3, 11)) == -1);
    CHECK(legal_cards(position) == position.hands[SOUTH]);
    CHECK(play(position, place(2, 11)) == -1);
    CHECK(legal_cards(position) == bit_of(place(3, 1)));
    CHECK(play(position, place(3, 1)) == SOUTH);
    CHECK(position.leader == SOUTH && position.trick_size == 0);
}

void test_bad_positions_are_named() {
    Position position = two_tricks();
    CHECK(check(position) == PositionError::NONE);
    position.hands[NORTH] |= position.hands[EAST];
    CHECK(check(position) == PositionError::CARD_TWICE);
    position = two_tricks();
    position.hands[NORTH] = 0;
    CHECK(check(position) == PositionError::UNEQUAL_HANDS);
    position = two_tricks();
    position.strain = 5;
    CHECK(check(position) == PositionError::BAD_VALUE);
    position = two_tricks();
    position.hands[NORTH] |= CardSet{1} << 13;
    CHECK(check(position) == PositionError::BAD_VALUE);
}

}  // namespace

int main() {
    test_void_suit_may_ruff();
    test_bad_positions_are_named();
    return 0;
}
