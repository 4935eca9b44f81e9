#include "setrograde/play/outcomes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "setrograde/common/hash.hpp"

namespace setrograde {

namespace {

constexpr std::size_t LEAST_ANSWERS = 1 << 12;

std::size_t answers_within(std::size_t limit_bytes) {
    return std::max(LEAST_ANSWERS, std::bit_floor(limit_bytes / 8 / sizeof(std::uint64_t)));
}

int tricks_left(const Position& position) {
    int cards = position.trick_size;
    for (const CardSet hand : position.hands) cards += count(hand);
    return cards / 4;
}

std::uint64_t key_of(const Position& position, int need) {
    std::uint64_t hash = 0;
    for (const CardSet hand : position.hands) hash = mix(hash, hand);
    std::uint64_t rest = static_cast<std::uint64_t>(position.leader) |
                         static_cast<std::uint64_t>(position.trick_size) << 2 |
                         static_cast<std::uint64_t>(position.strain) << 4 | static_cast<std::uint64_t>(need) << 8;
    for (int i = 0; i < position.trick_size; ++i) rest = rest << 8 | static_cast<std::uint64_t>(position.trick[i]);
    hash = mix(hash, rest);
    return (hash ^ hash >> 32) & ~std::uint64_t{1};
}

}  // namespace

Outcomes::Outcomes(std::size_t limit_bytes, StopCheck should_stop, Endings endings)
    : solver_(limit_bytes - std::min(limit_bytes, answers_within(limit_bytes) * sizeof(std::uint64_t)), ALL_TECHNIQUES,
              std::move(should_stop), std::move(endings)),
      answers_(answers_within(limit_bytes)),
      shift_(64 - std::countr_zero(answers_.size())) {}

bool Outcomes::ask(const Position& position, int need) {
    if (need <= 0) return true;
    if (need > tricks_left(position)) return false;
    ++asked_;
    const std::uint64_t key = key_of(position, need);
    std::uint64_t& known = answers_[key >> shift_];
    if (known != 0 && (known & ~std::uint64_t{1}) == key) return known & 1;
    ++solved_;
    bool yes = false;
    try {
        yes = solver_.ask(position, need).yes;
    } catch (...) {
        solver_.reset();  // a search that was stopped leaves its table unfinished
        throw;
    }
    known = key | (yes ? 1 : 0);
    return yes;
}

void Outcomes::ask_all(std::span<const Position> positions, int need, std::span<std::uint8_t> answers) {
    for (std::size_t i = 0; i < positions.size(); ++i) answers[i] = ask(positions[i], need) ? 1 : 0;
}

void Outcomes::reset() {
    solver_.reset();
    std::fill(answers_.begin(), answers_.end(), 0);
}

}  // namespace setrograde
