#include "setrograde/endings/sets/ending_sets.hpp"

#include <algorithm>

#include "setrograde/common/bytes.hpp"
#include "setrograde/common/checksum.hpp"
#include "setrograde/endings/sets/compaction.hpp"
#include "setrograde/endings/sets/set_oracle.hpp"
#include "setrograde/endings/shapes/owner_strings.hpp"

namespace setrograde {

namespace {

// Who has the high cards in an ending that shows a side weak.
constexpr std::array<int, 4> LEADERS_FIRST{0, 2, 1, 3}, OTHERS_FIRST{1, 3, 0, 2};

// Solves one shape after another (Algorithm 2).
class Builder {
public:
    Builder(const SetLevel& below, const StopCheck& should_stop) : oracle_(below), should_stop_(should_stop) {}

    std::vector<EndingSet> solve(const Shape& shape, const MaskFields& fields);
    SetStatistics statistics() const { return {sets_found_, questions_, oracle_.lookups()}; }

private:
    // Endings without a set, none of them in the first `seen` sets found.
    struct Unsolved {
        Masks masks;
        std::size_t seen;
    };

    Masks generalised(Masks layout, int value);
    bool is_consistent(Masks masks, int value);
    bool is_known_to_differ(Masks masks, int value) const;

    SetOracle oracle_;
    const StopCheck& should_stop_;
    const MaskFields* fields_ = nullptr;
    std::vector<EndingSet> found_;
    std::vector<EndingSet> witnesses_;  // single endings that were solved
    std::vector<Unsolved> unsolved_;    // disjoint
    std::vector<Masks> parts_;
    std::uint64_t sets_found_ = 0, questions_ = 0;
};

std::vector<EndingSet> Builder::solve(const Shape& shape, const MaskFields& fields) {
    fields_ = &fields;
    oracle_.use_shape(shape, fields);
    found_.clear();
    witnesses_.clear();
    unsolved_.assign(1, {fields.everything(), 0});
    while (!unsolved_.empty()) {
        const Unsolved top = unsolved_.back();
        if (top.seen < found_.size()) {
            unsolved_.pop_back();
            parts_.clear();
            fields.subtract(top.masks, found_[top.seen].masks, parts_);
            for (std::size_t i = parts_.size(); i-- > 0;) unsolved_.push_back({parts_[i], top.seen + 1});
            continue;
        }
        const Masks layout = fields.first(top.masks);
        const int value = oracle_.value(layout);
        witnesses_.push_back({layout, static_cast<std::uint8_t>(value)});
        found_.push_back({generalised(layout, value), static_cast<std::uint8_t>(value)});
    }
    sets_found_ += found_.size();
    return compacted(fields, found_, should_stop_);
}

// The lowest cards of each suit become x's, as many as possible, suit by suit (generalizeToSet). More
// x's never lose an ending, so a binary search finds the last number that is consistent.
Masks Builder::generalised(Masks layout, int value) {
    Masks masks = layout;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const SuitField& field = (*fields_)[suit];
        const auto with = [&](int xs) {
            const int end = field.first + field.cards;
            return xs == 0 ? masks : masks | (field.bits & ~Masks{0} << (4 * (end - xs)));
        };
        int low = 0, high = field.cards;
        while (low < high) {
            const int middle = (low + high + 1) / 2;
            ++questions_;
            if (is_consistent(fields_->tightened(with(middle)), value))
                low = middle;
            else
                high = middle - 1;
        }
        masks = with(low);
    }
    return masks;
}

// True if all endings of a tightened set have the value. Where playing the whole set does not settle
// it, an ending is tried that is bad for the side that was not sure, then the set is split.
bool Builder::is_consistent(Masks masks, int value) {
    if (should_stop_()) throw Stopped{};
    if (is_known_to_differ(masks, value)) return false;
    const bool is_enough = oracle_.is_surely_at_least(masks, value);
    if (is_enough && oracle_.is_surely_at_most(masks, value)) return true;
    const Masks layout = fields_->extreme(masks, is_enough ? LEADERS_FIRST : OTHERS_FIRST);
    const int other = oracle_.value(layout);
    if (other != value) {
        witnesses_.push_back({layout, static_cast<std::uint8_t>(other)});
        return false;
    }
    // The highest card with several owners; there is one, a single ending would be settled by now.
    int card = 0;
    const auto owners_of = [masks](int c) { return masks >> (4 * c) & ANYONE; };
    while (card < fields_->cards() && (owners_of(card) & (owners_of(card) - 1)) == 0) ++card;
    for (int player = 0; player < PLAYERS; ++player) {
        const Masks owner = Masks{1} << (4 * card + player);
        if ((masks & owner) != 0 &&
            !is_consistent(fields_->tightened((masks & ~(ANYONE << (4 * card))) | owner), value))
            return false;
    }
    return true;
}

bool Builder::is_known_to_differ(Masks masks, int value) const {
    return std::any_of(witnesses_.begin(), witnesses_.end(), [&](const EndingSet& witness) {
        return witness.value != value && MaskFields::holds(masks, witness.masks);
    });
}

// All layouts of a suit as masks, in dictionary order.
std::vector<Masks> list_layouts(const SuitField& field) {
    std::vector<Masks> layouts;
    for (const OwnerCode code : list_strings(field.split)) {
        Masks layout = 0;
        for (int card = 0; card < field.cards; ++card) layout |= Masks{1} << (4 * card + owner_of(code, card));
        layouts.push_back(layout);
    }
    return layouts;
}

constexpr std::string_view MAGIC = "SGENDSET";
constexpr std::uint32_t VERSION = 1;

template <class Word>
void put(std::string& bytes, Word word) {
    append_number(bytes, word, sizeof(Word));
}

class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    template <class Word>
    Word get() {
        const auto* raw = reinterpret_cast<const std::uint8_t*>(take(sizeof(Word)).data());
        return static_cast<Word>(get_number(raw, sizeof(Word)));
    }
    std::string_view take(std::size_t count) {
        if (count > left()) throw InvalidLevel("not a level of sets: it ends too early");
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += count;
        return taken;
    }
    std::size_t left() const { return bytes_.size() - at_; }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

void require(bool good, const std::string& what) {
    if (!good) throw InvalidLevel("not a level of sets: " + what);
}

}  // namespace

