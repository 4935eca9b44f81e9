// Suit ways: in how many ways the cards of one suit of a set can be shared out
//
// A set of deals says for each card who may hold it. Counted once a suit, for its lowest cards and
// every split of them, so that a walk through diagrams can skip cards nobody asks about.
#pragma once

#include <algorithm>
#include <vector>

#include "setrograde/endings/shapes/shapes.hpp"

namespace setrograde {

class SuitWays {
public:
    // `masks`: the highest card first, players who may hold it, a bit each.
    SuitWays(std::vector<std::uint8_t> masks, int tricks)
        : masks_(std::move(masks)),
          base_(static_cast<std::size_t>(tricks) + 1),
          splits_(base_ * base_ * base_ * base_) {
        ways_.assign((masks_.size() + 1) * splits_, 0);
        ways_[0] = 1;
        std::vector<Split> reached{0};
        for (std::size_t unread = 1; unread <= masks_.size(); ++unread) {
            std::vector<Split> next;
            for (const Split split : reached) {
                for (int owner = 0; owner < PLAYERS; ++owner) {
                    if (!(mask(static_cast<int>(unread)) >> owner & 1) || held(split, owner) == tricks) continue;
                    const Split more = static_cast<Split>(split + one_card(owner));
                    std::uint64_t& ways = ways_[unread * splits_ + radix(more)];
                    if (!ways) next.push_back(more);
                    ways += ways_[(unread - 1) * splits_ + radix(split)];
                }
            }
            reached = std::move(next);
        }
        full_ = std::move(reached);
        std::sort(full_.begin(), full_.end());
    }

    // Who may hold the highest of the `unread` lowest cards.
    unsigned mask(int unread) const { return masks_[masks_.size() - static_cast<std::size_t>(unread)]; }
    std::uint64_t ways(Split left) const {
        return ways_[static_cast<std::size_t>(length(left)) * splits_ + radix(left)];
    }
    // Splits of the whole suit that occur, in ascending order.
    const std::vector<Split>& splits() const { return full_; }

private:
    std::size_t radix(Split split) const {
        std::size_t code = 0;
        for (int player = 0; player < PLAYERS; ++player)
            code = code * base_ + static_cast<std::size_t>(held(split, player));
        return code;
    }

    std::vector<std::uint8_t> masks_;
    std::size_t base_, splits_;
    std::vector<std::uint64_t> ways_;  // [unread][split]
    std::vector<Split> full_;
};

}  // namespace setrograde
