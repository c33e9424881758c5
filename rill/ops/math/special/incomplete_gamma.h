#pragma once

namespace rill {

// The lower and upper incomplete gamma functions, divided by gamma(a): they add up to one. NaN
// unless a > 0 and x >= 0. Series stop at a relative error of `stop_at`.
double igamma(double a, double x, double stop_at);
double igammac(double a, double x, double stop_at);
// The derivative of igamma with respect to a.
double igamma_grad_a(double a, double x, double stop_at);

}  // namespace rill
