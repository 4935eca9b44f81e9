#include "setrograde/endings/mining/property_check.hpp"

#include "setrograde/cards/position.hpp"
#include "setrograde/endings/shapes/owner_strings.hpp"

namespace setrograde {

namespace {

class Ending {
public:
    Ending(const DiagramLevel& level, const DiagramLevel* below) : level_(level), below_(below) {}

    // The leader is North; cards are the highest of their suits.
    void deal(const Shape& shape, const PerSuit<OwnerCode>& owners) {
        position_ = {};
        position_.strain = shape.has_trumps ? 3 : NOTRUMP;
        for (int suit = 0; suit < 4; ++suit)
            for (int place = 0; place < length(shape.suits[suit]); ++place)
                position_.hands[owner_of(owners[suit], place)] |= bit_of(16 * suit + 12 - place);
    }

    std::array<int, PROPERTIES> at_stake() const {
        // Cards of the leader, high to low in each suit, with their values; touching ones once.
        std::array<std::pair<Place, int>, 13> leads;
        std::size_t count = 0;
        CardSet all = 0;
        for (const CardSet hand : position_.hands) all |= hand;
        for (CardSet left = position_.hands[0]; left; left &= ~bit_of(highest(left))) {
            const Place card = highest(left);
            const CardSet higher = all & suit_mask(suit_of(card)) & above(card);
            if (higher && position_.hands[0] & bit_of(lowest(higher))) continue;
            leads[count++] = {card, after(position_, card, -1)};
        }
        int best = -1, second = -1;
        for (std::size_t i = 0; i < count; ++i) {
            if (leads[i].second > best)
                second = std::exchange(best, leads[i].second);
            else
                second = std::max(second, leads[i].second);
        }
        const int alone = count > 1 ? best - second : 0;
        int low_beats_high = 0;
        bool best_is_low = false;
        for (std::size_t low = 0; low < count; ++low)
            for (std::size_t high = 0; high < low; ++high) {
                if (suit_of(leads[high].first) != suit_of(leads[low].first)) continue;
                low_beats_high = std::max(low_beats_high, leads[low].second - leads[high].second);
                best_is_low |= leads[low].second == best;
            }
        return {lead_costs(), alone, low_beats_high, best_is_low ? alone : 0, unblock(all, best)};
    }

private:
    int value(int leader) const {
        const int found = level_.value(position_.hands, position_.strain, leader);
        return leader % 2 ? level_.tricks() - found : found;
    }

    int lead_costs() const { return std::max(0, std::min(value(1), value(3)) - std::max(value(0), value(2))); }

    int unblock(CardSet all, int best) const {
        int most = 0;
        for (int suit = 0; suit < 4; ++suit) {
            const CardSet cards = all & suit_mask(suit);
            if (!cards || !(position_.hands[0] & bit_of(highest(cards)))) continue;
            const Place top = highest(cards);
            if (after(position_, top, -1) != best) continue;
            for (const int defender : {1, 3})
                if (position_.hands[defender] & cards) most = std::max(most, after(position_, top, defender) - best);
        }
        return most;
    }

    // Tricks of North-South after a card; the player `low` follows suit with his lowest.
    int after(Position position, Place card, int low) const {
        const int winner = play(position, card);
        if (winner >= 0) {
            const int won = is_north_south(winner);
            if (!below_) return won;
            const int found = below_->value(position.hands, position.strain, winner);
            return won + (won ? found : below_->tricks() - found);
        }
        const int turn = position.turn();
        CardSet choices = legal_cards(position);
        if (turn == low && suit_of(lowest(choices)) == suit_of(position.trick[0]) &&
            suit_of(highest(choices)) == suit_of(position.trick[0]))
            choices = bit_of(lowest(choices));
        int result = -1;
        for (; choices; choices &= choices - 1) {
            const int found = after(position, lowest(choices), low);
            if (result < 0 || (is_north_south(turn) ? found > result : found < result)) result = found;
        }
        return result;
    }

    const DiagramLevel& level_;
    const DiagramLevel* below_;
    Position position_;
};

// Endings of a shape: of suits that are alike, only those in ascending order.
void add_shape(const Shape& shape, Ending& ending, PlainCounts& counts, const StopCheck& stopped) {
    std::array<std::vector<OwnerCode>, 4> strings;
    for (std::size_t suit = 0; suit < 4; ++suit) strings[suit] = list_strings(shape.suits[suit]);
    const auto first = [&](std::size_t suit, std::size_t before) {
        const bool alike = shape.suits[suit] == shape.suits[suit - 1] && !(shape.has_trumps && suit == 3);
        return alike ? before : 0;
    };
    for (std::size_t a = 0; a < strings[0].size(); ++a)
        for (std::size_t b = first(1, a); b < strings[1].size(); ++b)
            for (std::size_t c = first(2, b); c < strings[2].size(); ++c) {
                if (stopped()) throw Stopped{};
                for (std::size_t d = first(3, c); d < strings[3].size(); ++d) {
                    ending.deal(shape, {strings[0][a], strings[1][b], strings[2][c], strings[3][d]});
                    const auto found = ending.at_stake();
                    for (std::size_t p = 0; p < found.size(); ++p) ++counts[p][static_cast<std::size_t>(found[p])];
                }
            }
}

}  // namespace

PlainCounts count_plainly(const std::vector<Shape>& shapes, const DiagramLevel& level, const DiagramLevel* below,
                          std::size_t threads, const ShareCheck& should_stop) {
    PlainCounts sums{};
    std::mutex adding;
    const ProgressCheck check = [&](std::size_t done) {
        return should_stop(static_cast<double>(done) / static_cast<double>(shapes.size()));
    };
    run_parallel(threads, shapes.size(), check, [&](const StopCheck& stopped) {
        return [&, stopped, ending = Ending(level, below)](std::size_t piece) mutable {
            PlainCounts here{};
            add_shape(shapes[piece], ending, here, stopped);
            const std::scoped_lock lock(adding);
            for (std::size_t p = 0; p < here.size(); ++p)
                for (std::size_t v = 0; v < here[p].size(); ++v) sums[p][v] += here[p][v];
        };
    });
    return sums;
}

}  // namespace setrograde
