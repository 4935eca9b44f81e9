#include "convert.hpp"

#include <chrono>
#include <stdexcept>

namespace nb = nanobind;

namespace setrograde {

Position make_position(const std::array<CardSet, 4>& hands, int strain, int leader, const std::vector<int>& trick) {
    Position position;
    position.hands = hands;
    position.strain = strain;
    position.leader = leader;
    if (trick.size() > 3) throw nb::value_error("more than three cards on the table");
    position.trick_size = static_cast<int>(trick.size());
    for (std::size_t i = 0; i < trick.size(); ++i) position.trick[i] = trick[i];
    switch (check(position)) {
        case PositionError::NONE: return position;
        case PositionError::BAD_VALUE: throw nb::value_error("value out of range");
        case PositionError::CARD_TWICE: throw nb::value_error("card twice");
        case PositionError::UNEQUAL_HANDS: throw nb::value_error("hands differ in length");
    }
    throw std::logic_error("unknown position error");
}

StopCheck signal_check() {
    using Clock = std::chrono::steady_clock;
    return [last = Clock::now()]() mutable {
        const Clock::time_point now = Clock::now();
        if (now - last < std::chrono::milliseconds(50)) return false;
        last = now;
        const nb::gil_scoped_acquire gil;
        return PyErr_CheckSignals() != 0;
    };
}

void rethrow_stopped() {
    if (PyErr_Occurred()) throw nb::python_error();
    throw std::runtime_error("the search was stopped");
}

}  // namespace setrograde
