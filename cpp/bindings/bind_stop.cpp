#include "running.hpp"

namespace nb = nanobind;
using namespace setrograde;

void setrograde::rethrow_stopped() {
    if (!PyErr_Occurred()) {
        const nb::object error = nb::module_::import_("setrograde.errors").attr("Stopped");
        PyErr_SetString(error.ptr(), "stopped before the end");
    }
    throw nb::python_error();
}

void bind_stop(nb::module_& module) {
    nb::class_<StopFlag>(module, "StopFlag", "Stops native work from any thread; see setrograde.common.stop.")
        .def(nb::init<>())
        .def("set", &StopFlag::set, "Stops all work that was given this flag, also what waits for its turn.")
        .def("clear", &StopFlag::clear, "Makes the flag ready for new work.")
        .def_prop_ro("is_set", &StopFlag::is_set, "True from `set` to `clear`.");
}
