// The numbers of a block of text, by the shortest way that their form allows. Include it after
// json_scan_block-inl.h.

#if defined(RILL_SERVE_REST_JSON_SCAN_READ_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_SERVE_REST_JSON_SCAN_READ_INL_H
#undef RILL_SERVE_REST_JSON_SCAN_READ_INL_H
#else
#define RILL_SERVE_REST_JSON_SCAN_READ_INL_H
#endif

#include <bit>
#include <cstdint>
#include <type_traits>

#include "rill/serve/rest/json_scan_numbers.h"

HWY_BEFORE_NAMESPACE();
namespace rill::serve::HWY_NAMESPACE {
namespace {

using namespace scan;

// Where four or more of a mask stand together.
inline Mask longer_runs(Mask mask) {
  const Mask pairs = mask & mask >> 1;
  return pairs & pairs >> 2;
}

// More numbers than there are may be read and written, to save branches.
constexpr int kAtOnce = 8, kDecimalsAtOnce = 4;

// The numbers of a block, one by one. Behind the last one come some that are nowhere.
struct Numbers {
  const char* text;
  Mask begins, ends, minuses, points;
  int count;

  int begin() const { return first(begins); }
  int end() const { return first(ends); }
  bool minus() const { return (minuses >> (begin() & 63) & 1) != 0; }
  void advance() {
    begins = without_first(begins);
    ends = without_first(ends);
  }
};

template <class T>
bool read_any(Numbers numbers, T* to) {
  for (; numbers.ends != 0; numbers.advance())
    if (!any_number(numbers.text + numbers.begin(), numbers.text + numbers.end(), to++))
      return false;
  return true;
}

// Whole numbers of up to four digits.
template <class T>
void read_few_digits(Numbers numbers, T* to) {
  for (int i = 0; i < numbers.count; i += kAtOnce, to += kAtOnce) {
    std::int32_t whole[kAtOnce];
    if (numbers.minuses == 0) {
      for (int k = 0; k < kAtOnce; ++k, numbers.advance())
        whole[k] = few_digits_before(numbers.text + numbers.end(),
                                     static_cast<unsigned>(numbers.end() - numbers.begin()));
    } else {
      for (int k = 0; k < kAtOnce; ++k, numbers.advance()) {
        const bool minus = numbers.minus();
        const std::int32_t value = few_digits_before(
            numbers.text + numbers.end(),
            static_cast<unsigned>(numbers.end() - numbers.begin()) - (minus ? 1 : 0));
        whole[k] = minus ? -value : value;
      }
    }
    for (int k = 0; k < kAtOnce; ++k) to[k] = static_cast<T>(whole[k]);
  }
}

// Whole numbers of up to eight digits, of which there is no negative zero.
template <class T>
void read_whole(Numbers numbers, T* to) {
  for (; numbers.ends != 0; numbers.advance()) {
    const bool minus = numbers.minus();
    const auto value = static_cast<std::int32_t>(
        digits_before(numbers.text + numbers.end(),
                      static_cast<unsigned>(numbers.end() - numbers.begin()) - (minus ? 1 : 0)));
    *to++ = static_cast<T>(minus ? -value : value);
  }
}

// Numbers of up to eight characters, all with a point. False when one has several.
template <class T>
bool read_short_decimals(Numbers numbers, T* to) {
  static constexpr T kDivisors[2][8] = {{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7},
                                        {-1, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7}};
  bool fit = true;
  for (int i = 0; i < numbers.count; i += kDecimalsAtOnce, to += kDecimalsAtOnce) {
    std::int32_t digits[kDecimalsAtOnce];
    T divisors[kDecimalsAtOnce];
    for (int k = 0; k < kDecimalsAtOnce; ++k, numbers.advance()) {
      const int begin = numbers.begin(), end = numbers.end(), point = first(numbers.points);
      numbers.points = without_first(numbers.points);
      fit &= begin <= point && point <= end;
      const unsigned places = static_cast<unsigned>(end - point - 1) & 7;
      const bool minus = numbers.minus();
      digits[k] = decimal_before(numbers.text + end,
                                 static_cast<unsigned>(end - begin) - (minus ? 1 : 0), places);
      divisors[k] = kDivisors[minus ? 1 : 0][places];
    }
    // Both are exact, so the quotient is the nearest float; rounding to a double first would give
    // the same, which has more than twice as many bits.
    for (int k = 0; k < kDecimalsAtOnce; ++k) to[k] = static_cast<T>(digits[k]) / divisors[k];
  }
  return fit;
}

template <class T>
bool read_decimals(Numbers numbers, T* to) {
  for (; numbers.ends != 0; numbers.advance()) {
    const int begin = numbers.begin(), end = numbers.end();
    const int minus = numbers.minus() ? 1 : 0;
    const Mask inside = numbers.points & up_to(end);
    numbers.points ^= inside;
    if (without_first(inside) != 0) return false;
    const int point = inside != 0 ? first(inside) : end;
    const int before = point - begin - minus, places = inside != 0 ? end - point - 1 : 0;
    if (before <= 8 && places != 0 && places <= kMaxDigits) [[likely]] {
      const std::uint64_t whole =
          before == 1 ? static_cast<std::uint64_t>(numbers.text[point - 1] - '0')
                      : digits_before(numbers.text + point, static_cast<unsigned>(before));
      if constexpr (std::is_same_v<T, float>) {
        if (float near = 0; places > 8 && near_float(whole, numbers.text + point, places, &near)) {
          *to++ = minus != 0 ? -near : near;
          continue;
        }
      }
      const std::uint64_t digits = whole * kTens[places] + fraction(numbers.text + end, places);
      if ((before + places <= kMaxDigits || whole == 0) && digits >> 63 == 0) [[likely]] {
        const T value = quotient<T>(static_cast<std::int64_t>(digits), places);
        *to++ = minus != 0 ? -value : value;
        continue;
      }
    } else if (before <= 8 && places == 0) {
      const auto whole = static_cast<std::int32_t>(
          digits_before(numbers.text + end, static_cast<unsigned>(before)));
      *to++ = static_cast<T>(minus != 0 ? -whole : whole);
      continue;
    }
    if (!any_number(numbers.text + begin, numbers.text + end, to++)) return false;
  }
  return true;
}

// All numbers of a block, `others` of whose characters belong to none of the plain forms. False
// when one is none. Up to kAtOnce more than there are may be written.
template <class T>
bool read_numbers(const Block& b, const Numbers& numbers, Mask others, T* to) {
  if (others != 0) return read_any(numbers, to);
  if (numbers.points == 0) {
    const Mask runs = longer_runs(b.digits);
    if ((runs & b.digits >> 4) == 0) {
      read_few_digits(numbers, to);
    } else if ((runs & runs >> 4 & b.digits >> 8) == 0) {
      read_whole(numbers, to);
    } else {
      return read_any(numbers, to);
    }
    return true;
  }
  if constexpr (std::is_floating_point_v<T>) {
    const Mask all = b.digits | b.minuses | b.points, runs = longer_runs(all);
    if ((runs & runs >> 4 & all >> 8) == 0 && std::popcount(numbers.points) == numbers.count)
      return read_short_decimals(numbers, to);
    return read_decimals(numbers, to);
  }
  return false;
}

}  // namespace
}  // namespace rill::serve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
