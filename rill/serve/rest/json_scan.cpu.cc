#include "rill/serve/rest/json_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#define RILL_WIDE_LOOPS
#define HWY_TARGET_INCLUDE "rill/serve/rest/json_scan.cpu.cc"
#include "rill/ops/simd/each_target.h"
// clang-format off
#include "hwy/highway.h"
// clang-format on
#include "rill/serve/rest/json_scan_block-inl.h"
#include "rill/serve/rest/json_scan_read-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::serve::HWY_NAMESPACE {
namespace {

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
    const int count = std::popcount(ends & valid);
    T* const to = values_.place(static_cast<std::size_t>(count + kAtOnce));
    values_.add(static_cast<std::size_t>(count));
    const Numbers found{
        text, numbers & ~(numbers << 1) & valid, ends & valid, b.minuses, b.points & valid, count};
    if (!read_numbers(b, found, others & valid, to)) return 0;
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
