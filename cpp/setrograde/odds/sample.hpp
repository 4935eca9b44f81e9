// Sample: the tricks of North-South in layouts drawn at random
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "setrograde/odds/layouts.hpp"
#include "setrograde/search/search.hpp"

namespace setrograde {

struct SampleOptions {
    std::uint64_t seed = 0;
    // If given, only this is asked of each layout, which takes a fraction of the time: the answer is
    // `need` where North-South take as many tricks or more, and one less elsewhere.
    std::optional<int> need;
    std::size_t limit_bytes = std::size_t{64} << 20;
    Endings endings;
};

// Tricks of North-South in `size` layouts, all equally likely; none if no layout is possible. The check
// is told how many layouts are done. Throws Stopped.
std::vector<int> sample_tricks(const Layouts& layouts, std::size_t size, const SampleOptions& options,
                               const ProgressCheck& should_stop);

}  // namespace setrograde
