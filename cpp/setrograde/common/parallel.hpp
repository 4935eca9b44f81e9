// Parallel: independent pieces of work on several threads
//
// The calling thread works too. It is the only one that asks whether to stop, so the question may need a
// lock that the caller has. If a piece throws, all threads stop and the first exception is thrown on.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "setrograde/common/stop.hpp"

namespace setrograde {

// Calls work(piece) for all pieces below `pieces`. make_worker(stopped) is called once on each thread
// to get `work`; `stopped` is a StopCheck that a long piece should ask, throwing Stopped if it says
// true. Throws Stopped if `should_stop`, which is told the number of pieces done, said so.
template <class MakeWorker>
void run_parallel(std::size_t threads, std::size_t pieces, const ProgressCheck& should_stop, MakeWorker make_worker) {
    std::atomic<std::size_t> next{0}, done{0};
    std::atomic<bool> stopped{false};
    std::exception_ptr failure;
    std::mutex failing;
    bool asked_to_stop = false;  // only the calling thread touches it
    const auto run = [&](bool asks) {
        try {
            const auto poll = [&, asks] {
                if (asks && !stopped && should_stop && should_stop(done)) asked_to_stop = stopped = true;
                return stopped.load(std::memory_order_relaxed);
            };
            auto work = make_worker(StopCheck(poll));
            for (std::size_t piece; !poll() && (piece = next++) < pieces; ++done) work(piece);
        } catch (const Stopped&) {
            stopped = true;
        } catch (...) {
            const std::scoped_lock lock(failing);
            if (!failure) failure = std::current_exception();
            stopped = true;
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t i = 1; i < std::min(threads, pieces); ++i) others.emplace_back(run, false);
        } catch (const std::system_error&) {  // fewer threads than asked for will do
        }
        run(true);
        // Pieces of other threads may last; the caller still asks.
        while (!stopped && done < pieces) {
            if (should_stop && should_stop(done)) asked_to_stop = stopped = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    if (asked_to_stop) throw Stopped{};
    if (failure) std::rethrow_exception(failure);
}

}  // namespace setrograde
