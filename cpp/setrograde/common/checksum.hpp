// Checksum: XXH64, a fast 64-bit hash with a public specification
//
// Seed 0. The same sum as `xxhash.xxh64_intdigest`, so that others can check our files. One old format has
// a sum of its own, FNV-1a.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace setrograde {

inline std::uint64_t checksum(const void* data, std::size_t size) {
    constexpr std::uint64_t P1 = 0x9E3779B185EBCA87u, P2 = 0xC2B2AE3D27D4EB4Fu, P3 = 0x165667B19E3779F9u,
                            P4 = 0x85EBCA77C2B2AE63u, P5 = 0x27D4EB2F165667C5u;
    const auto* at = static_cast<const unsigned char*>(data);
    const unsigned char* const end = at + size;
    const auto word = [](const unsigned char* from) {
        std::uint64_t value;
        std::memcpy(&value, from, sizeof value);
        return value;
    };
    const auto round = [](std::uint64_t lane, std::uint64_t value) { return std::rotl(lane + value * P2, 31) * P1; };
    std::uint64_t sum = P5;
    if (size >= 32) {
        std::uint64_t lanes[4] = {P1 + P2, P2, 0, 0 - P1};
        for (; end - at >= 32; at += 32)
            for (int i = 0; i < 4; ++i) lanes[i] = round(lanes[i], word(at + 8 * i));
        sum = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
        for (const std::uint64_t lane : lanes) sum = (sum ^ round(0, lane)) * P1 + P4;
    }
    sum += size;
    for (; end - at >= 8; at += 8) sum = std::rotl(sum ^ round(0, word(at)), 27) * P1 + P4;
    if (end - at >= 4) {
        std::uint32_t value;
        std::memcpy(&value, at, sizeof value);
        sum = std::rotl(sum ^ value * P1, 23) * P2 + P3;
        at += 4;
    }
    for (; at != end; ++at) sum = std::rotl(sum ^ *at * P5, 11) * P1;
    sum = (sum ^ sum >> 33) * P2;
    sum = (sum ^ sum >> 29) * P3;
    return sum ^ sum >> 32;
}

// FNV-1a of 64 bits, a byte at a time, going on from the sum of earlier bytes. It serves state tables of
// version 1 (docs/formats/state_tables.md) only; new formats take `checksum`, which is ten times as fast.
inline std::uint64_t fnv1a(std::span<const std::uint8_t> bytes, std::uint64_t sum = 0xCBF2'9CE4'8422'2325) {
    for (const std::uint8_t byte : bytes) sum = (sum ^ byte) * 0x0000'0100'0000'01B3;
    return sum;
}

}  // namespace setrograde
