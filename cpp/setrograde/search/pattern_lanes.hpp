// Pattern lanes: several patterns side by side, compared with one position at once
//
// A pattern is a set of positions: same shape (who has how many cards of each suit), same leader,
// and the same owners of the named cards; the other cards may be anywhere. Owners are two bit-planes
// over the cards present, packed suit by suit, so a pattern is (plane 0, plane 1, mask of named cards)
// and one comparison tells whether a position belongs to it. With at most eight tricks left the 32 cards
// fit 32 bits, and eight patterns are compared at once; otherwise four.
//
// Compiled once for each kind of processor, like the search it serves.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace setrograde {
namespace SETROGRADE_ARCH {

// Owners of the present cards as planes: owner = plane0 bit + 2 * plane1 bit.
struct Layout {
    std::uint64_t plane0, plane1;

    unsigned owner(std::uint32_t place) const {
        return static_cast<unsigned>((plane0 >> place & 1) | (plane1 >> place & 1) << 1);
    }
};

// What is known of North-South's tricks.
struct Bounds {
    std::uint8_t lower, upper;
    bool decides(int need) const { return lower >= need || upper < need; }
};

using NarrowWord = std::uint32_t;
using WideWord = std::uint64_t;
inline constexpr int NARROW_TRICKS = 8;  // up to here a layout fits a narrow word

template <class Word>
inline constexpr bool IS_NARROW = sizeof(Word) == sizeof(NarrowWord);

// One pattern by itself, whatever its width.
struct Pattern {
    Layout owners;
    std::uint64_t mask;  // the named cards
};

// As many patterns as fill three vectors of 32 bytes. Functions of several lanes answer with one bit for
// each; they may be true of lanes that are not in use.
template <class Word>
struct alignas(32) Lanes {
    static constexpr int COUNT = 32 / sizeof(Word);

    Word plane0[COUNT], plane1[COUNT], mask[COUNT];

    Pattern get(int lane) const { return {{plane0[lane], plane1[lane]}, mask[lane]}; }

    void set(int lane, const Pattern& pattern) {
        plane0[lane] = static_cast<Word>(pattern.owners.plane0 & pattern.mask);
        plane1[lane] = static_cast<Word>(pattern.owners.plane1 & pattern.mask);
        mask[lane] = static_cast<Word>(pattern.mask);
    }

    // Lanes whose pattern holds `layout`.
    unsigned holding(const Layout& layout) const {
#if defined(__AVX2__)
        return zero_lanes(_mm256_and_si256(load(mask), differing(layout)));
#else
        return lanes_where([&](int j) { return (differing(layout, j) & mask[j]) == 0; });
#endif
    }

    // Lanes whose pattern lies inside `outer`: it names the same cards with the same owners, and maybe more.
    unsigned inside(const Pattern& outer) const {
#if defined(__AVX2__)
        const __m256i named = broadcast(outer.mask);
        return zero_lanes(
            _mm256_or_si256(_mm256_andnot_si256(load(mask), named), _mm256_and_si256(named, differing(outer.owners))));
#else
        const auto named = static_cast<Word>(outer.mask);
        return lanes_where([&](int j) { return (named & (differing(outer.owners, j) | ~mask[j])) == 0; });
#endif
    }

private:
#if defined(__AVX2__)
    static __m256i load(const Word* words) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(words)); }

    static __m256i broadcast(std::uint64_t word) {
        if constexpr (IS_NARROW<Word>) return _mm256_set1_epi32(static_cast<int>(word));
        return _mm256_set1_epi64x(static_cast<long long>(word));
    }

    __m256i differing(const Layout& layout) const {
        return _mm256_or_si256(_mm256_xor_si256(broadcast(layout.plane0), load(plane0)),
                               _mm256_xor_si256(broadcast(layout.plane1), load(plane1)));
    }

    static unsigned zero_lanes(__m256i words) {
        const __m256i zero = _mm256_setzero_si256();
        if constexpr (IS_NARROW<Word>)
            return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(words, zero))));
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(words, zero))));
    }
#else
    Word differing(const Layout& layout, int j) const {
        return (plane0[j] ^ static_cast<Word>(layout.plane0)) | (plane1[j] ^ static_cast<Word>(layout.plane1));
    }

    template <class Test>
    static unsigned lanes_where(Test test) {
        unsigned lanes = 0;
        for (int j = 0; j < COUNT; ++j) lanes |= static_cast<unsigned>(test(j)) << j;
        return lanes;
    }
#endif
};

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde
