#include <nanobind/stl/optional.h>

#include <mutex>
#include <optional>

#include "running.hpp"
#include "setrograde/boards/amazons/search.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Progress = Listener<std::uint64_t>;

// One question at a time: the table is shared.
struct AmazonsSearchHandle {
    AmazonsSearchHandle(int width, int height, std::size_t limit_bytes) : search(width, height, limit_bytes) {}

    std::timed_mutex mutex;
    AmazonsSearch search;
};

bool is_won(AmazonsSearchHandle& self, Squares own, Squares other, Squares empty, const Progress& progress,
            const StopFlag* stop) {
    const StopCheck should_stop = python_check(stop, [&] {
        if (progress) (*progress)(self.search.nodes());
        return false;
    });
    return run_stoppable([&] {
        const auto lock = lock_unless_stopped(self.mutex, python_check(stop));
        return self.search.is_won({own, other, empty}, should_stop);
    });
}

std::optional<bool> is_known_won(AmazonsSearchHandle& self, Squares own, Squares other, Squares empty,
                                 const StopFlag* stop) {
    return run_stoppable([&] {
        const StopCheck should_stop = python_check(stop);
        const auto lock = lock_unless_stopped(self.mutex, should_stop);
        return self.search.is_known_won({own, other, empty}, should_stop);
    });
}

}  // namespace

void bind_amazons(nb::module_& module) {
    nb::class_<AmazonsSearchHandle>(module, "AmazonsSearch",
                                    "Who wins a board of Amazons; see setrograde.solve.boards.amazons.")
        .def(nb::init<int, int, std::size_t>(), nb::arg("width"), nb::arg("height"), nb::arg("limit_bytes"))
        .def("is_won", &is_won, nb::arg("own"), nb::arg("other"), nb::arg("empty"), nb::arg("progress") = nb::none(),
             nb::arg("stop") = nb::none(),
             "True if the player to move wins. Sets of squares, row by row; all others are arrows.\n"
             "`progress` is called now and then with the number of nodes so far.")
        .def("is_known_won", &is_known_won, nb::arg("own"), nb::arg("other"), nb::arg("empty"),
             nb::arg("stop") = nb::none(),
             "The same without a search, if bounds or what was searched before tell; None if not.")
        .def_prop_ro(
            "nodes", [](const AmazonsSearchHandle& self) { return self.search.nodes(); },
            "The number of boards whose moves were made, so far.")
        .def_prop_ro(
            "stored", [](const AmazonsSearchHandle& self) { return self.search.stored(); },
            "The number of boards in the table; each stands for many.")
        .def_prop_ro(
            "table_bytes", [](const AmazonsSearchHandle& self) { return self.search.table_bytes(); },
            "Size of the table as it is now.");
}
