#include <unistd.h>

#include <cstdio>
#include <memory>
#include <random>
#include <string>

#include "check.hpp"
#include "setrograde/endings/diagrams/diagram_build.hpp"
#include "setrograde/search/ending_check.hpp"

using namespace setrograde;

namespace {

const StopCheck GO_ON = [] { return false; };

// Files of a small level: diagrams of values, and thresholds for the search.
struct Files {
    explicit Files(int tricks)
        : values("/tmp/setrograde_values_" + std::to_string(::getpid())), search(values + "_search") {
        const BuildPlan plan(tricks);
        auto below = empty_level();
        for (int level = 1; level < tricks; ++level) {
            auto built = std::make_unique<OrderedLevel>(level);
            for (std::size_t i = 0; i < plan.shards(level); ++i)
                merge_shard(*built, plan, build_shard(*below, plan, level, i, GO_ON), i);
            below = std::move(built);
        }
        StoredLevel stored(tricks);
        for (std::size_t i = 0; i < plan.shards(tricks); ++i)
            stored.merge(plan, build_shard(*below, plan, tricks, i, GO_ON), i);
        stored.write(values, "test", 0);
        write_thresholds(DiagramLevel(values), search, GO_ON);
    }
    ~Files() {
        ::unlink(values.c_str());
        ::unlink(search.c_str());
    }
    std::string values, search;
};

Position random_position(int tricks, std::mt19937_64& random) {
    Per<Place, 52> pack{};
    for (int i = 0; i < 52; ++i) pack[i] = 16 * (i / 13) + i % 13;
    Position position;
    for (std::size_t i = 0; i < static_cast<std::size_t>(4 * tricks); ++i) {
        std::swap(pack[i], pack[i + random() % (52 - i)]);
        position.hands[i % 4] |= bit_of(pack[i]);
    }
    position.strain = static_cast<int>(random() % 5);
    position.leader = static_cast<int>(random() % 4);
    return position;
}

void test_answers_are_the_same_with_and_without(const Endings& endings) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 150; ++i) {
        const Position position = random_position(2 + i % 6, random);
        Solver with(8 << 20, ALL_TECHNIQUES, {}, endings), without(8 << 20, ALL_TECHNIQUES, {});
        CHECK(with.solve(position).tricks_ns == without.solve(position).tricks_ns);
        CHECK(with.statistics().table_bytes <= 8 << 20);
        const auto cards = with.solve_cards(position), expected = without.solve_cards(position);
        CHECK(cards.size() == expected.size());
        for (std::size_t k = 0; k < cards.size(); ++k) CHECK(cards[k].tricks_ns == expected[k].tricks_ns);
    }
}

void test_every_answer_holds_for_its_whole_set(const Endings& endings, const DiagramLevel& values) {
    std::mt19937_64 random(2);
    EndingCheck sum;
    for (int i = 0; i < 30; ++i) {
        const EndingCheck check = check_endings(random_position(5 + i % 3, random), endings, values, 20, random(), {});
        sum.answers += check.answers;
        sum.members += check.members;
        sum.wrong += check.wrong;
    }
    CHECK(sum.answers > 500 && sum.members == 20 * sum.answers && sum.wrong == 0);
}

}  // namespace

int main() {
    const Files files(3);
    const auto endings = std::make_shared<const ThresholdLevel>(files.search);
    CHECK(endings->tricks() == 3);
    test_answers_are_the_same_with_and_without(endings);
    test_every_answer_holds_for_its_whole_set(endings, DiagramLevel(files.values));
    return 0;
}
