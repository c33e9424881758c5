#include "rill/serve/rest/json_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "rill/serve/rest/json_scan_numbers.h"

#define RILL_WIDE_LOOPS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/serve/rest/json_scan.cpu.cc"
#include "rill/ops/simd/each_target.h"
// clang-format off
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace rill::serve::HWY_NAMESPACE {
namespace {

using namespace scan;

using Mask = std::uint64_t;  // a bit for each of 64 bytes of text

constexpr int kBlock = 64;
constexpr int kBefore = 8, kBehind = 24;  // bytes around a block that are read as well

inline Mask up_to(int bit) { return ~Mask{0} >> (63 - bit); }
inline int first(Mask mask) { return std::countr_zero(mask); }
inline Mask without_first(Mask mask) { return mask & (mask - 1); }

// Which bytes of a block are what.
struct Block {
  explicit Block(const char* text) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::CappedTag<std::uint8_t, kBlock> d;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text);
    for (std::size_t at = 0; at < kBlock; at += hn::Lanes(d)) {
      const auto v = hn::LoadU(d, bytes + at);
      const auto bits = [&](auto mask) {
        std::uint8_t stored[8] = {};
        hn::StoreMaskBits(d, mask, stored);
        Mask found = 0;
        std::memcpy(&found, stored, 8);
        return found << at;
      };
      const auto is = [&](char c) {
        return bits(hn::Eq(v, hn::Set(d, static_cast<std::uint8_t>(c))));
      };
      const auto up_to = [&](auto bytes, std::uint8_t last) {
        return bits(hn::Eq(hn::Min(bytes, hn::Set(d, last)), bytes));
      };
      digits |= up_to(hn::Sub(v, hn::Set(d, '0')), 9);
      zeros |= is('0');
      commas |= is(',');
      opens |= is('[');
      closes |= is(']');
      minuses |= is('-');
      points |= is('.');
      spaces |= up_to(v, ' ');
    }
  }

  Mask digits = 0, zeros = 0, commas = 0, opens = 0, closes = 0, minuses = 0, points = 0;
  Mask spaces = 0;  // and control characters
};

inline Mask mask_of(const char* text, const auto& holds) {
  Mask mask = 0;
  for (int i = 0; i < kBlock; ++i) mask |= Mask{holds(text[i])} << i;
  return mask;
}

// The spaces that follow each of `mask`; `carry` is 1 when one of it stood before the block.
inline Mask spaces_after(Mask mask, Mask spaces, Mask carry) {
  const Mask begins = (mask << 1 | carry) & spaces;
  return spaces & ~(spaces + begins);
}

// Reads lists block by block. Each block begins behind a comma, or with the lists, and is cut
// behind its last comma, so that no number is cut.
template <class T>
class Scanner {
 public:
  Scanner(NumberStore<T>* values, ListShape* shape)
      : values_(*values), shape_(*shape), begin_(values->size()), last_(values->size()) {}

  const char* scan(const char* text, const char* end) {
    while (!over_) {
      char last[kBefore + kBlock + kBehind];
      const char* block = text;
      if (end - text < kBlock + kBehind) {
        std::memset(last, 0, sizeof last);
        std::memcpy(last, text - kBefore, static_cast<std::size_t>(kBefore + (end - text)));
        block = last + kBefore;
      }
      const int taken = take(block);
      if (taken == 0) return nullptr;
      text += taken;
      if (blocks_++ == 0) expect(end - text);
    }
    return text;
  }

 private:
  // Memory for as many numbers as there will be if they go on like this.
  void expect(std::ptrdiff_t rest) {
    const std::size_t found = values_.size() - begin_;
    if (rest > kBlock)
      values_.reserve(values_.size() + found * static_cast<std::size_t>(rest) / 48);
  }

