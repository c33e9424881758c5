#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>

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

// One value of a histogram, and the trace that shows where it came from: the last one.
class Exemplar {
 public:
  struct Value {
    std::string trace_id;  // "": there is none
    std::int64_t value = 0, wall_micros = 0;
  };
  // Who finds it busy leaves it alone.
  void set(const std::string& trace_id, std::int64_t value, std::int64_t wall_micros) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) value_ = {trace_id, value, wall_micros};
  }
  Value value() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  Value value_;  // guarded by mutex_
};

}  // namespace rill::serve
