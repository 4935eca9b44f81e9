#include "check.hpp"
#include "setrograde/common/checksum.hpp"
#include "setrograde/endings/sets/compaction.hpp"
#include "setrograde/endings/sets/ending_sets.hpp"
#include "setrograde/endings/sets/set_oracle.hpp"

using namespace setrograde;

namespace {

// Eight cards of one suit, two in each hand.
const Shape ONE_SUIT{{0, 0, 0, 0x2222}, false};

SetLevel build_level(int tricks) {
    SetLevel level;
    std::size_t done = 0;
    const ProgressCheck go_on = [&](std::size_t now) {
        done = now;
        return false;
    };
    while (level.tricks() < tricks) level = SetLevel::build(level, go_on);
    CHECK(tricks == 0 || done + 1 == level.shapes());
    return level;
}

// Every layout of the fields as single owners.
std::vector<Masks> list_layouts(const MaskFields& fields) {
    std::vector<Masks> layouts{0}, next;
    for (int card = 0; card < fields.cards(); ++card) {
        next.clear();
        for (const Masks layout : layouts)
            for (int player = 0; player < PLAYERS; ++player) next.push_back(layout | Masks{1} << (4 * card + player));
        layouts.swap(next);
    }
    std::erase_if(layouts, [&](Masks layout) { return fields.is_empty(layout); });
    return layouts;
}

// A small generator; the tests need no more.
struct Random {
    std::uint64_t state = 1;
    std::uint64_t operator()() { return (state = state * 6364136223846793005 + 1442695040888963407) >> 11; }
};

void test_set_algebra_agrees_with_lists_of_layouts() {
    Random random;
    const Shape shapes[] = {{{0x1000, 0x0110, 0x0001, 0x1112}, true}, {{0, 0, 0x1111, 0x1111}, false}, ONE_SUIT};
    for (const Shape& shape : shapes) {
        const MaskFields fields(shape);
        const std::vector<Masks> layouts = list_layouts(fields);
        CHECK(layouts.size() == shape.layouts());
        for (int round = 0; round < 300; ++round) {
            Masks a = layouts[random() % layouts.size()], b = layouts[random() % layouts.size()];
            for (int bit = 0; bit < 4 * fields.cards(); ++bit) {
                if (random() % 2) a |= Masks{1} << bit;
                if (random() % 3 == 0) b |= Masks{1} << bit;
            }
            std::vector<Masks> parts;
            fields.subtract(a, b, parts);
            std::size_t in_a = 0, in_both = 0;
            Masks used = 0;
            for (const Masks layout : layouts) {
                const bool is_in_a = MaskFields::holds(a, layout), is_in_b = MaskFields::holds(b, layout);
                in_a += is_in_a;
                in_both += is_in_a && is_in_b;
                if (is_in_a) used |= layout;
                int holders = 0;
                for (const Masks part : parts) holders += MaskFields::holds(part, layout);
                CHECK(holders == (is_in_a && !is_in_b));
            }
            CHECK(fields.count(a) == in_a && fields.tightened(a) == used);
            CHECK(fields.overlaps(a, b) == (in_both > 0));
            CHECK(MaskFields::holds(a, fields.first(a)) && !fields.is_empty(fields.first(a)));
            const Masks extreme = fields.extreme(a, {3, 2, 1, 0});
            CHECK(MaskFields::holds(a, extreme) && fields.count(extreme) == 1);
            CHECK(fields.is_empty(a & ~(ANYONE << (4 * (random() % static_cast<std::uint64_t>(fields.cards()))))));
        }
    }
}

void test_levels_have_the_known_number_of_sets() {
    const SetLevel none;
    CHECK(none.tricks() == 0 && none.size() == 1 && none.values(0) == std::vector<std::uint8_t>{0});
    const SetLevel one = build_level(1), two = build_level(2);
    CHECK(one.shapes() == 52 && one.statistics().sets_found == 84 && one.size() == 73);
    CHECK(two.shapes() == 2054 && two.statistics().sets_found == 7784 && two.size() == 5352);
}

void test_every_layout_is_in_sets_of_one_value_and_found_in_the_tree() {
    const SetLevel level = build_level(2);
    for (std::size_t rank = 0; rank < level.shapes(); rank += 7) {
        const std::vector<Masks> layouts = list_layouts(level.fields(rank));
        const std::vector<std::uint8_t> values = level.values(rank);
        CHECK(layouts.size() == values.size());
        for (std::size_t i = 0; i < layouts.size(); ++i) {
            int holders = 0;
            for (const EndingSet& set : level.sets(rank))
                if (MaskFields::holds(set.masks, layouts[i])) {
                    ++holders;
                    CHECK(set.value == values[i]);
                }
            CHECK(holders > 0 && level.tree(rank).find(layouts[i]) == values[i]);
        }
    }
}

void test_the_oracle_settles_the_candidates_of_the_paper() {
    const SetLevel below = build_level(1);
    const MaskFields fields(ONE_SUIT);
    SetOracle oracle(below);
    oracle.use_shape(ONE_SUIT, fields);
    // The leader has the two highest cards, then the highest only; the rest are x's.
    CHECK(oracle.is_surely_at_least(fields.tightened(0xFFFFFF11), 2));
    CHECK(!oracle.is_surely_at_least(fields.tightened(0xFFFFFFF1), 2));
    CHECK(oracle.is_surely_at_least(fields.tightened(0xFFFFFFF1), 1));
    CHECK(oracle.is_surely_at_most(fields.tightened(0xFFFFFFAA), 0));
    CHECK(oracle.value(0x84284211) == 2 && oracle.value(0x41418282) == 0);
}

void test_compaction_keeps_every_value() {
    const MaskFields fields(ONE_SUIT);
    const std::vector<Masks> layouts = list_layouts(fields);
    std::vector<EndingSet> sets;
    for (const Masks layout : layouts)  // 1 if a hand of one side has the highest card
        sets.push_back({layout, static_cast<std::uint8_t>((layout & 5) != 0)});
    CHECK(united(fields, sets).size() == sets.size());  // two layouts differ in two cards at least
    const std::vector<EndingSet> four{{0xFFFFFFF1, 1}, {0xFFFFFFF2, 0}, {0xFFFFFFF4, 1}, {0xFFFFFFF8, 0}};
    CHECK((united(fields, four) == std::vector<EndingSet>{{0xFFFFFFFA, 0}, {0xFFFFFFF5, 1}}));
    sets = compacted(fields, sets, [] { return false; });
    CHECK(sets.size() == 2);
    const SetTree tree(fields, sets);
    for (const Masks layout : layouts) CHECK(tree.find(layout) == ((layout & 5) != 0));
    CHECK(SetTree(fields, {}).find(layouts[0]) == -1);
}

void test_a_build_can_be_stopped() {
    const SetLevel below = build_level(1);
    std::size_t done = 0;
    int asked = 0;
    bool is_stopped = false;
    try {
        SetLevel::build(below, [&](std::size_t now) {
            done = now;
            return ++asked == 100;
        });
    } catch (const Stopped&) {
        is_stopped = true;
    }
    CHECK(is_stopped && asked == 100 && done < 2054);
}

const auto go_on = [] { return false; };

// What is wrong with the bytes; empty if nothing.
std::string complaint(const std::string& bytes) {
    try {
        SetLevel::from_bytes(bytes, go_on);
    } catch (const InvalidLevel& error) {
        return error.what();
    }
    return "";
}

// The bytes with some replaced, and the checksum that goes with them.
std::string patched(std::string bytes, std::size_t place, const std::string& patch) {
    bytes.replace(place, patch.size(), patch);
    const std::uint64_t sum = checksum(bytes.data(), bytes.size() - 8);
    for (std::size_t i = 0; i < 8; ++i) bytes[bytes.size() - 8 + i] = static_cast<char>(sum >> (8 * i) & 255);
    return bytes;
}

void test_bytes_read_back_and_damage_is_found() {
    const SetLevel level = build_level(1);
    const std::string bytes = level.to_bytes();
    CHECK(bytes.size() == 48 + 4 * 52 + 9 * 73 + 8);
    CHECK(complaint(bytes).empty() && SetLevel::from_bytes(bytes, go_on).to_bytes() == bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(!complaint(bytes.substr(0, size)).empty());
    CHECK(!complaint(bytes + '\0').empty());
    for (std::size_t place = 0; place < bytes.size(); ++place) {
        std::string changed = bytes;
        changed[place] = static_cast<char>(changed[place] ^ 1 << place % 8);
        CHECK(!complaint(changed).empty());
    }
}

void test_nonsense_with_a_good_checksum_is_refused() {
    const SetLevel level = build_level(1);
    const std::string bytes = level.to_bytes();
    const auto says = [&](std::size_t place, const std::string& patch, const std::string& words) {
        const std::string found = complaint(patched(bytes, place, patch));
        return found.starts_with("not a level of sets: ") && found.find(words) != std::string::npos;
    };
    CHECK(says(0, "X", "at its start") && says(8, "\2", "version 2, known is 1"));
    CHECK(says(12, "\5", "5 tricks, expected 0 to 4") && says(12, "\2", "52 shapes, expected 2054"));
    CHECK(says(16, "5", "bytes of sets, expected") && says(20, "J", "bytes of sets, expected"));
    CHECK(says(48, "\1", "not in order"));
    const std::size_t masks = 48 + 4 * 52, values = masks + 8 * 73;
    CHECK(says(values - 8, std::string(1, '\0'), "a set without endings in shape 51"));
    CHECK(says(values - 1, "\1", "a set without endings in shape 51"));
    CHECK(says(values + 72, "\2", "more tricks than there are in shape 51"));
    // Of a shape with two sets, one takes everything, or both are the same.
    std::size_t rank = 0, first = 0;
    while (level.sets(rank).size() != 2) first += level.sets(rank++).size();
    CHECK(says(masks + 8 * first, "\xFF\xFF", "two values of one ending in shape " + std::to_string(rank)));
    const std::string same = patched(bytes, masks + 8 * first, bytes.substr(masks + 8 * first + 8, 8));
    CHECK(complaint(patched(same, values + first, bytes.substr(values + first + 1, 1))) ==
          "not a level of sets: an ending without a value in shape " + std::to_string(rank));
}

void test_random_patches_never_break_the_reader() {
    const std::string bytes = build_level(1).to_bytes();
    Random random;
    for (int round = 0; round < 3000; ++round) {
        const std::string patch(1 + random() % 8, static_cast<char>(random()));
        const std::size_t place = random() % (bytes.size() - 16);
        const std::string changed = patched(bytes, place, patch);
        if (!complaint(changed).empty()) continue;
        const SetLevel level = SetLevel::from_bytes(changed, go_on);
        for (std::size_t rank = 0; rank < level.shapes(); ++rank)
            for (const std::uint8_t value : level.values(rank)) CHECK(value <= 1);
    }
}

}  // namespace

int main() {
    test_set_algebra_agrees_with_lists_of_layouts();
    test_levels_have_the_known_number_of_sets();
    test_every_layout_is_in_sets_of_one_value_and_found_in_the_tree();
    test_the_oracle_settles_the_candidates_of_the_paper();
    test_compaction_keeps_every_value();
    test_a_build_can_be_stopped();
    test_bytes_read_back_and_damage_is_found();
    test_nonsense_with_a_good_checksum_is_refused();
    test_random_patches_never_break_the_reader();
    return 0;
}
