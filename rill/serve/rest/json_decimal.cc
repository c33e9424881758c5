#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "rill/serve/rest/json_text.h"

namespace rill::serve {
namespace {

constexpr std::uint64_t kPowers[] = {
    1ull,           10ull,           100ull,          1000ull,      10000ull,
    100000ull,      1000000ull,      10000000ull,     100000000ull, 1000000000ull,
    10000000000ull, 100000000000ull, 1000000000000ull};
constexpr int kFew = 6;  // digits that are tried first

// Most floats, in whole numbers: v = mantissa / 2^shift, and digits of it are v * 10^n, rounded to
// even. For what is at least 0.0001 and below a million nothing of that overflows.
class PlainFloat {
 public:
  explicit PlainFloat(float value) : value_(value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    mantissa_ = (bits & 0x7fffff) | 0x800000;
    shift_ = 150 - static_cast<int>(bits >> 23 & 0xff);
    exponent_ = 5;
    while (exponent_ > -4 && value < kBegins[exponent_ + 4]) --exponent_;
  }
  static bool fits(float value) { return value >= 1e-4f && value < 1e6f; }

  // Appends `count` digits if they say everything, or anyway; false when nothing was appended.
  bool append(int count, bool anyway, std::string* text) const {
    const int places = count - 1 - exponent_;
    std::uint64_t digits = scaled(places);
    if (digits >= kPowers[count] || digits < kPowers[count - 1]) return false;
    if (!anyway && static_cast<float>(static_cast<double>(digits) /
                                      static_cast<double>(kPowers[places])) != value_)
      return false;
    append_digits(digits, places, text);
    return true;
  }

 private:
  // Where each power of ten begins, from 10^-4 on: the first float that is not below it.
  static constexpr float kBegins[] = {1e-4f, 1e-3f, 1e-2f, 1e-1f, 1, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f};

  std::uint64_t scaled(int places) const {
    const std::uint64_t whole = mantissa_ * kPowers[places];
    const std::uint64_t rest = whole & ((std::uint64_t{1} << shift_) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift_ - 1);
    const std::uint64_t down = whole >> shift_;
    return down + (rest > half || (rest == half && down % 2 == 1) ? 1 : 0);
  }
  static void append_digits(std::uint64_t digits, int places, std::string* text) {
    while (places > 1 && digits % 10 == 0) {
      digits /= 10;
      --places;
    }
    char written[24];
    text->append(written, std::to_chars(written, std::end(written), digits / kPowers[places]).ptr);
    *text += places == 0 ? ".0" : ".";
    std::uint64_t part = digits % kPowers[places];
    const std::size_t begin = text->size();
    text->resize(begin + static_cast<std::size_t>(places));
    for (int i = places; i-- > 0; part /= 10)
      (*text)[begin + static_cast<std::size_t>(i)] = static_cast<char>('0' + part % 10);
  }

  const float value_;
  std::uint64_t mantissa_;
  int shift_, exponent_;
};

template <class T>
void append_any(T value, int all_digits, std::string* text) {
  if (std::isnan(value)) {
    *text += "NaN";
    return;
  }
  if (std::isinf(value)) {
    *text += value < 0 ? "-Infinity" : "Infinity";
    return;
  }
  char digits[40];
  char* end = std::to_chars(digits, std::end(digits), value, std::chars_format::general, kFew).ptr;
  T again = 0;
  std::from_chars(digits, end, again);
  if (again != value)
    end =
        std::to_chars(digits, std::end(digits), value, std::chars_format::general, all_digits).ptr;
  const std::string_view written(digits, static_cast<std::size_t>(end - digits));
  *text += written;
  if (written.find_first_of(".e") == std::string_view::npos) *text += ".0";
}

}  // namespace

void append_json_decimal(float value, std::string* text) {
  constexpr int kAll = 9;
  const float positive = std::abs(value);
  if (PlainFloat::fits(positive)) {
    const std::size_t before = text->size();
    if (value < 0) *text += '-';
    const PlainFloat plain(positive);
    if (plain.append(kFew, false, text) || plain.append(kAll, true, text)) return;
    text->resize(before);
  }
  append_any(value, kAll, text);
}

void append_json_decimal(double value, std::string* text) { append_any(value, 17, text); }

}  // namespace rill::serve
