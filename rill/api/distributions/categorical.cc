#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/distributions/classes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/cross_entropy.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/random/random_ops.h"

namespace rill::distributions {

using namespace formula;

namespace {

Tensor int_scalar(std::int64_t value) {
  return Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(value));
}

Output rank_of_batch(Output logits) {
  const PartialShape& shape = logits.shape();
  if (shape.has_rank()) return as_tensor(int_scalar(shape.rank() - 1), "batch_rank");
  const NameScope in("batch_rank");
  return Formula(rank(logits)) - 1;
}

Output size_of_event(Output logits, Output dims, Output batch_rank) {
  const PartialShape last = last_dim(logits.shape());
  const std::int64_t size = last.has_rank() ? last.dim(0) : kUnknownDim;
  if (size != kUnknownDim) return as_tensor(int_scalar(size), "event_size");
  const NameScope in("event_size");
  return slice(dims, {Input(batch_rank)});
}

Output dims_of_batch(Output logits, Output dims) {
  const PartialShape batch = all_but_last(logits.shape());
  if (batch.is_full()) return constant(Input(shape_tensor(batch.full())), {.name = "batch_shape"});
  const NameScope in("batch_shape");
  return slice(dims, {SliceRange{.stop = -1}});
}

}  // namespace

Categorical::Categorical(const CategoricalDistributionOptions& options, std::source_location at) {
  const Block in(options.name, "Categorical", at);
  LogitsAndProbs both =
      logits_and_probs(options.logits, options.probs, true, options.validate_args);
  if (options.validate_args) both.logits = with_class_count_checked(both.logits);
  add_parameter("logits", both.logits);
  add_parameter("probs", both.probs);
  batch_rank_ = rank_of_batch(logits());
  const Output dims = shape(logits(), {.name = "logits_shape"});
  add_parameter("event_size", size_of_event(logits(), dims, batch_rank_));
  batch_dims_ = dims_of_batch(logits(), dims);
  set_up({options.dtype, NOT_REPARAMETERIZED, options.validate_args, options.allow_nan_stats,
          current_scope().name() + "/"});
}

PartialShape Categorical::do_batch_shape() const { return all_but_last(logits().shape()); }
Output Categorical::do_batch_shape_tensor() { return raw::Identity(batch_dims_); }
Output Categorical::do_event_shape_tensor() { return constant(Input(shape_tensor(Shape()))); }

Output Categorical::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  Output flat = logits();
  if (flat.shape().rank() != 2) flat = raw::Reshape(flat, parts::list_of({-1, event_size()}));
  const DType index = element_size(dtype()) > 4 ? DType::i64 : DType::i32;
  const Output draws = rill::multinomial(flat, n, {.dtype = index, .seed = seed});
  const Output columns = transpose(draws);
  const Output samples = raw::Reshape(columns, shape_with(n, batch_shape_tensor()));
  return cast(samples, dtype());
}

Categorical::Broadcast Categorical::broadcast_to_event(Output event, Output parameters) const {
  const DType type = base_type(event.dtype());
  require_type(kRealTypes.contains(type), "`value` should have integer `dtype` or `self.dtype` (",
               dtype(), ")");
  if (kFloatTypes.contains(type)) event = cast(event, DType::i32);
  const PartialShape batch = all_but_last(parameters.shape());
  if (batch.is_full() && event.shape() == batch) return {event, parameters};
  const Output places = with_new_axis(event);
  parameters = Formula(parameters) * ones_like(places, {.dtype = base_type(parameters.dtype())});
  const Output dims = slice(shape(parameters), {SliceRange{.stop = -1}});
  event = Formula(event) * ones(Input(dims), {.dtype = base_type(event.dtype())});
  if (parameters.shape().has_rank())
    event.node->graph().refine_shape(event, all_but_last(parameters.shape()));
  return {event, parameters};
}

Output Categorical::do_log_prob(Output k) {
  if (validate_args()) k = with_cast_checked(k, DType::i32);
  const Broadcast wide = broadcast_to_event(k, logits());
  return -Formula(nn::sparse_softmax_cross_entropy_with_logits(wide.event, wide.parameters));
}

Output Categorical::do_cdf(Output k) {
  if (validate_args()) k = with_cast_checked(k, DType::i32);
  const Broadcast wide = broadcast_to_event(k, probs());
  const Output flat = raw::Reshape(wide.parameters, parts::list_of({-1, event_size()}));
  const Output flat_k = raw::Reshape(wide.event, parts::ints({-1}));
  const Output below = sequence_mask(flat_k, {.maxlen = Input(event_size())});
  const Output zero = zeros_like(flat);
  const Output summed = rill::where(below, flat, zero);
  const Output total = reduce_sum(summed, {.axis = Input(-1)});
  return raw::Reshape(total, shape(wide.event));
}

Output Categorical::do_entropy() {
  const Formula logs = nn::log_softmax(logits());
  return -sum_over_last(logs * p("probs"));
}

Output Categorical::do_mode() {
  const Output best = cast(raw::ArgMax(logits(), batch_rank_), dtype());
  best.node->graph().refine_shape(best, batch_shape());
  return best;
}

}  // namespace rill::distributions
