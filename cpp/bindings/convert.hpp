// Convert: positions that come from Python, checked at the door, and values by seat, suit or strain
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "running.hpp"
#include "setrograde/cards/position.hpp"

namespace setrograde {

// Raises ValueError for an impossible position.
Position make_position(const PerSeat<CardSet>& hands, int strain, int leader, const std::vector<int>& trick);

}  // namespace setrograde

namespace nanobind::detail {

// As lists, like the arrays they are.
template <class T, int SIZE>
struct type_caster<setrograde::Per<T, SIZE>> : array_caster<setrograde::Per<T, SIZE>, T, SIZE> {};

}  // namespace nanobind::detail
