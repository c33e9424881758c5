#include "rill/ops/boosted_trees/weighted_quantiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rill/base/error.h"

namespace rill {
namespace {

// How large blocks must be for the sketch to keep its error over so many elements.
std::int64_t block_size_for(double error, std::int64_t max_elements) {
  if (error <= std::numeric_limits<double>::epsilon())
    return std::max<std::int64_t>(max_elements, 2);
  std::int64_t size = 2, level = 1;
  while (level < 62 && size <= (max_elements - 1) >> level)
    size = static_cast<std::int64_t>(std::ceil(static_cast<double>(level++) / error)) + 1;
  return std::max<std::int64_t>(size, 2);
}

}  // namespace

QuantileSummary QuantileSummary::of(std::vector<std::pair<float, float>> weighted) {
  std::ranges::sort(weighted, {}, &std::pair<float, float>::first);
  std::vector<QuantileEntry> entries;
  for (const auto& [value, weight] : weighted)
    if (!entries.empty() && entries.back().value == value)
      entries.back().weight += weight;
    else
      entries.push_back({value, weight});
  float rank = 0;
  for (QuantileEntry& entry : entries) {
    entry.min_rank = rank;
    entry.max_rank = rank += entry.weight;
  }
  return QuantileSummary(std::move(entries));
}

void QuantileSummary::merge(const QuantileSummary& other) {
  if (other.entries_.empty()) return;
  if (entries_.empty()) {
    entries_ = other.entries_;
    return;
  }
  const std::vector<QuantileEntry> mine = std::move(entries_);
  const std::vector<QuantileEntry>& theirs = other.entries_;
  entries_.clear();
  entries_.reserve(mine.size() + theirs.size());
  // An entry keeps its weight; its ranks grow by what the other side has before it.
  float my_rank = 0, their_rank = 0;
  auto a = mine.begin(), b = theirs.begin();
  while (a != mine.end() || b != theirs.end()) {
    if (b == theirs.end() || (a != mine.end() && a->value < b->value)) {
      const float above = b == theirs.end() ? theirs.back().max_rank : b->previous_max_rank();
      entries_.push_back({a->value, a->weight, a->min_rank + their_rank, a->max_rank + above});
      my_rank = (a++)->next_min_rank();
    } else if (a == mine.end() || b->value < a->value) {
      const float above = a == mine.end() ? mine.back().max_rank : a->previous_max_rank();
      entries_.push_back({b->value, b->weight, b->min_rank + my_rank, b->max_rank + above});
      their_rank = (b++)->next_min_rank();
    } else {
      entries_.push_back(
          {a->value, a->weight + b->weight, a->min_rank + b->min_rank, a->max_rank + b->max_rank});
      my_rank = (a++)->next_min_rank();
      their_rank = (b++)->next_min_rank();
    }
  }
}

void QuantileSummary::compress(std::int64_t size, double min_error) {
  size = std::max<std::int64_t>(size, 2);
  if (this->size() <= size) return;
  const double gap = total_weight() * std::max(1.0 / static_cast<double>(size), min_error);
  const std::size_t count = entries_.size();
  // Every kept entry pays `count`, every entry behind it gives `size`: so about `size` are kept.
  std::int64_t credit = 0;
  std::size_t kept = 1, last_kept = 0;
  for (std::size_t from = 0; from + 1 < count;) {
    std::size_t next = from + 1;
    while (next < count && credit < static_cast<std::int64_t>(count) &&
           entries_[next].previous_max_rank() - entries_[from].next_min_rank() <= gap) {
      credit += size;
      ++next;
    }
    from = from + 1 == next ? from + 1 : next - 1;
    entries_[kept++] = entries_[from];
    last_kept = from;
    credit -= static_cast<std::int64_t>(count);
  }
  if (last_kept + 1 != count) entries_[kept++] = entries_.back();
  entries_.resize(kept);
}

double QuantileSummary::error() const {
  if (entries_.empty()) return 0;
  float gap = 0;
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    const QuantileEntry& entry = entries_[i];
    gap = std::max({gap, entry.max_rank - entry.min_rank - entry.weight,
                    entry.previous_max_rank() - entries_[i - 1].next_min_rank()});
  }
  return gap / total_weight();
}

std::vector<float> QuantileSummary::boundaries(std::int64_t count) const {
  QuantileSummary few = *this;
  few.compress(count, error() + 1.0 / static_cast<double>(count));
  std::vector<float> values;
  for (const QuantileEntry& entry : few.entries_) values.push_back(entry.value);
  return values;
}

std::vector<float> QuantileSummary::quantiles(std::int64_t count) const {
  std::vector<float> values;
  if (entries_.empty()) return values;
  count = std::max<std::int64_t>(count, 2);
  std::size_t at = 0;
  for (std::int64_t rank = 0; rank <= count; ++rank) {
    const float twice = 2 * (static_cast<float>(rank) * total_weight() / static_cast<float>(count));
    std::size_t next = at + 1;
    while (next < entries_.size() && twice >= entries_[next].min_rank + entries_[next].max_rank)
      ++next;
    at = next - 1;
    const bool is_before =
        next == entries_.size() ||
        twice < entries_[at].next_min_rank() + entries_[next].previous_max_rank();
    values.push_back(entries_[is_before ? at : next].value);
  }
  return values;
}

QuantileSketch::QuantileSketch(float error, std::int64_t max_elements) : error_(error) {
  require(error >= 0 && error < 1, "epsilon should be in [0, 1), got ", error);
  require(max_elements > 0, "max_elements should be positive, got ", max_elements);
  block_size_ = block_size_for(error_, max_elements);
  const bool is_small = block_size_ > max_elements / 2;
  buffer_size_ = is_small ? max_elements : block_size_ * 2;
}

void QuantileSketch::add(float value, float weight) {
  if (!(weight > 0)) return;
  buffer_.emplace_back(value, weight);
  if (static_cast<std::int64_t>(buffer_.size()) >= buffer_size_) flush_buffer();
}

void QuantileSketch::flush_buffer() { add(QuantileSummary::of(std::exchange(buffer_, {}))); }

void QuantileSketch::add(QuantileSummary summary) {
  summary.compress(block_size_, error_);
  if (summary.size() == 0) return;
  // Like carrying in binary numbers: what a level cannot hold goes one up.
  for (std::size_t level = 0;; ++level) {
    if (levels_.size() <= level) levels_.emplace_back();
    summary.merge(levels_[level]);
    if (levels_[level].size() == 0 || summary.size() <= block_size_ + 1) {
      levels_[level] = std::move(summary);
      return;
    }
    summary.compress(block_size_, error_);
    levels_[level] = {};
  }
}

QuantileSummary QuantileSketch::finish() {
  flush_buffer();
  QuantileSummary all;
  for (const QuantileSummary& level : levels_) all.merge(level);
  levels_.clear();
  return all;
}

}  // namespace rill
