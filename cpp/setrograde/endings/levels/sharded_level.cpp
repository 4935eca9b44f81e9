#include "setrograde/endings/levels/sharded_level.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace setrograde {

std::string shard_path(const std::string& path, std::size_t number) {
    std::string digits = std::to_string(number);
    if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
    return path + ".shards/" + digits;
}

bool is_sharded(const std::string& path) { return LevelFile(path).header().method == Method::SHARDED; }

void write_shard_list(const BuildPlan& plan, const std::string& path, const std::string& creator,
                      std::uint64_t states) {
    std::vector<ShardRecord> records;
    for (std::size_t shard = 0; shard < plan.shards(plan.tricks()); ++shard) {
        const std::span<const Shape> shapes = plan.shapes_of(plan.tricks(), shard);
        records.push_back({shapes[0].suits, shapes[0].has_trumps, static_cast<std::uint32_t>(shapes.size())});
    }
    const LevelHeader header{
        .tricks = static_cast<std::uint32_t>(plan.tricks()),
        .method = Method::SHARDED,
        .shapes = plan.shapes(plan.tricks()).size(),
        .states = states,
        .creator = creator,
        .sections = {{.kind = SHARDS_SECTION, .record_bytes = sizeof(ShardRecord), .count = records.size()}},
    };
    const StopCheck never;
    LevelFileWriter writer(path, header, never);
    writer.write(records.data(), records.size() * sizeof(ShardRecord));
    writer.finish();
}

void write_shard(const Shard& shard, std::span<const Shape> shapes, const ShapeIndex& index, const std::string& path,
                 const std::string& creator, const StopCheck& should_stop) {
    EdgeStore store;
    const std::vector<Edge> stored = store_nodes(shard, store);
    std::vector<std::pair<std::uint32_t, Edge>> found;
    std::uint64_t states = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        found.emplace_back(index.rank(shapes[i]), stored_edge(shard.roots[i], stored));
        states += shapes[i].layouts();
    }
    std::sort(found.begin(), found.end());
    std::vector<std::uint32_t> ranks;
    std::vector<Edge> roots;
    for (const auto& [rank, root] : found) {
        ranks.push_back(rank);
        roots.push_back(root);
    }
    const LevelHeader header{
        .tricks = static_cast<std::uint32_t>(shard.tricks),
        .method = Method::SHARD,
        .shapes = shapes.size(),
        .states = states,
        .creator = creator,
        .sections = {{.kind = ROOTS_SECTION, .record_bytes = sizeof(Edge), .count = roots.size()},
                     {.kind = RANKS_SECTION, .record_bytes = sizeof ranks[0], .count = ranks.size()},
                     {.kind = NODES_SECTION, .record_bytes = sizeof(EdgeNode), .count = store.size()}},
    };
    LevelFileWriter writer(path, header, should_stop);
    writer.write(roots.data(), roots.size() * sizeof roots[0]);
    writer.write(ranks.data(), ranks.size() * sizeof ranks[0]);
    for (std::size_t n = 0; n < store.size(); ++n) writer.write(&store[n], sizeof(EdgeNode));
    writer.finish();
}

std::optional<Shape> shape_of(const PerSeat<CardSet>& hands, int strain, int leader, int tricks) {
    if (strain < 0 || strain > NOTRUMP || leader < 0 || leader > 3) return {};
    CardSet seen = 0;
    for (const CardSet hand : hands) {
        if (hand & (seen | ~ALL_CARDS) || std::popcount(hand) != tricks) return {};
        seen |= hand;
    }
    PerSuit<Split> splits{};
    for (int player = 0; player < PLAYERS; ++player) {
        const CardSet hand = hands[(leader + player) & 3];
        for (int suit = 0; suit < 4; ++suit) {
            Split& split = splits[suit];
            split = static_cast<Split>(split << 4 | std::popcount(hand & suit_mask(suit)));
        }
    }
    Shape shape{splits, strain < NOTRUMP};
    if (shape.has_trumps) std::swap(shape.suits[strain], shape.suits[3]);
    return canonical(shape).shape;
}