  // Returns how many bytes it has read, or 0 when there is something wrong.
  int take(const char* text) {
    Block b(text);
    Mask others = 0;  // what makes a number one to look at closely
    Mask known = b.digits | b.commas | b.opens | b.closes | b.minuses | b.points | b.spaces;
    Mask numbers = b.digits | b.minuses;
    if constexpr (std::is_floating_point_v<T>) {
      numbers |= b.points;
      if (known != ~Mask{0}) [[unlikely]] {
        others = mask_of(text, [](char c) { return c == 'e' || c == 'E' || c == '+'; });
        numbers |= others;
        known |= others;
      }
    } else {
      known &= ~b.points;
    }
    // "],[" between two innermost lists.
    const Mask spaced = b.spaces & b.commas << 1;
    const Mask comma_next = b.closes & b.commas >> 1;
    const Mask begins_next = b.opens & ~(b.opens >> 1);
    Mask breaks =
        comma_next & ((begins_next >> 2) | (spaced >> 2 & begins_next >> 3)) & (numbers << 1);
    const Mask cuts = (b.commas & ~(breaks << 1)) != 0 ? b.commas & ~(breaks << 1) : b.commas;
    Mask valid = cuts == 0 ? ~Mask{0} : up_to(63 - std::countl_zero(cuts));
    breaks &= valid >> 3;
    const Mask ends = ~numbers & numbers << 1;
    if (!walk(((b.opens | b.closes) & valid) & ~(breaks << 2 & b.opens) & ~(breaks << 3 & b.opens),
              breaks, b.closes, ends, &valid))
      return 0;
    if (!over_ && cuts == 0) return 0;
    if ((wrong(text, b, numbers, others, known) & valid) != 0) return 0;
    if (!read(text, b, numbers & ~(numbers << 1) & valid, ends & valid, others & valid,
              b.points & valid))
      return 0;
    return 64 - std::countl_zero(valid);
  }

  // Goes through the brackets: those of `breaks` close an innermost list and open the next. Cuts
  // `valid` behind the last one.
  bool walk(Mask brackets, Mask breaks, Mask closes, Mask ends, Mask* valid) {
    const std::size_t before = values_.size();
    if (brackets == breaks && is_rank_known_ && depth_ == shape_.rank && depth_ > 1)
      return walk_breaks(breaks, ends & *valid);
    while (brackets != 0) {
      const Mask bit = brackets & -brackets;
      brackets ^= bit;
      const std::size_t count =
          before + static_cast<std::size_t>(std::popcount(ends & (bit | (bit - 1))));
      if (((breaks | closes) & bit) != 0) {
        if (!close(count)) return false;
        if (depth_ == 0) {
          *valid &= bit | (bit - 1);
          over_ = true;
          return true;
        }
        if ((bit & breaks) != 0 && !open(count)) return false;
      } else if (!open(count)) {
        return false;
      }
    }
    return true;
  }

  // Nothing but ends of innermost lists, behind each of which another one begins.
  bool walk_breaks(Mask breaks, Mask ends) {
    if (breaks == 0) return true;
    const auto length = static_cast<std::size_t>(shape_.dims[depth_ - 1]);
    const auto found = static_cast<std::size_t>(std::popcount(breaks));
    std::size_t expected = begin_ + length - values_.size();
    begin_ += found * length;
    last_ = begin_;
    counts_[depth_ - 2] += static_cast<std::int64_t>(found);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    if (length <= 64) {  // the numbers behind which there must be one
      const Mask lasts = expected - 1 < 64 ? every_ << (expected - 1) : 0;
      return _pdep_u64(lasts, ends) == breaks;
    }
#endif
    bool fit = true;
    for (; breaks != 0; breaks = without_first(breaks), expected += length)
      fit &= static_cast<std::size_t>(std::popcount(ends & (breaks ^ (breaks - 1)))) == expected;
    return fit;
  }

  bool open(std::size_t count) {
    if (depth_ == kDeepestLists || (is_rank_known_ && depth_ >= shape_.rank)) return false;
    if (count != last_) return false;  // numbers beside lists
    counts_[depth_++] = 0;
    begin_ = count;
    return true;
  }

  bool close(std::size_t count) {
    if (!is_rank_known_) {
      if (depth_ == 0 || (shape_.rank != 0 && shape_.rank != depth_)) return false;
      is_new_ = shape_.rank == 0;
      shape_.rank = depth_;
      is_rank_known_ = true;
      if (is_new_) std::fill_n(shape_.dims, depth_, -1);
    }
    if (depth_ == 0) return false;
    const bool is_innermost = depth_ == shape_.rank;
    if (!is_innermost && count != last_) return false;
    --depth_;
    const auto found = is_innermost ? static_cast<std::int64_t>(count - begin_) : counts_[depth_];
    std::int64_t& dim = shape_.dims[depth_];
    if (is_new_ && dim < 0) dim = found;
    if (dim != found) return false;
    if (is_innermost && every_ == 0 && found > 0)
      for (std::int64_t i = 0; i < 64; i += found) every_ |= Mask{1} << i;
    if (depth_ > 0) ++counts_[depth_ - 1];
    last_ = count;
    return true;
  }

