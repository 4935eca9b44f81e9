#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

#include "convert.hpp"
#include "setrograde/boards/amazons/search.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Progress = std::optional<std::function<void(std::uint64_t)>>;

// One question at a time: the table is shared.
struct AmazonsSearchHandle {
    AmazonsSearchHandle(int width, int height, std::size_t limit_bytes)
        : search(width, height, limit_bytes, [this] { return should_stop(); }) {}

    // Now and then takes the GIL to look at signals and to report nodes.
    bool should_stop() {
        const Clock::time_point now = Clock::now();
        if (now - last < std::chrono::milliseconds(50)) return false;
        last = now;
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) return true;
        if (!progress || !*progress) return false;
        try {
            (**progress)(search.nodes());
        } catch (nb::python_error& error) {
            error.restore();
            return true;
        }
        return false;
    }

    using Clock = std::chrono::steady_clock;
    std::mutex mutex;
    Clock::time_point last = Clock::now();
    const Progress* progress = nullptr;
    AmazonsSearch search;
};

bool is_won(AmazonsSearchHandle& self, Squares own, Squares other, Squares empty, const Progress& progress) {
    try {
        const nb::gil_scoped_release released;
        const std::lock_guard lock(self.mutex);
        self.progress = &progress;
        return self.search.is_won({own, other, empty});
    } catch (const Stopped&) {
        rethrow_stopped();
    }
}

std::optional<bool> is_known_won(AmazonsSearchHandle& self, Squares own, Squares other, Squares empty) {
    try {
        const nb::gil_scoped_release released;
        const std::lock_guard lock(self.mutex);
        return self.search.is_known_won({own, other, empty});
    } catch (const Stopped&) {
        rethrow_stopped();
    }
}

}  // namespace

void bind_amazons(nb::module_& module) {
    nb::class_<AmazonsSearchHandle>(module, "AmazonsSearch",
                                    "Who wins a board of Amazons; see setrograde.solve.boards.amazons.")
        .def(nb::init<int, int, std::size_t>(), nb::arg("width"), nb::arg("height"), nb::arg("limit_bytes"))
        .def("is_won", &is_won, nb::arg("own"), nb::arg("other"), nb::arg("empty"), nb::arg("progress") = nb::none(),
             "True if the player to move wins. Sets of squares, row by row; all others are arrows.\n"
             "`progress` is called now and then with the nodes so far.")
        .def("is_known_won", &is_known_won, nb::arg("own"), nb::arg("other"), nb::arg("empty"),
             "The same without a search, if bounds or what was searched before tell; None if not.")
        .def_prop_ro(
            "nodes", [](const AmazonsSearchHandle& self) { return self.search.nodes(); },
            "Boards whose moves were made, so far.")
        .def_prop_ro(
            "stored", [](const AmazonsSearchHandle& self) { return self.search.stored(); },
            "Boards in the table; each stands for many.")
        .def_prop_ro(
            "table_bytes", [](const AmazonsSearchHandle& self) { return self.search.table_bytes(); },
            "Size of the table as it is now.");
}
