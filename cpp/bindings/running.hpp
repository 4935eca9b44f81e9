// Running: native work for Python, without the GIL, that can be stopped
//
// Every long call goes through `run_stoppable`, with a check made by `python_check`: it looks at a flag
// that any thread may set, at pending signals, and tells Python how far the work is.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "setrograde/common/stop.hpp"

namespace setrograde {

// A function of Python that hears how far the work is; none if empty.
template <class... Args>
using Listener = std::optional<std::function<void(Args...)>>;

// Raises the exception that a signal handler or a listener raised, or setrograde.errors.Stopped.
[[noreturn]] void rethrow_stopped();

// A check of any kind (StopCheck, ProgressCheck, ...), to be asked without the GIL by the thread that
// called: true once the flag is set. At most every 50 ms it also takes the GIL, looks at signals and calls
// `tell` with what it was asked with. That stops the work by returning true or by an exception, which
// stays set for `rethrow_stopped`.
template <class Tell>
auto python_check(const StopFlag* stop, Tell tell) {
    using Clock = std::chrono::steady_clock;
    return [stop, tell = std::move(tell), last = Clock::now()](const auto&... now) mutable -> bool {
        if (stop && stop->is_set()) return true;
        const Clock::time_point time = Clock::now();
        if (time - last < std::chrono::milliseconds(50)) return false;
        last = time;
        const nanobind::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) return true;
        try {
            return tell(now...);
        } catch (nanobind::python_error& error) {
            error.restore();
            return true;
        }
    };
}

// The same for work that tells nothing.
inline StopCheck python_check(const StopFlag* stop) {
    return python_check(stop, [] { return false; });
}

// The same for work that tells one number, such as pieces done; the listener must outlive the check.
template <class Number>
auto python_check(const StopFlag* stop, const Listener<Number>& listener) {
    return python_check(stop, [&listener](const Number& now) {
        if (listener) (*listener)(now);
        return false;
    });
}

// Runs work without the GIL. Where it throws Stopped, the call raises what `rethrow_stopped` says.
template <class Work>
auto run_stoppable(Work work) {
    try {
        const nanobind::gil_scoped_release released;
        return work();
    } catch (const Stopped&) {
        rethrow_stopped();
    }
}

}  // namespace setrograde
