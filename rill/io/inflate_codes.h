#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace rill {

// What the next bits of a deflated stream mean. `bits` is how many of them name it. A kLiteral is
// `extra` bytes, one or two, the first in the low bits of `value`; a kSum, which is a length or a
// distance, is `value` plus the number in the next `extra` bits.
struct InflateEntry {
  enum Kind : std::uint8_t { kNone, kLiteral, kSum, kEnd, kTable };
  std::uint16_t value = 0;  // a kTable: where it begins
  std::uint8_t bits = 0, extra : 4 = 0, kind : 4 = kNone;
};
static_assert(sizeof(InflateEntry) == 4);

// A table of the codes of one alphabet: the next kBits bits, lowest first, find the entry of a
// code, or for longer codes the table of those that begin with them.
template <int kBits, int kSymbols>
class InflateCodes {
 public:
  static constexpr int kLongest = 15;

  // From the lengths of the codes, 0 for symbols that have none. False for lengths that no set of
  // codes has; a set must use all of its codes, except that a lone code of one bit may stand for
  // a set where `lone`. entry(symbol) says what a symbol means.
  template <class Entry>
  bool build(std::span<const std::uint8_t> lengths, bool lone, Entry entry) {
    int counts[kLongest + 1] = {}, next[kLongest + 2] = {}, left = 1, longest = 0;
    for (const std::uint8_t length : lengths) ++counts[length];
    counts[0] = 0;
    for (int length = 1; length <= kLongest; ++length) {
      if (counts[length] > 0) longest = length;
      left = 2 * left - counts[length];
      if (left < 0) return false;
      next[length + 1] = (next[length] + counts[length]) * 2;
    }
    if (left > 0 && !(lone && longest <= 1)) return false;
    std::fill_n(entries_.begin(), kFirst, InflateEntry{});
    used_ = kFirst;
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (const int length = lengths[symbol]; length > 0)
        add(reversed(next[length]++, length), length, entry(static_cast<int>(symbol)));
    return true;
  }

  // Makes one entry of two literals where kBits bits hold the codes of both.
  void pair_literals() {
    for (std::size_t at = kFirst; at-- > 0;) {  // what is behind `at` is paired, what is before not
      InflateEntry& first = entries_[at];
      const InflateEntry second = entries_[at >> first.bits];
      if (first.kind != InflateEntry::kLiteral || second.kind != InflateEntry::kLiteral ||
          first.bits + second.bits > kBits)
        continue;
      first = {.value = static_cast<std::uint16_t>(first.value | second.value << 8),
               .bits = static_cast<std::uint8_t>(first.bits + second.bits),
               .extra = 2,
               .kind = InflateEntry::kLiteral};
    }
  }

  InflateEntry operator[](std::uint64_t bits) const { return entries_[bits & (kFirst - 1)]; }
  // The entry of a code that is longer than kBits; `bits` are those behind the first kBits.
  InflateEntry longer(InflateEntry table, std::uint64_t bits) const {
    return entries_[table.value + (bits & (kSecond - 1))];
  }

 private:
  static constexpr std::size_t kFirst = std::size_t{1} << kBits,
                               kSecond = std::size_t{1} << (kLongest - kBits);

  static unsigned reversed(int code, int length) {
    unsigned turned = 0;
    for (int bit = 0; bit < length; ++bit)
      turned |= (static_cast<unsigned>(code) >> bit & 1U) << (length - 1 - bit);
    return turned;
  }

  void add(std::size_t code, int length, InflateEntry entry) {
    std::size_t begin = 0, size = kFirst;
    if (length > kBits) {
      InflateEntry& table = entries_[code & (kFirst - 1)];
      if (table.kind == InflateEntry::kNone) {
        table = {.value = static_cast<std::uint16_t>(used_),
                 .bits = kBits,
                 .kind = InflateEntry::kTable};
        std::fill_n(entries_.begin() + static_cast<std::ptrdiff_t>(used_), kSecond, InflateEntry{});
        used_ += kSecond;
      }
      begin = table.value;
      size = kSecond;
      code >>= kBits;
      length -= kBits;
    }
    entry.bits = static_cast<std::uint8_t>(length);
    for (; code < size; code += std::size_t{1} << length) entries_[begin + code] = entry;
  }

  std::array<InflateEntry, kFirst + kSymbols * kSecond> entries_;
  std::size_t used_ = 0;
};

}  // namespace rill
