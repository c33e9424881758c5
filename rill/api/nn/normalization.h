#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::nn {

struct BatchNormOptions {
  std::string name{};
};
// scale * (x - mean) / sqrt(variance + variance_epsilon) + offset, without what is absent.
Output batch_normalization(const Input& x, const Input& mean, const Input& variance,
                           const OptionalInput& offset, const OptionalInput& scale,
                           const Input& variance_epsilon, const BatchNormOptions& options = {},
                           std::source_location at = std::source_location::current());
// The same under its older name; gamma counts only where `scale_after_normalization` is true.
Output batch_norm_with_global_normalization(
    const Input& t, const Input& m, const Input& v, const Input& beta, const Input& gamma,
    const Input& variance_epsilon, bool scale_after_normalization,
    const BatchNormOptions& options = {},
    std::source_location at = std::source_location::current());

struct FusedBatchNormOptions {
  OptionalInput mean{}, variance{};  // needed unless training
  float epsilon = 0.001F;
  std::string data_format = "NHWC";  // NCHW; of volumes NDHWC, NCDHW
  bool is_training = true;
  std::string name{};
};
struct FusedBatchNorm {
  Output y = {}, batch_mean = {}, batch_variance = {};
};
// The same of images in one op, by the mean and variance of the batch when training. The variance
// that comes out is divided by n - 1, that which normalizes by n, as TensorFlow's op does. Throws
// InvalidArgument when not training without mean or variance.
FusedBatchNorm fused_batch_norm(const Input& x, const Input& scale, const Input& offset,
                                const FusedBatchNormOptions& options = {},
                                std::source_location at = std::source_location::current());

}  // namespace rill::nn
