#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "rill/tensor/narrow_float.h"

namespace rill {

// Single elements, as a Distinct sees what it numbers.
template <class T>
struct Elements {
  // Whole numbers are their own hash.
  static constexpr bool kHashTellsAll = std::is_integral_v<T>;
  const T* data;
  std::int64_t length;

  static std::size_t hash_of(const T& value) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<std::size_t>(value);
    else
      return std::hash<Widened<T>>()(widened(value));
  }
  std::size_t hash(std::int64_t i) const { return hash_of(data[i]); }
  bool equal(std::int64_t a, std::int64_t b) const { return widened(data[a]) == widened(data[b]); }
};

// Where each distinct part of a source comes first, found by hash: a table that is never more than
// half full. A source has hash(i), equal(a, b) and kHashTellsAll, which says that parts of equal
// hash are equal.
template <class Source>
class Distinct {
 public:
  explicit Distinct(const Source& source) : source_(source) {}

  // The number of part i among the distinct ones, which it joins if it is new.
  std::size_t number(std::int64_t i) {
    const std::uint64_t hash = source_.hash(i) * kMix;
    const std::size_t at = find(hash, [&](std::int64_t known) { return source_.equal(known, i); });
    if (table_[at].number >= 0) return static_cast<std::size_t>(table_[at].number);
    table_[at] = {hash, static_cast<std::int64_t>(first.size())};
    first.push_back(i);
    if (2 * first.size() > table_.size()) grow();
    return first.size() - 1;
  }

  // Whether one of them has this hash and `same(i)` is true of where it comes first.
  template <class Same>
  bool contains(std::size_t hash, Same same) const {
    return table_[find(hash * kMix, same)].number >= 0;
  }

  std::vector<std::int64_t> first;

 private:
  static constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;  // odd: spreads and loses nothing
  static constexpr std::size_t kSmallest = 64;

  struct Entry {
    std::uint64_t hash = 0;
    std::int64_t number = -1;  // negative: empty
  };

  // The place of what is looked for, or the empty one where it would be.
  template <class Same>
  std::size_t find(std::uint64_t hash, Same same) const {
    std::size_t at = hash >> shift_;
    while (table_[at].number >= 0 &&
           !(table_[at].hash == hash &&
             (Source::kHashTellsAll || same(first[static_cast<std::size_t>(table_[at].number)]))))
      at = (at + 1) & (table_.size() - 1);
    return at;
  }
  void grow() {
    const std::vector<Entry> old = std::exchange(table_, std::vector<Entry>(4 * table_.size()));
    shift_ -= 2;
    for (const Entry& entry : old) {
      if (entry.number < 0) continue;
      std::size_t at = entry.hash >> shift_;
      while (table_[at].number >= 0) at = (at + 1) & (table_.size() - 1);
      table_[at] = entry;
    }
  }

  const Source& source_;
  std::vector<Entry> table_ = std::vector<Entry>(kSmallest);
  int shift_ = 64 - std::countr_zero(kSmallest);
};

}  // namespace rill
