#include "rill/board/data/thinning.h"

#include <algorithm>
#include <cmath>

namespace rill::board {
namespace {

class Thinner {
 public:
  Thinner(const ScalarColumns& scalars, const ThinningOptions& options)
      : scalars_(scalars),
        options_(options),
        smoothed_(board::smoothed(scalars, options.smoothing)) {}

  ThinLine line() {
    line_.total = scalars_.size();
    find_range();
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
      const double x = x_of(i);
      if (!(x >= options_.from && x <= options_.to)) {
        finish_column();
        if (next_to_range(i)) take(i);
        continue;
      }
      const auto column = column_of(x);
      if (column != column_) finish_column();
      column_ = column;
      add(i);
    }
    finish_column();
    return std::move(line_);
  }

 private:
  double x_of(std::size_t i) const {
    switch (options_.axis) {
      case ChartAxis::kStep:
        return static_cast<double>(scalars_.steps[i]);
      case ChartAxis::kWallTime:
        return scalars_.wall_times[i];
      case ChartAxis::kRelativeTime:
        return (scalars_.wall_times[i] - scalars_.wall_times[0]) / 3600;
    }
    return 0;
  }
  bool is_inside(std::size_t i) const { return x_of(i) >= options_.from && x_of(i) <= options_.to; }
  // The line leads out of what is seen.
  bool next_to_range(std::size_t i) const {
    return (i > 0 && is_inside(i - 1)) || (i + 1 < scalars_.size() && is_inside(i + 1));
  }

  void find_range() {
    low_ = HUGE_VAL;
    high_ = -HUGE_VAL;
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
      if (!is_inside(i)) continue;
      low_ = std::min(low_, x_of(i));
      high_ = std::max(high_, x_of(i));
    }
  }
  std::int64_t column_of(double x) const {
    return high_ > low_ ? static_cast<std::int64_t>((x - low_) / (high_ - low_) *
                                                    static_cast<double>(options_.columns))
                        : 0;
  }

  void add(std::size_t i) {
    members_.push_back(i);
    if (members_.size() < 64) return;
    reduce();
  }
  // Keeps what the column shows: points that are lowest or highest, of values and smoothed values.
  void reduce() {
    if (members_.size() <= 4) return;
    const auto value = [&](std::size_t i) { return scalars_.values[i]; };
    const auto smooth = [&](std::size_t i) { return smoothed_.empty() ? 0 : smoothed_[i]; };
    const auto is_less = [](double a, double b) {
      return a < b || (std::isnan(b) && !std::isnan(a));
    };
    std::vector<std::size_t> kept{members_.front(), members_.back()};
    const auto [low, high] = std::ranges::minmax_element(members_, is_less, value);
    kept.push_back(*low);
    kept.push_back(*high);
    for (const std::size_t i : members_)  // what is no number is marked where it is
      if (std::isnan(value(i))) {
        kept.push_back(i);
        break;
      }
    if (!smoothed_.empty()) {
      const auto [smooth_low, smooth_high] = std::ranges::minmax_element(members_, is_less, smooth);
      kept.push_back(*smooth_low);
      kept.push_back(*smooth_high);
    }
    std::ranges::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    members_ = std::move(kept);
  }
  void finish_column() {
    reduce();
    for (const std::size_t i : members_) take(i);
    members_.clear();
    column_ = -1;
  }
  void take(std::size_t i) {
    line_.x.push_back(x_of(i));
    line_.steps.push_back(static_cast<double>(scalars_.steps[i]));
    line_.wall_times.push_back(scalars_.wall_times[i]);
    line_.values.push_back(scalars_.values[i]);
    line_.smoothed.push_back(smoothed_.empty() ? scalars_.values[i] : smoothed_[i]);
  }

  const ScalarColumns& scalars_;
  const ThinningOptions& options_;
  const std::vector<double> smoothed_;
  ThinLine line_;
  double low_ = 0, high_ = 0;
  std::int64_t column_ = -1;
  std::vector<std::size_t> members_;  // of the column of pixels
};

}  // namespace

std::vector<double> smoothed(const ScalarColumns& scalars, double weight) {
  if (!(weight > 0 && weight < 1)) return {};
  std::vector<double> result(scalars.size());
  bool is_constant = true;  // which stays as it is, to the last bit
  for (std::size_t i = 1; i < scalars.size() && is_constant; ++i)
    is_constant = scalars.values[i] == scalars.values[0];
  double average = 0, left = 1;  // left: what the average still lacks
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const double value = scalars.values[i];
    if (is_constant || !std::isfinite(value)) {
      result[i] = value;
      continue;
    }
    average = average * weight + (1 - weight) * value;
    left *= weight;
    result[i] = average / (1 - left);
  }
  return result;
}

ThinLine thin_line(const ScalarColumns& scalars, const ThinningOptions& options) {
  return Thinner(scalars, options).line();
}

}  // namespace rill::board
