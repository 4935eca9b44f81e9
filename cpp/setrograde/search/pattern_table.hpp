// Table: patterns and the bounds proved for them
//
// A pattern is a set of positions: same shape (who has how many cards of each suit), same leader,
// and the same owners of the named cards; the rest may lie anyhow. Owners are two bit-planes over
// the cards present, packed suit by suit, so a pattern is (plane 0, plane 1, mask of named cards)
// and one comparison tells whether a position belongs to it. With at most eight tricks left the
// 32 cards fit 32 bits and eight patterns are compared at once. Broader patterns replace those
// they cover.
//
// The patterns of one shape and leader are a chain of blocks. A long chain is divided by the owner of
// one card: a branch has a chain, or another branch, for each owner and one for the patterns that do
// not name the card. A position is looked for in two of these five.
//
// Memory is bounded at every moment, the table and its growth side by side included. When the limit
// is reached, the shapes with the fewest tricks left go first (they are the cheapest to search
// again) until half of the patterns are free.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "setrograde/cards/pack.hpp"
#include "setrograde/search/search.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace setrograde {
namespace SETROGRADE_ARCH {

// Owners of the present cards as planes: owner = plane0 bit + 2 * plane1 bit.
struct Layout {
    std::uint64_t plane0, plane1;
};

struct Bounds {
    std::uint8_t lower, upper;  // tricks of North-South
    bool decides(int need) const { return lower >= need || upper < need; }
};

struct TableHit {
    bool found;
    Bounds bounds;
    std::uint64_t mask;  // packed
};

inline constexpr int NARROW_TRICKS = 8;  // up to here a layout fits 32 bits

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

    // A pattern that holds `layout` and decides `need`; the one found last is tried first.
    TableHit lookup(std::uint64_t key, int tricks, const Layout& layout, int need) {
        ++lookups;
        Slot* slot = find(key);
        if (!slot) return {false, {}, 0};
        return tricks <= NARROW_TRICKS ? lookup_narrow(*slot, layout, need) : lookup_wide(*slot, layout, need);
    }

    void store(std::uint64_t key, int tricks, const Layout& layout, std::uint64_t mask, Bounds bounds) {
        ++stores;
        named_cards += static_cast<std::uint64_t>(std::popcount(mask));
        if (tricks <= NARROW_TRICKS)
            store_in<true>(key, tricks, layout, mask, bounds);
        else
            store_in<false>(key, tricks, layout, mask, bounds);
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
            struct {
                std::uint32_t plane0[8], plane1[8], mask[8];
            } narrow;
            struct {
                std::uint64_t plane0[4], plane1[4], mask[4];
            } wide;
            Branch branch;
        };
        Bounds bounds[8];
        std::uint32_t next;
        std::uint32_t pad[3];
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
        return (key * 0x9E3779B97F4A7C15u ^ (key >> 29) * 0xBF58476D1CE4E5B9u) >> 20 & (slot_count() - 1);
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
        std::array<std::size_t, 14> blocks{};
        for (std::size_t i = 0; i < slot_count(); ++i) blocks[slots_[i].tricks] += blocks_of(slots_[i].head);
        std::size_t freed = 0;
        int from = 0;
        while (from < 13 && freed * 2 < blocks_used_) freed += blocks[static_cast<std::size_t>(from++)];
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

    static unsigned matches_narrow(const Block& b, const Layout& layout) {
#if defined(__AVX2__)
        const __m256i p0 = _mm256_set1_epi32(static_cast<int>(layout.plane0));
        const __m256i p1 = _mm256_set1_epi32(static_cast<int>(layout.plane1));
        const auto* planes0 = reinterpret_cast<const __m256i*>(b.narrow.plane0);
        const auto* planes1 = reinterpret_cast<const __m256i*>(b.narrow.plane1);
        const auto* masks = reinterpret_cast<const __m256i*>(b.narrow.mask);
        const __m256i differ = _mm256_and_si256(_mm256_load_si256(masks),
                                                _mm256_or_si256(_mm256_xor_si256(p0, _mm256_load_si256(planes0)),
                                                                _mm256_xor_si256(p1, _mm256_load_si256(planes1))));
        return static_cast<unsigned>(
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(differ, _mm256_setzero_si256()))));
#else
        unsigned matches = 0;
        const auto p0 = static_cast<std::uint32_t>(layout.plane0);
        const auto p1 = static_cast<std::uint32_t>(layout.plane1);
        for (unsigned j = 0; j < 8; ++j) {
            const std::uint32_t differ = (b.narrow.plane0[j] ^ p0) | (b.narrow.plane1[j] ^ p1);
            matches |= static_cast<unsigned>((differ & b.narrow.mask[j]) == 0) << j;
        }
        return matches;
