#pragma once

namespace rill {

// The incomplete beta function of a, b and x, divided by the complete one. NaN unless a and b are
// positive and finite and x lies in [0, 1]. The fraction stops at a relative error of `stop_at`.
double betainc(double a, double b, double x, double stop_at);

}  // namespace rill
