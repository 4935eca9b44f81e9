// Mining: all endings with a property, counted exactly and found by number
//
// For each shape a diagram says how much is at stake (endings/mining/properties.hpp); walks through it count the
// layouts, and find any of them by its number. Endings that differ only by the order of suits that
// are alike are one; they are counted by Burnside's lemma, as the mean over all permutations of such
// suits of the layouts that stay the same. What the shapes need of the level below is built first, in
// memory: no database is read.
#pragma once

#include <memory>
#include <optional>

#include "setrograde/common/parallel.hpp"
#include "setrograde/endings/diagrams/layout_counts.hpp"
#include "setrograde/endings/mining/properties.hpp"

namespace setrograde {

inline constexpr int MAX_MINED_TRICKS = 6;

// Who may hold each card: by suit in the order of the shapes, the highest card first.
using SuitMasks = std::array<std::vector<std::uint8_t>, 4>;

// Shares of work done, from 0 to 1; true to stop.
using ShareCheck = std::function<bool(double)>;

struct MinedCount {
    LayoutHistogram layouts{};  // by tricks at stake
    LayoutHistogram endings{};  // the same with suits that are alike
};

class Mine {
public:
    // Shapes of as many tricks, 1 to MAX_MINED_TRICKS, suits in any order with trumps last. With
    // `masks` only layouts that agree with them count, suits are told apart, and all shapes have
    // suits of those lengths. Throws Stopped.
    Mine(std::vector<Shape> shapes, const Wanted& wanted, std::optional<SuitMasks> masks, std::size_t threads,
         const ShareCheck& should_stop);
    ~Mine();
    Mine(const Mine&) = delete;
    Mine& operator=(const Mine&) = delete;

    std::size_t shapes() const { return shapes_.size(); }

    // Counts of the shapes numbered from `from` up to `to`. Throws Stopped.
    std::vector<MinedCount> count(std::size_t from, std::size_t to, std::size_t threads,
                                  const ShareCheck& should_stop) const;

    // Layouts of a shape with at least `cost` at stake, by number: their order has no meaning, but
    // stays. Throws std::invalid_argument for a number that is too high, and Stopped, also while it waits
    // for another thread's find.
    std::vector<Layout> find(std::size_t shape, const std::vector<std::uint64_t>& numbers, int cost,
                             const StopCheck& should_stop = {}) const;

private:
    class Worker;

    int tricks_;
    std::vector<Shape> shapes_;
    Wanted wanted_;
    std::array<SuitWays, 4> ways_;
    bool tells_apart_;
    std::unique_ptr<OrderedLevel> below_;
    mutable std::timed_mutex finding_;
    mutable std::unique_ptr<Worker> finder_;  // kept: endings are found shape by shape
};

// The level below, with all shapes that these need; for LEAD_COSTS whoever leads.
std::unique_ptr<OrderedLevel> build_below(const std::vector<Shape>& shapes, Property property, std::size_t threads,
                                          const ShareCheck& should_stop);

// What one card is worth over a set of deals.
struct CardCount {
    LayoutHistogram tricks{};  // of the leader's side if he leads it; the last entry: he has not got it
    LayoutHistogram cost{};    // tricks less than by his best card
};

struct LeadComparison {
    std::uint64_t layouts = 0;     // of all shapes
    std::vector<CardCount> leads;  // in the order asked
};

// Over all layouts of all shapes that agree with the masks. Throws Stopped.
LeadComparison compare_leads(const std::vector<Shape>& shapes, const SuitMasks& masks, const std::vector<Lead>& leads,
                             std::size_t threads, const ShareCheck& should_stop);

// Shapes with suits of the masks' lengths that some layout has. `least` and `most` are lengths by
// player and suit.
std::vector<Shape> shapes_of_masks(const SuitMasks& masks, bool has_trumps, const PerSeat<PerSuit<std::uint8_t>>& least,
                                   const PerSeat<PerSuit<std::uint8_t>>& most);

}  // namespace setrograde
