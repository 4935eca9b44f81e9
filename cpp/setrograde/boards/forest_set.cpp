#include "setrograde/boards/forest_set.hpp"

namespace setrograde {

ForestSet::ForestSet(std::shared_ptr<Forest> forest, Branch branch)
    : forest_(std::move(forest)), slot_(forest_->keep(branch)) {}

ForestSet::ForestSet(ForestSet&& other) noexcept : forest_(std::move(other.forest_)), slot_(other.slot_) {}

ForestSet::~ForestSet() {
    if (forest_) forest_->release(slot_);
}

void check_forest(const ForestSet& set, const std::shared_ptr<Forest>& forest) {
    if (set.forest() != forest) throw std::invalid_argument("sets of different forests");
}

bool is_same(const ForestSet& a, const ForestSet& b, const StopCheck& should_stop) {
    check_forest(b, a.forest());
    return take_turn(*a.forest(), should_stop, [&] { return a.branch() == b.branch(); });
}

std::size_t count_nodes(const ForestSet& set, const StopCheck& should_stop) {
    return take_turn(*set.forest(), should_stop, [&] { return set.forest()->nodes_from(set.branch()); });
}

std::vector<std::uint8_t> find_strings(const ForestSet& set, const std::uint8_t* strings, std::size_t count,
                                       const StopCheck& should_stop) {
    constexpr std::size_t POLL_STRINGS = 1024;
    const Forest& forest = *set.forest();
    const Places& places = forest.places();
    places.check_strings(strings, count);
    return take_turn(*set.forest(), should_stop, [&] {
        std::vector<std::uint8_t> answers(count);
        const Branch root = set.branch();
        for (std::size_t i = 0; i < count; ++i) {
            if (i % POLL_STRINGS == 0) forest.poll();
            const std::uint8_t* string = strings + i * places.size();
            Branch branch = root;
            for (std::size_t l = 0; l < forest.layers() && branch > EVERYTHING; ++l)
                branch = forest.child(l, branch, places.join(l, string));
            answers[i] = branch & 1;
        }
        return answers;
    });
}

}  // namespace setrograde
