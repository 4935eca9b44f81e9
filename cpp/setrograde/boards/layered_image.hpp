// Layered image: where moves lead from sets, a layer at a time
//
// The image of a set under moves is a union over all of them. Read symbol by symbol, a board leads to
// several pairs of a state and a node at once: no move so far, a move under way, moves that are made.
// What may follow is the union of what these pairs allow, so tuples of pairs take the part of nodes.
// Those of a layer are found from those of the layer before, each once; then, from the last layer up,
// each becomes the node that its followers make.
//
// Forest::image joins images pair by pair instead. That leaves ten nodes behind for one of the result,
// but its cache knows much of what was asked before. It is up to three times faster as long as sets
// are small; beyond some hundred thousand nodes the layered image is, up to twice and more, since what
// it reads next is known ahead and fetched early, and all that it leaves behind is the result.
#pragma once

#include <span>

#include "setrograde/boards/forest.hpp"

namespace setrograde {

class Transducer;

struct MovedSet {
    const Transducer* moves;
    Branch branch;
};

// The union of the images. Throws ForestFull if tuples and nodes do not fit in the forest's limit.
Branch layered_image(Forest& forest, std::span<const MovedSet> sets);

}  // namespace setrograde
