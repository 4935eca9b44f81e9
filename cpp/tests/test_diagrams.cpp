#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "check.hpp"
#include "setrograde/endings/diagrams/diagram_build.hpp"
#include "setrograde/endings/queries/set_query.hpp"
#include "setrograde/endings/states/state_tables.hpp"

using namespace setrograde;

namespace {

const StopCheck GO_ON = [] { return false; };

std::string scratch(const std::string& name) {
    return "/tmp/setrograde_test_" + std::to_string(::getpid()) + "_" + name;
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// Shards go through their stored form.
void build(int tricks, const std::string& path) {
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
        stored.merge(plan, Shard::from_bytes(build_shard(*below, plan, tricks, i, GO_ON).to_bytes()), i);
    stored.write(path, "test", 0);
}

void test_all_values_equal_plain_enumeration() {
    auto states = StateLevel();
    for (int tricks = 1; tricks <= 2; ++tricks) {
        states = StateLevel(states, Work{2, {}});
        const std::string path = scratch("level");
        build(tricks, path);
        const DiagramLevel level(path);
        CHECK(level.index().size() == states.shapes());
        for (std::size_t rank = 0; rank < states.shapes(); ++rank) {
            const std::vector<std::uint8_t> values = level.values_of_shape(rank);
            const auto expected = states.table(rank);
            CHECK(std::equal(values.begin(), values.end(), expected.begin(), expected.end()));
        }
        ::unlink(path.c_str());
    }
}

void test_a_damaged_file_is_refused() {
    const std::string path = scratch("damaged");
    build(2, path);
    const std::string good = read_file(path);
    const auto is_refused = [&](const std::string& bytes) {
        write_file(path, bytes);
        try {
            DiagramLevel(path).file().touch_all();
        } catch (const LevelFileError&) {
            return true;
        }
        return false;
    };
    CHECK(!is_refused(good));
    for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 997) {
        if (at >= 328 && at < LEVEL_FILE_HEADER) continue;  // nothing is there
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1 << (at % 8));
        CHECK(is_refused(bad));
        CHECK(is_refused(good.substr(0, at)));
    }
    ::unlink(path.c_str());
}

void test_damaged_shards_are_refused() {
    const BuildPlan plan(1);
    const std::string good = build_shard(*empty_level(), plan, 1, 0, GO_ON).to_bytes();
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1 << (at % 8));
        bool refused = false;
        try {
            Shard::from_bytes(bad);
        } catch (const ShardError&) {
            refused = true;
        }
        CHECK(refused);
    }
}

void test_a_stopped_build_throws() {
    bool stopped = false;
    try {
        build_shard(*empty_level(), BuildPlan(1), 1, 0, [] { return true; });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
}

// All eight cards of two suits dealt in every way, one by one and as a set.
void test_a_set_is_worth_what_its_deals_are() {
    const std::string path = scratch("set");
    build(2, path);
    const DiagramLevel level(path);
    for (const int strain : {0, 3, NOTRUMP}) {
        DealSet set;
        set.strain = strain;
        set.masks[0] = {15, 15, 13, 15};
        set.masks[3] = {7, 15, 15, 10};
        for (auto& lengths : set.most) lengths.fill(13);
        set.least[2][3] = 1;
        std::array<std::uint64_t, 14> expected{};
        for (unsigned deal = 0; deal < 1u << 16; ++deal) {
            PerSeat<CardSet> hands{};
            bool is_member = true;
            for (int card = 0; card < 8; ++card) {
                const std::size_t suit = card < 4 ? 0 : 3, place = static_cast<std::size_t>(card % 4);
                const int owner = deal >> (2 * card) & 3;
                is_member &= set.masks[suit][place] >> owner & 1;
                hands[owner] |= bit_of(static_cast<Place>(16 * suit + 12 - place));
            }
            is_member &= cards_of(hands[2], 3) != 0;
            const std::uint8_t value = level.value(hands, strain, 0);
            const bool is_deal = std::all_of(hands.begin(), hands.end(), [](CardSet h) { return count(h) == 2; });
            CHECK((value == BAD_POSITION) == !is_deal);
            if (is_member && is_deal) ++expected[value];
        }
        CHECK(is_set_of(set, 2) && !is_set_of(set, 3));
        CHECK(query(level, set, GO_ON).deals == expected);
    }
    ::unlink(path.c_str());
}

}  // namespace

int main() {
    test_all_values_equal_plain_enumeration();
    test_a_damaged_file_is_refused();
    test_damaged_shards_are_refused();
    test_a_stopped_build_throws();
    test_a_set_is_worth_what_its_deals_are();
    return 0;
}
