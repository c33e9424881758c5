#include "rill/api/math/reduce.h"

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"

namespace rill {
namespace {

using namespace math_parts;

// All axes: a constant where their number is known and not 0. A value is looked at as a tensor of
// its own, as TensorFlow does.
Input axes_of(const Input& x, const OptionalInput& axis) {
  if (axis) return *axis;
  if (!x.is_output() || x.output().shape().rank() <= 0)
    return raw::Range(0, rank(x), 1, {.name = "range"});
  std::vector<std::int64_t> axes;
  for (int i = 0; i < x.output().shape().rank(); ++i) axes.push_back(i);
  return as_tensor(Input(int_vector(axes)));
}

Output reduced(const char* op, const Input& x, const ReduceOptions& options,
               std::source_location at) {
  const MadeAt place(at);
  const Input axes = axes_of(x, options.axis);
  const Output result =
      current_scope().add(op, {x, axes}, {{"keep_dims", options.keepdims}}, options.name).output();
  if (!options.axis && !options.keepdims)
    result.node->graph().refine_shape(result, PartialShape::scalar());
  return result;
}

// Infinities are left out of the shift: they would make differences that are no number.
Output finite_or_zero(Output x) {
  const Output finite = raw::IsFinite(x);
  return raw::StopGradient(raw::Select(finite, x, raw::ZerosLike(x)));
}

}  // namespace

Output reduce_sum(const Input& x, const ReduceOptions& options, std::source_location at) {
  return reduced("Sum", x, options, at);
}
Output reduce_mean(const Input& x, const ReduceOptions& options, std::source_location at) {
  return reduced("Mean", x, options, at);
}
Output reduce_max(const Input& x, const ReduceOptions& options, std::source_location at) {
  return reduced("Max", x, options, at);
}
Output reduce_min(const Input& x, const ReduceOptions& options, std::source_location at) {
  return reduced("Min", x, options, at);
}
Output reduce_prod(const Input& x, const ReduceOptions& options, std::source_location at) {
  return reduced("Prod", x, options, at);
}
Output reduce_any(const Input& x, const ReduceOptions& options, std::source_location at) {
  return reduced("Any", x, options, at);
}
Output reduce_all(const Input& x, const ReduceOptions& options, std::source_location at) {
  return reduced("All", x, options, at);
}

Output reduce_logsumexp(const Input& input, const ReduceOptions& options, std::source_location at) {
  const Block in(options.name, "ReduceLogSumExp", at);
  const Output shift = finite_or_zero(reduce_max(input, {.axis = options.axis, .keepdims = true}));
  const Output exp = raw::Exp(raw::Sub(input, shift));
  const Output log =
      raw::Log(reduce_sum(exp, {.axis = options.axis, .keepdims = options.keepdims}));
  const Output back = options.keepdims ? shift : raw::Reshape(shift, raw::Shape(log));
  return raw::AddV2(log, back, {.name = in.own_name()});
}

Output count_nonzero(const Input& input, const CountNonzeroOptions& options,
                     std::source_location at) {
  const Block in(options.name, "count_nonzero", at);
  const Output x = as_tensor(input, "input");
  const Output zero = current_scope().constant(Tensor::zeros(type_of(x), Shape()), "zeros");
  const Output is_other = raw::NotEqual(x, zero);
  const Output count =
      reduce_sum(cast(is_other, DType::i64), {.axis = options.axis, .keepdims = options.keepdims});
  return cast(count, options.dtype);
}

namespace math {

Output reduce_euclidean_norm(const Input& x, const ReduceOptions& options,
                             std::source_location at) {
  return reduced("EuclideanNorm", x, options, at);
}

Output reduce_variance(const Input& input, const ReduceOptions& options, std::source_location at) {
  const Block in(options.name, "reduce_variance", at);
  const Output x = as_tensor(input);
  const Output mean = reduce_mean(x, {.axis = options.axis, .keepdims = true});
  require_type(!kIntTypes.contains(type_of(mean)),
               "Input must be either real or complex. Received integer type <dtype: '",
               numpy_name(type_of(mean)), "'>.");
  const Output distance = raw::Sub(x, mean, {.name = "sub"});
  const Output square = kComplexTypes.contains(type_of(x))
                            ? real(raw::Mul(conj(distance), distance))
                            : raw::Square(distance);
  return reduce_mean(square, {.axis = options.axis, .keepdims = options.keepdims});
}

Output reduce_std(const Input& input, const ReduceOptions& options, std::source_location at) {
  const Block in(options.name, "reduce_std", at);
  const Output x = as_tensor(input);
  return raw::Sqrt(reduce_variance(x, {.axis = options.axis, .keepdims = options.keepdims}));
}

namespace {

// How many are not zero, counted in `dtype`.
Output counted(Output x, DType dtype) {
  const Block in("", "count_nonzero", {});
  const Output zero = current_scope().constant(Tensor::zeros(type_of(x), Shape()), "zeros");
  return reduce_sum(cast(raw::NotEqual(x, zero), dtype), {.name = "nonzero_count"});
}

}  // namespace

Output zero_fraction(const Input& value, const std::string& name, std::source_location at) {
  const Block in(name, "zero_fraction", at);
  const Output x = as_tensor(value, "value");
  const Output size = rill::size(x, {.out_type = DType::i64});
  const Output is_small = raw::LessEqual(size, Input(std::int64_t{INT32_MAX}));
  const Output other = cond_one(
      is_small, [&] { return cast(counted(x, DType::i32), DType::i64); },
      [&] { return counted(x, DType::i64); });
  const auto fraction = [&] {
    const Block inner("", "counts_to_fraction", {});
    const Output zeros = cast(raw::Sub(size, other, {.name = "sub"}), DType::f32);
    return raw::RealDiv(zeros, cast(size, DType::f32), {.name = "truediv"});
  };
  return raw::Identity(fraction(), {.name = "fraction"});
}

}  // namespace math
}  // namespace rill
