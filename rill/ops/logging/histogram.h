#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rill {

// Where the buckets of TensorFlow's histograms end, ascending: each is a tenth wider than the one
// before, from 1e-12 to 1e20 on both sides of zero; the last takes all that is larger.
const std::vector<double>& histogram_limits();
// The bucket that a value falls into.
std::size_t histogram_bucket(double value);

// What a histogram says of its values.
struct Histogram {
  double min, max;  // of no values: the largest and the lowest number
  double count = 0, sum = 0, sum_of_squares = 0;
  std::vector<double> counts;  // one for each bucket

  Histogram();
  void add_to_moments(double value);
};

// Buckets as they are written: of neighbours without values only the last one.
struct Buckets {
  std::vector<double> limits, counts;
};
Buckets written_buckets(const Histogram& histogram);

}  // namespace rill