SetLevel::SetLevel(int tricks) : index_(tricks), shapes_(index_.shapes()), starts_(1, 0) {
    fields_.reserve(shapes_.size());
    for (const Shape& shape : shapes_) fields_.emplace_back(shape);
    trees_.reserve(shapes_.size());
}

SetLevel::SetLevel() : SetLevel(0) {
    add_shape({{0, 0}});
    statistics_.sets_found = 1;
}

void SetLevel::add_shape(const std::vector<EndingSet>& sets) {
    sets_.insert(sets_.end(), sets.begin(), sets.end());
    starts_.push_back(static_cast<std::uint32_t>(sets_.size()));
    trees_.emplace_back(fields_[trees_.size()], sets);
}

SetLevel SetLevel::build(const SetLevel& below, const ProgressCheck& should_stop) {
    SetLevel level(below.tricks() + 1);
    std::size_t rank = 0;
    const StopCheck check = [&] { return should_stop && should_stop(rank); };
    Builder builder(below, check);
    for (; rank < level.shapes(); ++rank) level.add_shape(builder.solve(level.shapes_[rank], level.fields_[rank]));
    level.statistics_ = builder.statistics();
    return level;
}

std::vector<EndingSet> SetLevel::solve_shape(const Shape& shape, const StopCheck& should_stop) const {
    return Builder(*this, should_stop).solve(shape, MaskFields(shape));
}

std::vector<std::uint8_t> SetLevel::values(std::size_t rank) const {
    std::array<std::vector<Masks>, 4> layouts;
    std::size_t size = 1;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        layouts[suit] = list_layouts(fields_[rank][suit]);
        size *= layouts[suit].size();
    }
    std::vector<std::uint8_t> values(size, UNKNOWN);
    for (const EndingSet& set : sets(rank)) {
        // Places in `values` of what the set holds, a suit at a time.
        std::vector<std::size_t> places{0}, next;
        for (std::size_t suit = 0; suit < 4; ++suit) {
            const Masks masks = fields_[rank].suit(set.masks, suit);
            next.clear();
            for (const std::size_t place : places)
                for (std::size_t i = 0; i < layouts[suit].size(); ++i)
                    if (MaskFields::holds(masks, layouts[suit][i])) next.push_back(place * layouts[suit].size() + i);
            places.swap(next);
        }
        for (const std::size_t place : places) values[place] = set.value;
    }
    return values;
}

