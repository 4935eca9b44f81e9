// Stop: how long work is told to end before it is done
//
// Work asks a `StopCheck` now and then and throws `Stopped` when it says true. What the check looks at
// is the caller's business: a `StopFlag` that any thread may set, pending signals, a time limit.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

namespace setrograde {

// Thrown by work that was told to stop.
struct Stopped {};

// Set by any thread, at any time, before or during the work that looks at it.
class StopFlag {
public:
    void set() noexcept { is_set_.store(true, std::memory_order_relaxed); }
    void clear() noexcept { is_set_.store(false, std::memory_order_relaxed); }
    bool is_set() const noexcept { return is_set_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> is_set_{false};
};

// Called now and then by the thread that asked for the work; true stops it. An empty check never does.
using StopCheck = std::function<bool()>;

// As a `StopCheck` that is also told how many pieces of the work are done.
using ProgressCheck = std::function<bool(std::size_t)>;

// Waits for a mutex that other work may hold for long. Throws Stopped as soon as the check says so.
inline std::unique_lock<std::timed_mutex> lock_unless_stopped(std::timed_mutex& mutex, const StopCheck& should_stop) {
    std::unique_lock lock(mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(10)))
        if (should_stop && should_stop()) throw Stopped{};
    return lock;
}

}  // namespace setrograde
