// Bytes: whole numbers as files have them, the lowest byte first, whatever the machine
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace setrograde {

// Writes the low `bytes` bytes of a number.
inline void put_number(std::uint8_t* at, std::uint64_t number, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) at[i] = static_cast<std::uint8_t>(number >> (8 * i));
}

// Appends the low `bytes` bytes of a number.
inline void append_number(std::string& to, std::uint64_t number, std::size_t bytes) {
    const std::size_t at = to.size();
    to.resize(at + bytes);
    put_number(reinterpret_cast<std::uint8_t*>(to.data()) + at, number, bytes);
}

// Reads a number of `bytes` bytes, eight at most.
inline std::uint64_t get_number(const std::uint8_t* at, std::size_t bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = bytes; i-- > 0;) number = number << 8 | at[i];
    return number;
}

}  // namespace setrograde
