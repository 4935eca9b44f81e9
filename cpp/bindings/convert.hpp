// What several bindings share: positions checked at the door.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "running.hpp"
#include "setrograde/cards/position.hpp"

namespace setrograde {

// Throws ValueError for an impossible position.
Position make_position(const std::array<CardSet, 4>& hands, int strain, int leader, const std::vector<int>& trick);

// For code that no flag stops yet: asks for pending signals.
inline StopCheck signal_check() { return python_check(nullptr); }

}  // namespace setrograde
