#include "rill/api/seq2seq/sequence_loss.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/cross_entropy.h"
#include "rill/base/error.h"

namespace rill::contrib::seq2seq {
namespace {

Output flat_losses(Output logits, Output targets, Output weights,
                   const SequenceLossOptions& options) {
  const Output classes = slice(shape(logits), {Input(2)});
  const Output rows = raw::Reshape(logits, stack({Input(-1), classes}));
  const Output labels = raw::Reshape(targets, Tensor::vector<std::int32_t>({-1}));
  const Output losses = options.softmax_loss_function
                            ? options.softmax_loss_function(labels, rows)
                            : nn::sparse_softmax_cross_entropy_with_logits(labels, rows);
  return losses * raw::Reshape(weights, Tensor::vector<std::int32_t>({-1}));
}

}  // namespace

Output sequence_loss(const Input& logits, const Input& targets, const Input& weights,
                     const SequenceLossOptions& o, std::source_location at) {
  const Block in(o.name, "sequence_loss", at);
  const Output l = as_tensor(logits, "logits"), t = as_tensor(targets, "targets"),
               w = as_tensor(weights, "weights");
  require(l.shape().rank() == 3, "Logits must be a [batch_size x sequence_length x logits] tensor");
  require(t.shape().rank() == 2, "Targets must be a [batch_size x sequence_length] tensor");
  require(w.shape().rank() == 2, "Weights must be a [batch_size x sequence_length] tensor");
  require(!o.average_across_timesteps || !o.sum_over_timesteps,
          "average_across_timesteps and sum_over_timesteps cannot be set to True at same time.");
  require(!o.average_across_batch || !o.sum_over_batch,
          "average_across_batch and sum_over_batch cannot be set to True at same time.");
  const Output losses = flat_losses(l, t, w, o);
  const bool over_time = o.average_across_timesteps || o.sum_over_timesteps;
  const bool over_batch = o.average_across_batch || o.sum_over_batch;
  const bool averaged = o.average_across_timesteps || o.average_across_batch;
  ReduceOptions axes;
  Output total = losses;
  if (!over_time || !over_batch) {
    const Output dims = shape(l);
    total = raw::Reshape(losses, slice(dims, {SliceRange{Input(0), Input(2)}}));
    if (!over_time && !over_batch) return total;
    axes.axis =
        Input(over_time ? Tensor::vector<std::int32_t>({1}) : Tensor::vector<std::int32_t>({0}));
  }
  // Averages divide by the weights, sums by how many examples and steps count at all.
  const Output sum = reduce_sum(total, axes);
  if (averaged) return raw::DivNoNan(sum, reduce_sum(w, axes));
  const Output count = count_nonzero(w, {.axis = axes.axis});
  return raw::DivNoNan(sum, cast(count, base_type(losses.dtype())));
}

Output tile_batch(const Input& t, const Input& multiplier, const std::string& name,
                  std::source_location at) {
  const Block in(name, "tile_batch", at);
  const Output x = as_tensor(t, "t");
  require(x.shape().rank() >= 1, "t must have statically known rank");
  const Output count = as_tensor(multiplier, "multiplier", DType::i32);
  const Output dims = shape(x);
  std::vector<Input> times{1, count};
  for (int i = 1; i < x.shape().rank(); ++i) times.emplace_back(1);
  const Output tiled = raw::Tile(expand_dims(x, 1), stack(times));
  const Output rows = slice(dims, {Input(0)}) * count;
  const Output rest = slice(dims, {SliceRange{Input(1)}});
  const Output result = raw::Reshape(tiled, concat({stack({rows}), rest}, 0));
  return result;
}

}  // namespace rill::contrib::seq2seq
