#include "rill/ops/logging/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rill {
namespace {

// What the table must agree with: the first limit that is larger than the value.
std::size_t searched(double value) {
  const auto& limits = histogram_limits();
  const auto it = std::upper_bound(limits.begin(), limits.end() - 1, value);
  return static_cast<std::size_t>(it - limits.begin());
}

void check(double value) {
  for (const double near :
       {value, std::nextafter(value, -INFINITY), std::nextafter(value, INFINITY)})
    for (const double signed_value : {near, -near})
      if (std::isfinite(signed_value)) {
        EXPECT_EQ(histogram_bucket(signed_value), searched(signed_value)) << signed_value;
      }
}

TEST(Histogram, buckets_are_those_of_a_search) {
  for (const double limit : histogram_limits()) {
    check(limit);
    check(limit * 1.05);
  }
  for (double value = 1e-320; value < 1e308; value *= 1.7) check(value);
  for (const double value : {0.0, 1e20, 1e21, std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::denorm_min()})
    check(value);
}

}  // namespace
}  // namespace rill