#endif
    }

    static unsigned matches_wide(const Block& b, const Layout& layout) {
#if defined(__AVX2__)
        const __m256i p0 = _mm256_set1_epi64x(static_cast<long long>(layout.plane0));
        const __m256i p1 = _mm256_set1_epi64x(static_cast<long long>(layout.plane1));
        const auto* planes0 = reinterpret_cast<const __m256i*>(b.wide.plane0);
        const auto* planes1 = reinterpret_cast<const __m256i*>(b.wide.plane1);
        const auto* masks = reinterpret_cast<const __m256i*>(b.wide.mask);
        const __m256i differ = _mm256_and_si256(_mm256_load_si256(masks),
                                                _mm256_or_si256(_mm256_xor_si256(p0, _mm256_load_si256(planes0)),
                                                                _mm256_xor_si256(p1, _mm256_load_si256(planes1))));
        return static_cast<unsigned>(
            _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(differ, _mm256_setzero_si256()))));
#else
        unsigned matches = 0;
        for (unsigned j = 0; j < 4; ++j) {
            const std::uint64_t differ = (b.wide.plane0[j] ^ layout.plane0) | (b.wide.plane1[j] ^ layout.plane1);
            matches |= static_cast<unsigned>((differ & b.wide.mask[j]) == 0) << j;
        }
        return matches;
#endif
    }

    TableHit lookup_narrow(Slot& slot, const Layout& layout, int need) {
        const auto p0 = static_cast<std::uint32_t>(layout.plane0);
        const auto p1 = static_cast<std::uint32_t>(layout.plane1);
        if (slot.bounds.decides(need) && (((slot.plane0 ^ p0) | (slot.plane1 ^ p1)) & slot.mask) == 0) {
            ++hits;
            return {true, slot.bounds, slot.mask};
        }
        if (slot.head & BRANCH) [[unlikely]]
            return follow_branch<true>(slot, slot.head, layout, need);
        return scan_narrow(slot, slot.head, layout, need);
    }

    // Looks where the card has the owner it has, then where it is not named.
    template <bool NARROW>
    [[gnu::noinline]] TableHit follow_branch(Slot& slot, std::uint32_t link, const Layout& layout, int need) {
        Branch& fork = branch(link);
        for (const unsigned way : {owner(layout, fork.place), NOT_NAMED}) {
            std::uint32_t& head = fork.links[way];
            const TableHit hit = head & BRANCH ? follow_branch<NARROW>(slot, head, layout, need)
                                 : NARROW      ? scan_narrow(slot, head, layout, need)
                                               : scan_wide(head, layout, need);
            if (hit.found) return hit;
        }
        return {false, {}, 0};
    }

    TableHit scan_narrow(Slot& slot, std::uint32_t& head, const Layout& layout, int need) {
        std::uint32_t before = 0;
        for (std::uint32_t i = head; i; i = block(i).next) {
            Block& b = block(i);
            ++blocks_scanned;
            for (unsigned found = matches_narrow(b, layout); found; found &= found - 1) {
                int j = std::countr_zero(found);
                if (!b.bounds[j].decides(need)) continue;
                // Of several in this block, the broadest: what it names is named above, too.
                for (unsigned more = found & (found - 1); more; more &= more - 1) {
                    const int k = std::countr_zero(more);
                    if (b.bounds[k].decides(need) && std::popcount(b.narrow.mask[k]) < std::popcount(b.narrow.mask[j]))
                        j = k;
                }
                ++hits;
                slot.plane0 = b.narrow.plane0[j];
                slot.plane1 = b.narrow.plane1[j];
                slot.mask = b.narrow.mask[j];
                slot.bounds = b.bounds[j];
                to_front(head, before, i);
                return {true, slot.bounds, slot.mask};
            }
            before = i;
        }
        return {false, {}, 0};
    }

    TableHit lookup_wide(Slot& slot, const Layout& layout, int need) {
        if (slot.head & BRANCH) [[unlikely]]
            return follow_branch<false>(slot, slot.head, layout, need);
        return scan_wide(slot.head, layout, need);
    }

    TableHit scan_wide(std::uint32_t& head, const Layout& layout, int need) {
        std::uint32_t before = 0;
        for (std::uint32_t i = head; i; i = block(i).next) {
            Block& b = block(i);
            ++blocks_scanned;
            for (unsigned found = matches_wide(b, layout); found; found &= found - 1) {
                const int j = std::countr_zero(found);
                if (!b.bounds[j].decides(need)) continue;
                ++hits;
                const TableHit hit{true, b.bounds[j], b.wide.mask[j]};
                to_front(head, before, i);
                return hit;
            }
            before = i;
        }
        return {false, {}, 0};
    }

    static unsigned owner(const Layout& layout, std::uint32_t place) {
        return static_cast<unsigned>((layout.plane0 >> place & 1) | (layout.plane1 >> place & 1) << 1);
    }

    void to_front(std::uint32_t& head, std::uint32_t before, std::uint32_t index) {
        if (!before) return;
        block(before).next = block(index).next;
        block(index).next = head;
        head = index;
    }

    // Lanes whose pattern lies inside (layout, mask); free lanes may be among them.
    static unsigned covered_narrow(const Block& b, const Layout& layout, std::uint64_t mask) {
#if defined(__AVX2__)
        const __m256i p0 = _mm256_set1_epi32(static_cast<int>(layout.plane0));
        const __m256i p1 = _mm256_set1_epi32(static_cast<int>(layout.plane1));
        const __m256i named = _mm256_set1_epi32(static_cast<int>(mask));
        const auto* planes0 = reinterpret_cast<const __m256i*>(b.narrow.plane0);
        const auto* planes1 = reinterpret_cast<const __m256i*>(b.narrow.plane1);
        const auto* masks = reinterpret_cast<const __m256i*>(b.narrow.mask);
        const __m256i differ =
            _mm256_or_si256(_mm256_andnot_si256(_mm256_load_si256(masks), named),
                            _mm256_and_si256(named, _mm256_or_si256(_mm256_xor_si256(p0, _mm256_load_si256(planes0)),
                                                                    _mm256_xor_si256(p1, _mm256_load_si256(planes1)))));
        return static_cast<unsigned>(
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(differ, _mm256_setzero_si256()))));
#else
        unsigned covered = 0;
        for (unsigned j = 0; j < 8; ++j) {
            const std::uint64_t differ = (b.narrow.plane0[j] ^ layout.plane0) | (b.narrow.plane1[j] ^ layout.plane1);
            covered |= static_cast<unsigned>(((differ & mask) | (mask & ~b.narrow.mask[j])) == 0) << j;
        }
        return covered;
