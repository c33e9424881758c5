#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace rill::board {

// Numbers in half of the bytes for as long as those say the same.
template <class Wide, class Narrow>
class NarrowColumn {
 public:
  std::size_t size() const { return is_wide_ ? wide_.size() : narrow_.size(); }
  Wide operator[](std::size_t i) const {
    return is_wide_ ? wide_[i] : static_cast<Wide>(narrow_[i]);
  }
  void push_back(Wide value) {
    if (!is_wide_ && !fits(value)) widen();
    if (is_wide_)
      wide_.push_back(value);
    else
      narrow_.push_back(static_cast<Narrow>(value));
  }
  void resize(std::size_t size) {
    if (is_wide_)
      wide_.resize(size);
    else
      narrow_.resize(size);
  }
  std::size_t bytes() const {
    return wide_.capacity() * sizeof(Wide) + narrow_.capacity() * sizeof(Narrow);
  }

 private:
  static bool fits(Wide value) {
    if constexpr (std::is_integral_v<Wide>)
      return value >= std::numeric_limits<Narrow>::min() &&
             value <= std::numeric_limits<Narrow>::max();
    else
      return value != value || static_cast<Wide>(static_cast<Narrow>(value)) == value;
  }
  void widen() {
    wide_.assign(narrow_.begin(), narrow_.end());
    narrow_ = {};
    is_wide_ = true;
  }

  bool is_wide_ = false;
  std::vector<Wide> wide_;
  std::vector<Narrow> narrow_;
};

// The numbers of one tag of one run, in the order of the file.
struct ScalarColumns {
  NarrowColumn<std::int64_t, std::int32_t> steps;
  std::vector<double> wall_times;
  NarrowColumn<double, float> values;
  bool steps_grow = true, times_grow = true;  // none is smaller than the one before

  std::size_t size() const { return wall_times.size(); }
  void push_back(std::int64_t step, double wall_time, double value) {
    if (size() > 0) {
      steps_grow &= step >= steps[size() - 1];
      times_grow &= wall_time >= wall_times.back();
    }
    steps.push_back(step);
    wall_times.push_back(wall_time);
    values.push_back(value);
  }
  std::size_t bytes() const {
    return steps.bytes() + values.bytes() + wall_times.capacity() * sizeof(double);
  }
  // Forgets what is at this step or behind it; the order stays.
  void purge_from(std::int64_t step);
};

}  // namespace rill::board
