#include "rill/api/nn/moments.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/reduce.h"

namespace rill::nn {
namespace {

// Without the axes, and as halves where those were given.
Moments finished(Moments moments, const ShapeInput& axes, bool keepdims, bool as_half) {
  if (!keepdims) {
    const auto dims = math_parts::known_integers(axes, "axes");
    moments.mean = squeeze(moments.mean, {.axis = dims});
    moments.variance = squeeze(moments.variance, {.axis = dims});
  }
  if (!as_half) return moments;
  const Output mean = cast(moments.mean, DType::f16);
  return {mean, cast(moments.variance, DType::f16)};
}

Output summed(Output x, const Input& axes, bool keepdims, const char* name) {
  return reduce_sum(x, {.axis = axes, .keepdims = keepdims, .name = name});
}

}  // namespace

Moments moments(const Input& x, const ShapeInput& axes, const MomentsOptions& options,
                std::source_location at) {
  const Block in(options.name, "moments", at);
  const Output given = as_tensor(x);
  const bool half = math_parts::type_of(given) == DType::f16;
  const Output values = half ? cast(given, DType::f32) : given;
  const auto mean_of = [&](Output of, const char* name) {
    return reduce_mean(of, {.axis = axes, .keepdims = true, .name = name});
  };
  const Output mean = mean_of(values, "mean");
  const Output variance =
      mean_of(raw::SquaredDifference(values, raw::StopGradient(mean)), "variance");
  return finished({mean, variance}, axes, options.keepdims, half);
}

Moments weighted_moments(const Input& x, const ShapeInput& axes, const Input& frequency_weights,
                         const MomentsOptions& options, std::source_location at) {
  const Block in(options.name, "weighted_moments", at);
  Output values = as_tensor(x, "x"), weights = as_tensor(frequency_weights, "frequency_weights");
  const bool half = math_parts::type_of(values) == DType::f16;
  if (half) values = cast(values, DType::f32);
  const DType dtype = math_parts::type_of(values);
  if (math_parts::type_of(weights) != dtype) weights = cast(weights, dtype);
  const Output sum = summed(parts::times(weights, values), axes, true, "weighted_input_sum");
  const Output spread = parts::plus(weights, zeros_like(values));
  const Output total = summed(spread, axes, true, "sum_of_weights");
  const Output mean = raw::DivNoNan(sum, total, {.name = "div_no_nan"});
  const Output squares = parts::times(weights, raw::SquaredDifference(values, mean));
  const Output distance = summed(squares, axes, true, "weighted_distsq");
  const Output variance = raw::DivNoNan(distance, total, {.name = "div_no_nan"});
  return finished({mean, variance}, axes, options.keepdims, half);
}

namespace {

// How many elements there are along the axes.
Output counted(Output x, const std::vector<std::int64_t>& axes) {
  const PartialShape shape = x.shape();
  const DType dtype = math_parts::type_of(x);
  const auto is_known = [&](std::int64_t axis) {
    return shape.has_rank() && shape[canonical_axis(axis, shape.rank())] >= 0;
  };
  if (shape.has_rank() && std::ranges::all_of(axes, is_known)) {
    double count = 1;
    for (const std::int64_t axis : axes)
      count *= static_cast<double>(shape[canonical_axis(axis, shape.rank())]);
    return as_tensor(math_parts::number(dtype, count));
  }
  const Output dimensions = rank(x);
  std::vector<Input> positive;
  for (const std::int64_t axis : axes) {
    const auto number = static_cast<int>(axis);
    positive.push_back(axis < 0 ? Input(parts::plus(number, dimensions)) : Input(number));
  }
  const Output sizes = cast(rill::shape(x), dtype);
  return reduce_prod(gather(sizes, parts::list_of(positive)), {.name = "count"});
}

}  // namespace

SufficientStatistics sufficient_statistics(const Input& x, std::vector<std::int64_t> axes,
                                           const StatisticsOptions& options,
                                           std::source_location at) {
  // Each axis once, those counted from the end last.
  std::ranges::sort(axes, {}, [](std::int64_t axis) { return std::pair(axis < 0, axis); });
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  const Block in(options.name, "sufficient_statistics", at);
  const Output values = as_tensor(x, "x");
  SufficientStatistics result{.counts = counted(values, axes), .mean_ss = {}, .variance_ss = {}};
  if (options.shift) result.shift = as_tensor(*options.shift, "shift");
  const Output mean = result.shift ? raw::Sub(values, *result.shift) : values;
  const Output squares =
      result.shift ? raw::SquaredDifference(values, *result.shift) : raw::Square(values);
  const Input over = parts::ints(axes);
  result.mean_ss = summed(mean, over, options.keepdims, "mean_ss");
  result.variance_ss = summed(squares, over, options.keepdims, "var_ss");
  return result;
}

Moments normalize_moments(const Input& counts, const Input& mean_ss, const Input& variance_ss,
                          const NormalizeOptions& options, std::source_location at) {
  const Block in(options.name, "normalize", at);
  const Output divisor = raw::Reciprocal(counts, {.name = "divisor"});
  const bool shifted = options.shift.has_value();
  const Output inner = raw::Mul(mean_ss, divisor, {.name = shifted ? "shifted_mean" : "mean"});
  const Output mean = shifted ? raw::AddV2(inner, *options.shift, {.name = "mean"}) : inner;
  const Output square = raw::Mul(variance_ss, divisor);
  return {mean, raw::Sub(square, raw::Square(inner), {.name = "variance"})};
}

}  // namespace rill::nn
