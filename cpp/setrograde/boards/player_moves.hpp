// Player moves: all moves of a player, compiled for both directions
//
// Moves are given by place; the forest may have several places to a layer, so they are told by layer
// first. Then they are joined to one relation and laid out as two transducers, with the moves and
// against them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "setrograde/boards/forest_set.hpp"
#include "setrograde/boards/transducer.hpp"

namespace setrograde {

// A move with sets that stay: from boards in `before` to boards in `after`, all boards if there is no set.
// Each change is one of a place.
struct PlayerMove {
    const ForestSet* before;
    std::vector<Change> changes;
    const ForestSet* after;
};

// Changes of places as changes of layers: what does not change in a layer stays, whatever it is. Throws
// std::invalid_argument for a place that is not there or changes twice, and for symbols not of their place.
std::vector<Change> changes_by_layer(const Places& places, std::span<const Change> changes);

class PlayerMoves {
public:
    // `limit_bytes` is for the relation, which is dropped again. Throws std::invalid_argument as above and
    // for sets of other forests, ForestFull, Stopped.
    PlayerMoves(std::shared_ptr<Forest> forest, std::span<const PlayerMove> moves, std::size_t limit_bytes,
                const StopCheck& should_stop);

    const std::shared_ptr<Forest>& forest() const { return forest_; }
    const Transducer& transducer(bool is_reversed) const { return is_reversed ? *reverse_ : *forward_; }
    std::size_t relation_nodes() const { return relation_nodes_; }

    // Where the moves lead from a set or, reversed, where they come from.
    ForestSet image(const ForestSet& set, bool is_reversed, const StopCheck& should_stop) const;

private:
    std::shared_ptr<Forest> forest_;
    std::unique_ptr<const Transducer> forward_, reverse_;
    std::size_t relation_nodes_ = 0;
};

// Moves and the set they are applied to.
struct PlayerImage {
    const PlayerMoves* moves;
    const ForestSet* set;
};

// The union of images, all of one forest: boards/layered_image.hpp. Throws std::invalid_argument if there are none.
ForestSet union_of_images(std::span<const PlayerImage> images, bool is_reversed, const StopCheck& should_stop);

}  // namespace setrograde
