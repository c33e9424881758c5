#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

// Numbers of which is known where in a text they begin and end. Small enough to become a part of
// what is compiled for each instruction set.
namespace rill::serve::scan {

inline constexpr std::uint64_t kTens[] = {1ull,
                                          10ull,
                                          100ull,
                                          1000ull,
                                          10000ull,
                                          100000ull,
                                          1000000ull,
                                          10000000ull,
                                          100000000ull,
                                          1000000000ull,
                                          10000000000ull,
                                          100000000000ull,
                                          1000000000000ull,
                                          10000000000000ull,
                                          100000000000000ull,
                                          1000000000000000ull,
                                          10000000000000000ull,
                                          100000000000000000ull,
                                          1000000000000000000ull,
                                          10000000000000000000ull};
inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                          1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                          1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
inline constexpr double kParts[] = {1e-0,  1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,
                                    1e-7,  1e-8,  1e-9,  1e-10, 1e-11, 1e-12, 1e-13,
                                    1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19};
inline constexpr int kMaxDigits = 19;              // of which every number fits 64 bits
inline constexpr std::int64_t kExact = 1ll << 53;  // up to here doubles have all whole numbers

// Eight digits, each a byte, the first one lowest, as a number.
inline std::uint64_t joined(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8);  // pairs of digits, then fours, then all
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  return (((digits & kPairs) * (100 + (1000000ULL << 32))) +
          (((digits >> 16) & kPairs) * (1 + (10000ULL << 32)))) >>
         32;
}

// The 1 to 8 digits that end at `end`.
inline std::uint64_t digits_before(const char* end, unsigned count) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t digits = 0;
  std::memcpy(&digits, end - 8, 8);
  digits ^= 0x3030303030303030;
  const unsigned others = (64 - 8 * count) & 63;  // bits of what stands before
  return joined(digits >> others << others);
}

// The 1 to 4 digits that end at `end`.
inline std::int32_t few_digits_before(const char* end, unsigned count) {
  std::uint64_t digits = 0;
  std::memcpy(&digits, end - 4, 4);
  digits ^= 0x30303030;
  const unsigned others = (32 - 8 * count) & 63;
  digits = digits >> others << others;
  digits = digits * 10 + (digits >> 8);
  return static_cast<std::int32_t>((digits & 0xFF) * 100 + (digits >> 16 & 0xFF));
}

// The digits of a number with a point that ends at `end`, of up to 8 characters.
inline std::int32_t decimal_before(const char* end, unsigned length, unsigned places) {
  std::uint64_t text = 0;
  std::memcpy(&text, end - 8, 8);
  text ^= 0x3030303030303030;
  const std::uint64_t behind = ~std::uint64_t{0} << ((64 - 8 * places) & 63);
  text = (text & behind) | (text << 8 & ~behind);  // what is before the point takes its place
  const unsigned others = (72 - 8 * length) & 63;
  return static_cast<std::int32_t>(joined(text >> others << others));
}

// The 1 to 19 digits that end at `end`.
inline std::uint64_t fraction(const char* end, int places) {
  const auto count = static_cast<unsigned>(places);
  if (count <= 8) return digits_before(end, count);
  const std::uint64_t low = digits_before(end, 8);
  if (count <= 16) return digits_before(end - 8, count - 8) * 100'000'000 + low;
  return (digits_before(end - 16, count - 16) * 100'000'000 + digits_before(end - 8, 8)) *
             100'000'000 +
         low;
}

// The double nearest to digits / 10^places, for what has more than 53 bits.
inline double divided(std::uint64_t digits, int places) {
  const std::uint64_t divisor = kTens[places];
  const int up = std::countl_zero(digits), divisor_up = std::countl_zero(divisor);
  const auto upper = static_cast<unsigned __int128>(digits << up) << 63;
  const std::uint64_t by = divisor << divisor_up;
  auto quotient = static_cast<std::uint64_t>(upper / by);  // has 63 or 64 bits
  const bool is_more = upper % by != 0;
  const int spare = 11 - std::countl_zero(quotient);
  const std::uint64_t rest = quotient & ((1ull << spare) - 1), half = 1ull << (spare - 1);
  quotient >>= spare;
  if (rest > half || (rest == half && (is_more || quotient % 2 == 1))) ++quotient;
  const int exponent = spare - 63 - up + divisor_up;
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
  return static_cast<double>(quotient) * scale;
}

