// A test in one macro: prints the failing line and exits non-zero. And whether work is refused as nonsense.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define CHECK(condition)                                                         \
    do {                                                                         \
        if (!(condition)) {                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                        \
        }                                                                        \
    } while (false)

template <typename Work>
bool is_refused(Work work) {
    try {
        work();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}
