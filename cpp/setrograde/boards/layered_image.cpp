#include "setrograde/boards/layered_image.hpp"

#include <algorithm>
#include <bit>

#include "setrograde/boards/transducer.hpp"
#include "setrograde/common/hash.hpp"

namespace setrograde {

namespace {

// A state in the upper half, an branch in the lower.
using Item = std::uint64_t;

constexpr Item item_of(Branch state, Branch branch) { return Item{state} << 32 | branch; }
constexpr Branch state_of(Item item) { return static_cast<Branch>(item >> 32); }
constexpr Branch branch_of(Item item) { return static_cast<Branch>(item); }

// Where a symbol leads: an branch or, with this bit, a tuple of the next layer.
using Link = Branch;
constexpr Link TUPLE = 1u << 31;
static_assert(2 * MAX_NODES_OF_LAYER <= TUPLE);

constexpr std::size_t AHEAD = 10;    // tuples whose nodes are fetched early
constexpr std::size_t WAITING = 32;  // look-ups under way
constexpr std::size_t POLL_TUPLES = std::size_t{1} << 12, POLL_LINKS = std::size_t{1} << 16;

std::uint64_t hash_items(const Item* items, std::size_t count) {
    std::uint64_t hash = count;
    for (std::size_t i = 0; i < count; ++i) hash = mix(hash, items[i]);
    return hash * 0xD6E8FEB86659FD93u;
}

// The tuples of a layer, each once: one after another, each behind its number and its length.
class Tuples {
public:
    // `expected` tuples fit without a larger table: filling one anew takes a miss of the cache each. Where
    // that is done, the forest is polled.
    Tuples(const Forest& forest, std::size_t expected) : forest_(&forest) {
        items_.resize(64);
        set_table(4 + static_cast<int>(std::bit_width(expected / 8)));
    }

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return items_.bytes() + table_.bytes(); }
    const Item* begin() const { return items_.data(); }
    const Item* end() const { return items_.data() + used_; }
    static std::size_t length(const Item* tuple) { return static_cast<std::uint32_t>(*tuple); }
    static const Item* next(const Item* tuple) { return tuple + length(tuple) + 1; }

    void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&table_[hash >> shift_]); }
    void prefetch_items(std::uint64_t hash) const {
        const Slot& slot = table_[hash >> shift_];
        if (slot.start && slot.tag == static_cast<std::uint32_t>(hash))
            __builtin_prefetch(items_.data() + slot.start - 1);
    }

    // The number of the tuple.
    std::size_t find_or_add(const Item* items, std::size_t count, std::uint64_t hash) {
        const auto tag = static_cast<std::uint32_t>(hash);
        const std::size_t mask = table_.capacity() - 1;
        std::size_t at = hash >> shift_;
        for (; table_[at].start; at = (at + 1) & mask) {
            if (table_[at].tag != tag) continue;
            const Item* found = items_.data() + table_[at].start - 1;
            if (length(found) == count && std::equal(items, items + count, found + 1)) return *found >> 32;
        }
        if (size_ + 1 >= TUPLE || used_ + count + 2 > ~std::uint32_t{0}) throw ForestFull();
        if (used_ + count + 1 > items_.capacity()) items_.resize(items_.capacity() + items_.capacity() / 2 + count);
        table_[at] = {tag, static_cast<std::uint32_t>(used_ + 1)};
        items_[used_] = Item{size_} << 32 | count;
        std::copy_n(items, count, items_.data() + used_ + 1);
        used_ += count + 1;
        if (3 * ++size_ > 2 * table_.capacity()) set_table(65 - shift_);
        return size_ - 1;
    }

    // What is only read from now on needs no table.
    void drop_table() { table_.resize(0); }

