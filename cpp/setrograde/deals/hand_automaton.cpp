#include "setrograde/deals/hand_automaton.hpp"

#include <algorithm>
#include <cassert>
#include <span>
#include <unordered_map>

#include "setrograde/common/hash.hpp"

namespace setrograde {

namespace {

constexpr int LENGTHS = HAND_SIZE + 1;
constexpr Per<int, SUITS + 1> CODES{{1, 14, 196, 2744, 38416}};  // lengths of the suits read, as digits
constexpr std::size_t MOST_STATES = std::size_t{1} << 18, MOST_STEPS = std::size_t{1} << 26;
constexpr int DEAD = HandAutomaton::DEAD;

using Numbers = std::vector<int>;

struct NumbersHash {
    std::size_t operator()(const Numbers& numbers) const {
        std::uint64_t hash = numbers.size();
        for (const int number : numbers) hash = mix(hash, static_cast<std::uint64_t>(number));
        return hash ^ hash >> 32;
    }
};

// Numbers for lists, the first is 0.
class Interned {
public:
    int of(const Numbers& numbers) { return ids_.try_emplace(numbers, static_cast<int>(ids_.size())).first->second; }
    int size() const { return static_cast<int>(ids_.size()); }

private:
    std::unordered_map<Numbers, int, NumbersHash> ids_;
};

// A condition with its measures renumbered to those it uses, and shapes as flags by code.
struct Box {
    std::vector<char> shapes;
    std::vector<MeasureBound> bounds;
    std::vector<std::vector<Box>> clauses;

    bool shape_fits(int code) const { return shapes.empty() || shapes[static_cast<std::size_t>(code)]; }

    // Whether each box in it has the shape.
    void add_fits(int code, Numbers& fits) const {
        fits.push_back(shape_fits(code));
        for (const auto& clause : clauses)
            for (const Box& part : clause) part.add_fits(code, fits);
    }

    bool may_accept(int code) const {
        return shape_fits(code) && std::ranges::all_of(clauses, [&](const auto& clause) {
                   return std::ranges::any_of(clause, [&](const Box& part) { return part.may_accept(code); });
               });
    }

    bool accepts(int code, std::span<const int> values) const {
        for (const MeasureBound& bound : bounds)
            if (values[bound.measure] < bound.low || values[bound.measure] > bound.high) return false;
        return shape_fits(code) && std::ranges::all_of(clauses, [&](const auto& clause) {
                   return std::ranges::any_of(clause, [&](const Box& part) { return part.accepts(code, values); });
               });
    }
};

// What is known while an automaton is built.
class Builder {
public:
    Builder(const Condition& condition, const SuitOrder& order, bool has_size)
        : order_(order), has_size_(has_size), box_(box_of(condition)) {}

    const Numbers& used() const { return used_; }
    int width() const { return 1 + static_cast<int>(used_.size()); }

    // Letters by place: a length, then the value by each measure used.
    PerSuit<std::vector<Numbers>> letters;

    void prepare() {
        if (has_size_) prepare_lengths();
        for (std::size_t m = 0; m < used_.size(); ++m) prepare_values(m);
    }

    // The key of the state of a code and values after `place` suits, or nothing if it is dead.
    std::optional<std::uint64_t> key(int place, int code, std::span<const int> values) const {
        std::uint64_t key = 0;
        if (has_size_) {
            const int length_state = length_states_[place][static_cast<std::size_t>(code)];
            if (length_state == DEAD) return std::nullopt;
            key = static_cast<std::uint64_t>(length_state);
        }
        for (std::size_t m = 0; m < used_.size(); ++m) {
            const ValueStates& states = value_states_[m][place];
            key = key * states.size + states.ids[static_cast<std::size_t>(values[m] - states.lowest)];
        }
        return key;
    }

    int code_after(int code, int length) const { return has_size_ ? code * LENGTHS + length : 0; }
    bool accepts(int code, std::span<const int> values) const { return box_.accepts(code, values); }

private:
    struct ValueStates {
        int lowest = 0;
        std::vector<std::uint64_t> ids;
        std::uint64_t size = 0;
    };

