#include "setrograde/odds/sample.hpp"

#include "setrograde/search/solver.hpp"

namespace setrograde {

std::vector<int> sample_tricks(const Layouts& layouts, std::size_t size, const SampleOptions& options,
                               const ProgressCheck& should_stop) {
    std::vector<int> tricks;
    tricks.reserve(size);
    const StopCheck stopped = [&] { return should_stop && should_stop(tricks.size()); };
    Dice dice(options.seed);
    Solver solver(options.limit_bytes, ALL_TECHNIQUES, stopped, options.endings);
    while (tricks.size() < size && layouts.size() > 0) {
        if (stopped()) throw Stopped{};
        const Position position = layouts.position(layouts.draw(dice, stopped));
        if (options.need)
            tricks.push_back(solver.ask(position, *options.need).yes ? *options.need : *options.need - 1);
        else
            tricks.push_back(solver.solve(position).tricks_ns);
    }
    return tricks;
}

}  // namespace setrograde
