#include "setrograde/play/layout_classes.hpp"

#include "setrograde/odds/layouts.hpp"

namespace setrograde {

namespace {

class Finder {
public:
    Finder(const LayoutProblem& problem, std::size_t limit)
        : problem_(problem),
          limit_(limit),
          dice_(problem.seed),
          free_(problem.hidden & ~problem.held & ~problem.denied) {}

    std::optional<LayoutClasses> find() {
        for (int suit = 0; suit < SUITS; ++suit) {
            group(suit);
            ends_.push_back(found_.groups.size());
        }
        rest_.assign(found_.groups.size() + 1, 0);
        for (std::size_t i = found_.groups.size(); i-- > 0;) rest_[i] = rest_[i + 1] + count(found_.groups[i]);
        if (!fill(0, 0, problem_.length - count(problem_.held & problem_.hidden), problem_.held & problem_.hidden, 1))
            return {};
        return std::move(found_);
    }

private:
    void group(int suit) {
        CardSet low = 0, run = 0;
        int higher = 0;
        const auto close = [&] {
            if (run) found_.groups.push_back(run);
            run = 0;
        };
        for (int rank = 12; rank >= 0; --rank) {
            const CardSet card = bit_of(16 * suit + rank);
            if (!((problem_.hidden | problem_.others) & card)) continue;
            if (!(free_ & card))
                close();
            else if (problem_.grouping == Grouping::SMALL && higher >= problem_.small)
                low |= card;
            else
                run |= card;
            if (problem_.grouping == Grouping::LAYOUTS) close();
            ++higher;
        }
        close();
        if (low) found_.groups.push_back(low);
    }

    bool fits(int suit, CardSet cards) const {
        const int length = count(cards_of(cards, suit));
        return problem_.shortest[suit] <= length && length <= problem_.longest[suit];
    }

    // `left`: cards still to give. False if there are too many classes.
    bool fill(std::size_t number, int suit, int left, CardSet cards, std::uint64_t weight) {
        if (left < 0 || left > rest_[number]) return true;
        for (; suit < SUITS && number == ends_[static_cast<std::size_t>(suit)]; ++suit)
            if (!fits(suit, cards)) return true;
        if (number == found_.groups.size()) {
            if (found_.layouts.size() == limit_) return false;
            found_.layouts.push_back(cards);
            found_.weights.push_back(weight);
            return true;
        }
        const CardSet group = found_.groups[number];
        const int size = count(group);
        std::uint64_t ways = 1;
        for (int given = 0; given <= size; ++given) {
            if (!fill(number + 1, suit, left - given, cards | some_of(group, given), weight * ways)) return false;
            ways = ways * static_cast<std::uint64_t>(size - given) / static_cast<std::uint64_t>(given + 1);
        }
        return true;
    }

    CardSet some_of(CardSet from, int size) {
        CardSet chosen = 0;
        for (; size > 0; --size) {
            CardSet card = from;
            for (std::uint64_t skip = dice_.below(static_cast<std::uint64_t>(count(from))); skip > 0; --skip)
                card &= card - 1;
            card &= 0 - card;
            chosen |= card;
            from &= ~card;
        }
        return chosen;
    }

    const LayoutProblem& problem_;
    const std::size_t limit_;
    Dice dice_;
    const CardSet free_;
    LayoutClasses found_;
    std::vector<std::size_t> ends_;  // by suit: where its groups end
    std::vector<int> rest_;          // cards in this group and later ones
};

}  // namespace

std::optional<LayoutClasses> find_layout_classes(const LayoutProblem& problem, std::size_t limit) {
    return Finder(problem, limit).find();
}

}  // namespace setrograde
