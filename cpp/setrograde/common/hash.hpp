// Hash: words mixed into one, for tables that live in memory only
//
// Not for files: what is written to disk is checked by checksum.hpp.
#pragma once

#include <cstdint>
#include <span>

namespace setrograde {

// 2**64 divided by the golden ratio. A word times this has well mixed high bits; the low ones are weak.
inline constexpr std::uint64_t HASH_MULTIPLIER = 0x9E37'79B9'7F4A'7C15u;

// The hash of what came before and one word more. Take high bits of the result: the low ones are weak.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * HASH_MULTIPLIER;
    return hash ^ hash >> 29;
}

// The hash of several words. All of its bits are good.
constexpr std::uint64_t hash_of(std::span<const std::uint64_t> words) {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) hash = mix(hash, word);
    return hash ^ hash >> 32;
}

}  // namespace setrograde
