// Sharded level: a stored level in many files, each with nodes of its own
//
// A level with more nodes than edges can number, or than memory holds, is cut into shards of shapes
// that are neighbours in the order of plans. A shard is a file by itself, with its own nodes, so it
// is built, written and mapped alone; what it shares with other shards is stored in each of them. The
// list of shards, a small file, is written first: a level of which some shards are missing can be
// asked about the shapes of the others. Layout: docs/formats/endings.md.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setrograde/endings/diagrams/diagram_build.hpp"
#include "setrograde/endings/levels/diagram_level.hpp"

namespace setrograde {

// To ask about a shape whose shard is not there yet.
struct MissingShard : LevelFileError {
    using LevelFileError::LevelFileError;
};

// A shard's place in the list.
struct ShardRecord {
    PerSuit<Split> suits;  // of its first shape in the order of plans
    std::uint32_t has_trumps;
    std::uint32_t shapes;

    Shape first() const { return {suits, has_trumps != 0}; }
};
static_assert(sizeof(ShardRecord) == 16);
inline constexpr std::uint32_t SHARDS_SECTION = 1;

// Where a shard of the level at `path` lies.
std::string shard_path(const std::string& path, std::size_t number);

// True for a file that lists shards; throws LevelFileError.
bool is_sharded(const std::string& path);

// The list of the shards of a plan's last level. Throws LevelFileError.
void write_shard_list(const BuildPlan& plan, const std::string& path, const std::string& creator, std::uint64_t states);

// The diagrams of `shapes`, as built one after the other. Throws LevelFileError, Stopped.
void write_shard(const Shard& shard, std::span<const Shape> shapes, const ShapeIndex& index, const std::string& path,
                 const std::string& creator, const StopCheck& should_stop = {});

// The canonical shape of a position. Nothing if the hands overlap or do not have `tricks` cards each, or
// if strain or leader is out of range.
std::optional<Shape> shape_of(const PerSeat<CardSet>& hands, int strain, int leader, int tricks);

// Any number of threads may ask.
class ShardedLevel {
public:
    // Reads the list; shards are mapped when first asked. Throws LevelFileError.
    explicit ShardedLevel(const std::string& path);

    int tricks() const { return index_->tricks(); }
    const ShapeIndex& index() const { return *index_; }
    const LevelFile& file() const { return file_; }
    std::size_t shards() const { return records_.size(); }
    const ShardRecord& record(std::size_t number) const { return records_[number]; }

    // The shard that a canonical shape belongs to, built or not.
    std::size_t shard_of(const Shape& shape) const;
    bool is_built(std::size_t number) const;
    // Throws MissingShard if it is not built, LevelFileError if it is damaged or not the one it should be.
    const DiagramLevel& shard(std::size_t number) const;

    // As DiagramLevel.
    std::uint8_t value(const PerSeat<CardSet>& hands, int strain, int leader) const;
    void values(std::span<const PerSeat<CardSet>> hands, std::span<const std::uint8_t> strains,
                std::span<const std::uint8_t> leaders, std::span<std::uint8_t> out) const;
    std::vector<Asked> path(const PerSeat<CardSet>& hands, int strain, int leader) const;
    std::vector<std::uint8_t> values_of_shape(std::size_t rank) const;

private:
    LevelFile file_;
    std::shared_ptr<const ShapeIndex> index_;
    std::vector<ShardRecord> records_;
    mutable std::mutex opening_;
    mutable std::vector<std::unique_ptr<const DiagramLevel>> open_;
};

}  // namespace setrograde
