// Packing: bits of a card set squeezed together, and back
//
// One instruction where the processor has BMI2; this header is compiled once for each kind of
// processor, inside a namespace of its own (search/search.cpp).
#pragma once

#include "setrograde/cards/cards.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace setrograde {
namespace SETROGRADE_ARCH {

// The bits of `source` at the places of `mask`, lowest first, without gaps.
inline std::uint64_t pack(CardSet source, CardSet mask) {
#if defined(__BMI2__)
    return _pext_u64(source, mask);
#else
    std::uint64_t packed = 0;
    for (source &= mask; source; source &= source - 1) {
        const CardSet bit = source & (0 - source);
        packed |= CardSet{1} << std::popcount(mask & (bit - 1));
    }
    return packed;
#endif
}

// The inverse: bit i of `packed` goes to the i-th place of `mask`.
inline CardSet unpack(std::uint64_t packed, CardSet mask) {
#if defined(__BMI2__)
    return _pdep_u64(packed, mask);
#else
    CardSet cards = 0;
    for (; mask && packed; mask &= mask - 1, packed >>= 1)
        if (packed & 1) cards |= mask & (0 - mask);
    return cards;
#endif
}

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde
