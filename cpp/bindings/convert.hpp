// What several bindings share: positions checked at the door, stopping on Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "setrograde/cards/position.hpp"
#include "setrograde/search/search.hpp"

namespace setrograde {

// Throws ValueError for an impossible position.
Position make_position(const std::array<CardSet, 4>& hands, int strain, int leader, const std::vector<int>& trick);

// For code that runs without the GIL: takes it for a moment and asks for pending signals. A Python
// exception raised by a signal handler stays set; `rethrow_stopped` raises it.
StopCheck signal_check();
[[noreturn]] void rethrow_stopped();

}  // namespace setrograde
