// Hand rows: ordered shapes by the hands of the four players
//
// A shape with its suits in any given order is four rows, one a player: cards of each suit. Rows of
// as many cards are numbered, so a number for the shape is four digits; playing a trick changes
// each digit by itself and giving the lead to another player rotates them.
#pragma once

#include "setrograde/endings/shapes/shapes.hpp"

namespace setrograde {

class HandRows {
public:
    static constexpr std::uint16_t NONE = 0xFFFF;

    explicit HandRows(int tricks) : tricks_(tricks), number_(1 << 16, NONE) {
        for (int a = 0; a <= tricks; ++a)
            for (int b = 0; a + b <= tricks; ++b)
                for (int c = 0; a + b + c <= tricks; ++c) {
                    const auto row = static_cast<std::uint16_t>(a << 12 | b << 8 | c << 4 | (tricks - a - b - c));
                    number_[row] = static_cast<std::uint16_t>(rows_.size());
                    rows_.push_back(row);
                }
    }

    int tricks() const { return tricks_; }
    std::size_t size() const { return rows_.size(); }
    // Four bits a suit, suit 0 in the highest.
    std::uint16_t row(std::size_t number) const { return rows_[number]; }
    std::uint16_t number(std::uint16_t row) const { return number_[row]; }

    // Numbers of shapes: with trumps (the last suit) or without.
    std::size_t shapes() const { return 2 * rows_.size() * rows_.size() * rows_.size() * rows_.size(); }

    std::size_t shape_number(const PerSeat<std::uint16_t>& numbers, bool trumps) const {
        std::size_t index = trumps;
        for (const std::uint16_t number : numbers) index = index * rows_.size() + number;
        return index;
    }

    std::size_t shape_number(const Shape& shape) const {
        PerSeat<std::uint16_t> numbers;
        for (int player = 0; player < PLAYERS; ++player) numbers[player] = number_[row_of(shape, player)];
        return shape_number(numbers, shape.has_trumps);
    }

    Shape shape(std::size_t index) const {
        Shape shape;
        for (int player = PLAYERS - 1; player >= 0; --player) {
            const std::uint16_t row = rows_[index % rows_.size()];
            index /= rows_.size();
            for (std::size_t suit = 0; suit < 4; ++suit)
                shape.suits[suit] =
                    static_cast<Split>(shape.suits[suit] | held(row, static_cast<int>(suit)) << (12 - 4 * player));
        }
        shape.has_trumps = index != 0;
        return shape;
    }

    static std::uint16_t row_of(const Shape& shape, int player) {
        int row = 0;
        for (const Split split : shape.suits) row = row << 4 | held(split, player);
        return static_cast<std::uint16_t>(row);
    }

private:
    int tricks_;
    std::vector<std::uint16_t> rows_;
    std::vector<std::uint16_t> number_;
};

}  // namespace setrograde
