#include "rill/api/nn/average_loss.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"

namespace rill::nn {
namespace {

constexpr const char* kTooSmall =
    "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1.";

// The weights with the rank of the losses, where both are known and differ by one.
Output fitted(Output weights, int rank) {
  const int own = weights.shape().rank();
  if (own <= 0 || rank <= 0) return weights;
  if (own - rank == 1) return squeeze(weights, {.axis = {-1}});
  if (rank - own == 1) return expand_dims(weights, parts::ints({-1}));
  return weights;
}

Output weighted(Output losses, const Input& sample_weight) {
  const Output x = cast(losses, DType::f32);
  const Output weights = cast(sample_weight, DType::f32);
  return raw::Mul(x, fitted(weights, losses.shape().rank()));
}

}  // namespace

Output compute_average_loss(const Input& per_example_loss, const AverageLossOptions& options,
                            std::source_location at) {
  const MadeAt place(at);
  Output losses = as_tensor(per_example_loss);
  const DType dtype = math_parts::type_of(losses);
  const int rank = losses.shape().rank();
  require(rank != 0, kTooSmall);
  std::optional<ControlDependencies> wait;
  if (rank < 0) {
    Node* const check =
        &debugging::assert_greater_equal(rill::rank(losses), 1, {.message = kTooSmall, .name = {}});
    wait.emplace(std::span<Node* const>(&check, 1));
  }
  if (options.sample_weight) {
    const Output weights = as_tensor(*options.sample_weight);
    losses = weighted(losses, weights);
  }
  losses = cast(losses, dtype);
  const Input size = options.global_batch_size ? *options.global_batch_size
                                               : Input(parts::item(shape(losses), 0) * 1);
  debugging::assert_scalar(size, {.message = "global_batch_size must be scalar."});
  debugging::assert_integer(size, {.message = "global_batch_size must be an integer."});
  debugging::assert_non_negative(
      size, {.message = "global_batch_size must be non-negative.", .name = {}});
  const Output sum = reduce_sum(losses);
  return raw::DivNoNan(sum, cast(size, dtype), {.name = "div_no_nan"});
}

Output scale_regularization_loss(const Input& regularization_loss, std::source_location at) {
  const MadeAt place(at);
  return reduce_sum(regularization_loss) / 1;
}

}  // namespace rill::nn