private:
    struct Slot {
        std::uint32_t tag, start;  // where the tuple is, plus one; 0 if the slot is free
    };

    void set_table(int bits) {
        table_.resize(std::size_t{1} << bits);
        std::fill_n(table_.data(), table_.capacity(), Slot{0, 0});
        shift_ = 64 - bits;
        const std::size_t mask = table_.capacity() - 1;
        std::size_t filled = 0;
        for (const Item* tuple = begin(); tuple != end(); tuple = next(tuple)) {
            if (++filled % POLL_TUPLES == 0) forest_->poll();
            const std::uint64_t hash = hash_items(tuple + 1, length(tuple));
            std::size_t at = hash >> shift_;
            while (table_[at].start) at = (at + 1) & mask;
            table_[at] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(tuple - begin() + 1)};
        }
    }

    const Forest* forest_;
    std::size_t size_ = 0, used_ = 0;
    GrowingArray<Item> items_;
    GrowingArray<Slot> table_;
    int shift_ = 60;
};

// A union in the making: what one symbol leads to.
struct Union {
    std::vector<Item> items;
    std::size_t count = 0;
    bool is_everything = false;

    void begin(std::size_t room) {
        count = 0;
        is_everything = false;
        if (items.size() < room) items.resize(room);
    }

    void add(Branch state, Branch branch) {
        if (branch == NOTHING) return;
        if (state == Transducer::ANY || (state == Transducer::IDENTITY && branch == EVERYTHING)) {
            is_everything = true;
            return;
        }
        if (count == items.size()) items.resize(2 * count + 16);
        items[count++] = item_of(state, branch);
    }

    // Sorts and simplifies; the branch, if it is one already, or else TUPLE.
    Link settle() {
        if (is_everything) return EVERYTHING;
        if (count == 0) return NOTHING;
        for (std::size_t i = 1; i < count; ++i) {
            const Item item = items[i];
            std::size_t j = i;
            for (; j > 0 && items[j - 1] > item; --j) items[j] = items[j - 1];
            items[j] = item;
        }
        std::size_t kept = 1;
        for (std::size_t i = 1; i < count; ++i) {
            const Item before = items[kept - 1], item = items[i];
            if (item == before) continue;
            // A set and its complement lie side by side.
            if ((item ^ before) == 1 && state_of(item) == Transducer::IDENTITY) return EVERYTHING;
            items[kept++] = item;
        }
        count = kept;
        return count == 1 && state_of(items[0]) == Transducer::IDENTITY ? branch_of(items[0]) : TUPLE;
    }
};

class LayeredImage {
public:
    LayeredImage(Forest& forest, std::span<const MovedSet> sets) : forest_(forest) {
        for (const MovedSet& set : sets) {
            if (set.moves->is_empty()) continue;
            start_.add(set.moves->start(), set.branch);
            const std::size_t end = set.moves->first() + set.moves->states();
            if (steps_.size() < end) steps_.resize(end);
            for (std::size_t state = set.moves->first(); state < end; ++state)
                steps_[state] = set.moves->steps_from(static_cast<Branch>(state));
        }
    }

    Branch find() {
        const Link known = start_.settle();
        if (known != TUPLE) return known;
        go_down();
        return come_up();
    }

private:
    void go_down() {
        Tuples here(forest_, 1);
        here.find_or_add(start_.items.data(), start_.count, hash_items(start_.items.data(), start_.count));
        links_.resize(forest_.layers());
        std::size_t links_bytes = 0;
        for (std::size_t layer = 0; layer < forest_.layers(); ++layer) {
            links_[layer].resize(here.size() * forest_.symbols(layer));
            links_bytes += links_[layer].bytes();
            here.drop_table();
            Tuples next(forest_, here.size());
            const auto check = [&] { forest_.check_room(links_bytes + here.bytes() + next.bytes()); };
            switch (forest_.symbols(layer)) {
                case 3: follow<3>(layer, here, next, check); break;
                case 9: follow<9>(layer, here, next, check); break;
                default: follow<0>(layer, here, next, check);
            }
            check();
            std::swap(here, next);
            if (here.size() == 0) {
                links_.resize(layer + 1);
                break;
            }
        }
    }

