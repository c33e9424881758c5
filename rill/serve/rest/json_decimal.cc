#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "rill/base/error.h"
#include "rill/serve/rest/json_text.h"

namespace rill::serve {
namespace {

constexpr std::uint64_t kPowers[] = {
    1ull,           10ull,           100ull,          1000ull,      10000ull,
    100000ull,      1000000ull,      10000000ull,     100000000ull, 1000000000ull,
    10000000000ull, 100000000000ull, 1000000000000ull};
constexpr int kFew = 6, kAll = 9;  // digits of a float: what is tried first, and what tells each

// "000102...99"
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

// Most floats, in whole numbers: v = mantissa / 2^shift, and digits of it are v * 10^n, rounded to
// even. For what is at least 0.0001 and below a million nothing of that overflows.
class PlainFloat {
 public:
  explicit PlainFloat(float value) : value_(value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    mantissa_ = (bits & 0x7fffff) | 0x800000;
    shift_ = 150 - static_cast<int>(bits >> 23 & 0xff);
    // What the power of two says, or one more.
    exponent_ = kGuesses[(bits >> 23 & 0xff) - 113];
    exponent_ += value >= kBegins[exponent_ + 5] ? 1 : 0;
  }
  static bool fits(float value) { return value >= 1e-4f && value < 1e6f; }

  // Writes six digits if they say everything, otherwise nine; nullptr where rounding makes them
  // more.
  char* write(char* to) const {
    const std::uint64_t all = scaled(kAll - 1 - exponent_);
    if (all >= kPowers[kAll] || all < kPowers[kAll - 1]) return nullptr;
    // Half a step between floats is at most 60 in the ninth digit: further from six digits none of
    // six can be meant.
    const std::uint64_t behind = all % 1000;
    if (behind <= 61 || behind >= 939)
      if (char* const end = write_few(to)) return end;
    return write_digits(all, kAll - 1 - exponent_, to);
  }

 private:
  // Where each power of ten begins, from 10^-4 on: the first float that is not below it.
  static constexpr float kBegins[] = {1e-4f, 1e-3f, 1e-2f, 1e-1f, 1,   1e1f,
                                      1e2f,  1e3f,  1e4f,  1e5f,  1e6f};
  // The power of ten in which each power of two is, from 2^-14 on, which is below 10^-4.
  static constexpr signed char kGuesses[] = {-5, -4, -4, -4, -4, -3, -3, -3, -2, -2, -2, -1,
                                             -1, -1, 0,  0,  0,  0,  1,  1,  1,  2,  2,  2,
                                             3,  3,  3,  3,  4,  4,  4,  5,  5,  5};

  char* write_few(char* to) const {
    const int places = kFew - 1 - exponent_;
    const std::uint64_t few = scaled(places);
    if (few >= kPowers[kFew] || few < kPowers[kFew - 1] ||
        static_cast<float>(static_cast<double>(few) / static_cast<double>(kPowers[places])) !=
            value_)
      return nullptr;
    return write_digits(few, places, to);
  }

  std::uint64_t scaled(int places) const {
    const std::uint64_t whole = mantissa_ * kPowers[places];
    const std::uint64_t rest = whole & ((std::uint64_t{1} << shift_) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift_ - 1);
    const std::uint64_t down = whole >> shift_;
    return down + (rest > half || (rest == half && down % 2 == 1) ? 1 : 0);
  }
  static char* write_digits(std::uint64_t digits, int places, char* to) {
    while (places > 1 && digits % 10 == 0) {
      digits /= 10;
      --places;
    }
    if (digits < kPowers[places]) {
      *to++ = '0';
    } else {
      const std::uint64_t whole = digits / kPowers[places];
      digits -= whole * kPowers[places];
      to = std::to_chars(to, to + 12, whole).ptr;
    }
    *to++ = '.';
    if (places == 0) {
      *to++ = '0';
      return to;
    }
    char* const end = to + places;
    char* at = end;
    for (; at - to >= 2; digits /= 100) {
      at -= 2;
      std::memcpy(at, kPairs.data() + digits % 100 * 2, 2);
    }
    if (at > to) *to = static_cast<char>('0' + digits);
    return end;
  }

  const float value_;
  std::uint64_t mantissa_;
  int shift_, exponent_;
};

char* write(std::string_view text, char* to) { return std::copy(text.begin(), text.end(), to); }

std::atomic<JsonNonfinite> json_nonfinite = JsonNonfinite::kLiteral;

char* write_nonfinite(double value, char* to) {
  const std::string_view name = std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity";
  switch (json_nonfinite.load(std::memory_order_relaxed)) {
    case JsonNonfinite::kLiteral:
      return write(name, to);
    case JsonNonfinite::kNull:
      return write("null", to);
    case JsonNonfinite::kString:
      return write("\"", write(name, write("\"", to)));
    case JsonNonfinite::kError:
      break;
  }
  raise(Code::kInvalidArgument, "The answer holds ", name, ", which JSON has not");
}

template <class T>
char* write_any(T value, int all_digits, char* to) {
  if (!std::isfinite(value)) return write_nonfinite(static_cast<double>(value), to);
  char* const last = to + kLongestJsonDecimal - 2;
  char* end = std::to_chars(to, last, value, std::chars_format::general, kFew).ptr;
  T again = 0;
  std::from_chars(to, end, again);
  if (again != value)
    end = std::to_chars(to, last, value, std::chars_format::general, all_digits).ptr;
  const std::string_view written(to, static_cast<std::size_t>(end - to));
  return written.find_first_of(".e") == std::string_view::npos ? write(".0", end) : end;
}

}  // namespace

char* write_json_decimal(float value, char* to) {
  const float positive = std::abs(value);
  if (PlainFloat::fits(positive)) {
    const PlainFloat plain(positive);
    char* const digits = value < 0 ? write("-", to) : to;
    if (char* const end = plain.write(digits)) return end;
  }
  return write_any(value, kAll, to);
}

char* write_json_decimal(double value, char* to) { return write_any(value, 17, to); }

void append_json_decimal(float value, std::string* text) {
  char written[kLongestJsonDecimal];
  text->append(written, write_json_decimal(value, written));
}
void append_json_decimal(double value, std::string* text) {
  char written[kLongestJsonDecimal];
  text->append(written, write_json_decimal(value, written));
}

void set_json_nonfinite(JsonNonfinite how) { json_nonfinite = how; }

JsonNonfinite json_nonfinite_of(std::string_view name) {
  constexpr std::string_view kNames[] = {"literal", "null", "string", "error"};
  const auto* const found = std::ranges::find(kNames, name);
  require(found != std::end(kNames), "--json_nonfinite is literal, null, string or error, not ",
          name);
  return static_cast<JsonNonfinite>(found - std::begin(kNames));
}

}  // namespace rill::serve
