#include "rill/api/losses/weights_broadcast.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/sparse/sets.h"

namespace rill {
namespace {

constexpr const char* kWrong = "weights can not be broadcast to values.";

// One side of the comparison, with its shape and rank as tensors.
struct Side {
  Side(const Input& given, const char* name, std::source_location at) {
    const Block in("", name, at);
    tensor = as_tensor(given, in.own_name());
    dims = shape(tensor, {.name = "shape"});
    rank = rill::rank(tensor, {.name = "rank"});
  }
  const PartialShape& known() const { return tensor.shape(); }

  Output tensor, dims, rank;
};

Output has_valid_dims(const Side& weights, const Side& values, std::source_location at) {
  const Block in("", "has_invalid_dims", at);
  const Output column = expand_dims(values.dims, -1);
  const Output valid = concat({column, ones_like(column)}, 1);
  const SparseTensor invalid = sets::difference(expand_dims(weights.dims, -1), valid);
  const Output count = size(invalid.values, {.name = "num_invalid_dims"});
  return raw::Equal(0, count, {.name = in.own_name()});
}

Output has_valid_shape(const Side& weights, const Side& values, std::source_location at) {
  const Block in("", "has_valid_nonscalar_shape", at);
  const Output same_rank = raw::Equal(values.rank, weights.rank, {.name = "is_same_rank"});
  return cond_one(
      same_rank, [&] { return has_valid_dims(weights, values, at); }, [&] { return same_rank; },
      {.name = in.own_name()});
}

void check_dims(const PartialShape& weights, const PartialShape& values) {
  for (int i = 0; i < weights.rank(); ++i)
    require(weights[i] == 1 || weights[i] == values[i], kWrong, " Mismatch at dim ", i,
            ". values.shape=", shape_text(values), " weights.shape=", shape_text(weights), ".");
}

}  // namespace

Node& assert_broadcastable(const Input& given_weights, const Input& given_values,
                           std::source_location at) {
  const Block in("", "assert_broadcastable", at);
  const Side weights(given_weights, "weights", at), values(given_values, "values", at);
  const PartialShape &w = weights.known(), &v = values.known();
  if (w.has_rank() && v.has_rank()) {
    if (w.rank() == 0) return no_op({.name = "static_scalar_check_success"});
    require(w.rank() == v.rank(), kWrong, " values.rank=", v.rank(), ". weights.rank=", w.rank(),
            ". values.shape=", shape_text(v), ". weights.shape=", shape_text(w), ".");
    if (w.is_full() && v.is_full()) {
      check_dims(w, v);
      return no_op({.name = "static_dims_check_success"});
    }
  }
  const Output is_scalar = raw::Equal(0, weights.rank, {.name = "is_scalar"});
  const Output is_valid = cond_one(
      is_scalar, [&] { return is_scalar; }, [&] { return has_valid_shape(weights, values, at); },
      {.name = "is_valid_shape"});
  return assert_true(is_valid,
                     {kWrong, "weights.shape=", weights.tensor.name(), weights.dims,
                      "values.shape=", values.tensor.name(), values.dims, "is_scalar=", is_scalar},
                     {.name = in.own_name()});
}

Output broadcast_weights(const Input& given_weights, const Input& given_values,
                         std::source_location at) {
  const Block in("", "broadcast_weights", at);
  const Output values = as_tensor(given_values, "values");
  const Output weights = as_tensor(given_weights, "weights", base_type(values.dtype()));
  if (weights.shape().is_full() && values.shape().is_full() &&
      weights.shape().is_compatible(values.shape()))
    return weights;
  Node* const fits = &assert_broadcastable(weights, values);
  const ControlDependencies wait(std::span(&fits, 1));
  return raw::Mul(weights, ones_like(values), {.name = in.own_name()});
}

Output weights_of_rank(const Input& given, int rank, std::source_location at) {
  const MadeAt place(at);
  Output weights = as_tensor(given, "weights");
  require(weights.shape().has_rank(), "weights.get_shape().ndims cannot be None");
  if (weights.shape().rank() == 0) return weights;
  while (weights.shape().rank() < rank) weights = expand_dims(weights, -1);
  return weights;
}

}  // namespace rill
