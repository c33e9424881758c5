#include "rill/api/nn/normalization.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"

namespace rill::nn {
namespace {

// The left side of an operator: a variable is read beside the operator, not inside its scope.
Input left(const Input& value) { return value.is_value() ? value : Input(as_tensor(value)); }

}  // namespace

Output batch_normalization(const Input& x, const Input& mean, const Input& variance,
                           const OptionalInput& offset, const OptionalInput& scale,
                           const Input& variance_epsilon, const BatchNormOptions& options,
                           std::source_location at) {
  const Block in(options.name, "batchnorm", at);
  Output inverse = raw::Rsqrt(parts::plus(left(variance), variance_epsilon));
  if (scale) inverse = parts::times(inverse, *scale);
  const Output values = as_tensor(x);
  const DType dtype = math_parts::type_of(values);
  const Output scaled = parts::times(values, cast(inverse, dtype));
  if (!offset) return parts::plus(scaled, cast(parts::times(raw::Neg(left(mean)), inverse), dtype));
  const Output moved = parts::times(left(mean), inverse);
  return parts::plus(scaled, cast(parts::minus(left(*offset), moved), dtype));
}

Output batch_norm_with_global_normalization(const Input& t, const Input& m, const Input& v,
                                            const Input& beta, const Input& gamma,
                                            const Input& variance_epsilon,
                                            bool scale_after_normalization,
                                            const BatchNormOptions& options,
                                            std::source_location at) {
  const auto scale = scale_after_normalization ? std::optional(gamma) : std::nullopt;
  return batch_normalization(t, m, v, beta, scale, variance_epsilon, options, at);
}

FusedBatchNorm fused_batch_norm(const Input& x, const Input& scale, const Input& offset,
                                const FusedBatchNormOptions& options, std::source_location at) {
  const MadeAt place(at);
  require(options.is_training || (options.mean && options.variance),
          "Both `mean` and `variance` must be a 1D tensor when `is_training` is False.");
  const Output values = as_tensor(x, "input");
  const Output scales = as_tensor(scale, "scale"), offsets = as_tensor(offset, "offset");
  const auto or_nothing = [](const OptionalInput& given) {
    return given ? *given : Input(as_tensor(Tensor(DType::f32, {0})));
  };
  const Input mean = or_nothing(options.mean), variance = or_nothing(options.variance);
  const auto result = raw::FusedBatchNormV3(values, scales, offsets, mean, variance,
                                            {.epsilon = options.epsilon,
                                             .data_format = options.data_format,
                                             .is_training = options.is_training,
                                             .name = options.name});
  return {result.y, result.batch_mean, result.batch_variance};
}

}  // namespace rill::nn
