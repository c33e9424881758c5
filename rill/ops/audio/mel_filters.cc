#include "rill/ops/audio/mel_filters.h"

#include <cmath>

namespace rill {
namespace {

double mel_of(double hertz) { return 1127.0 * std::log1p(hertz / 700.0); }

}  // namespace

MelFilters::MelFilters(std::int64_t bins, double sample_rate, std::int64_t filter_count,
                       Range range) {
  const double lowest = mel_of(range.lower);
  const double distance = (mel_of(range.upper) - lowest) / static_cast<double>(filter_count + 1);
  const auto centre = [&](std::int64_t filter) {
    return lowest + distance * static_cast<double>(filter + 1);
  };
  const double hertz_per_bin = 0.5 * sample_rate / static_cast<double>(bins - 1);
  const double last = range.upper / hertz_per_bin;
  is_out_of_range_ = !(last < static_cast<double>(bins));
  if (is_out_of_range_) return;
  first_bin_ = static_cast<std::int64_t>(1.5 + range.lower / hertz_per_bin);
  std::int64_t above = 0;
  for (std::int64_t bin = first_bin_; bin <= static_cast<std::int64_t>(last); ++bin) {
    const double mel = mel_of(static_cast<double>(bin) * hertz_per_bin);
    while (above < filter_count && centre(above) < mel) ++above;
    bins_.push_back({above - 1, (centre(above) - mel) / (centre(above) - centre(above - 1))});
  }
}

void MelFilters::apply(const float* squares, std::span<double> out) const {
  const float* square = squares + first_bin_;
  for (const Bin& bin : bins_) {
    const double magnitude = std::sqrt(static_cast<double>(*square++));
    const double below = magnitude * bin.share;
    if (bin.below >= 0) out[static_cast<std::size_t>(bin.below)] += below;
    const auto next = static_cast<std::size_t>(bin.below + 1);
    if (next < out.size()) out[next] += magnitude - below;
  }
}

}  // namespace rill
