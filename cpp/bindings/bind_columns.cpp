#include <nanobind/stl/tuple.h>

#include "convert.hpp"
#include "setrograde/cards/columns.hpp"

namespace nb = nanobind;
using namespace setrograde;

void bind_columns(nb::module_& module) {
    module.def(
        "run_columns",
        [](const PerSeat<CardSet>& hands, const nb::bytes& codes, int first, int leader, int strain, bool by_holder) {
            if (first < 0 || first > 3 || leader < 0 || leader > 3 || strain < 0 || strain > NOTRUMP)
                throw nb::value_error("value out of range");
            const ColumnRun run = run_columns(hands, reinterpret_cast<const std::uint8_t*>(codes.c_str()), codes.size(),
                                              first, leader, strain, by_holder);
            return std::tuple(nb::bytes(run.played.data(), run.played.size()), run.won[0], run.won[1], run.stop,
                              run.seat, static_cast<int>(run.why));
        },
        nb::arg("hands"), nb::arg("codes"), nb::arg("first"), nb::arg("leader"), nb::arg("strain"),
        nb::arg("by_holder"),
        "Cards in the order played, tricks won by each side, and where and why the run stopped: the index "
        "of the code or -1, the seat, and the reason (0 none, 1 unknown card, 2 not held, 3 revoke).");
}
