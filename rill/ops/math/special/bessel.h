#pragma once

namespace rill {

// The modified Bessel functions of the first kind of order 0 and 1, times exp(-|x|). Series stop
// at a relative error of `stop_at`.
double bessel_i0e(double x, double stop_at);
double bessel_i1e(double x, double stop_at);

}  // namespace rill
