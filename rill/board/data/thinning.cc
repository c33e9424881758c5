#include "rill/board/data/thinning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace rill::board {
namespace {

constexpr double kForgotten = 1e-12;  // weight of what no longer shows in an average

// TensorBoard's smoothing, value by value.
class Smoother {
 public:
  Smoother(const ScalarColumns& scalars, double weight) : weight_(weight) {
    is_off_ = !(weight > 0 && weight < 1);
    bool is_constant = true;  // which stays as it is, to the last bit
    for (std::size_t i = 1; i < scalars.size() && is_constant && !is_off_; ++i)
      is_constant = scalars.values[i] == scalars.values[0];
    is_off_ |= is_constant;
  }
  // How many values back still show.
  std::size_t reach() const {
    return is_off_ ? 0 : static_cast<std::size_t>(std::log(kForgotten) / std::log(weight_)) + 1;
  }
  double next(double value) {
    if (is_off_ || !std::isfinite(value)) return value;
    average_ = average_ * weight_ + (1 - weight_) * value;
    left_ *= weight_;
    return average_ / (1 - left_);
  }

 private:
  const double weight_;
  bool is_off_ = false;
  double average_ = 0, left_ = 1;  // left: what the average still lacks
};

struct ChartPoint {
  std::size_t index = 0;
  double x = 0, value = 0, smooth = 0;
};

// What a column of pixels shows of the points in it.
class PixelColumn {
 public:
  void add(const ChartPoint& point) {
    if (!first_) first_ = point;
    last_ = point;
    if (std::isnan(point.value)) {
      if (!missing_) missing_ = point;
      return;
    }
    if (!low_ || point.value < low_->value) low_ = point;
    if (!high_ || point.value > high_->value) high_ = point;
    if (!smooth_low_ || point.smooth < smooth_low_->smooth) smooth_low_ = point;
    if (!smooth_high_ || point.smooth > smooth_high_->smooth) smooth_high_ = point;
  }
  // In order, each once; then it is empty.
  template <class Take>
  void finish(Take&& take) {
    std::optional<ChartPoint>* const parts[] = {&first_,       &low_,     &high_, &smooth_low_,
                                                &smooth_high_, &missing_, &last_};
    ChartPoint found[std::size(parts)];
    std::size_t count = 0;
    for (auto* part : parts)
      if (*part) found[count++] = **part;
    std::ranges::sort(found, found + count, {}, &ChartPoint::index);
    for (std::size_t i = 0; i < count; ++i)
      if (i == 0 || found[i].index != found[i - 1].index) take(found[i]);
    for (auto* part : parts) part->reset();
  }

 private:
  std::optional<ChartPoint> first_, last_, low_, high_, smooth_low_, smooth_high_, missing_;
};

class Thinner {
 public:
  Thinner(const ScalarColumns& scalars, const ThinningOptions& options)
      : scalars_(scalars), options_(options) {}

  ThinLine line() {
    line_.total = scalars_.size();
    find_range();
    Smoother smoother(scalars_, options_.smoothing);
    const std::size_t begin = begin_ > smoother.reach() ? begin_ - smoother.reach() : 0;
    for (std::size_t i = begin; i < end_; ++i) {
      const double value = scalars_.values[i], smooth = smoother.next(value);
      if (i >= begin_) add({i, x_of(i), value, smooth});
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
  bool is_inside(double x) const { return x >= options_.from && x <= options_.to; }
  bool is_growing() const {
    return options_.axis == ChartAxis::kStep ? scalars_.steps_grow : scalars_.times_grow;
  }
  // The first point whose x is at least, or more than, this.
  template <class Before>
  std::size_t search(Before&& before) const {
    std::size_t low = 0, high = scalars_.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (before(x_of(middle)))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  // Which points there are to look at, a point more at each end, and how far their x reach.
  void find_range() {
    end_ = scalars_.size();
    if (is_growing()) {
      const std::size_t first = search([&](double x) { return x < options_.from; });
      const std::size_t last = search([&](double x) { return x <= options_.to; });
      begin_ = first > 0 ? first - 1 : 0;
      end_ = std::min(last + 1, scalars_.size());
      if (first < last) {
        low_ = x_of(first);
        high_ = x_of(last - 1);
      }
      return;
    }
    low_ = HUGE_VAL;
    high_ = -HUGE_VAL;
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
      if (!is_inside(x_of(i))) continue;
      low_ = std::min(low_, x_of(i));
      high_ = std::max(high_, x_of(i));
    }
  }

  // A line leads out of what is seen to the next point.
  bool is_neighbour(std::size_t i) const {
    return (i > 0 && is_inside(x_of(i - 1))) || (i + 1 < scalars_.size() && is_inside(x_of(i + 1)));
  }
  std::int64_t column_of(double x) const {
    return high_ > low_ ? static_cast<std::int64_t>((x - low_) / (high_ - low_) *
                                                    static_cast<double>(options_.columns))
                        : 0;
  }

  void add(const ChartPoint& point) {
    if (!is_inside(point.x)) {
      finish_column();
      if (is_neighbour(point.index)) take(point);
      return;
    }
    const std::int64_t column = column_of(point.x);
    if (column != column_) finish_column();
    column_ = column;
    pixels_.add(point);
  }
  void finish_column() {
    pixels_.finish([&](const ChartPoint& point) { take(point); });
    column_ = -1;
  }
  void take(const ChartPoint& point) {
    line_.x.push_back(point.x);
    line_.steps.push_back(static_cast<double>(scalars_.steps[point.index]));
    line_.wall_times.push_back(scalars_.wall_times[point.index]);
    line_.values.push_back(point.value);
    line_.smoothed.push_back(point.smooth);
  }

  const ScalarColumns& scalars_;
  const ThinningOptions& options_;
  ThinLine line_;
  std::size_t begin_ = 0, end_ = 0;
  double low_ = 0, high_ = 0;
  std::int64_t column_ = -1;
  PixelColumn pixels_;
};

}  // namespace

std::vector<double> smoothed(const ScalarColumns& scalars, double weight) {
  Smoother smoother(scalars, weight);
  std::vector<double> result(scalars.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = smoother.next(scalars.values[i]);
  return result;
}

ThinLine thin_line(const ScalarColumns& scalars, const ThinningOptions& options) {
  return Thinner(scalars, options).line();
}

}  // namespace rill::board
