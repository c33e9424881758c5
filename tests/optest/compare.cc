#include "tests/optest/compare.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "rill/tensor/dtype_visit.h"

namespace rill {
namespace {

using Number = std::complex<double>;

template <class T>
Number number(const T& element) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(element);
  } else if constexpr (kIsHalf<T>) {
    return static_cast<float>(element);
  } else {
    return Number(element);
  }
}

bool is_inexact(DType dtype) { return (kFloatTypes | kComplexTypes).contains(dtype); }

double usual_rtol(DType dtype) {
  switch (dtype) {
    case DType::f64:
    case DType::c128:
      return 1e-10;
    case DType::f16:
      return 2e-3;
    case DType::bf16:
      return 1.6e-2;
    default:
      return 1e-5;
  }
}

// TensorFlow's threads flush denormal floats to zero.
constexpr double kMinNormal = std::numeric_limits<float>::min();

bool close(double got, double want, const Tolerance& t) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) == std::isnan(got);
  if (std::isinf(want) || std::isinf(got)) return want == got;
  return std::abs(got - want) <= t.atol + t.rtol * std::abs(want) + kMinNormal;
}

// Complex parts are measured against the magnitude of the whole.
bool close(Number got, Number want, const Tolerance& t) {
  if (got.imag() == 0 && want.imag() == 0) return close(got.real(), want.real(), t);
  const Tolerance parts{0, t.atol + (std::isfinite(std::abs(want)) ? t.rtol * std::abs(want) : 0)};
  return close(got.real(), want.real(), parts) && close(got.imag(), want.imag(), parts);
}

std::string at_element(std::int64_t index, std::string_view got, std::string_view want) {
  return str_cat("element ", index, " is ", got, ", TensorFlow has ", want);
}

std::string number_text(Number n) {
  char text[80];
  if (n.imag() == 0)
    std::snprintf(text, sizeof text, "%.9g", n.real());
  else
    std::snprintf(text, sizeof text, "%.9g%+.9gi", n.real(), n.imag());
  return text;
}

template <class T>
std::string element_text(const T& element) {
  if constexpr (std::is_same_v<T, std::string>) {
    return rill::quoted(element);
  } else if constexpr (kIsQuantized<T>) {
    return str_cat(element.value);
  } else if constexpr (std::is_integral_v<T>) {
    return str_cat(+element);
  } else {
    return number_text(number(element));
  }
}

template <class T>
bool same(const T& a, const T& b, const Tolerance& tolerance) {
  if constexpr (std::is_same_v<T, std::string> || std::is_integral_v<T>) {
    return a == b;
  } else if constexpr (kIsQuantized<T>) {
    return a.value == b.value;
  } else {
    return close(number(a), number(b), tolerance);
  }
}

Tolerance resolved(Tolerance t, DType dtype) {
  if (t.rtol < 0) t.rtol = usual_rtol(dtype);
  return t;
}

// got[index(i)] against want[i] for all i.
template <class T, class Index>
std::string compare_elements(const Tensor& got, const Tensor& want, const Tolerance& tolerance,
                             Index index) {
  const auto a = got.flat<T>(), b = want.flat<T>();
  std::string first;
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < want.element_count(); ++i) {
    const auto at = static_cast<std::size_t>(index(i));
    if (same<T>(a[at], b[static_cast<std::size_t>(i)], tolerance)) continue;
    if (wrong++ == 0)
      first = at_element(index(i), element_text<T>(a[at]),
                         element_text<T>(b[static_cast<std::size_t>(i)]));
  }
  return wrong > 1 ? str_cat(first, " (and ", wrong - 1, " more)") : first;
}

template <class Index>
std::string compare_any(const Tensor& got, const Tensor& want, const Tolerance& tolerance,
                        Index index) {
  return visit_dtype(want.dtype(), [&]<class T>() -> std::string {
    if constexpr (std::is_same_v<T, ResourceHandle> || std::is_same_v<T, Variant>) {
      return "handles cannot be compared";
    } else {
      return compare_elements<T>(got, want, tolerance, index);
    }
  });
}

