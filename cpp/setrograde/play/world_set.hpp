// World sets: bit sets of worlds, or of facts about worlds
//
// A world is one layout of the hidden cards, a bit. A fact is a world together with a number of tricks:
// "in this world we reach this number". With one number that matters, facts and worlds are the same bits;
// with several, each number has a block of words of its own. The number of words is a template argument,
// so that the usual case, up to 64 worlds and one number, is arithmetic on a single word.
#pragma once

#include <bit>
#include <cstdint>

namespace setrograde {

template <int WORDS>
struct WorldSet {
    std::uint64_t words[WORDS] = {};

    static WorldSet ones() {
        WorldSet set;
        for (std::uint64_t& word : set.words) word = ~std::uint64_t{0};
        return set;
    }
    void insert(int bit) { words[bit >> 6] |= std::uint64_t{1} << (bit & 63); }
    bool has(int bit) const { return words[bit >> 6] >> (bit & 63) & 1; }
    bool is_empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words) any |= word;
        return any == 0;
    }
    bool is_full() const {
        std::uint64_t all = ~std::uint64_t{0};
        for (const std::uint64_t word : words) all &= word;
        return all == ~std::uint64_t{0};
    }
    int size() const {
        int size = 0;
        for (const std::uint64_t word : words) size += std::popcount(word);
        return size;
    }
    bool is_within(const WorldSet& other) const {
        std::uint64_t outside = 0;
        for (int i = 0; i < WORDS; ++i) outside |= words[i] & ~other.words[i];
        return outside == 0;
    }
    // Calls `use` with each bit, lowest first.
    template <class Use>
    void each(Use use) const {
        for (int i = 0; i < WORDS; ++i)
            for (std::uint64_t word = words[i]; word; word &= word - 1) use(64 * i + std::countr_zero(word));
    }

    WorldSet& operator&=(const WorldSet& other) {
        for (int i = 0; i < WORDS; ++i) words[i] &= other.words[i];
        return *this;
    }
    WorldSet& operator|=(const WorldSet& other) {
        for (int i = 0; i < WORDS; ++i) words[i] |= other.words[i];
        return *this;
    }
    friend WorldSet operator&(WorldSet a, const WorldSet& b) { return a &= b; }
    friend WorldSet operator|(WorldSet a, const WorldSet& b) { return a |= b; }
    friend WorldSet operator~(WorldSet a) {
        for (std::uint64_t& word : a.words) word = ~word;
        return a;
    }
    friend bool operator==(const WorldSet&, const WorldSet&) = default;
};

}  // namespace setrograde