  // What stands where it may not.
  static Mask wrong(const char* text, const Block& b, Mask numbers, Mask others, Mask known) {
    Mask after_comma = b.commas << 1 | 1, after_open = b.opens << 1, after_close = b.closes << 1,
         after_number = numbers << 1;
    Mask wrong = ~known;
    if (b.spaces != 0) {
      after_comma |= spaces_after(b.commas, b.spaces, 1) << 1;
      after_open |= spaces_after(b.opens, b.spaces, 0) << 1;
      after_close |= spaces_after(b.closes, b.spaces, 0) << 1;
      after_number |= spaces_after(numbers, b.spaces, 0) << 1;
      const Mask odd = b.spaces & ~mask_of_spaces(text);
      if (odd != 0) [[unlikely]]
        wrong |= odd & ~mask_of(text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; });
    }
    const Mask begins = numbers & ~(numbers << 1);
    wrong |= (begins | b.opens) & ~(after_comma | after_open);
    wrong |= (b.closes | b.commas) & ~(after_number | after_close);
    const Mask first_digits = (begins | (begins & b.minuses) << 1) & b.digits;
    wrong |= b.zeros & first_digits & b.digits >> 1;
    wrong |= b.minuses & ~(begins | others << 1);
    wrong |= b.minuses << 1 & ~b.digits;
    if constexpr (std::is_floating_point_v<T>) {
      wrong |= b.points & ~(b.digits << 1);
      wrong |= b.points << 1 & ~b.digits;
      wrong |= others & begins;
    }
    if constexpr (std::is_unsigned_v<T>) wrong |= b.minuses;
    return wrong;
  }
  static Mask mask_of_spaces(const char* text) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::CappedTag<std::uint8_t, kBlock> d;
    Mask mask = 0;
    for (std::size_t at = 0; at < kBlock; at += hn::Lanes(d)) {
      std::uint8_t stored[8] = {};
      hn::StoreMaskBits(d,
                        hn::Eq(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(text) + at),
                               hn::Set(d, static_cast<std::uint8_t>(' '))),
                        stored);
      Mask found = 0;
      std::memcpy(&found, stored, 8);
      mask |= found << at;
    }
    return mask;
  }

  bool read(const char* text, const Block& b, Mask begins, Mask ends, Mask others, Mask points) {
    const int count = std::popcount(ends);
    T* const to = values_.place(static_cast<std::size_t>(count + kAtOnce));
    values_.add(static_cast<std::size_t>(count));
    if (others != 0) return read_any(text, begins, ends, to);
    const Numbers numbers{text, begins, ends, b.minuses, points, count};
    if (points == 0) {
      const Mask runs = longer_runs(b.digits);
      if ((runs & b.digits >> 4) == 0) {
        read_few_digits(numbers, to);
      } else if ((runs & runs >> 4 & b.digits >> 8) == 0) {
        read_whole(numbers, to);
      } else {
        return read_any(text, begins, ends, to);
      }
      return true;
    }
    if constexpr (std::is_floating_point_v<T>) {
      const Mask all = b.digits | b.minuses | b.points, runs = longer_runs(all);
      if ((runs & runs >> 4 & all >> 8) == 0 && std::popcount(points) == count)
        return read_short_decimals(numbers, to);
      return read_decimals(numbers, to);
    }
    return false;
  }

  // Where four or more of a mask stand together.
  static Mask longer_runs(Mask mask) {
    const Mask pairs = mask & mask >> 1;
    return pairs & pairs >> 2;
  }

  // More numbers than there are may be read and written, to save branches.
  static constexpr int kAtOnce = 8, kDecimalsAtOnce = 4;

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

  static bool read_any(const char* text, Mask begins, Mask ends, T* to) {
    for (; ends != 0; begins = without_first(begins), ends = without_first(ends))
      if (!any_number(text + first(begins), text + first(ends), to++)) return false;
    return true;
  }

  // Whole numbers of up to four digits.
  static void read_few_digits(Numbers numbers, T* to) {
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
  static void read_whole(Numbers numbers, T* to) {
    for (; numbers.ends != 0; numbers.advance()) {
      const bool minus = numbers.minus();
      const auto value = static_cast<std::int32_t>(
          digits_before(numbers.text + numbers.end(),
                        static_cast<unsigned>(numbers.end() - numbers.begin()) - (minus ? 1 : 0)));
      *to++ = static_cast<T>(minus ? -value : value);
    }
  }

  // Numbers of up to eight characters, all with a point. False when one has several.
  static bool read_short_decimals(Numbers numbers, T* to) {
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

  static bool read_decimals(Numbers numbers, T* to) {
    for (; numbers.ends != 0; numbers.advance()) {
      const int begin = numbers.begin(), end = numbers.end();
      const int minus = numbers.minus() ? 1 : 0;
      const Mask inside = numbers.points & up_to(end);
      numbers.points ^= inside;
      if (without_first(inside) != 0) return false;
      const int point = inside != 0 ? first(inside) : end;
      const int before = point - begin - minus, places = inside != 0 ? end - point - 1 : 0;
      if (before <= 8 && places != 0 && places <= kMostDigits) [[likely]] {
        const std::uint64_t whole =
            before == 1 ? static_cast<std::uint64_t>(numbers.text[point - 1] - '0')
                        : digits_before(numbers.text + point, static_cast<unsigned>(before));
        if constexpr (std::is_same_v<T, float>) {
          if (float near = 0;
              places > 8 && near_float(whole, numbers.text + point, places, &near)) {
            *to++ = minus != 0 ? -near : near;
            continue;
          }
        }
        const std::uint64_t digits = whole * kTens[places] + fraction(numbers.text + end, places);
        if ((before + places <= kMostDigits || whole == 0) && digits >> 63 == 0) [[likely]] {
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

  NumberStore<T>& values_;
  ListShape& shape_;
  bool over_ = false, is_rank_known_ = false, is_new_ = false;
  int depth_ = 0, blocks_ = 0;
  std::size_t begin_;  // of the innermost list
  std::size_t last_;   // how many numbers there were when the last list was closed
  Mask every_ = 0;     // a bit for each innermost list, as far apart as those are long
  std::int64_t counts_[kDeepestLists] = {};
};

}  // namespace

const char* scan_f32(const char* begin, const char* end, NumberStore<float>* values,
                     ListShape* shape) {
  return Scanner<float>(values, shape).scan(begin, end);
}
const char* scan_f64(const char* begin, const char* end, NumberStore<double>* values,
                     ListShape* shape) {
  return Scanner<double>(values, shape).scan(begin, end);
}
const char* scan_i32(const char* begin, const char* end, NumberStore<std::int32_t>* values,
                     ListShape* shape) {
  return Scanner<std::int32_t>(values, shape).scan(begin, end);
}
const char* scan_i64(const char* begin, const char* end, NumberStore<std::int64_t>* values,
                     ListShape* shape) {
  return Scanner<std::int64_t>(values, shape).scan(begin, end);
}
const char* scan_u8(const char* begin, const char* end, NumberStore<std::uint8_t>* values,
                    ListShape* shape) {
  return Scanner<std::uint8_t>(values, shape).scan(begin, end);
}

}  // namespace rill::serve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill::serve {

HWY_EXPORT(scan_f32);
HWY_EXPORT(scan_f64);
HWY_EXPORT(scan_i32);
HWY_EXPORT(scan_i64);
HWY_EXPORT(scan_u8);

template <class T>
const char* scan_number_lists(const char* begin, const char* end, NumberStore<T>* values,
                              ListShape* shape) {
  if constexpr (std::is_same_v<T, float>)
    return HWY_DYNAMIC_DISPATCH(scan_f32)(begin, end, values, shape);
  else if constexpr (std::is_same_v<T, double>)
    return HWY_DYNAMIC_DISPATCH(scan_f64)(begin, end, values, shape);
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return HWY_DYNAMIC_DISPATCH(scan_i32)(begin, end, values, shape);
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return HWY_DYNAMIC_DISPATCH(scan_i64)(begin, end, values, shape);
  else
    return HWY_DYNAMIC_DISPATCH(scan_u8)(begin, end, values, shape);
}
template const char* scan_number_lists(const char*, const char*, NumberStore<float>*, ListShape*);
template const char* scan_number_lists(const char*, const char*, NumberStore<double>*, ListShape*);
template const char* scan_number_lists(const char*, const char*, NumberStore<std::int32_t>*,
                                       ListShape*);
template const char* scan_number_lists(const char*, const char*, NumberStore<std::int64_t>*,
                                       ListShape*);
template const char* scan_number_lists(const char*, const char*, NumberStore<std::uint8_t>*,
                                       ListShape*);

}  // namespace rill::serve
#endif