std::string compare_kind(const Tensor& got, DType dtype, const Shape& shape) {
  if (got.dtype() != dtype) return str_cat("dtype is ", got.dtype(), ", TensorFlow has ", dtype);
  if (got.shape() != shape) return str_cat("shape is ", got.shape(), ", TensorFlow has ", shape);
  return "";
}

std::uint64_t hash_of(const Tensor& t) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  };
  if (t.dtype() == DType::string) {
    for (const std::string& item : t.flat<std::string>()) mix(item.data(), item.size() + 1);
  } else {
    mix(t.raw_data(), t.byte_size());
  }
  return hash;
}

struct Statistics {
  std::vector<double> sums = std::vector<double>(2 * kBlockCount);
  std::int64_t counts[3] = {};
};

template <class T>
Statistics statistics(const Tensor& t) {
  Statistics result;
  const auto elements = t.flat<T>();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Number n = number(elements[i]);
    for (const double part : {n.real(), n.imag()}) {
      if (std::isnan(part)) ++result.counts[0];
      if (std::isinf(part)) ++result.counts[part > 0 ? 1 : 2];
      if (!std::isfinite(part)) continue;
      const std::size_t block = i * kBlockCount / elements.size();
      result.sums[block] += part;
      result.sums[kBlockCount + block] += std::abs(part);
    }
  }
  return result;
}

Statistics statistics_of(const Tensor& t) {
  return visit_dtype(t.dtype(), [&]<class T>() -> Statistics {
    if constexpr (std::is_floating_point_v<T> || kIsHalf<T> ||
                  kComplexTypes.contains(dtype_of<T>)) {
      return statistics<T>(t);
    } else {
      raise(Code::kInternal, "no sums of ", t.dtype());
    }
  });
}

std::string compare_statistics(const Tensor& got, const Sample& want, const Tolerance& tolerance) {
  const Statistics s = statistics_of(got);
  const auto counts = want.non_finite_counts.flat<std::int64_t>();
  for (std::size_t i = 0; i < 3; ++i)
    if (s.counts[i] != counts[i])
      return str_cat("there are ", s.counts[i], " elements that are ",
                     i == 0   ? "NaN"
                     : i == 1 ? "inf"
                              : "-inf",
                     ", TensorFlow has ", counts[i]);
  const auto sums = want.sums.flat<double>();
  const double per_block = static_cast<double>(got.element_count()) / kBlockCount;
  for (std::size_t i = 0; i < kBlockCount; ++i) {
    const double slack = tolerance.rtol * sums[kBlockCount + i] + tolerance.atol * per_block;
    if (!close(s.sums[i], sums[i], {0, slack}))
      return str_cat("block ", i, " of ", +kBlockCount, " sums to ", s.sums[i], ", TensorFlow has ",
                     sums[i]);
  }
  return "";
}

}  // namespace

std::string difference(const Tensor& got, const Tensor& want, Tolerance tolerance) {
  if (std::string kind = compare_kind(got, want.dtype(), want.shape()); !kind.empty()) return kind;
  return compare_any(got, want, resolved(tolerance, want.dtype()),
                     [](std::int64_t i) { return i; });
}

std::string difference(const Tensor& got, const Sample& want, Tolerance tolerance) {
  if (std::string kind = compare_kind(got, want.dtype, want.shape); !kind.empty()) return kind;
  tolerance = resolved(tolerance, want.dtype);
  const std::int64_t count = got.element_count();
  const auto index = [count](std::int64_t i) { return i * count / kSampleCount; };
  if (std::string wrong = compare_any(got, want.values, tolerance, index); !wrong.empty())
    return wrong;
  if (is_inexact(want.dtype)) return compare_statistics(got, want, tolerance);
  return hash_of(got) == want.hash ? "" : "some element differs that is not among the samples";
}

}  // namespace rill
