// In threads: independent pieces of work on several threads
//
// The calling thread works too, and is the only one that asks whether to stop, so the question may
// need a lock of the caller's. The first exception of a piece stops all and is thrown on.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "setrograde/search/search.hpp"

namespace setrograde {

// What is asked now and then, with the number of pieces done: true to stop.
using ProgressCheck = std::function<bool(std::size_t)>;

// Calls work(piece, stopped) for all pieces; make_worker() is called once a thread to get `work`. A
// long piece should look at `stopped` and give up. Throws Stopped if the check said so.
template <class MakeWorker>
void in_threads(std::size_t threads, std::size_t pieces, const ProgressCheck& should_stop, MakeWorker make_worker) {
    std::atomic<std::size_t> next{0}, done{0};
    std::atomic<bool> stopped{false};
    std::exception_ptr failure;
    std::mutex failing;
    bool asked_to_stop = false;
    const auto run = [&](bool asks) {
        try {
            auto work = make_worker();
            const auto poll = [&] {
                if (asks && !stopped && should_stop(done)) asked_to_stop = stopped = true;
                return stopped.load(std::memory_order_relaxed);
            };
            for (std::size_t piece; !poll() && (piece = next++) < pieces; ++done) work(piece, poll);
        } catch (...) {
            const std::scoped_lock lock(failing);
            if (!failure) failure = std::current_exception();
            stopped = true;
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(threads, pieces); ++i) others.emplace_back(run, false);
        run(true);
        // Pieces of other threads may last; the caller still asks.
        while (!stopped && done < pieces) {
            if (should_stop(done)) asked_to_stop = stopped = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    if (failure) std::rethrow_exception(failure);
    if (asked_to_stop) throw Stopped{};
}

}  // namespace setrograde
