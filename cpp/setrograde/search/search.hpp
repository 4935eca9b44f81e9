// Search: partition search for one zero-window question
//
// "Do North-South take at least `need` of the tricks left?" The answer comes with the cards that
// mattered: every position with the same shape whose named cards have the same owners has the same
// answer (Ginsberg, "Partition Search", AAAI 1996). The table (search/pattern_table.hpp) holds such sets.
//
// The search itself is compiled once for each kind of processor (search/search.cpp). The rest of the core
// sees only this header.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "setrograde/cards/position.hpp"
#include "setrograde/common/stop.hpp"

namespace setrograde {

// Techniques that can be switched off, to measure what each is worth.
enum Technique : unsigned {
    PATTERNS = 1,       // sets in the table; without it, a plain transposition table
    QUICK_TRICKS = 2,   // tricks cashed at once
    SLOW_TRICKS = 4,    // tricks the other side is sure of
    EQUALS = 8,         // one card of touching ones
    IRRELEVANT = 16,    // low cards that did not matter are not tried again
    HISTORY = 32,       // cards that cut off before come first
    ORDER = 64,         // move order by the outcome of the trick
    FIRST_GUESS = 128,  // start near the expected result
    ALL_TECHNIQUES = 255,
};

// The least memory a search needs; a smaller limit is raised to it.
inline constexpr std::size_t MIN_LIMIT_BYTES = 2 << 20;

struct Statistics {
    std::uint64_t nodes = 0;   // positions with a card to choose, all plies
    std::uint64_t tricks = 0;  // positions at the start of a trick
    std::uint64_t lookups = 0, hits = 0;
    std::uint64_t stores = 0, named_cards = 0;  // named_cards / stores: mean size of a pattern
    std::uint64_t quick = 0, slow = 0;          // positions decided by sure tricks
    std::uint64_t probes = 0;                   // positions decided by the database of endings
    std::uint64_t leads_cut = 0, leads_cut_first = 0;
    std::uint64_t collections = 0;  // times the full table was thinned
    std::size_t table_bytes = 0;    // all that the search holds now: the table, and the cards that cut off before
};

struct Answer {
    bool yes;
    CardSet named;  // cards whose owners the answer relies on, of those still in hands
};

// The database of endings (endings/levels/threshold_level.hpp); none if null.
class ThresholdLevel;
using Endings = std::shared_ptr<const ThresholdLevel>;

// One answer of the database, for those who check it.
struct EndingUse {
    Position position;
    int need;
    Answer answer;
};

// Who decides which of two cards of East and West wins when it is not known which is higher.
enum class Ties {
    NONE,      // nobody: all ranks are known, as in bridge
    DEFENCE,   // East-West: the result is no worse for them than in bridge, whatever the ranks
    DECLARER,  // North-South: no worse for them
};

class Search {
public:
    virtual ~Search() = default;
    // Forgets the table. Needed before another strain, not before another deal.
    virtual void reset() = 0;
    // With ties: `loose` has a bit for each suit in which they occur; there East's cards stand at the
    // top of each run of hidden cards (search/partition_search.hpp).
    virtual Answer ask(const Position& position, int need, unsigned loose = 0) = 0;
    virtual Statistics statistics() const = 0;
    // Calls `observer` with every answer of the database from now on.
    virtual void observe_endings(std::function<void(const EndingUse&)> observer) = 0;
};

// The fastest version this processor runs. All it allocates, now or later, is within `limit_bytes`.
// The database is not counted: it is mapped, and shared with others.
std::unique_ptr<Search> make_search(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop,
                                    Endings endings = {});

// A search of the game with ties, which bounds the result for all layouts at once.
std::unique_ptr<Search> make_tied_search(Ties ties, std::size_t limit_bytes, StopCheck should_stop);

// The version that runs everywhere; for tests.
std::unique_ptr<Search> make_portable_search(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop,
                                             Endings endings = {});

}  // namespace setrograde
