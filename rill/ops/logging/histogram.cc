#include "rill/ops/logging/histogram.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace rill {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

std::vector<double> make_positive_limits() {
  std::vector<double> positive;
  for (double limit = 1e-12; limit < 1e20; limit *= 1.1) positive.push_back(limit);
  positive.push_back(kLargest);
  return positive;
}

std::vector<double> make_limits(const std::vector<double>& positive) {
  std::vector<double> limits;
  for (auto it = positive.rbegin(); it != positive.rend(); ++it) limits.push_back(-*it);
  limits.push_back(0);
  limits.insert(limits.end(), positive.begin(), positive.end());
  return limits;
}

// Exponent and upper bits of the mantissa: numbers that share them differ by less than a bucket.
std::uint64_t upper_bits(double value) {
  constexpr int kDropped = 48;
  return std::bit_cast<std::uint64_t>(value) >> kDropped;
}

// Finds limits of positive numbers by a table instead of a search, which would miss the cache and
// the branch predictor for each value.
class PositiveLimits {
 public:
  PositiveLimits() : limits_(make_positive_limits()), first_bits_(upper_bits(limits_[0])) {
    const std::uint64_t last_bits = upper_bits(limits_[limits_.size() - 2]);
    for (std::uint64_t bits = first_bits_; bits <= last_bits; ++bits) {
      std::size_t i = 0;
      while (upper_bits(limits_[i]) < bits) ++i;
      first_.push_back(static_cast<std::uint16_t>(i));
    }
  }

  const std::vector<double>& all() const { return limits_; }

  // The first limit that is larger, or the last one.
  std::size_t first_above(double value) const {
    if (value < limits_[0]) return 0;
    const std::uint64_t at = upper_bits(value) - first_bits_;
    std::size_t i = at < first_.size() ? first_[at] : limits_.size() - 1;
    while (i + 1 < limits_.size() && limits_[i] <= value) ++i;
    return i;
  }

 private:
  const std::vector<double> limits_;
  const std::uint64_t first_bits_;
  std::vector<std::uint16_t>
      first_;  // by upper bits: the first limit that is not below all of them
};

const PositiveLimits& positive_limits() {
  static const PositiveLimits limits;
  return limits;
}

}  // namespace

const std::vector<double>& histogram_limits() {
  static const std::vector<double> limits = make_limits(positive_limits().all());
  return limits;
}

std::size_t histogram_bucket(double value) {
  const PositiveLimits& limits = positive_limits();
  const std::size_t zero = limits.all().size();  // where the limit 0 stands
  if (value >= 0) return zero + 1 + limits.first_above(value);
  // The largest limit below the magnitude, mirrored.
  std::size_t above = limits.first_above(-value);
  if (above > 0 && limits.all()[above - 1] == -value) --above;
  return zero - above;
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
