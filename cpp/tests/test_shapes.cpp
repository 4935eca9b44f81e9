#include "check.hpp"
#include "setrograde/endings/shapes/shapes.hpp"

using namespace setrograde;

namespace {

void test_every_shape_has_the_number_of_its_place() {
    const std::size_t sizes[] = {1, 52, 2054, 32641, 309014};
    for (int tricks = 0; tricks <= 4; ++tricks) {
        const ShapeIndex index(tricks);
        const std::vector<Shape> shapes = index.shapes();
        CHECK(index.size() == sizes[tricks] && shapes.size() == index.size());
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            CHECK(index.rank(shapes[i]) == i);
            CHECK(shapes[i].tricks() == tricks);
            if (i % 7 == 0) CHECK(index.shape(i) == shapes[i]);
            CHECK(canonical(shapes[i]).shape == shapes[i]);
        }
    }
}

void test_shapes_without_trumps_left_are_notrump() {
    const Shape shape{{0x1010, 0x0100, 0x0001, 0}, true};
    const Canonical found = canonical(shape);
    CHECK((found.shape == Shape{{0, 0x0001, 0x0100, 0x1010}, false}));
    CHECK((found.from == std::array<std::uint8_t, 4>{3, 2, 1, 0}));
}

void test_a_suit_seen_by_another_player() {
    CHECK(seen_from(0x1234, 0) == 0x1234 && seen_from(0x1234, 1) == 0x2341);
    CHECK(count_strings(0x2101) == 12 && count_strings(0) == 1 && length(0x1234) == 10);
}

}  // namespace

int main() {
    test_every_shape_has_the_number_of_its_place();
    test_shapes_without_trumps_left_are_notrump();
    test_a_suit_seen_by_another_player();
    return 0;
}
