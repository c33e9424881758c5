#include "rill/ops/logging/histogram.h"

#include <algorithm>
#include <limits>

namespace rill {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

std::vector<double> make_limits() {
  std::vector<double> positive;
  for (double limit = 1e-12; limit < 1e20; limit *= 1.1) positive.push_back(limit);
  positive.push_back(kLargest);
  std::vector<double> limits;
  for (auto it = positive.rbegin(); it != positive.rend(); ++it) limits.push_back(-*it);
  limits.push_back(0);
  limits.insert(limits.end(), positive.begin(), positive.end());
  return limits;
}

}  // namespace

const std::vector<double>& histogram_limits() {
  static const std::vector<double> limits = make_limits();
  return limits;
}

std::size_t histogram_bucket(double value) {
  const std::vector<double>& limits = histogram_limits();
  const auto it = std::upper_bound(limits.begin(), limits.end() - 1, value);
  return static_cast<std::size_t>(it - limits.begin());
}

Histogram::Histogram() : min(kLargest), max(-kLargest), counts(histogram_limits().size()) {}

void Histogram::add_to_moments(double value) {
  min = std::min(min, value);
  max = std::max(max, value);
  count += 1;
  sum += value;
  sum_of_squares += value * value;
}

Buckets written_buckets(const Histogram& histogram) {
  Buckets buckets;
  const std::vector<double>& counts = histogram.counts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0 && i + 1 < counts.size() && counts[i + 1] == 0) continue;
    buckets.limits.push_back(histogram_limits()[i]);
    buckets.counts.push_back(counts[i]);
  }
  return buckets;
}

}  // namespace rill
