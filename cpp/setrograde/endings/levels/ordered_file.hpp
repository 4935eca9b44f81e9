// Ordered file: the level that the next one is built on, kept on disk
//
// A large level is built on one with hundreds of millions of nodes, which takes an hour to make. It
// is kept in a file of its own while the build goes on. A build that starts again maps the file
// instead of making it anew; several processes share its memory. The layout is specified in
// docs/formats/endings.md.
#pragma once

#include <memory>
#include <string>

#include "setrograde/common/stop.hpp"
#include "setrograde/endings/diagrams/shape_builder.hpp"

namespace setrograde {

// Throws LevelFileError, Stopped.
void write_ordered(const OrderedLevel& level, const std::string& path, const std::string& creator,
                   const StopCheck& should_stop = {});

// Maps a file and checks all of it; throws LevelFileError, Stopped.
std::unique_ptr<OrderedLevel> map_ordered(const std::string& path, const StopCheck& should_stop = {});

}  // namespace setrograde
