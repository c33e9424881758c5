#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

namespace rill::serve {

// Numbers that many threads add to at once, without waiting for each other.
class Counter {
 public:
  void add(std::int64_t count = 1) { value_.fetch_add(count, std::memory_order_relaxed); }
  std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_ = 0;
};

// How many values lie between which bounds.
class Histogram {
 public:
  enum class Scale {
    kMicros,  // steps of a fifth up to a millisecond, coarser ones up to half an hour
    kSizes,   // powers of two
  };
  explicit Histogram(Scale scale = Scale::kMicros) : scale_(scale) {}

  void add(std::int64_t value);

  std::span<const double> bounds() const;  // of all but the last count
  std::int64_t count(std::size_t i) const { return counts_[i].value(); }
  std::int64_t count() const;  // of all
  std::int64_t sum() const { return sum_.value(); }

 private:
  static constexpr std::size_t kMaxBounds = 55;
  const Scale scale_;
  std::array<Counter, kMaxBounds + 1> counts_;
  Counter sum_;
};

}  // namespace rill::serve
