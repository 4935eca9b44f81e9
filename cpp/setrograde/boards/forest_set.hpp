// Forest set: handles on sets of a forest, and turns of several threads
//
// A forest serves one thread at a time. `take_turn` waits until the forest is free, or until the caller
// is told to stop; work that was stopped leaves a forest that the next turn can use. Sweeps rename
// branches, so whoever keeps a set from one turn to the next keeps a `ForestSet`.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "setrograde/boards/forest.hpp"

namespace setrograde {

// A set that lives as long as its handle does.
class ForestSet {
public:
    ForestSet(std::shared_ptr<Forest> forest, Branch branch);
    ForestSet(ForestSet&& other) noexcept;
    ForestSet(const ForestSet&) = delete;
    ForestSet& operator=(const ForestSet&) = delete;
    ForestSet& operator=(ForestSet&&) = delete;
    ~ForestSet();

    // To be asked during a turn, as others may rename it.
    Branch branch() const { return forest_->kept(slot_); }
    const std::shared_ptr<Forest>& forest() const { return forest_; }

private:
    std::shared_ptr<Forest> forest_;
    std::size_t slot_;
};

// Throws std::invalid_argument unless the set is one of the forest.
void check_forest(const ForestSet& set, const std::shared_ptr<Forest>& forest);

// The forest asks the check for as long as this lives.
class ForestWatch {
public:
    ForestWatch(Forest& forest, const StopCheck& should_stop) : forest_(forest) { forest_.watch(should_stop); }
    ForestWatch(const ForestWatch&) = delete;
    ForestWatch& operator=(const ForestWatch&) = delete;
    ~ForestWatch() { forest_.watch({}); }

private:
    Forest& forest_;
};

// Calls work() when the forest is free for this thread. Throws Stopped as soon as the check says so,
// while waiting or, if the work polls, while working.
template <class Work>
auto take_turn(Forest& forest, const StopCheck& should_stop, Work work) {
    poll(should_stop);
    const auto lock = lock_unless_stopped(forest.mutex(), should_stop);
    const ForestWatch watch(forest, should_stop);
    forest.finish_interrupted();
    return work();
}

// Takes a turn for work() that adds nodes; if it runs into the limit, it is called once more after a
// sweep. It must read the branches it needs from handles, as a sweep renames them.
template <class Work>
auto grow_forest(Forest& forest, const StopCheck& should_stop, Work work) {
    return take_turn(forest, should_stop, [&] {
        forest.sweep_if_due();
        try {
            return work();
        } catch (const ForestFull&) {
            forest.sweep();
            return work();
        }
    });
}

// The set that `work`, which is given the forest, returns as a branch; as `grow_forest`.
template <class Work>
ForestSet make_set(const std::shared_ptr<Forest>& forest, const StopCheck& should_stop, Work work) {
    return grow_forest(*forest, should_stop, [&] { return ForestSet(forest, work(*forest)); });
}

// Whether two sets of one forest have the same strings.
bool is_same(const ForestSet& a, const ForestSet& b, const StopCheck& should_stop);

// The nodes of the forest that a set takes.
std::size_t count_nodes(const ForestSet& set, const StopCheck& should_stop);

// For each of `count` strings, which follow one another, 1 if it is in the set and 0 if not. Throws
// std::invalid_argument for symbols that are not of their places.
std::vector<std::uint8_t> find_strings(const ForestSet& set, const std::uint8_t* strings, std::size_t count,
                                       const StopCheck& should_stop);

}  // namespace setrograde
