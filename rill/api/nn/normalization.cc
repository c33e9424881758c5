#include "rill/api/nn/normalization.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"

namespace rill::nn {
namespace {

// The left side of an operator: a variable is read beside the operator, not inside its scope.
Input left(const Input& value) { return value.is_value() ? value : Input(as_tensor(value)); }

// The sizes of a tensor of known rank: numbers as far as they are known.
std::vector<Input> sizes_of(Output x) {
  std::vector<Input> sizes;
  const Output now = x.shape().is_full() ? Output() : shape(x);
  for (int i = 0; i < x.shape().rank(); ++i) {
    const std::int64_t size = x.shape().dim(i);
    sizes.push_back(size == kUnknownDim ? Input(slice(now, {Input(i)}))
                                        : Input(static_cast<int>(size)));
  }
  return sizes;
}

// Volumes as pictures, for the op knows no others: depth and height are one dimension.
FusedBatchNorm fused_batch_norm_of_volumes(Output x, const Input& scale, const Input& offset,
                                           FusedBatchNormOptions options) {
  require(x.shape().has_rank() && x.shape().rank() == 5, "x must be 5-dimensional for ",
          options.data_format, ", not ", x.shape());
  const bool channels_last = options.data_format == "NDHWC";
  const std::vector<Input> sizes = sizes_of(x);
  std::vector<Input> folded = sizes;
  const auto depth = folded.begin() + (channels_last ? 1 : 2);
  *depth = as_tensor(sizes[channels_last ? 1 : 2]) * as_tensor(sizes[channels_last ? 2 : 3]);
  folded.erase(depth + 1);
  options.data_format = channels_last ? "NHWC" : "NCHW";
  FusedBatchNorm result = fused_batch_norm(raw::Reshape(x, stack(folded)), scale, offset, options);
  result.y = raw::Reshape(result.y, stack(sizes));
  return result;
}

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
  if (options.data_format == "NDHWC" || options.data_format == "NCDHW")
    return fused_batch_norm_of_volumes(values, scale, offset, options);
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
