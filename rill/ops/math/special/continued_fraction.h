#pragma once

#include <cmath>

#include "rill/ops/math/rows/dual.h"

namespace rill {

// Whether `part` no longer matters beside `whole`; for Duals, whether its slope does not either.
inline bool is_small(double part, double whole, double stop_at) {
  return std::abs(part) <= stop_at * std::abs(whole);
}
inline bool is_small(Dual part, Dual whole, double stop_at) {
  return is_small(part.value, whole.value, stop_at) &&
         std::abs(part.slope) <= stop_at * (std::abs(whole.slope) + std::abs(whole.value));
}

// n1 / (d1 + n2 / (d2 + ...)), where term(i, n, d) sets n and d of term i = 1, 2, ...; V is double
// or Dual. The numerators and denominators of the convergents follow from the last two, so no step
// waits for a division; whether they have settled is looked at now and then.
template <class V, class Term>
V continued_fraction(double stop_at, Term term) {
  constexpr int kBetweenLooks = 4, kMaxTerms = 20000;
  constexpr double kLarge = 1e100;
  V p_before = 1, p = 0, q_before = 0, q = 1, found = 0;
  for (int i = 1; i < kMaxTerms; ++i) {
    V numerator = 0, denominator = 0;
    term(i, numerator, denominator);
    const V next_p = denominator * p + numerator * p_before;
    const V next_q = denominator * q + numerator * q_before;
    p_before = p;
    q_before = q;
    p = next_p;
    q = next_q;
    if (!is_small(q, V(1), kLarge)) {
      constexpr double kShrink = 1 / kLarge;
      p_before = p_before * V(kShrink);
      q_before = q_before * V(kShrink);
      p = p * V(kShrink);
      q = q * V(kShrink);
    }
    if (i % kBetweenLooks != 0) continue;
    const V ratio = p / q;
    const bool is_nan = value_of(ratio) != value_of(ratio);
    if (is_nan || is_small(ratio - found, ratio, stop_at)) return ratio;
    found = ratio;
  }
  return found;
}

}  // namespace rill
