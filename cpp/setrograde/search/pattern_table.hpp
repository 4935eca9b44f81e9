// Pattern table: patterns and the bounds proved for them
//
// Patterns (search/pattern_lanes.hpp) are stored by shape and leader, as a chain of blocks. A broader
// pattern replaces those it covers. A long chain is divided by the owner of one card: a branch has a
// chain, or another branch, for each owner and one for the patterns that do not name the card. A position
// is looked for in two of these five.
//
// Memory is bounded at every moment, also while the table grows and old and new slots exist side by side.
// When the limit is reached, the shapes with the fewest tricks left go first (they are the cheapest to
// search again) until half of the patterns are free.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

#include "setrograde/cards/pack.hpp"
#include "setrograde/common/hash.hpp"
#include "setrograde/search/pattern_lanes.hpp"
#include "setrograde/search/search.hpp"

namespace setrograde {
namespace SETROGRADE_ARCH {

struct TableHit {
    bool found;
    Bounds bounds;
    std::uint64_t mask;  // packed
};

class Table {
public:
    // `limit_bytes` is for what the table allocates; the table itself is not in it.
    explicit Table(std::size_t limit_bytes)
        : limit_bytes_(limit_bytes),
          most_chunks_(std::min(limit_bytes / CHUNK_BYTES, MAX_CHUNKS)),
          chunks_(std::make_unique<std::unique_ptr<Block[]>[]>(most_chunks_)) {
        reset();
    }
    Table(const Table&) = delete;  // slots_ may point into it
    Table& operator=(const Table&) = delete;

    // Forgets everything; keeps small memory, returns large memory, takes none.
    void reset() {
        grown_slots_.reset();
        slots_ = first_slots_;
        slot_bits_ = FIRST_SLOT_BITS;
        std::fill_n(slots_, slot_count(), Slot{});
        slots_used_ = 0;
        next_block_ = 1;  // index 0 means "none"
        blocks_used_ = 0;
        free_ = 0;
        while (chunk_count_ > KEPT_CHUNKS) chunks_[--chunk_count_].reset();
    }

    // What the table has allocated.
    std::size_t bytes() const {
        return allocated(most_chunks_ * sizeof chunks_[0]) + chunk_count_ * allocated(CHUNK_BYTES) +
               (grown_slots_ ? allocated(slot_count() * sizeof(Slot)) : 0);
    }

    void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[home(key)]); }

    // A pattern that holds `layout` and decides `need`; the one found last is tried first. Inlined with all
    // that it calls but branches: as a call it costs the search 1.5 % more instructions.
    [[gnu::always_inline]] TableHit lookup(std::uint64_t key, int tricks, const Layout& layout, int need) {
        ++lookups;
        Slot* slot = find(key);
        if (!slot) return {false, {}, 0};
        assert(slot->tricks == tricks);
        return tricks <= NARROW_TRICKS ? lookup_in<NarrowWord>(*slot, layout, need)
                                       : lookup_in<WideWord>(*slot, layout, need);
    }

    void store(std::uint64_t key, int tricks, const Layout& layout, std::uint64_t mask, Bounds bounds) {
        ++stores;
        named_cards += static_cast<std::uint64_t>(std::popcount(mask));
        if (tricks <= NARROW_TRICKS)
            store_in<NarrowWord>(key, tricks, {layout, mask}, bounds);
        else
            store_in<WideWord>(key, tricks, {layout, mask}, bounds);
    }

    std::uint64_t lookups = 0, hits = 0, blocks_scanned = 0, stores = 0, named_cards = 0, collections = 0;

private:
    // A link to one has BRANCH set.
    struct Branch {
        std::uint32_t place;     // of the card, packed
        std::uint32_t links[5];  // by owner; the last: not named
    };

    // Eight narrow patterns or four wide ones, or a branch. A free lane has upper == FREE: its bounds decide
    // nothing, so lookups need not ask.
    struct alignas(64) Block {
        union {
            Lanes<NarrowWord> narrow;
            Lanes<WideWord> wide;
            Branch branch;
        };
        Bounds bounds[Lanes<NarrowWord>::COUNT];
        std::uint32_t next;
        std::uint32_t pad[3];

        template <class Word>
        Lanes<Word>& lanes() {
            if constexpr (IS_NARROW<Word>)
                return narrow;
            else
                return wide;
        }