#endif
    }

    static unsigned covered_wide(const Block& b, const Layout& layout, std::uint64_t mask) {
        unsigned covered = 0;
        for (unsigned j = 0; j < 4; ++j) {
            const std::uint64_t differ = (b.wide.plane0[j] ^ layout.plane0) | (b.wide.plane1[j] ^ layout.plane1);
            covered |= static_cast<unsigned>(((differ & mask) | (mask & ~b.wide.mask[j])) == 0) << j;
        }
        return covered;
    }

    // LANES if none is free.
    template <int LANES>
    static int first_free(const Block& b) {
        int lane = 0;
        while (lane < LANES && b.bounds[lane].upper != FREE) ++lane;
        return lane;
    }

    template <bool NARROW>
    static bool same_mask(const Block& b, int j, std::uint64_t mask) {
        if constexpr (NARROW) return b.narrow.mask[j] == mask;
        return b.wide.mask[j & 3] == mask;
    }

    template <bool NARROW>
    static void set_lane(Block& b, int j, const Layout& layout, std::uint64_t mask, Bounds bounds) {
        if constexpr (NARROW) {
            b.narrow.plane0[j] = static_cast<std::uint32_t>(layout.plane0 & mask);
            b.narrow.plane1[j] = static_cast<std::uint32_t>(layout.plane1 & mask);
            b.narrow.mask[j] = static_cast<std::uint32_t>(mask);
        } else {
            b.wide.plane0[j & 3] = layout.plane0 & mask;
            b.wide.plane1[j & 3] = layout.plane1 & mask;
            b.wide.mask[j & 3] = mask;
        }
        b.bounds[j] = bounds;
    }

    // Where a branch has the pattern.
    static unsigned way_of(std::uint32_t place, const Layout& layout, std::uint64_t mask) {
        return mask >> place & 1 ? owner(layout, place) : NOT_NAMED;
    }

    // The chain a pattern belongs to. Patterns it covers elsewhere stay: they do no harm.
    std::uint32_t& chain_for(Slot& slot, const Layout& layout, std::uint64_t mask) {
        std::uint32_t* link = &slot.head;
        while (*link & BRANCH) {
            Branch& fork = branch(*link);
            link = &fork.links[way_of(fork.place, layout, mask)];
        }
        return *link;
    }

    template <bool NARROW>
    void store_in(std::uint64_t key, int tricks, const Layout& layout, std::uint64_t mask, Bounds bounds) {
        constexpr int LANES = NARROW ? 8 : 4;
        std::uint32_t* head = &chain_for(*obtain(key, tricks), layout, mask);
        Block* free_block = nullptr;
        int free_lane = 0, length = 0;
        bool placed = false;
        for (std::uint32_t i = *head; i; i = block(i).next, ++length) {
            Block& b = block(i);
            if (!free_block && (free_lane = first_free<LANES>(b)) < LANES) free_block = &b;
            unsigned covered = NARROW ? covered_narrow(b, layout, mask) : covered_wide(b, layout, mask);
            for (; covered; covered &= covered - 1) {
                const int j = std::countr_zero(covered);
                Bounds& old = b.bounds[j];
                if (old.upper == FREE) continue;
                // Both bounds hold for what the new pattern covers.
                old.lower = std::max(old.lower, bounds.lower);
                old.upper = std::min(old.upper, bounds.upper);
                if (same_mask<NARROW>(b, j, mask)) {
                    placed = true;
                } else if (old.lower == bounds.lower && old.upper == bounds.upper) {
                    set_lane<NARROW>(b, j, layout, placed ? 0 : mask, placed ? Bounds{0, FREE} : bounds);
                    placed = true;
                }
            }
        }
        if (placed) return;
        if (!free_block) {
            // At the given length, and if it cannot be divided there, at twice the length, and so on.
            if (length >= LONG_CHAIN && std::has_single_bit(static_cast<unsigned>(length)) && divide<NARROW>(*head)) {
                Branch& fork = branch(*head);
                head = &fork.links[way_of(fork.place, layout, mask)];
                for (std::uint32_t i = *head; i && !free_block; i = block(i).next)
                    if ((free_lane = first_free<LANES>(block(i))) < LANES) free_block = &block(i);
            }
        }
        if (!free_block) {
            const std::uint32_t index = new_block();
            if (!index) return;  // the table was full and has been thinned: not worth a second try
            block(index).next = *head;
            *head = index;
            free_block = &block(index);
            free_lane = 0;
        }
        set_lane<NARROW>(*free_block, free_lane, layout, mask, bounds);
    }

    struct Lane {
        Layout layout;
        std::uint64_t mask;
        Bounds bounds;
    };

    template <bool NARROW>
    static Lane lane(const Block& b, int j) {
        if constexpr (NARROW) return {{b.narrow.plane0[j], b.narrow.plane1[j]}, b.narrow.mask[j], b.bounds[j]};
        return {{b.wide.plane0[j & 3], b.wide.plane1[j & 3]}, b.wide.mask[j & 3], b.bounds[j]};
    }

    // The card that tells the patterns of a full chain apart best; MAX_PLACE if none is worth it.
    template <bool NARROW>
    std::uint32_t dividing_place(std::uint32_t head) {
        constexpr int LANES = NARROW ? 8 : 4;
        std::uint32_t counts[MAX_PLACE][4] = {};
        std::uint32_t total = 0;
        for (std::uint32_t i = head; i; i = block(i).next)
            for (int j = 0; j < LANES; ++j) {
                const Lane l = lane<NARROW>(block(i), j);
                ++total;
                for (std::uint64_t named = l.mask; named; named &= named - 1) {
                    const auto place = static_cast<std::uint32_t>(std::countr_zero(named));
                    ++counts[place][owner(l.layout, place)];
                }
            }
        std::uint32_t best = MAX_PLACE;
        double least = 0.75 * total;
        for (std::uint32_t place = 0; place < MAX_PLACE; ++place) {
            const auto& c = counts[place];
            const double named = double(c[0]) + c[1] + c[2] + c[3];
            if (named == 0) continue;
            // Expected number of patterns to look at, if positions lie as the patterns do.
            const double squares =
                double(c[0]) * c[0] + double(c[1]) * c[1] + double(c[2]) * c[2] + double(c[3]) * c[3];
            const double looked_at = total - named + squares / named;
            if (looked_at < least) least = looked_at, best = place;
        }
        return best;
    }

    // Makes a branch of a full chain. False, and nothing changed, if there is no card or no room.
    template <bool NARROW>
    bool divide(std::uint32_t& head) {
        constexpr int LANES = NARROW ? 8 : 4;
        const std::uint32_t best = dividing_place<NARROW>(head);
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
            const Block old = block(i);
            const std::uint32_t next = old.next;
            free_one(i);
            for (int j = 0; j < LANES; ++j) {
                const Lane l = lane<NARROW>(old, j);
                const unsigned way = way_of(best, l.layout, l.mask);
                if (!fork.links[way] || used[way] == LANES) {
                    const std::uint32_t index = next_spare < SPARE ? spare[next_spare++] : try_block();
                    block(index).next = fork.links[way];
                    fork.links[way] = index;
                    used[way] = 0;
                }
                set_lane<NARROW>(block(fork.links[way]), used[way]++, l.layout, l.mask, l.bounds);
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
