// Choose: binomial coefficients, from a table made when this is compiled
#pragma once

#include <cassert>
#include <cstdint>

namespace setrograde {

inline constexpr int MAX_CHOICE = 52;  // a whole pack

namespace choose_detail {

struct Binomials {
    std::uint64_t c[MAX_CHOICE + 1][MAX_CHOICE + 1] = {};
    constexpr Binomials() {
        for (int n = 0; n <= MAX_CHOICE; ++n) {
            c[n][0] = 1;
            for (int k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0);
        }
    }
};
inline constexpr Binomials BINOMIALS;

}  // namespace choose_detail

// C(n, k), the number of ways to choose k of n things, for n up to MAX_CHOICE; 0 if k is not from 0 to n.
constexpr std::uint64_t choose(int n, int k) {
    assert(n <= MAX_CHOICE);
    return k < 0 || k > n ? 0 : choose_detail::BINOMIALS.c[n][k];
}

}  // namespace setrograde
