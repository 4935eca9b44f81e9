// Picks the version of the search this processor can run.
#include "setrograde/search/search.hpp"

namespace setrograde {

namespace baseline {
std::unique_ptr<Search> make_partition_search(std::size_t, unsigned, StopCheck, Endings);
std::unique_ptr<Search> make_tied_search(Ties, std::size_t, StopCheck);
}  // namespace baseline
#if defined(SETROGRADE_HAS_V3)
namespace v3 {
std::unique_ptr<Search> make_partition_search(std::size_t, unsigned, StopCheck, Endings);
std::unique_ptr<Search> make_tied_search(Ties, std::size_t, StopCheck);
}  // namespace v3
#endif

std::unique_ptr<Search> make_portable_search(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop,
                                             Endings endings) {
    return baseline::make_partition_search(limit_bytes, techniques, std::move(should_stop), std::move(endings));
}

std::unique_ptr<Search> make_search(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop,
                                    Endings endings) {
#if defined(SETROGRADE_HAS_V3)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return v3::make_partition_search(limit_bytes, techniques, std::move(should_stop), std::move(endings));
#endif
    return make_portable_search(limit_bytes, techniques, std::move(should_stop), std::move(endings));
}

std::unique_ptr<Search> make_tied_search(Ties ties, std::size_t limit_bytes, StopCheck should_stop) {
#if defined(SETROGRADE_HAS_V3)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return v3::make_tied_search(ties, limit_bytes, std::move(should_stop));
#endif
    return baseline::make_tied_search(ties, limit_bytes, std::move(should_stop));
}

}  // namespace setrograde
