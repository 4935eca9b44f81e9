#include "setrograde/endings/levels/diagram_level.hpp"

#include "setrograde/endings/diagrams/diagram_build.hpp"

namespace setrograde {

namespace baseline {
void walk_many(const DiagramLevel&, std::span<const PerSeat<CardSet>>, std::span<const std::uint8_t>,
               std::span<const std::uint8_t>, std::span<std::uint8_t>);
void walk_path(const DiagramLevel&, const PerSeat<CardSet>&, int, int, std::vector<Asked>&);
}  // namespace baseline

#if defined(SETROGRADE_HAS_V3)
namespace v3 {
void walk_many(const DiagramLevel&, std::span<const PerSeat<CardSet>>, std::span<const std::uint8_t>,
               std::span<const std::uint8_t>, std::span<std::uint8_t>);
void walk_path(const DiagramLevel&, const PerSeat<CardSet>&, int, int, std::vector<Asked>&);
}  // namespace v3
#endif

Walk best_walk() {
#if defined(SETROGRADE_HAS_V3)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return {v3::walk_many, v3::walk_path};
#endif
    return {baseline::walk_many, baseline::walk_path};
}

DiagramLevel::DiagramLevel(const std::string& path)
    : file_(path),
      index_(std::make_shared<ShapeIndex>(file_.tricks_of(Method::DIAGRAMS, "diagrams", MAX_INDEXED_TRICKS))),
      walk_(best_walk()) {
    read_sections();
    if (root_count_ != index_->size()) throw LevelFileError(path + ": damaged (impossible sections)");
}

DiagramLevel::DiagramLevel(const std::string& path, std::shared_ptr<const ShapeIndex> index)
    : file_(path), index_(std::move(index)), walk_(best_walk()) {
    if (file_.tricks_of(Method::SHARD, "shards", MAX_INDEXED_TRICKS) != tricks())
        throw LevelFileError(path + ": a shard of another level");
    read_sections();
    const Section& ranks = file_.section(RANKS_SECTION, sizeof(std::uint32_t));
    if (ranks.count != root_count_) throw LevelFileError(path + ": damaged (impossible sections)");
    ranks_offset_ = ranks.offset;
}

void DiagramLevel::read_sections() {
    const Section& roots = file_.section(ROOTS_SECTION, sizeof(Edge));
    const Section& nodes = file_.section(NODES_SECTION, sizeof(EdgeNode));
    if (nodes.count > MAX_EDGE_NODES) throw LevelFileError(file_.path() + ": damaged (impossible sections)");
    roots_offset_ = roots.offset;
    root_count_ = roots.count;
    nodes_offset_ = nodes.offset;
    node_count_ = nodes.count;
}

std::size_t DiagramLevel::rank_at(std::size_t place) const {
    if (!ranks_offset_) return place;
    const std::uint64_t offset = ranks_offset_ + place * sizeof(std::uint32_t);
    file_.touch(offset);
    std::uint32_t rank;
    std::memcpy(&rank, file_.data(offset), sizeof rank);
    if (rank >= index_->size()) throw LevelFileError(file_.path() + ": damaged (a shape that does not exist)");
    return rank;
}

std::size_t DiagramLevel::place_of(std::size_t rank) const {
    std::size_t from = 0, to = root_count_;
    while (from < to) {
        const std::size_t middle = (from + to) / 2;
        if (rank_at(middle) < rank)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == root_count_ || rank_at(from) != rank)
        throw LevelFileError(file_.path() + ": has no shape " + std::to_string(rank));
    return from;
}

void DiagramLevel::refuse_edge() const {
    throw LevelFileError("damaged database: an edge of the " + std::to_string(tricks()) + "-trick level leads nowhere");
}

std::uint8_t DiagramLevel::value(const PerSeat<CardSet>& hands, int strain, int leader) const {
    std::uint8_t out = BAD_POSITION;
    if (strain < 0 || strain > NOTRUMP || leader < 0 || leader > 3) return out;
    const auto s = static_cast<std::uint8_t>(strain), l = static_cast<std::uint8_t>(leader);
    walk_.many(*this, {&hands, 1}, {&s, 1}, {&l, 1}, {&out, 1});
    return out;
}

void DiagramLevel::values(std::span<const PerSeat<CardSet>> hands, std::span<const std::uint8_t> strains,
                          std::span<const std::uint8_t> leaders, std::span<std::uint8_t> out) const {
    walk_.many(*this, hands, strains, leaders, out);
}

std::vector<Asked> DiagramLevel::path(const PerSeat<CardSet>& hands, int strain, int leader) const {
    std::vector<Asked> path;
    walk_.path(*this, hands, strain, leader, path);
    return path;
}

// Values for all orders of the cards left of a suit and of the suits to come.
void DiagramLevel::fill(Edge edge, const Shape& shape, int suit, Split left, std::uint8_t*& out) const {
    if (is_value(edge)) {
        std::uint64_t layouts = count_strings(left);
        for (int later = suit + 1; later < 4; ++later) layouts *= count_strings(shape.suits[later]);
        if (target_of(edge) > static_cast<std::uint32_t>(tricks())) refuse_edge();
        std::memset(out, static_cast<int>(target_of(edge)), layouts);
        out += layouts;
        return;
    }
    if (!left) {
        if (suit == 3) refuse_edge();
        return fill(edge, shape, suit + 1, shape.suits[suit + 1], out);
    }
    const bool asks = tag_of(edge) == make_tag(suit, length(left));
    for (int owner = 0; owner < PLAYERS; ++owner)
        if (held(left, owner))
            fill(asks ? follow(edge, owner) : edge, shape, suit, static_cast<Split>(left - one_card(owner)), out);
}

std::vector<std::uint8_t> DiagramLevel::values_of_shape(std::size_t rank) const {
    const Shape shape = index_->shape(rank);
    std::vector<std::uint8_t> values(shape.layouts());
    std::uint8_t* out = values.data();
    fill(root(rank), shape, 0, shape.suits[0], out);
    return values;
}

}  // namespace setrograde