    Box box_of(const Condition& condition) {
        Box box;
        if (condition.shapes) {
            assert(has_size_);
            box.shapes.resize(static_cast<std::size_t>(CODES[SUITS]));
            for (const PerSuit<int>& lengths : *condition.shapes) {
                int code = 0;
                for (int place = 0; place < SUITS; ++place) code = code * LENGTHS + lengths[order_[place]];
                box.shapes[static_cast<std::size_t>(code)] = 1;
            }
        }
        for (MeasureBound bound : condition.bounds) {
            const int measure = static_cast<int>(bound.measure);
            const auto found = std::ranges::find(used_, measure);
            bound.measure = static_cast<std::size_t>(found - used_.begin());
            if (found == used_.end()) {
                used_.push_back(measure);
                cuts_.emplace_back();
            }
            cuts_[bound.measure].push_back(bound.low);
            cuts_[bound.measure].push_back(bound.high + 1);
            box.bounds.push_back(bound);
        }
        for (const auto& clause : condition.clauses) {
            box.clauses.emplace_back();
            for (const Condition& part : clause) box.clauses.back().push_back(box_of(part));
        }
        return box;
    }

    // Lengths so far are one state if they leave the same rests to the same boxes.
    void prepare_lengths() {
        PerSuit<unsigned> possible{};
        for (int place = 0; place < SUITS; ++place)
            for (const Numbers& letter : letters[place]) possible[place] |= 1u << letter[0];
        for (int place = 0; place <= SUITS; ++place)
            length_states_[place].assign(static_cast<std::size_t>(CODES[place]), DEAD);
        Interned leaves;
        for (int code = 0; code < CODES[SUITS]; ++code) {
            int sum = 0;
            bool fits = true;
            for (int place = SUITS, rest = code; place-- > 0; rest /= LENGTHS) {
                sum += rest % LENGTHS;
                fits &= possible[place] >> (rest % LENGTHS) & 1;
            }
            if (sum != HAND_SIZE || !fits || !box_.may_accept(code)) continue;
            Numbers signature;
            box_.add_fits(code, signature);
            length_states_[SUITS][static_cast<std::size_t>(code)] = leaves.of(signature);
        }
        for (int place = SUITS; place-- > 0;) {
            Interned states;
            for (int code = 0; code < CODES[place]; ++code) {
                const auto first = length_states_[place + 1].begin() + code * LENGTHS;
                const Numbers rests(first, first + LENGTHS);
                if (std::ranges::any_of(rests, [](int rest) { return rest != DEAD; }))
                    length_states_[place][static_cast<std::size_t>(code)] = states.of(rests);
            }
        }
    }

    // Values so far are one state if every rest brings them to the same side of every bound.
    void prepare_values(std::size_t m) {
        Numbers& cuts = cuts_[m];
        std::ranges::sort(cuts);
        cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
        PerSuit<int> least{}, most{};
        for (int place = 0; place < SUITS; ++place) {
            const auto value = [m](const Numbers& letter) { return letter[m + 1]; };
            if (letters[place].empty()) continue;
            least[place] = value(std::ranges::min(letters[place], {}, value));
            most[place] = value(std::ranges::max(letters[place], {}, value));
        }
        value_states_.emplace_back();
        int low = 0, high = 0;
        for (int place = 0; place <= SUITS; ++place) {
            int rest_low = 0, rest_high = 0;
            for (int later = place; later < SUITS; ++later) {
                rest_low += least[later];
                rest_high += most[later];
            }
            ValueStates& states = value_states_[m][place];
            states.lowest = low;
            Interned ids;
            for (int value = low; value <= high; ++value) {
                Numbers signature;
                for (int rest = rest_low; rest <= rest_high; ++rest)
                    signature.push_back(static_cast<int>(std::ranges::upper_bound(cuts, value + rest) - cuts.begin()));
                states.ids.push_back(static_cast<std::uint64_t>(ids.of(signature)));
            }
            states.size = static_cast<std::uint64_t>(ids.size());
            if (place < SUITS) {
                low += least[place];
                high += most[place];
            }
        }
    }