std::string SetLevel::to_bytes() const {
    std::string bytes(MAGIC);
    put(bytes, VERSION);
    put(bytes, static_cast<std::uint32_t>(tricks()));
    put(bytes, static_cast<std::uint32_t>(shapes()));
    put(bytes, static_cast<std::uint32_t>(size()));
    put(bytes, statistics_.sets_found);
    put(bytes, statistics_.questions);
    put(bytes, statistics_.lookups);
    for (std::size_t rank = 0; rank < shapes(); ++rank) put(bytes, starts_[rank]);
    for (const EndingSet& set : sets_) put(bytes, set.masks);
    for (const EndingSet& set : sets_) put(bytes, set.value);
    put(bytes, checksum(bytes.data(), bytes.size()));
    return bytes;
}

SetLevel SetLevel::from_bytes(std::string_view bytes, const StopCheck& should_stop) {
    Reader reader(bytes);
    require(bytes.starts_with(MAGIC), "no \"" + std::string(MAGIC) + "\" at its start");
    reader.take(MAGIC.size());
    const auto version = reader.get<std::uint32_t>();
    require(version == VERSION, "version " + std::to_string(version) + ", known is 1");
    const auto tricks = reader.get<std::uint32_t>();
    require(tricks <= MAX_SET_TRICKS, std::to_string(tricks) + " tricks, expected 0 to 4");
    const auto shapes = reader.get<std::uint32_t>(), sets = reader.get<std::uint32_t>();
    SetStatistics statistics;
    statistics.sets_found = reader.get<std::uint64_t>();
    statistics.questions = reader.get<std::uint64_t>();
    statistics.lookups = reader.get<std::uint64_t>();
    const std::size_t expected = std::size_t{4} * shapes + std::size_t{9} * sets + 8;
    require(reader.left() == expected,
            std::to_string(reader.left()) + " bytes of sets, expected " + std::to_string(expected));
    require(Reader(bytes.substr(bytes.size() - 8)).get<std::uint64_t>() == checksum(bytes.data(), bytes.size() - 8),
            "its checksum is wrong");
    SetLevel level(static_cast<int>(tricks));
    level.statistics_ = statistics;
    require(shapes == level.shapes(), std::to_string(shapes) + " shapes, expected " + std::to_string(level.shapes()));
    std::vector<std::uint32_t> starts(shapes);
    for (std::uint32_t& start : starts) start = reader.get<std::uint32_t>();
    starts.push_back(sets);
    require(starts.front() == 0 && std::is_sorted(starts.begin(), starts.end()),
            "the sets of its shapes are not in order");
    std::vector<EndingSet> all(sets);
    for (EndingSet& set : all) set.masks = reader.get<std::uint64_t>();
    for (EndingSet& set : all) set.value = reader.get<std::uint8_t>();
    for (std::size_t rank = 0; rank < shapes; ++rank) {
        if (should_stop()) throw Stopped{};
        const std::span<const EndingSet> own = std::span(all).subspan(starts[rank], starts[rank + 1] - starts[rank]);
        level.check_shape(rank, own);
        level.add_shape({own.begin(), own.end()});
    }
    return level;
}

// Every ending of the shape is in a set, and in none of another value.
void SetLevel::check_shape(std::size_t rank, std::span<const EndingSet> sets) const {
    const MaskFields& fields = fields_[rank];
    const auto in_shape = [rank](const char* what) { return what + std::to_string(rank); };
    for (const EndingSet& set : sets) {
        require((set.masks & ~fields.everything()) == 0 && !fields.is_empty(set.masks),
                in_shape("a set without endings in shape "));
        require(set.value <= tricks(), in_shape("more tricks than there are in shape "));
    }
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            require(sets[i].value == sets[j].value || !fields.overlaps(sets[i].masks, sets[j].masks),
                    in_shape("two values of one ending in shape "));
    std::vector<Masks> rest{fields.everything()}, parts;
    for (const EndingSet& set : sets) {
        parts.clear();
        for (const Masks part : rest) fields.subtract(part, set.masks, parts);
        rest.swap(parts);
    }
    require(rest.empty(), in_shape("an ending without a value in shape "));
}

}  // namespace setrograde
