#include "rill/ops/math/reduce/range_shape.h"

#include <cmath>

#include "rill/base/error.h"

namespace rill {
namespace {

template <class T>
void check_range(T start, T limit, T delta) {
  require(delta != 0, "Requires delta != 0: ", delta);
  if (delta > 0) {
    require(start <= limit, "Requires start <= limit when delta > 0: ", start, "/", limit);
  } else {
    require(start >= limit, "Requires start >= limit when delta < 0: ", start, "/", limit);
  }
}

// The distance may exceed int64, so it is taken without sign.
std::int64_t integer_size(std::int64_t start, std::int64_t limit, std::int64_t delta) {
  check_range(start, limit, delta);
  const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(limit);
  const std::uint64_t distance = delta > 0 ? to - from : from - to;
  const auto d = static_cast<std::uint64_t>(delta);
  const std::uint64_t step = delta > 0 ? d : std::uint64_t{0} - d;
  const std::uint64_t size = distance / step + (distance % step != 0);
  require(size <= static_cast<std::uint64_t>(INT64_MAX),
          "Requires ((limit - start) / delta) <= ", INT64_MAX);
  return static_cast<std::int64_t>(size);
}

std::int64_t float_size(double start, double limit, double delta) {
  check_range(start, limit, delta);
  const double size = std::ceil(std::abs((limit - start) / delta));
  require(size < 9.0e18, "Requires ((limit - start) / delta) <= ", INT64_MAX);  // NaN fails as well
  return static_cast<std::int64_t>(size);
}

template <class T>
std::int64_t size_of(const Tensor& start, const Tensor& limit, const Tensor& delta) {
  const T a = start.scalar_value<T>(), b = limit.scalar_value<T>(), d = delta.scalar_value<T>();
  if constexpr (std::is_integral_v<T>)
    return integer_size(a, b, d);
  else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>)
    return float_size(a, b, d);
  else
    return float_size(static_cast<float>(a), static_cast<float>(b), static_cast<float>(d));
}

}  // namespace

std::int64_t range_size(const Tensor& start, const Tensor& limit, const Tensor& delta) {
  switch (start.dtype()) {
    case DType::i32:
      return size_of<std::int32_t>(start, limit, delta);
    case DType::i64:
      return size_of<std::int64_t>(start, limit, delta);
    case DType::f32:
      return size_of<float>(start, limit, delta);
    case DType::f64:
      return size_of<double>(start, limit, delta);
    case DType::f16:
      return size_of<half>(start, limit, delta);
    case DType::bf16:
      return size_of<bfloat16>(start, limit, delta);
    default:
      raise(Code::kUnimplemented, "Range has no kernel for ", start.dtype());
  }
}

}  // namespace rill