    // Finds the tuples that follow those of a layer, and links to them.
    template <int SYMBOLS, typename Check>
    void follow(std::size_t layer, const Tuples& here, Tuples& next, const Check& check) {
        const std::size_t symbols = SYMBOLS ? SYMBOLS : forest_.symbols(layer);
        struct Waiting {
            std::vector<Item> items;
            std::size_t count;
            std::uint64_t hash;
            Link* link;
        };
        std::vector<Waiting> ring(WAITING);
        std::size_t head = 0, looked = 0, tail = 0;
        const auto finish = [&] {
            Waiting& w = ring[tail++ % WAITING];
            *w.link = TUPLE | static_cast<Link>(next.find_or_add(w.items.data(), w.count, w.hash));
        };
        std::vector<Union> out(symbols);
        Link* links = links_[layer].data();
        const Item* ahead = here.begin();
        for (std::size_t i = 0; i < AHEAD && ahead != here.end(); ++i) ahead = Tuples::next(ahead);
        for (const Item* tuple = here.begin(); tuple != here.end(); tuple = Tuples::next(tuple), links += symbols) {
            if (++work_ % POLL_TUPLES == 0) {
                check();
                forest_.poll();
            }
            if (ahead != here.end()) {
                const Item* end = Tuples::next(ahead);
                while (++ahead != end) __builtin_prefetch(forest_.children(layer, branch_of(*ahead)));
            }
            const std::size_t length = Tuples::length(tuple);
            for (Union& each : out) each.begin(2 * length);
            for (std::size_t i = 1; i <= length; ++i) {
                const Branch state = state_of(tuple[i]), branch = branch_of(tuple[i]), flip = branch & 1;
                const Branch* children = forest_.children(layer, branch);
                if (state == Transducer::IDENTITY)
                    for (std::size_t s = 0; s < symbols; ++s) out[s].add(state, children[s] ^ flip);
                else
                    for (const Transducer::Step& step : steps_[state])
                        out[step.out].add(step.next, children[step.in] ^ flip);
            }
            for (std::size_t s = 0; s < symbols; ++s) {
                links[s] = out[s].settle();
                if (links[s] != TUPLE) continue;
                if (head - tail == WAITING) finish();
                if (head - looked == WAITING / 2) next.prefetch_items(ring[looked++ % WAITING].hash);
                Waiting& w = ring[head++ % WAITING];
                w.items.swap(out[s].items);
                w.count = out[s].count;
                w.hash = hash_items(w.items.data(), w.count);
                w.link = &links[s];
                next.prefetch_slot(w.hash);
            }
        }
        while (tail < head) finish();
    }

    // Makes a node of every tuple, from the last layer up.
    Branch come_up() {
        GrowingArray<Branch> below;
        for (std::size_t layer = links_.size(); layer-- > 0;) {
            GrowingArray<Link>& rows = links_[layer];
            for (std::size_t i = 0; i < rows.capacity(); ++i) {
                if (i % POLL_LINKS == 0) forest_.poll();
                if (rows[i] & TUPLE) rows[i] = below[rows[i] ^ TUPLE];
            }
            GrowingArray<Branch> here;
            const std::size_t count = rows.capacity() / forest_.symbols(layer);
            here.resize(count);
            forest_.add_rows(layer, rows.data(), count, here.data());
            rows.resize(0);
            std::swap(below, here);
        }
        return below[0];
    }

    Forest& forest_;
    std::vector<std::span<const Transducer::Step>> steps_;  // by state
    Union start_;
    std::size_t work_ = 0;                   // tuples so far
    std::vector<GrowingArray<Link>> links_;  // by layer: one for each tuple and symbol
};

}  // namespace

Branch layered_image(Forest& forest, std::span<const MovedSet> sets) { return LayeredImage(forest, sets).find(); }

}  // namespace setrograde
