#include <random>

#include "check.hpp"
#include "setrograde/endings/states/state_tables.hpp"
#include "setrograde/search/solver.hpp"

using namespace setrograde;

namespace {

std::shared_ptr<const StateLevel> level(int tricks) {
    auto found = std::make_shared<const StateLevel>();
    while (found->tricks() < tricks) found = std::make_shared<const StateLevel>(*found, Work{});
    return found;
}

void test_strings_have_the_numbers_of_their_places() {
    const OwnerStrings strings(4);
    for (const Split split :
         {Split{0}, Split{0x1111}, Split{0x2103}, Split{0x4030}, Split{0x3212}, Split{0x4420}, Split{0x1444}}) {
        const std::vector<OwnerCode> codes = list_strings(split);
        CHECK(codes.size() == strings.count(split) && codes.size() == count_strings(split));
        for (std::size_t i = 0; i < codes.size(); ++i) {
            CHECK(rank_string(codes[i], split) == i);
            CHECK(strings.ranks(split, 0)(codes[i]) == i);
        }
    }
}

void test_strings_are_numbered_as_another_player_sees_them() {
    const OwnerStrings strings(4);
    for (const Split split : {Split{0x1111}, Split{0x2103}, Split{0x4213}, Split{0x3333}})
        for (int first = 0; first < PLAYERS; ++first)
            for (const OwnerCode code : list_strings(split)) {
                OwnerCode seen = 0;
                for (int place = length(split) - 1; place >= 0; --place)
                    seen = seen << 2 | static_cast<OwnerCode>((owner_of(code, place) - first) & 3);
                const Split turned = seen_from(split, first);
                CHECK(strings.ranks(turned, first)(code) == rank_string(seen, turned));
            }
}

void test_levels_hold_every_state() {
    const std::size_t states[] = {1, 209, 87162};
    for (int tricks = 0; tricks <= 2; ++tricks) {
        const auto found = level(tricks);
        CHECK(found->tricks() == tricks && found->states() == states[tricks]);
        std::size_t layouts = 0;
        for (std::size_t rank = 0; rank < found->shapes(); ++rank) layouts += found->table(rank).size();
        CHECK(layouts == found->layouts() && layouts >= states[tricks]);
    }
}

// Random hands, and what the search says of them.
void test_values_are_those_of_the_search() {
    std::mt19937 random(6);
    for (int tricks = 1; tricks <= 2; ++tricks) {
        const auto found = level(tricks);
        Solver solver(8 << 20, ALL_TECHNIQUES, {});
        for (int i = 0; i < 500; ++i) {
            Position position;
            CardSet used = 0;
            for (CardSet& hand : position.hands)
                while (count(hand) < tricks) {
                    const auto place = static_cast<Place>(random() % 4 * 16 + random() % 13);
                    const CardSet card = bit_of(place);
                    if (!(used & card)) hand |= card;
                    used |= card;
                }
            position.strain = static_cast<int>(random() % 5);
            position.leader = static_cast<int>(random() % 4);
            const int ns = solver.solve(position).tricks_ns;
            const int value = found->value(position.hands, position.strain, position.leader);
            CHECK(value == (is_north_south(position.leader) ? ns : tricks - ns));
        }
    }
}

void test_single_shapes_have_the_tables_of_the_level() {
    const auto two = level(2);
    const std::vector<Shape> shapes = two->index().shapes();
    ShapeSolver from_one(level(1), 1 << 20), from_none(level(0), 1 << 20);
    for (std::size_t rank = 0; rank < shapes.size(); rank += 7) {
        const auto table = two->table(rank);
        const Values expected(table.begin(), table.end());
        CHECK(from_one.solve(shapes[rank], {}) == expected);
        CHECK(from_none.solve(shapes[rank], {2, {}}) == expected);
    }
}

void test_a_shape_beyond_the_limit_is_refused() {
    const Shape shape{{0, 0, 0x1111, 0x1111}, false};
    ShapeSolver solver(level(0), 600);
    CHECK(solver.bytes_needed(shape) == 576 + 24);
    CHECK(solver.solve(shape, {}).size() == 576);
    ShapeSolver smaller(level(0), 599);
    bool refused = false;
    try {
        smaller.solve(shape, {});
    } catch (const std::length_error&) {
        refused = true;
    }
    CHECK(refused);
}

void test_levels_survive_bytes_and_damage_is_noticed() {
    const auto two = level(2);
    const std::vector<std::uint8_t> bytes = two->to_bytes();
    const StateLevel read = StateLevel::from_bytes(bytes);
    for (std::size_t rank = 0; rank < two->shapes(); ++rank) {
        const auto a = two->table(rank), b = read.table(rank);
        CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }
    const auto is_refused = [](const std::vector<std::uint8_t>& text) {
        try {
            StateLevel::from_bytes(text);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    for (std::size_t at = 0; at < bytes.size(); at += at < 40 ? 1 : 997) {
        std::vector<std::uint8_t> damaged = bytes;
        damaged[at] ^= 1;
        CHECK(is_refused(damaged));
        damaged.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
        CHECK(is_refused(damaged));
    }
}

void test_work_stops_when_told() {
    const auto two = level(2);
    bool stopped = false;
    try {
        StateLevel(*two, {2, [](std::size_t) { return true; }});
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
}

}  // namespace

int main() {
    test_strings_have_the_numbers_of_their_places();
    test_strings_are_numbered_as_another_player_sees_them();
    test_levels_hold_every_state();
    test_values_are_those_of_the_search();
    test_single_shapes_have_the_tables_of_the_level();
    test_a_shape_beyond_the_limit_is_refused();
    test_levels_survive_bytes_and_damage_is_noticed();
    test_work_stops_when_told();
    return 0;
}
