// Compiled once for each kind of processor, like all of search/partition_search.hpp.
#include "setrograde/search/partition_search.hpp"

namespace setrograde {
namespace SETROGRADE_ARCH {

std::unique_ptr<Search> make_partition_search(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop,
                                              Endings endings) {
    return std::make_unique<PartitionSearch<Ties::NONE>>(limit_bytes, techniques, std::move(should_stop),
                                                         std::move(endings));
}

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde
