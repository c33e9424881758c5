#include "rill/api/nn/dropout.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/random.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/random/random_parts.h"
#include "rill/graph/random_seed.h"
#include "rill/ops/array/values/index_values.h"

namespace rill::nn {
namespace {

std::optional<double> number_of(const Input& value) {
  if (!value.is_value()) return {};
  const Tensor number = value.value(DType::f64);
  require(number.dtype() == DType::f64, "keep_prob must be a floating point number or Tensor");
  require(number.shape().rank() == 0, "`rate` must be a scalar or scalar tensor.");
  return *number.data<double>();
}

// The rate that the options ask for, as they were given or as nodes compute it.
Input rate_of(const DropoutOptions& options) {
  require(!options.rate || !options.keep_prob, "Cannot specify both 'keep_prob' and 'rate'.");
  require(options.rate || options.keep_prob, "`rate` must be provided. Received: rate=None");
  if (options.rate) return *options.rate;
  if (const auto kept = number_of(*options.keep_prob)) return 1.0 - *kept;
  const Output kept = as_tensor(*options.keep_prob);
  return 1.0 - kept;
}

// The larger values that are left.
Output scaled(Output x, const Input& rate) {
  const DType dtype = math_parts::type_of(x);
  if (const auto number = number_of(rate))
    return raw::Mul(x, as_tensor(math_parts::number(dtype, 1 / (1 - *number))));
  const Output r = rate.output();
  require(!r.shape().has_rank() || r.shape().rank() == 0, "Shape ", shape_text(r.shape()),
          " must have rank 0");
  require(base_type(r.dtype()) == dtype,
          "`x.dtype` must be compatible with `rate.dtype`. Received: x.dtype=", dtype_text(dtype),
          " and rate.dtype=", dtype_text(r.dtype()));
  const Output one = as_tensor(math_parts::number(dtype, 1));
  return raw::RealDiv(x, raw::Sub(one, r));
}

ShapeInput noise_shape(Output x, const OptionalInput& given) {
  if (!given) return shape(x);
  if (!given->is_value()) return *given;
  const Tensor dims = given->value(DType::invalid);
  const PartialShape of_x = x.shape();
  const bool fits = of_x.has_rank() && of_x.rank() == dims.element_count();
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < dims.element_count(); ++i) {
    const std::int64_t size = int_at(dims, i);
    sizes.push_back(size < 0 && fits ? of_x[static_cast<int>(i)] : size);
    require(sizes.back() >= 0, "Cannot convert a partially known TensorShape ",
            shape_text(PartialShape(sizes)), " to a Tensor.");
  }
  return parts::ints(sizes);
}

// Numbers in [0, 1), as they are drawn: neither scaled nor shifted.
Output drawn(const ShapeInput& shape, DType dtype, std::optional<std::int64_t> seed) {
  const NameScope in("random_uniform");
  Scope& scope = current_scope();
  const Output dims = shape_argument(scope, shape);
  const RandomSeeds seeds = random_seeds(scope.graph(), seed);
  return raw::RandomUniform(dims, dtype, {.seed = seeds.seed, .seed2 = seeds.seed2});
}

}  // namespace

Output dropout(const Input& x, const DropoutOptions& options, std::source_location at) {
  const MadeAt place(at);
  Input rate = rate_of(options);
  const Block in(options.name, "dropout", at);
  const auto known = number_of(rate);
  require(!known || (*known >= 0 && *known < 1),
          "rate must be a scalar tensor or a float in the range [0, 1), got ", known.value_or(0));
  const Output values = as_tensor(x, "x");
  const DType dtype = math_parts::type_of(values);
  require(kFloatTypes.contains(dtype),
          "x has to be a floating point tensor since it's going to be scaled. Got a <dtype: '",
          numpy_name(dtype), "'> tensor instead.");
  if (known == 0) return values;
  if (!known) rate = as_tensor(rate);
  const Output larger = scaled(values, rate);
  const Output noise = drawn(noise_shape(values, options.noise_shape), dtype, options.seed);
  const Output kept = raw::GreaterEqual(noise, rate);
  const Output zero = as_tensor(math_parts::number(dtype, 0));
  const Output result = where_v2(kept, larger, zero);
  result.node->graph().refine_shape(result, values.shape());
  return result;
}

}  // namespace rill::nn
