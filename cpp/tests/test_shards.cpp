// Levels in shards give the answers of a level in one file; damaged, missing and foreign ones are refused.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "check.hpp"
#include "setrograde/endings/levels/node_reach.hpp"
#include "setrograde/endings/levels/ordered_file.hpp"
#include "setrograde/endings/queries/set_query.hpp"

using namespace setrograde;
namespace fs = std::filesystem;

namespace {

constexpr int TRICKS = 3;
const StopCheck GO_ON = [] { return false; };

struct Folder {
    Folder() : path(fs::temp_directory_path() / ("shards-" + std::to_string(std::random_device{}()))) {
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    std::string at(const char* name) const { return path / name; }
    fs::path path;
};

template <class Work>
bool is_refused(const Work& work) {
    try {
        work();
    } catch (const LevelFileError&) {
        return true;
    }
    return false;
}

std::unique_ptr<OrderedLevel> ordered(const BuildPlan& plan, int tricks) {
    std::unique_ptr<OrderedLevel> below = empty_level();
    for (int level = 1; level <= tricks; ++level) {
        auto next = std::make_unique<OrderedLevel>(level);
        for (std::size_t shard = 0; shard < plan.shards(level); ++shard)
            merge_shard(*next, plan, build_shard(*below, plan, level, shard, GO_ON), shard);
        below = std::move(next);
    }
    return below;
}

// The level in one file, and in shards, each built on just what it needs, read from a file.
void build_both(const Folder& folder) {
    const BuildPlan plan(TRICKS, 6);
    const auto below = ordered(plan, TRICKS - 1), lowest = ordered(plan, TRICKS - 2);
    StoredLevel whole(TRICKS);
    write_shard_list(plan, folder.at("list"), "test", 1);
    fs::create_directories(folder.at("list.shards"));
    const ShapeIndex index(TRICKS);
    for (std::size_t shard = 0; shard < plan.shards(TRICKS); ++shard) {
        whole.merge(plan, build_shard(*below, plan, TRICKS, shard, GO_ON), shard);
        const BuildPlan part = plan.part(shard, shard + 1);
        OrderedLevel needed(TRICKS - 1);
        for (std::size_t i = 0; i < part.shards(TRICKS - 1); ++i)
            merge_shard(needed, part, build_shard(*lowest, part, TRICKS - 1, i, GO_ON), i);
        CHECK(part.shapes(TRICKS - 1).size() < plan.shapes(TRICKS - 1).size());
        write_ordered(needed, folder.at("ordered"), "test");
        const auto mapped = map_ordered(folder.at("ordered"));
        CHECK(mapped->diagram.is_read_only() && mapped->diagram.size() == needed.diagram.size());
        write_shard(build_shard(*mapped, part, TRICKS, 0, GO_ON), part.shapes_of(TRICKS, 0), index,
                    shard_path(folder.at("list"), shard), "test");
    }
    whole.write(folder.at("whole"), "test", 1);
}

void flip(const std::string& path, std::uintmax_t offset) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset));
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put(byte);
}

void test_same_answers(const Folder& folder) {
    const ShardedLevel level(folder.at("list"));
    const DiagramLevel whole(folder.at("whole"));
    for (std::size_t rank = 0; rank < whole.index().size(); rank += 11)
        CHECK(level.values_of_shape(rank) == whole.values_of_shape(rank));
    std::size_t nodes = 0;
    for (std::size_t shard = 0; shard < level.shards(); ++shard) nodes += level.shard(shard).nodes();
    CHECK(nodes > whole.nodes() && nodes < 2 * whole.nodes());
    NodeReach reach(whole);
    for (std::size_t rank = 0; rank < whole.index().size(); ++rank) reach.add(rank);
    CHECK(reach.size() == whole.nodes());

    DealSet set;
    for (auto& masks : set.masks) masks = {15, 15, 15};
    for (auto& lengths : set.most) lengths = {3, 3, 3, 3};
    for (const int strain : {1, NOTRUMP}) {
        set.strain = strain;
        const SetAnswer mine = query(level, set, GO_ON), theirs = query(whole, set, GO_ON);
        CHECK(mine.deals == theirs.deals && mine.shapes == theirs.shapes);
    }
}

void test_bad_positions(const Folder& folder) {
    const ShardedLevel level(folder.at("list"));
    const PerSeat<CardSet> good{7, 7 << 3, 7 << 6, 7 << 9};
    CHECK(level.value(good, NOTRUMP, 0) == DiagramLevel(folder.at("whole")).value(good, NOTRUMP, 0));
    CHECK(level.value({7, 7, 7 << 6, 7 << 9}, NOTRUMP, 0) == BAD_POSITION);
    CHECK(level.value({7, 7 << 3, 7 << 6, CardSet{7} << 13}, NOTRUMP, 0) == BAD_POSITION);
    CHECK(level.value({7, 7 << 3, 7 << 6, 3 << 9}, NOTRUMP, 0) == BAD_POSITION);
    CHECK(level.value(good, 5, 0) == BAD_POSITION && level.value(good, 0, 4) == BAD_POSITION);
}

void test_refusals(const Folder& folder) {
    const std::string list = folder.at("list");
    CHECK(is_sharded(list) && !is_sharded(folder.at("whole")));
    CHECK(is_refused([&] { DiagramLevel level(list); }));
    CHECK(is_refused([&] { ShardedLevel level(folder.at("whole")); }));
    CHECK(is_refused([&] { map_ordered(list); }));
    fs::rename(shard_path(list, 1), folder.at("away"));
    const ShardedLevel level(list);
    CHECK(!level.is_built(1) && level.is_built(2));
    CHECK(is_refused([&] { level.shard(1); }));
    fs::copy(shard_path(list, 2), shard_path(list, 1));
    CHECK(is_refused([&] { level.shard(1); }));  // another shard
    fs::remove(shard_path(list, 1));
    fs::rename(folder.at("away"), shard_path(list, 1));
    CHECK(is_refused([&] { level.shard(1).root(level.shard(2).rank_at(0)); }));
    const std::string ordered = folder.at("ordered");
    for (const std::uintmax_t offset : {std::uintmax_t{100}, std::uintmax_t{5000}, fs::file_size(ordered) - 20}) {
        flip(ordered, offset);
        CHECK(is_refused([&] { map_ordered(ordered); }));
        flip(ordered, offset);
    }
    map_ordered(ordered);
    flip(list, 4100);
    CHECK(is_refused([&] { ShardedLevel damaged(list); }));
}

}  // namespace

int main() {
    const Folder folder;
    build_both(folder);
    test_same_answers(folder);
    test_bad_positions(folder);
    test_refusals(folder);
    std::puts("shards: ok");
}
