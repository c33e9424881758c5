#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace rill {

// Values of at most 32 bits and their places as single numbers, which sort faster: they grow as
// values shrink and, of equal values, as places grow. Both zeros are equal, and what is no number
// lies at an end.
template <class T>
std::uint64_t falling_key(T value, std::int64_t place) {
  constexpr std::uint32_t kTop = 0x80000000;
  std::uint32_t rising;
  if constexpr (std::is_integral_v<T>) {
    rising = static_cast<std::uint32_t>(value) ^ (std::is_signed_v<T> ? kTop : 0);
  } else {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value) + 0.0F);
    rising = (bits & kTop) != 0 ? ~bits : bits | kTop;
  }
  return std::uint64_t{~rising} << 32 | static_cast<std::uint32_t>(place);
}
inline std::int32_t place_of_key(std::uint64_t key) { return static_cast<std::int32_t>(key); }

// Rows of such values in the order of their keys. Places are below 2^31.
class OrderKeys {
 public:
  template <class T>
  void assign(const T* row, std::int64_t count) {
    keys_.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      keys_[static_cast<std::size_t>(i)] = falling_key(row[i], i);
  }

  // Keeps the `wanted` smallest, in any order.
  void keep_smallest(std::size_t wanted) {
    if (wanted >= keys_.size()) return;
    if (keys_.size() < kFew || wanted == 0) return keep_by_comparing(wanted);
    // The first bits tell most of them apart; the rest is settled among those that share them.
    constexpr int kBits = 11, kShift = 64 - kBits;
    std::uint32_t counts[1 << kBits] = {};
    for (const std::uint64_t key : keys_) ++counts[key >> kShift];
    std::size_t below = 0, edge = 0;
    while (below + counts[edge] < wanted) below += counts[edge++];
    std::vector<std::uint64_t>& kept = other_;
    kept.resize(keys_.size() + 1);
    std::size_t smaller = 0, equal = 0;
    for (const std::uint64_t key : keys_) {
      kept[smaller] = key;
      smaller += key >> kShift < edge;
      keys_[equal] = key;
      equal += key >> kShift == edge;
    }
    keys_.resize(equal);
    keep_by_comparing(wanted - below);
    std::ranges::copy(keys_, kept.begin() + static_cast<std::ptrdiff_t>(below));
    kept.resize(wanted);
    keys_.swap(kept);
  }

  void sort() { std::ranges::sort(keys_); }

  // The same for keys in the order of their places, by the bytes of the values from the lowest.
  void sort_placed() {
    constexpr std::size_t kDigits = 4;
    if (keys_.size() < kFew) return sort();
    std::uint32_t counts[kDigits][256] = {};
    for (const std::uint64_t key : keys_)
      for (std::size_t d = 0; d < kDigits; ++d) ++counts[d][key >> (32 + 8 * d) & 255];
    other_.resize(keys_.size());
    for (std::size_t d = 0; d < kDigits; ++d) {
      const auto digit = [d](std::uint64_t key) { return key >> (32 + 8 * d) & 255; };
      if (counts[d][digit(keys_[0])] == keys_.size()) continue;
      std::uint32_t begin = 0;
      for (std::uint32_t& count : counts[d]) begin += std::exchange(count, begin);
      for (const std::uint64_t key : keys_) other_[counts[d][digit(key)]++] = key;
      keys_.swap(other_);
    }
  }

  const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  static constexpr std::size_t kFew = 256;  // comparisons are faster here

  void keep_by_comparing(std::size_t wanted) {
    if (wanted < keys_.size())
      std::ranges::nth_element(keys_, keys_.begin() + static_cast<std::ptrdiff_t>(wanted));
    keys_.resize(wanted);
  }

  std::vector<std::uint64_t> keys_, other_;
};

}  // namespace rill
