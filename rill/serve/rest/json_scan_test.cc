#include "rill/serve/rest/json_scan.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace rill::serve {
namespace {

const std::string kBefore = R"({"inputs":)";

// The plain way to read lists: one character after the other, numbers by std::from_chars.
template <class T>
class Reference {
 public:
  explicit Reference(const std::string& text) : at_(text.data()), end_(at_ + text.size()) {}

  bool lists(std::size_t level = 0) {
    if (!take('[') || level >= static_cast<std::size_t>(kDeepestLists)) return false;
    const bool is_first = dims.size() == level;
    if (is_first) dims.push_back(-1);
    std::int64_t count = 0;
    space();
    const bool has_lists = *at_ == '[';
    if (has_lists ? dims.size() == level + 1 && !is_first : dims.size() != level + 1) return false;
    do {
      if (has_lists ? !lists(level + 1) : !number()) return false;
      ++count;
    } while (take(','));
    if (dims[level] < 0) dims[level] = count;
    return dims[level] == count && take(']');
  }
  const char* at() const { return at_; }

  std::vector<T> values;
  std::vector<std::int64_t> dims;

 private:
  void space() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
  }
  bool take(char c) {
    space();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  bool digits() {
    if (!is_digit(*at_)) return false;
    while (is_digit(*at_)) ++at_;
    return true;
  }
  bool number() {
    space();
    const char* const begin = at_;
    bool is_whole = true;
    if (*at_ == '-') ++at_;
    if (*at_ == '0' && is_digit(at_[1])) return false;
    if (!digits()) return false;
    if (*at_ == '.') {
      is_whole = false;
      ++at_;
      if (!digits()) return false;
    }
    if (*at_ == 'e' || *at_ == 'E') {
      is_whole = false;
      ++at_;
      if (*at_ == '+' || *at_ == '-') ++at_;
      if (!digits()) return false;
    }
    if constexpr (std::is_integral_v<T>) {
      using Range = std::conditional_t<sizeof(T) == 1, std::int32_t, T>;
      Range value = 0;
      if (!is_whole || std::from_chars(begin, at_, value).ec != std::errc()) return false;
      values.push_back(static_cast<T>(value));
    } else {
      double value = 0;
      if (std::from_chars(begin, at_, value).ec != std::errc()) return false;
      // A short whole number is read as one, and has no negative zero.
      if (is_whole && value == 0) value = 0;
      values.push_back(static_cast<T>(value));
    }
    return true;
  }

  const char *at_, *end_;
};

template <class T>
bool same(const T* a, const std::vector<T>& b) {
  return b.empty() || std::memcmp(a, b.data(), b.size() * sizeof(T)) == 0;
}

// What the scanner takes the reference takes too, with the same values and the same end. Returns
// whether it takes it.
template <class T>
bool agrees(const std::string& lists) {
  const std::string text = kBefore + lists;
  NumberStore<T> values;
  ListShape shape;
  const char* const begin = text.data() + kBefore.size();
  const char* const behind =
      scan_number_lists<T>(begin, text.data() + text.size(), &values, &shape);
  if (behind == nullptr) return false;
  Reference<T> reference(lists);
  EXPECT_TRUE(reference.lists()) << lists;
  EXPECT_EQ(behind - begin, reference.at() - lists.data()) << lists;
  EXPECT_EQ(std::vector(shape.span().begin(), shape.span().end()), reference.dims) << lists;
  EXPECT_EQ(values.size(), reference.values.size());
  EXPECT_TRUE(values.size() == reference.values.size() && same(values.data(), reference.values))
      << lists;
  return true;
}

class Texts {
 public:
  explicit Texts(unsigned seed) : random_(seed) {}

  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }

  std::string digits(unsigned most) {
    std::string text;
    for (unsigned i = below(most) + 1; i > 0; --i) text += static_cast<char>('0' + below(10));
    return text;
  }
  std::string whole(unsigned most) {
    std::string text = digits(most);
    while (text.size() > 1 && text[0] == '0') text.erase(0, 1);
    return text;
  }
  template <class T>
  std::string number(unsigned style) {
    if constexpr (std::is_same_v<T, std::uint8_t>)
      return std::to_string(below(style % 2 == 0 ? 256 : 100'000));
    std::string text = below(4) == 0 ? "-" : "";
    if constexpr (std::is_same_v<T, std::int32_t>) return text + whole(style % 2 == 0 ? 4 : 9);
    if constexpr (std::is_same_v<T, std::int64_t>) return text + whole(style % 2 == 0 ? 8 : 18);
    switch (style) {
      case 0:
        return text + whole(3);
      case 1:
        return text + whole(1) + "." + digits(5);
      case 2:
        return text + whole(1) + "." + digits(20);
      case 3:
        return text + whole(10) + (below(2) == 0 ? "." + digits(10) : "");
      case 4: {
        char written[40];
        const auto bits = random_();
        const float value = std::ldexp(static_cast<float>(bits % (1 << 24)),
                                       static_cast<int>(bits >> 40 & 31) - 28);
        return text +
               std::string(
                   written,
                   std::to_chars(written, std::end(written), static_cast<double>(value)).ptr);
      }
      default:
        return text + whole(3) + (below(2) == 0 ? "." + digits(6) : "") +
               (below(2) == 0 ? "e" : "E") +
               (below(2) == 0   ? "-"
                : below(2) == 0 ? "+"
                                : "") +
               digits(2);
    }
  }
  template <class T>
  std::string lists(const std::vector<unsigned>& dims, unsigned style, const std::string& comma,
                    std::size_t level = 0) {
    std::string text = "[";
    for (unsigned i = 0; i < dims[level]; ++i) {
      if (i > 0) text += comma;
      text += level + 1 == dims.size() ? number<T>(style) : lists<T>(dims, style, comma, level + 1);
    }
    return text + "]";
  }
  template <class T>
  std::string any() {
    std::vector<unsigned> dims;
    for (unsigned i = below(4) + 1; i > 0; --i) dims.push_back(below(dims.empty() ? 20 : 5) + 1);
    static const char* const kCommas[] = {",", ", ", ",\n ", " , "};
    return lists<T>(dims, below(6), kCommas[below(4)]) + (below(2) == 0 ? "}" : ", \"a\": [1]}");
  }

 private:
  std::mt19937_64 random_;
};

template <class T>
class JsonScan : public testing::Test {};
using Types = testing::Types<float, double, std::int32_t, std::int64_t, std::uint8_t>;
TYPED_TEST_SUITE(JsonScan, Types);

TYPED_TEST(JsonScan, lists_of_all_kinds) {
  Texts texts(1);
  for (int i = 0; i < 1000; ++i) {
    const std::string text = texts.any<TypeParam>();
    EXPECT_TRUE(agrees<TypeParam>(text)) << text;
  }
}

TYPED_TEST(JsonScan, large_ones) {
  Texts texts(2);
  for (unsigned style = 0; style < 6; ++style)
    EXPECT_TRUE(agrees<TypeParam>(texts.lists<TypeParam>({40, 30, 3}, style, ",")));
}

TYPED_TEST(JsonScan, what_is_wrong_is_never_taken_for_something_else) {
  Texts texts(3);
  static const std::string kCharacters = "0123456789,[]-. eE+\n\"{}x";
  int taken = 0;
  for (int i = 0; i < 6'000; ++i) {
    std::string text = texts.any<TypeParam>();
    const auto place = [&] { return texts.below(static_cast<unsigned>(text.size())); };
    const char c = kCharacters[texts.below(static_cast<unsigned>(kCharacters.size()))];
    switch (texts.below(4)) {
      case 0:
        text[place()] = c;
        break;
      case 1:
        text.insert(place(), 1, c);
        break;
      case 2:
        text.erase(place(), 1);
        break;
      default:
        text.resize(place() + 1);
    }
    taken += agrees<TypeParam>(text) ? 1 : 0;
  }
  EXPECT_GT(taken, 300);  // many mistakes only make it another list
}

TYPED_TEST(JsonScan, lists_behind_lists_have_one_shape) {
  NumberStore<TypeParam> values;
  ListShape shape;
  const auto scan = [&](const std::string& lists) {
    const std::string text = kBefore + lists;
    return scan_number_lists<TypeParam>(text.data() + kBefore.size(), text.data() + text.size(),
                                        &values, &shape) != nullptr;
  };
  EXPECT_TRUE(scan("[[1,2],[3,4]]"));
  EXPECT_TRUE(scan("[[5,6],[7,8]]"));
  EXPECT_EQ(values.size(), 8u);
  EXPECT_EQ(values.data()[7], TypeParam{8});
  EXPECT_FALSE(scan("[[5,6]]"));
}

TEST(JsonScanDecimals, near_the_middle_between_two_floats) {
  // Decimals of many digits at and beside such places, where a rounding error would show.
  std::mt19937_64 random(4);
  std::string text = "[";
  for (int i = 0; i < 2000; ++i) {
    const float below = static_cast<float>(random() % 1'000'000 + 1) / 1e6f;
    const double middle =
        (static_cast<double>(below) + static_cast<double>(std::nextafter(below, 2.0f))) / 2;
    char written[64];
    std::snprintf(written, sizeof written, "%.*f", static_cast<int>(16 + random() % 4),
                  i % 3 == 0   ? middle
                  : i % 3 == 1 ? std::nextafter(middle, 0.0)
                               : std::nextafter(middle, 2.0));
    text += (i > 0 ? "," : "") + std::string(written);
  }
  EXPECT_TRUE(agrees<float>(text + "]"));
  EXPECT_TRUE(agrees<double>(text + "]"));
}

}  // namespace
}  // namespace rill::serve