ShardedLevel::ShardedLevel(const std::string& path)
    : file_(path),
      index_(std::make_shared<ShapeIndex>(file_.tricks_of(Method::SHARDED, "lists of shards", MAX_INDEXED_TRICKS))) {
    const Section& list = file_.section(SHARDS_SECTION, sizeof(ShardRecord));
    file_.touch_all();
    const auto refuse = [&] { throw LevelFileError(path + ": damaged (impossible list of shards)"); };
    if (!list.count || list.count > index_->size()) refuse();
    records_.resize(list.count);
    std::memcpy(records_.data(), file_.data(list.offset), list.bytes());
    std::uint64_t shapes = 0;
    for (std::size_t i = 0; i < records_.size(); ++i) {
        shapes += records_[i].shapes;
        if (i > 0 && !is_before(records_[i - 1].first(), records_[i].first())) refuse();
    }
    if (shapes != index_->size()) refuse();
    open_.resize(records_.size());
}

std::size_t ShardedLevel::shard_of(const Shape& shape) const {
    const auto after = std::upper_bound(records_.begin() + 1, records_.end(), shape,
                                        [](const Shape& s, const ShardRecord& r) { return is_before(s, r.first()); });
    return static_cast<std::size_t>(after - records_.begin()) - 1;
}

bool ShardedLevel::is_built(std::size_t number) const {
    struct stat status{};
    return ::stat(shard_path(file_.path(), number).c_str(), &status) == 0;
}

const DiagramLevel& ShardedLevel::shard(std::size_t number) const {
    const std::lock_guard lock(opening_);
    std::unique_ptr<const DiagramLevel>& slot = open_[number];
    if (slot) return *slot;
    const std::string path = shard_path(file_.path(), number);
    if (!is_built(number))
        throw MissingShard(file_.path() + ": shard " + std::to_string(number) + " of " + std::to_string(shards()) +
                           " is not built yet (expected it from: setrograde db build --cards " +
                           std::to_string(4 * tricks()) + ")");
    auto opened = std::make_unique<const DiagramLevel>(path, index_);
    if (opened->shapes() != records_[number].shapes || shard_of(index_->shape(opened->rank_at(0))) != number)
        throw LevelFileError(path + ": another shard than the list says");
    slot = std::move(opened);
    return *slot;
}

std::uint8_t ShardedLevel::value(const PerSeat<CardSet>& hands, int strain, int leader) const {
    const std::optional<Shape> shape = shape_of(hands, strain, leader, tricks());
    return shape ? shard(shard_of(*shape)).value(hands, strain, leader) : BAD_POSITION;
}

void ShardedLevel::values(std::span<const PerSeat<CardSet>> hands, std::span<const std::uint8_t> strains,
                          std::span<const std::uint8_t> leaders, std::span<std::uint8_t> out) const {
    // Positions of one shard are asked together.
    std::vector<std::pair<std::size_t, std::size_t>> order;  // shard, position
    for (std::size_t i = 0; i < hands.size(); ++i) {
        out[i] = BAD_POSITION;
        if (const auto shape = shape_of(hands[i], strains[i], leaders[i], tricks()))
            order.emplace_back(shard_of(*shape), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<PerSeat<CardSet>> some_hands;
    std::vector<std::uint8_t> some_strains, some_leaders, found;
    for (std::size_t from = 0, to; from < order.size(); from = to) {
        some_hands.clear();
        some_strains.clear();
        some_leaders.clear();
        for (to = from; to < order.size() && order[to].first == order[from].first; ++to) {
            some_hands.push_back(hands[order[to].second]);
            some_strains.push_back(strains[order[to].second]);
            some_leaders.push_back(leaders[order[to].second]);
        }
        found.resize(some_hands.size());
        shard(order[from].first).values(some_hands, some_strains, some_leaders, found);
        for (std::size_t i = from; i < to; ++i) out[order[i].second] = found[i - from];
    }
}

std::vector<Asked> ShardedLevel::path(const PerSeat<CardSet>& hands, int strain, int leader) const {
    const std::optional<Shape> shape = shape_of(hands, strain, leader, tricks());
    return shape ? shard(shard_of(*shape)).path(hands, strain, leader) : std::vector<Asked>{};
}

std::vector<std::uint8_t> ShardedLevel::values_of_shape(std::size_t rank) const {
    return shard(shard_of(index_->shape(rank))).values_of_shape(rank);
}

}  // namespace setrograde
