// Shapes: how many cards of each suit each player holds in an ending
//
// The leader is player 0, the others follow clockwise; trumps, if any, are the last suit. Side suits
// are alike, so a canonical shape has them in ascending order: by length, then by cards of players
// 0, 1, 2, 3. Canonical shapes of as many tricks are numbered without gaps, notrump first, in the
// same order as `setrograde.db.endings.shapes` in Python: two table look-ups find a number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "setrograde/cards/cards.hpp"
#include "setrograde/common/stop.hpp"

namespace setrograde {

inline constexpr int PLAYERS = 4;
inline constexpr int LONGEST_SUIT = 13;
inline constexpr int MAX_INDEXED_TRICKS = 7;  // tables grow with the eighth power

// Cards of one suit by player, four bits each, player 0 in the highest.
using Split = std::uint16_t;

constexpr int held(Split split, int player) { return split >> (12 - 4 * player) & 15; }
constexpr Split one_card(int player) { return static_cast<Split>(1 << (12 - 4 * player)); }
constexpr int length(Split split) { return held(split, 0) + held(split, 1) + held(split, 2) + held(split, 3); }

// The same suit with player `first` as player 0.
constexpr Split seen_from(Split split, int first) {
    return static_cast<Split>(split << (4 * first) | split >> (16 - 4 * first));
}

// What suits are sorted by.
constexpr std::uint32_t sort_key(Split split) { return static_cast<std::uint32_t>(length(split)) << 16 | split; }

// How many orders the cards of a suit can have, high to low, by owner.
std::uint64_t count_strings(Split split);

struct Shape {
    PerSuit<Split> suits{};
    bool has_trumps = false;

    int tricks() const;
    bool operator==(const Shape&) const = default;

    // Layouts with suits told apart.
    std::uint64_t layouts() const;
};

// A canonical shape, and where each of its suits stood before.
struct Canonical {
    Shape shape;
    PerSuit<std::uint8_t> from;
};

Canonical canonical(const Shape& shape);

// Numbers the canonical shapes with `tricks` cards in each hand.
class ShapeIndex {
public:
    explicit ShapeIndex(int tricks);  // 0 to MAX_INDEXED_TRICKS

    int tricks() const { return tricks_; }
    std::size_t size() const { return size_; }

    // The number of a canonical shape. Another shape gives nonsense, or reads out of bounds.
    std::uint32_t rank(const Shape& shape) const {
        const Split box = static_cast<Split>(full_ - shape.suits[0] - shape.suits[1]);
        const std::uint32_t pair = radix(shape.suits[0]) * radixes_ + radix(shape.suits[1]);
        return base_[shape.has_trumps][pair] + place_[radix(box) * radixes_ + radix(shape.suits[2])];
    }

    // The shape of a number below size().
    Shape shape(std::size_t rank) const;

    // All of them in order. Throws Stopped.
    std::vector<Shape> shapes(const StopCheck& should_stop = {}) const;

private:
    std::uint32_t radix(Split split) const {
        const auto n = static_cast<std::uint32_t>(tricks_ + 1);
        return ((static_cast<std::uint32_t>(held(split, 0)) * n + static_cast<std::uint32_t>(held(split, 1))) * n +
                static_cast<std::uint32_t>(held(split, 2))) *
                   n +
               static_cast<std::uint32_t>(held(split, 3));
    }
    // Shapes that begin with the same two suits.
    struct Family {
        std::uint32_t rank;      // of the first
        std::uint32_t from, to;  // places of third suits in the box left for the last two
        Split first, second;
        bool trumps;
    };
    void list_families(const std::vector<std::vector<Split>>& in_box);
    template <class Visit>
    void visit(const Family& family, Visit visit) const;

    int tricks_;
    Split full_;             // all hands
    std::uint32_t radixes_;  // how many splits fit in it
    std::size_t size_ = 0;
    std::vector<Split> splits_;           // those splits in ascending order
    std::vector<std::uint16_t> place_;    // [box][split]: how many splits of the box come before
    std::vector<std::uint32_t> base_[2];  // [first][second]: rank less place of the third suit
    std::vector<Family> families_;        // in order
};

}  // namespace setrograde