        template <class Word>
        void set(int lane, const Pattern& pattern, Bounds proved) {
            lanes<Word>().set(lane, pattern);
            bounds[lane] = proved;
        }
    };
    static_assert(sizeof(Block) == 128);

    static constexpr std::uint32_t BRANCH = std::uint32_t{1} << 31;
    static constexpr unsigned NOT_NAMED = 4;
    static constexpr int MAX_PLACE = 52;

    // One for each shape and leader; keeps a copy of the narrow pattern that answered last.
    struct Slot {
        std::uint64_t key = 0;  // 0: empty
        std::uint32_t head = 0;
        std::uint32_t plane0 = 0, plane1 = 0, mask = 0;
        Bounds bounds{0, FREE};
        std::uint8_t tricks = 0;
        std::uint8_t pad[5] = {};

        bool last_holds(const Layout& layout) const {
            const auto p0 = static_cast<NarrowWord>(layout.plane0), p1 = static_cast<NarrowWord>(layout.plane1);
            return (((plane0 ^ p0) | (plane1 ^ p1)) & mask) == 0;
        }
    };
    static_assert(sizeof(Slot) == 32);

    static constexpr std::uint8_t FREE = 127;
    static constexpr int LONG_CHAIN = 8;  // blocks, a power of two
    static constexpr int FIRST_SLOT_BITS = 12;
    static constexpr std::size_t CHUNK_BLOCKS = 1024;
    static constexpr std::size_t CHUNK_BYTES = CHUNK_BLOCKS * sizeof(Block);
    static constexpr std::size_t KEPT_CHUNKS = 128;
    static constexpr std::size_t MAX_CHUNKS = (std::size_t{1} << 31) / CHUNK_BLOCKS;  // 31-bit links

    // A piece of memory with what the allocator may add to it: less than a page.
    static constexpr std::size_t allocated(std::size_t bytes) { return bytes + 4096; }

    std::size_t slot_count() const { return std::size_t{1} << slot_bits_; }

    std::size_t home(std::uint64_t key) const {
        return (key * HASH_MULTIPLIER ^ (key >> 29) * 0xBF58476D1CE4E5B9u) >> 20 & (slot_count() - 1);
    }

    Slot* find(std::uint64_t key) {
        const std::size_t mask = slot_count() - 1;
        for (std::size_t i = home(key);; i = (i + 1) & mask) {
            if (slots_[i].key == key) return &slots_[i];
            if (!slots_[i].key) return nullptr;
        }
    }

    Slot* obtain(std::uint64_t key, int tricks) {
        if (Slot* slot = find(key)) return slot;
        if (slots_used_ * 4 >= slot_count() * 3) grow_slots();
        Slot* slot = vacancy(key);
        slot->key = key;
        slot->tricks = static_cast<std::uint8_t>(tricks);
        ++slots_used_;
        return slot;
    }

    // Twice the slots, if old and new fit the limit side by side; else fewer shapes.
    void grow_slots() {
        if (bytes() + allocated(2 * slot_count() * sizeof(Slot)) > limit_bytes_) {
            collect();
            if (slots_used_ * 4 >= slot_count() * 3) reset();
            return;
        }
        auto grown = std::make_unique<Slot[]>(2 * slot_count());
        const Slot* old = slots_;
        const std::size_t old_count = slot_count();
        slots_ = grown.get();
        ++slot_bits_;
        for (std::size_t j = 0; j < old_count; ++j)
            if (old[j].key) *vacancy(old[j].key) = old[j];
        grown_slots_ = std::move(grown);
    }

    // Where a key that is not there belongs.
    Slot* vacancy(std::uint64_t key) {
        const std::size_t mask = slot_count() - 1;
        std::size_t i = home(key);
        while (slots_[i].key) i = (i + 1) & mask;
        return &slots_[i];
    }

    // Drops the shapes with fewer than `tricks` left, in place. From one gap to the next, every slot
    // is taken out and put back in order: it moves towards its home or stays, past none unseen.
    void drop_below(int tricks) {
        const std::size_t mask = slot_count() - 1;
        std::size_t gap = 0;
        while (slots_[gap].key) ++gap;  // at most three in four are used
        for (std::size_t step = 1; step <= mask; ++step) {
            Slot& slot = slots_[(gap + step) & mask];
            if (!slot.key) continue;
            const Slot taken = slot;
            slot = Slot{};
            if (taken.tricks < tricks) {
                free_all(taken.head);
                --slots_used_;
            } else {
                *vacancy(taken.key) = taken;
            }
        }
    }