    SuitOrder order_;
    bool has_size_;
    Numbers used_;               // measures
    std::vector<Numbers> cuts_;  // by measure: where its bounds begin and end
    Box box_;
    Per<Numbers, SUITS + 1> length_states_;
    std::vector<Per<ValueStates, SUITS + 1>> value_states_;
};

}  // namespace

HandAutomaton::HandAutomaton(const Condition& condition, const std::vector<Measure>& measures,
                             const PerSuit<std::vector<std::uint16_t>>& holdings, const SuitOrder& order,
                             bool has_size) {
    Builder builder(condition, order, has_size);
    for (int place = 0; place < SUITS; ++place) {
        letter_of_[place].assign(HOLDINGS, DEAD);
        Interned ids;
        for (const std::uint16_t holding : holdings[order[place]]) {
            Numbers letter{has_size ? std::popcount(holding) : 0};
            for (const int measure : builder.used())
                letter.push_back(measures[static_cast<std::size_t>(measure)].worth[order[place]][holding]);
            const int id = ids.of(letter);
            if (id == static_cast<int>(builder.letters[place].size())) builder.letters[place].push_back(letter);
            letter_of_[place][holding] = static_cast<std::int16_t>(id);
        }
    }
    builder.prepare();

    // Step 1. All states that can be reached, with one example of each: a code, then its values.
    const auto width = static_cast<std::size_t>(builder.width());
    Per<std::vector<int>, SUITS + 1> examples;
    examples[0].assign(width, 0);
    Per<Numbers, SUITS + 1> kept;  // the number of a state once equal ones are merged
    std::size_t steps = 0;
    Numbers values(width - 1);
    for (int place = 0; place < SUITS; ++place) {
        std::unordered_map<std::uint64_t, std::int32_t> found;
        for (std::size_t state = 0; state < examples[place].size(); state += width)
            for (const Numbers& letter : builder.letters[place]) {
                if (++steps > MOST_STEPS) throw TooManyCases{};
                const int* const example = examples[place].data() + state;
                const int code = builder.code_after(example[0], letter[0]);
                for (std::size_t m = 1; m < width; ++m) values[m - 1] = example[m] + letter[m];
                const auto key = builder.key(place + 1, code, values);
                if (!key) {
                    next_[place].push_back(DEAD);
                    continue;
                }
                const auto [entry, is_new] = found.try_emplace(*key, static_cast<std::int32_t>(found.size()));
                if (is_new) {
                    if (found.size() > MOST_STATES) throw TooManyCases{};
                    examples[place + 1].push_back(code);
                    examples[place + 1].insert(examples[place + 1].end(), values.begin(), values.end());
                }
                next_[place].push_back(entry->second);
            }
    }
    for (std::size_t state = 0; state < examples[SUITS].size(); state += width) {
        const std::span example(examples[SUITS].data() + state, width);
        kept[SUITS].push_back(builder.accepts(example[0], example.subspan(1)) ? 0 : DEAD);
    }
    states_[SUITS] = 1;

    // Step 2. From the end, merge states with the same rests, then letters with the same effect.
    for (int place = SUITS; place-- > 0;) {
        const std::size_t old_letters = builder.letters[place].size(), old_states = examples[place].size() / width;
        Interned rows;
        std::vector<Numbers> states;
        for (std::size_t state = 0; state < old_states; ++state) {
            Numbers row(old_letters);
            for (std::size_t i = 0; i < old_letters; ++i) {
                const std::int32_t next = next_[place][state * old_letters + i];
                row[i] = next == DEAD ? DEAD : kept[place + 1][static_cast<std::size_t>(next)];
            }
            if (std::ranges::all_of(row, [](int next) { return next == DEAD; })) {
                kept[place].push_back(DEAD);
                continue;
            }
            kept[place].push_back(rows.of(row));
            if (static_cast<std::size_t>(rows.size()) > states.size()) states.push_back(std::move(row));
        }
        states_[place] = static_cast<int>(states.size());
        Interned columns;
        std::vector<std::int16_t> merged(old_letters, DEAD);
        std::vector<std::size_t> first;
        for (std::size_t i = 0; i < old_letters; ++i) {
            Numbers column;
            for (const Numbers& row : states) column.push_back(row[i]);
            if (std::ranges::all_of(column, [](int next) { return next == DEAD; })) continue;
            merged[i] = static_cast<std::int16_t>(columns.of(column));
            if (static_cast<std::size_t>(columns.size()) > first.size()) first.push_back(i);
        }
        letters_[place] = static_cast<int>(first.size());
        next_[place].clear();
        for (const Numbers& row : states)
            for (const std::size_t i : first) next_[place].push_back(row[i]);
        for (std::int16_t& letter : letter_of_[place])
            if (letter != DEAD) letter = merged[static_cast<std::size_t>(letter)];
    }
}

}  // namespace setrograde
