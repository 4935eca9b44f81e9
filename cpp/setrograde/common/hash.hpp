// Hash: words mixed into one, for tables that live in memory only
//
// Not for files: what is written to disk is checked by checksum.hpp.
#pragma once

#include <cstdint>

namespace setrograde {

// 2**64 divided by the golden ratio. A word times this has well mixed high bits; the low ones are weak.
inline constexpr std::uint64_t HASH_MULTIPLIER = 0x9E37'79B9'7F4A'7C15u;

// The hash of what came before and one word more. Take high bits of the result: the low ones are weak.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * HASH_MULTIPLIER;
    return hash ^ hash >> 29;
}

}  // namespace setrograde