    // Frees the shapes with the fewest tricks left, at least half of the patterns.
    void collect() {
        ++collections;
        Per<std::size_t, 14> blocks{};  // by tricks left
        for (std::size_t i = 0; i < slot_count(); ++i) blocks[slots_[i].tricks] += blocks_of(slots_[i].head);
        std::size_t freed = 0;
        int from = 0;
        while (from < 13 && freed * 2 < blocks_used_) freed += blocks[from++];
        drop_below(from);
    }

    std::size_t blocks_of(std::uint32_t link) {
        std::size_t blocks = 0;
        if (link & BRANCH) {
            ++blocks;
            for (const std::uint32_t below : branch(link).links) blocks += blocks_of(below);
        } else {
            for (; link; link = block(link).next) ++blocks;
        }
        return blocks;
    }

    void free_all(std::uint32_t link) {
        if (link & BRANCH) {
            const Branch taken = branch(link);
            for (const std::uint32_t below : taken.links) free_all(below);
            free_one(link & ~BRANCH);
        } else {
            while (link) {
                const std::uint32_t next = block(link).next;
                free_one(link);
                link = next;
            }
        }
    }

    void free_one(std::uint32_t index) {
        block(index).next = free_;
        free_ = index;
        --blocks_used_;
    }

    Branch& branch(std::uint32_t link) { return block(link & ~BRANCH).branch; }

    Block& block(std::uint32_t index) { return chunks_[index / CHUNK_BLOCKS][index % CHUNK_BLOCKS]; }

    // A fresh block, or 0 after a collection, which moves the slots.
    std::uint32_t new_block() {
        if (const std::uint32_t index = try_block()) return index;
        collect();
        if (!free_) reset();
        return 0;
    }

    // A fresh block, or 0 if there is no room.
    std::uint32_t try_block() {
        std::uint32_t index = free_;
        if (index) {
            free_ = block(index).next;
        } else {
            if (next_block_ == chunk_count_ * CHUNK_BLOCKS || chunk_count_ == 0) {
                if (chunk_count_ == most_chunks_ || bytes() + allocated(CHUNK_BYTES) > limit_bytes_) return 0;
                chunks_[chunk_count_] = std::make_unique_for_overwrite<Block[]>(CHUNK_BLOCKS);
                ++chunk_count_;
            }
            index = static_cast<std::uint32_t>(next_block_++);
        }
        ++blocks_used_;
        Block& fresh = block(index);
        std::memset(&fresh, 0, sizeof fresh);
        for (Bounds& bounds : fresh.bounds) bounds.upper = FREE;
        return index;
    }

    template <class Word>
    [[gnu::always_inline]] TableHit lookup_in(Slot& slot, const Layout& layout, int need) {
        if constexpr (IS_NARROW<Word>)
            if (slot.bounds.decides(need) && slot.last_holds(layout)) {
                ++hits;
                return {true, slot.bounds, slot.mask};
            }
        if (slot.head & BRANCH) [[unlikely]]
            return follow_branch<Word>(slot, slot.head, layout, need);
        return scan<Word>(slot, slot.head, layout, need);
    }

    // Looks where the card has the owner it has, then where it is not named.
    template <class Word>
    [[gnu::noinline]] TableHit follow_branch(Slot& slot, std::uint32_t link, const Layout& layout, int need) {
        Branch& fork = branch(link);
        for (const unsigned way : {layout.owner(fork.place), NOT_NAMED}) {
            std::uint32_t& head = fork.links[way];
            const TableHit hit =
                head & BRANCH ? follow_branch<Word>(slot, head, layout, need) : scan<Word>(slot, head, layout, need);
            if (hit.found) return hit;
        }
        return {false, {}, 0};
    }

    // Looks through one chain; the block that answers moves to its front.
    template <class Word>
    [[gnu::always_inline]] TableHit scan(Slot& slot, std::uint32_t& head, const Layout& layout, int need) {
        std::uint32_t before = 0;
        for (std::uint32_t i = head; i; before = i, i = block(i).next) {
            Block& b = block(i);
            ++blocks_scanned;
            const int lane = deciding_lane<Word>(b, layout, need);
            if (lane < 0) continue;
            ++hits;
            const Lanes<Word>& lanes = b.lanes<Word>();
            const TableHit hit{true, b.bounds[lane], lanes.mask[lane]};
            if constexpr (IS_NARROW<Word>) {
                slot.plane0 = lanes.plane0[lane];
                slot.plane1 = lanes.plane1[lane];
                slot.mask = lanes.mask[lane];
                slot.bounds = hit.bounds;
            }
            to_front(head, before, i);
            return hit;
        }
        return {false, {}, 0};
    }

    // A lane that holds `layout` and decides `need`, or -1. Of several narrow ones the broadest: what it names
    // is named above, too. Wide ones seldom come in numbers; there the first will do.
    template <class Word>
    [[gnu::always_inline]] static int deciding_lane(Block& b, const Layout& layout, int need) {
        const Lanes<Word>& lanes = b.lanes<Word>();
        int best = -1;
        for (unsigned found = lanes.holding(layout); found; found &= found - 1) {
            const int j = std::countr_zero(found);
            if (!b.bounds[j].decides(need)) continue;
            if constexpr (!IS_NARROW<Word>) return j;
            if (best < 0 || std::popcount(lanes.mask[j]) < std::popcount(lanes.mask[best])) best = j;
        }
        return best;
    }

    void to_front(std::uint32_t& head, std::uint32_t before, std::uint32_t index) {
        if (!before) return;
        block(before).next = block(index).next;
        block(index).next = head;
        head = index;
    }

    // COUNT if none is free.
    template <class Word>
    static int first_free(const Block& b) {
        int lane = 0;
        while (lane < Lanes<Word>::COUNT && b.bounds[lane].upper != FREE) ++lane;
        return lane;
    }

    // Where a branch on the card at `place` has the pattern.
    static unsigned way_of(std::uint32_t place, const Pattern& pattern) {
        return pattern.mask >> place & 1 ? pattern.owners.owner(place) : NOT_NAMED;
    }

    // The chain a pattern belongs to. Patterns it covers elsewhere stay: they do no harm.
    std::uint32_t& chain_for(Slot& slot, const Pattern& pattern) {
        std::uint32_t* link = &slot.head;
        while (*link & BRANCH) {
            Branch& fork = branch(*link);
            link = &fork.links[way_of(fork.place, pattern)];
        }
        return *link;
    }

    // A free lane of a block, if there is one.
    struct FreeLane {
        Block* block = nullptr;
        int lane = 0;
    };

    // What the chain says about a new pattern: whether it is there already or has taken the place of others,
    // a free lane if not, and the length of the chain in blocks.
    struct Fitting {
        bool is_placed = false;
        FreeLane free;
        int length = 0;
    };

    template <class Word>
    Fitting fit(std::uint32_t head, const Pattern& pattern, Bounds bounds) {
        Fitting found;
        for (std::uint32_t i = head; i; i = block(i).next, ++found.length) {
            Block& b = block(i);
            if (!found.free.block) found.free = free_lane<Word>(b);
            for (unsigned covered = b.lanes<Word>().inside(pattern); covered; covered &= covered - 1) {
                const int j = std::countr_zero(covered);
                Bounds& old = b.bounds[j];
                if (old.upper == FREE) continue;
                // Both bounds hold for what the new pattern covers.
                old.lower = std::max(old.lower, bounds.lower);
                old.upper = std::min(old.upper, bounds.upper);
                if (b.lanes<Word>().mask[j] == pattern.mask) {
                    found.is_placed = true;
                } else if (old.lower == bounds.lower && old.upper == bounds.upper) {
                    if (found.is_placed)
                        b.set<Word>(j, {}, {0, FREE});
                    else
                        b.set<Word>(j, pattern, bounds);
                    found.is_placed = true;
                }
            }
        }
        return found;
    }

    template <class Word>
    static FreeLane free_lane(Block& b) {
        const int lane = first_free<Word>(b);
        return lane < Lanes<Word>::COUNT ? FreeLane{&b, lane} : FreeLane{};
    }

