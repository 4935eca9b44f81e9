#include "setrograde/play/worlds.hpp"

namespace setrograde {

const char* check(const PlayProblem& problem) {
    const auto& [first, second] = static_cast<const std::array<int, 2>&>(problem.hidden_seats);
    if (first < 0 || first > WEST || second < 0 || second > WEST || first == second) return "not two hidden seats";
    for (int seat = 0; seat < SEATS; ++seat) {
        const bool is_hidden = seat == first || seat == second;
        const Role role = problem.roles[seat];
        if (is_hidden && problem.seen[seat]) return "a hidden seat has cards that are seen";
        if (is_north_south(seat) != (role != Role::OPPONENT)) return "a role on the wrong side";
        if (is_north_south(seat) && is_hidden != (role == Role::FRIEND))
            return "our side chooses cards it does not see";
    }
    if (problem.trick.size() > 3) return "more than three cards on the table";
    if (problem.worlds.empty()) return "no world";
    Position position{.hands = problem.seen, .strain = problem.strain, .leader = problem.leader};
    for (const Place card : problem.trick) position.trick[position.trick_size++] = card;
    for (const CardSet world : problem.worlds) {
        if (world & ~problem.hidden) return "a world with cards that are not hidden";
        position.hands[first] = world;
        position.hands[second] = problem.hidden & ~world;
        switch (check(position)) {
            case PositionError::NONE: break;
            case PositionError::BAD_VALUE: return "value out of range";
            case PositionError::CARD_TWICE: return "card twice";
            case PositionError::UNEQUAL_HANDS: return "hands differ in length";
        }
    }
    return nullptr;
}

}  // namespace setrograde
