#pragma once

namespace rill {

// The lower and upper incomplete gamma functions, divided by gamma(a): they add up to one. NaN
// unless a > 0 and x >= 0.
double igamma(double a, double x);
double igammac(double a, double x);
// The derivative of igamma with respect to a.
double igamma_grad_a(double a, double x);

}  // namespace rill
