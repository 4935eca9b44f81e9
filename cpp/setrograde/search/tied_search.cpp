// Compiled once for each kind of processor, like all of search/partition_search.hpp.
#include "setrograde/search/partition_search.hpp"

namespace setrograde {
namespace SETROGRADE_ARCH {

std::unique_ptr<Search> make_tied_search(Ties ties, std::size_t limit_bytes, StopCheck should_stop) {
    if (ties == Ties::DECLARER)
        return std::make_unique<PartitionSearch<Ties::DECLARER>>(limit_bytes, ALL_TECHNIQUES, std::move(should_stop),
                                                                 Endings{});
    return std::make_unique<PartitionSearch<Ties::DEFENCE>>(limit_bytes, ALL_TECHNIQUES, std::move(should_stop),
                                                            Endings{});
}

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde
