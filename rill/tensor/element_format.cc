#include "rill/tensor/element_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "rill/tensor/decimal.h"
#include "rill/tensor/dtype_visit.h"

namespace rill {
namespace {

constexpr int kPrecision = 8;
constexpr int kAllDigits = std::numeric_limits<int>::max();

// a / b, rounded to the type of both.
double ratio(double a, double b, double) { return a / b; }
double ratio(double a, double b, float) { return static_cast<float>(a) / static_cast<float>(b); }
double ratio(double a, double b, half) {
  return as_double(half(static_cast<float>(a) / static_cast<float>(b)));
}

std::string non_finite_text(double x) { return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf"; }

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

// One width and one notation for all numbers of an array.
template <class T>
class FloatFormat {
 public:
  FloatFormat(std::span<const T> values, bool plus) : plus_(plus) {
    choose_notation(values);
    bool all_finite = true, signed_infinity = plus;
    for (const T value : values) {
      const double x = as_double(value);
      if (std::isfinite(x)) {
        measure(value);
      } else {
        all_finite = false;
        signed_infinity |= x == -INFINITY;
      }
    }
    if (!all_finite) widen(signed_infinity ? 4 : 3);
  }

  std::string operator()(T value) const {
    const double x = as_double(value);
    if (!std::isfinite(x)) {
      std::string text = non_finite_text(x);
      if (plus_ && text.front() != '-') text.insert(0, "+");
      return padded(text, left_ + right_ + 1);
    }
    if (scientific_) {
      const Decimal d = rounded_scientific(x, static_cast<int>(fraction_));
      return point_text(d) + exponent_text(d.exponent, exponent_digits_);
    }
    Decimal d = positional(value, kPrecision);
    if (d.fraction.empty()) d = rounded_positional(x, 0);  // every digit before the point is exact
    d.fraction.resize(fraction_, ' ');
    return point_text(d);
  }

 private:
  void choose_notation(std::span<const T> values) {
    double largest = 0, smallest = INFINITY;
    for (const T value : values) {
      const double x = std::abs(as_double(value));
      if (!std::isfinite(x) || x == 0) continue;
      largest = std::max(largest, x);
      smallest = std::min(smallest, x);
    }
    scientific_ = largest > 0 &&
                  (largest >= 1e8 || smallest < 0.0001 || ratio(largest, smallest, T()) > 1000);
  }

  void measure(T value) {
    const Decimal d = scientific_ ? scientific(value, kPrecision) : positional(value, kPrecision);
    left_ = std::max(left_, signed_whole(d).size());
    fraction_ = std::max(fraction_, d.fraction.size());
    const int exponent_size = static_cast<int>(exponent_text(d.exponent).size());
    exponent_digits_ = std::max(exponent_digits_, exponent_size - 2);
    right_ = fraction_ + (scientific_ ? static_cast<std::size_t>(exponent_digits_) + 2 : 0);
  }

  // Makes room for names of non-finite numbers.
  void widen(std::size_t size) {
    if (left_ + right_ + 1 < size) left_ = size - right_ - 1;
  }

  std::string point_text(const Decimal& d) const {
    return padded(signed_whole(d), left_) + '.' + d.fraction;
  }

  std::string signed_whole(const Decimal& d) const {
    return plus_ && d.whole.front() != '-' ? '+' + d.whole : d.whole;
  }

  bool plus_, scientific_ = false;
  std::size_t left_ = 0, right_ = 0;  // columns before and after the point
  std::size_t fraction_ = 0;
  int exponent_digits_ = 2;
};

// Plain numbers of the types that are stored under other names.
template <class T>
std::string integer_text(T value) {
  if constexpr (std::is_integral_v<T>) {
    return str_cat(value);
  } else {
    return str_cat(value.value);
  }
}

std::string short_text(bfloat16 value) {
  const auto x = static_cast<float>(value);
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return std::isnan(x) ? "nan" : text;
}

std::string object_text(const std::string& value) { return bytes_literal(value); }
std::string object_text(const ResourceHandle& handle) {
  return str_cat("<resource ", handle.name, ">");
}
std::string object_text(const Variant& variant) {
  return str_cat("<variant ", variant.type_name(), ">");
}

template <class T>
concept IsFloat = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, half>;
template <class T>
concept IsComplex =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <IsFloat T>
ElementFormat format_floats(const T* data, std::span<const std::size_t> shown) {
  std::vector<T> values;
  for (const std::size_t i : shown) values.push_back(data[i]);
  return [data, format = FloatFormat<T>(values, false)](std::size_t i) { return format(data[i]); };
}

// The j stands before the blanks that align the imaginary parts.
std::string with_j(std::string imaginary) {
  return imaginary.insert(imaginary.find_last_not_of(' ') + 1, "j");
}

template <IsComplex T>
ElementFormat format_complex(const T* data, std::span<const std::size_t> shown) {
  using Part = typename T::value_type;
  std::vector<Part> reals, imaginaries;
  for (const std::size_t i : shown) {
    reals.push_back(data[i].real());
    imaginaries.push_back(data[i].imag());
  }
  return [data, real = FloatFormat<Part>(reals, false),
          imaginary = FloatFormat<Part>(imaginaries, true)](std::size_t i) {
    return real(data[i].real()) + with_j(imaginary(data[i].imag()));
  };
}

template <class T>
ElementFormat format_integers(const T* data, std::span<const std::size_t> shown) {
  std::size_t width = 0;
  for (const std::size_t i : shown) width = std::max(width, integer_text(data[i]).size());
  return [data, width](std::size_t i) { return padded(integer_text(data[i]), width); };
}

// A number alone: positional between 1e-4 and 1e16, with `zero` after a point that has no digits.
template <IsFloat T>
std::string lone_float(T value, const char* zero) {
  const double x = as_double(value), size = std::abs(x);
  if (!std::isfinite(x)) return non_finite_text(x);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  const Decimal d = plain ? positional(value, kAllDigits) : scientific(value, kAllDigits);
  if (plain) return d.fraction.empty() ? d.whole + zero : d.whole + '.' + d.fraction;
  return d.whole + (d.fraction.empty() ? "" : "." + d.fraction) + exponent_text(d.exponent);
}

template <IsComplex T>
std::string lone_complex(T value) {
  std::string imaginary = lone_float(value.imag(), "") + 'j';
  if (value.real() == 0 && !std::signbit(value.real())) return imaginary;
  if (imaginary.front() != '-') imaginary.insert(0, "+");
  return '(' + lone_float(value.real(), "") + imaginary + ')';
}

}  // namespace

ElementFormat array_format(const Tensor& tensor, std::span<const std::size_t> shown) {
  return visit_dtype(tensor.dtype(), [&]<class T>() -> ElementFormat {
    const T* data = tensor.data<T>();
    if constexpr (IsFloat<T>) {
      return format_floats(data, shown);
    } else if constexpr (IsComplex<T>) {
      return format_complex(data, shown);
    } else if constexpr (std::is_same_v<T, bool>) {
      return [data](std::size_t i) { return data[i] ? " True" : "False"; };
    } else if constexpr (std::is_same_v<T, bfloat16>) {
      return [data](std::size_t i) { return short_text(data[i]); };
    } else if constexpr (kObjectTypes.contains(dtype_of<T>)) {
      return [data](std::size_t i) { return object_text(data[i]); };
    } else {
      return format_integers(data, shown);
    }
  });
}

std::string scalar_text(const Tensor& tensor) {
  return visit_dtype(tensor.dtype(), [&]<class T>() -> std::string {
    const T& value = tensor.scalar_value<T>();
    if constexpr (IsFloat<T>) {
      return lone_float(value, ".0");
    } else if constexpr (IsComplex<T>) {
      return lone_complex(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      return value ? "True" : "False";
    } else if constexpr (std::is_same_v<T, bfloat16>) {
      return short_text(value);
    } else if constexpr (kObjectTypes.contains(dtype_of<T>)) {
      return object_text(value);
    } else {
      return integer_text(value);
    }
  });
}

std::string bytes_literal(std::string_view bytes) {
  const bool has_single = bytes.find('\'') != bytes.npos,
             has_double = bytes.find('"') != bytes.npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  std::string text = {'b', quote};
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const std::size_t named = std::string_view("\t\n\r").find(c);
    if (c == quote || c == '\\') {
      text += {'\\', c};
    } else if (named != std::string_view::npos) {
      text += {'\\', "tnr"[named]};
    } else if (byte < 0x20 || byte >= 0x7f) {
      constexpr char kHex[] = "0123456789abcdef";
      text += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      text += c;
    }
  }
  return text + quote;
}

}  // namespace rill