    template <class Word>
    void store_in(std::uint64_t key, int tricks, const Pattern& pattern, Bounds bounds) {
        std::uint32_t* head = &chain_for(*obtain(key, tricks), pattern);
        Fitting found = fit<Word>(*head, pattern, bounds);
        if (found.is_placed) return;
        FreeLane& free = found.free;
        // At the given length, and if it cannot be divided there, at twice the length, and so on.
        if (!free.block && found.length >= LONG_CHAIN && std::has_single_bit(static_cast<unsigned>(found.length)) &&
            divide<Word>(*head)) {
            Branch& fork = branch(*head);
            head = &fork.links[way_of(fork.place, pattern)];
            for (std::uint32_t i = *head; i && !free.block; i = block(i).next) free = free_lane<Word>(block(i));
        }
        if (!free.block) {
            const std::uint32_t index = new_block();
            if (!index) return;  // the table was full and has been thinned: not worth a second try
            block(index).next = *head;
            *head = index;
            free = {&block(index), 0};
        }
        free.block->template set<Word>(free.lane, pattern, bounds);
    }

    // The card that tells the patterns of a full chain apart best; MAX_PLACE if none is worth it.
    template <class Word>
    std::uint32_t dividing_place(std::uint32_t head) {
        std::uint32_t counts[MAX_PLACE][4] = {};
        std::uint32_t total = 0;
        for (std::uint32_t i = head; i; i = block(i).next)
            for (int j = 0; j < Lanes<Word>::COUNT; ++j) {
                const Pattern pattern = block(i).template lanes<Word>().get(j);
                ++total;
                for (std::uint64_t named = pattern.mask; named; named &= named - 1) {
                    const auto place = static_cast<std::uint32_t>(std::countr_zero(named));
                    ++counts[place][pattern.owners.owner(place)];
                }
            }
        std::uint32_t best = MAX_PLACE;
        double least = 0.75 * total;
        for (std::uint32_t place = 0; place < MAX_PLACE; ++place) {
            const auto& c = counts[place];
            const double named = double(c[0]) + c[1] + c[2] + c[3];
            if (named == 0) continue;
            // Expected number of patterns to look at, if positions are spread as the patterns are.
            const double squares =
                double(c[0]) * c[0] + double(c[1]) * c[1] + double(c[2]) * c[2] + double(c[3]) * c[3];
            const double looked_at = total - named + squares / named;
            if (looked_at < least) least = looked_at, best = place;
        }
        return best;
    }

    // Makes a branch of a full chain. False, and nothing changed, if there is no card or no room.
    template <class Word>
    bool divide(std::uint32_t& head) {
        constexpr int LANES = Lanes<Word>::COUNT;
        const std::uint32_t best = dividing_place<Word>(head);
        if (best == MAX_PLACE) return false;
        // One for the branch. The old blocks are used again, and five more are enough for the rest.
        constexpr int SPARE = 6;
        std::uint32_t spare[SPARE];
        for (int i = 0; i < SPARE; ++i)
            if (!(spare[i] = try_block())) {
                while (i > 0) free_one(spare[--i]);
                return false;
            }
        Branch fork{best, {}};
        int used[5] = {};
        int next_spare = 1;
        for (std::uint32_t i = head; i;) {
            Block old = block(i);
            const std::uint32_t next = old.next;
            free_one(i);
            for (int j = 0; j < LANES; ++j) {
                const Pattern pattern = old.lanes<Word>().get(j);
                const unsigned way = way_of(best, pattern);
                if (!fork.links[way] || used[way] == LANES) {
                    const std::uint32_t index = next_spare < SPARE ? spare[next_spare++] : try_block();
                    assert(index);
                    block(index).next = fork.links[way];
                    fork.links[way] = index;
                    used[way] = 0;
                }
                block(fork.links[way]).template set<Word>(used[way]++, pattern, old.bounds[j]);
            }
            i = next;
        }
        while (next_spare < SPARE) free_one(spare[next_spare++]);
        branch(spare[0]) = fork;
        head = spare[0] | BRANCH;
        return true;
    }

    const std::size_t limit_bytes_;
    const std::size_t most_chunks_;
    int slot_bits_ = FIRST_SLOT_BITS;
    std::size_t slots_used_ = 0;
    Slot* slots_ = first_slots_;
    std::unique_ptr<Slot[]> grown_slots_;
    std::unique_ptr<std::unique_ptr<Block[]>[]> chunks_;
    std::size_t chunk_count_ = 0;
    std::size_t next_block_ = 1;
    std::size_t blocks_used_ = 0;
    std::uint32_t free_ = 0;
    Slot first_slots_[std::size_t{1} << FIRST_SLOT_BITS];  // the others are on the heap
};

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde
