#include "rill/api/estimator/canned/summaries.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/call_site.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/summary/summary.h"

namespace rill::estimator {
namespace {

Output zero_count(const Variable& x, Output size) {
  const Output is_empty = raw::Equal(size, constant(Input(Tensor::scalar<std::int64_t>(0)), {}));
  return cond_one(
      is_empty, [] { return constant(0.0f); },
      [&] {
        const Output fraction = math::zero_fraction(x);
        return operators::mul(fraction, cast(size, DType::f32), call_site());
      },
      {.name = "zero_count"});
}

Output fraction_of_zero(const std::vector<Variable>& variables) {
  const auto at = call_site();
  const Block in({}, "zero_fraction", at);
  std::vector<Output> sizes;
  std::vector<Input> zeros;
  Output total_size, total_zero, fraction;
  {
    const Block total({}, "total_size", at);
    for (const Variable& x : variables) sizes.push_back(size(x, {.out_type = DType::i64}));
    total_size = add_n(std::vector<Input>(sizes.begin(), sizes.end()));
  }
  {
    const Block total({}, "total_zero", at);
    for (std::size_t i = 0; i < variables.size(); ++i)
      zeros.push_back(zero_count(variables[i], sizes[i]));
    total_zero = add_n(zeros);
  }
  {
    const Block compute({}, "compute", at);
    const Output as_float = cast(total_size, DType::f32, {.name = "float32_size"});
    fraction = operators::truediv(total_zero, as_float, at);
  }
  return raw::Identity(fraction, {.name = "zero_fraction_or_nan"});
}

}  // namespace

void summarize_layer(Output value, const std::string& tag) {
  summaries::scalar(tag + "/fraction_of_zero_values", math::zero_fraction(value));
  summaries::histogram(tag + "/activation", value);
}

void summarize_linear(std::int64_t units, const std::vector<Variable>& bias,
                      const std::vector<Variable>& weights) {
  if (units > 1) {
    summaries::histogram("bias", parts::list_of(std::vector<Input>(bias.begin(), bias.end())));
  } else {
    summaries::scalar("bias", slice(as_tensor(bias.at(0)), {Input(0)}));
  }
  summaries::scalar("fraction_of_zero_weights", fraction_of_zero(weights));
}

}  // namespace rill::estimator
