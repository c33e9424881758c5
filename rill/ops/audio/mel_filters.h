#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rill {

// Triangular filters at equal distances on the mel scale; each begins and ends at the centres of
// its neighbours, so a frequency passes through two at most.
class MelFilters {
 public:
  struct Range {
    double lower, upper;  // in hertz
  };
  // For `bins` frequencies from 0 to half the sample rate.
  MelFilters(std::int64_t bins, double sample_rate, std::int64_t filter_count, Range range);

  // Whether the range goes beyond the frequencies; nothing passes then.
  bool is_out_of_range() const { return is_out_of_range_; }
  // Adds what each filter passes of the magnitudes, whose squares are given.
  void apply(const float* squares, std::span<double> out) const;

 private:
  struct Bin {
    std::int64_t below;  // the filter whose centre is below the frequency; -1 where there is none
    double share;        // of it; the next filter has the rest
  };
  bool is_out_of_range_;
  std::int64_t first_bin_ = 0;
  std::vector<Bin> bins_;
};

}  // namespace rill
