#pragma once

namespace rill {

// Hurwitz's zeta function: the sum of (q + n)^-x over n = 0, 1, ... Infinite at x = 1; NaN below,
// and for q < 0 unless x is whole. Sums stop at a relative error of `stop_at`.
double zeta(double x, double q, double stop_at);
// The n-th derivative of digamma at x; NaN unless n is a whole number and not negative.
double polygamma(double n, double x, double stop_at);

}  // namespace rill