// digits / 10^places as the nearest double, rounded to T.
template <class T>
inline T quotient(std::int64_t digits, int places) {
  const auto number = static_cast<double>(digits);
  if constexpr (std::is_same_v<T, float>) {
    // Within three of the last places of the right double, which matters only near the middle
    // between two floats.
    const double near = number * kParts[places];
    constexpr std::uint64_t kMiddle = 1u << 28, kTolerance = 4;
    const std::uint64_t cut = std::bit_cast<std::uint64_t>(near) & ((1u << 29) - 1);
    if (cut - (kMiddle - kTolerance) > 2 * kTolerance) [[likely]]
      return static_cast<float>(near);
  }
  // Up to 2^53 both are exact, so the quotient is the nearest double.
  return static_cast<T>(digits < kExact ? number / kPowersOfTen[places]
                                        : divided(static_cast<std::uint64_t>(digits), places));
}

// A number whose point stands at `point`, with more than 8 digits behind it of which the first 16
// are looked at: for a float they nearly always suffice. Up to 17 characters behind the point must
// be there. False when they do not suffice.
inline bool near_float(std::uint64_t whole, const char* point, int places, float* value) {
  constexpr std::uint64_t kZeros = 0x3030303030303030;
  constexpr std::uint64_t kMaxWhole = 900;  // times 10^16 fits
  constexpr double kLeast = 0.0625;         // of which the 17th digit is beyond what is tolerated
  std::uint64_t high = 0, low = 0;
  std::memcpy(&high, point + 1, 8);
  std::memcpy(&low, point + 9, 8);
  const int used = std::min(places, 16), rest = used - 8;
  const std::uint64_t part =
      joined(high ^ kZeros) * kTens[rest] + joined((low ^ kZeros) << (64 - 8 * rest));
  const double near =
      static_cast<double>(static_cast<std::int64_t>(whole * kTens[used] + part)) * kParts[used];
  constexpr std::uint64_t kMiddle = 1u << 28, kTolerance = 32;
  const std::uint64_t cut = std::bit_cast<std::uint64_t>(near) & ((1u << 29) - 1);
  *value = static_cast<float>(near);
  return whole < kMaxWhole && near >= kLeast && cut - (kMiddle - kTolerance) > 2 * kTolerance;
}

// Any number of JSON that T can hold. The text has nothing but characters of numbers.
template <class T>
inline bool any_number(const char* begin, const char* end, T* value) {
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>;
    using Range = std::conditional_t<(sizeof(T) < 4), std::int32_t, T>;
    Wide number = 0;
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error != std::errc() || stop != end || number > std::numeric_limits<Range>::max() ||
        number < std::numeric_limits<Range>::min())
      return false;
    *value = static_cast<T>(number);
    return true;
  } else {
    const char* const digits = begin + (*begin == '-' ? 1 : 0);
    if (digits == end || *digits < '0' || *digits > '9' || end[-1] < '0' || end[-1] > '9')
      return false;
    if (*digits == '0' && end - digits > 1 && digits[1] >= '0' && digits[1] <= '9') return false;
    const char* const point = std::find(digits, end, '.');
    if (point != end && (point[1] < '0' || point[1] > '9')) return false;  // as in "1.e5"
    double number = 0;
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error != std::errc() || stop != end) return false;
    // Whole numbers have no negative zero.
    if (number == 0 && std::all_of(digits, end, [](char c) { return c == '0'; })) number = 0;
    *value = static_cast<T>(number);
    return true;
  }
}

}  // namespace rill::serve::scan
