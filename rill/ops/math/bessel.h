#pragma once

namespace rill {

// The modified Bessel functions of the first kind of order 0 and 1, times exp(-|x|).
double bessel_i0e(double x);
double bessel_i1e(double x);

}  // namespace rill
