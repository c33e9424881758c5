#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

// shape: what gradients must be compatible with; unknown accepts all, and the first one that comes
// then decides. shared_name: accumulators of one name are one. Another reduction_type than these
// two throws InvalidArgument.
struct AccumulatorOptions {
  PartialShape shape = {};
  std::string shared_name = {};
  std::string name = {};
  std::string reduction_type = "MEAN";  // or "SUM"
};
struct ApplyGradOptions {
  Input local_step = 0;  // gradients of earlier steps than the accumulator's own are dropped
  std::string name = {};
};
struct AccumulatorOpOptions {
  std::string name = {};
};

// Adds up gradients until enough have come: the base of synchronous training, in which replicas
// apply and a chief takes.
//
//   ConditionalAccumulator sum(DType::f32, {.shape = {3}});
//   Node& give = sum.apply_grad(gradient, {.local_step = step});
//   Output mean = sum.take_grad(10);
//
// The accumulator has a time step of its own, 0 at first. A gradient whose local_step is smaller is
// stale and silently dropped; take_grad adds 1 to the step. The state is in the session's
// resources, so that methods may run in any number of steps at once.
class ConditionalAccumulatorBase {
 public:
  ConditionalAccumulatorBase(DType dtype, const PartialShape& shape, Output accumulator_ref);

  DType dtype() const { return dtype_; }
  const PartialShape& shape() const { return shape_; }
  const std::string& name() const { return name_; }
  Output accumulator_ref() const { return ref_; }

  // Gradients since the last take_grad, as an int32 scalar; stale ones are not counted.
  Output num_accumulated(const AccumulatorOpOptions& options = {},
                         std::source_location at = std::source_location::current());
  // Sets the accumulator's time step. It may also go back.
  Node& set_global_step(const Input& new_global_step, const AccumulatorOpOptions& options = {},
                        std::source_location at = std::source_location::current());

 protected:
  // "ResourceAccumulator..." or "Accumulator...", as the reference is.
  std::string op_name(const char* op) const;

 private:
  DType dtype_;
  PartialShape shape_;
  Output ref_;
  std::string name_;
};

// For dense gradients.
class ConditionalAccumulator : public ConditionalAccumulatorBase {
 public:
  explicit ConditionalAccumulator(DType dtype, const AccumulatorOptions& options = {},
                                  std::source_location at = std::source_location::current());
  // Throws InvalidArgument when the gradient cannot have the accumulator's type and shape; the step
  // fails with the same when its shape is only known then.
  Node& apply_grad(const Input& grad, const ApplyGradOptions& options = {},
                   std::source_location at = std::source_location::current());
  // The mean or sum of the gradients, once `num_required` have come; the step waits until then. All
  // that have come are in it, also more than required, and the accumulator is empty afterwards. The
  // step fails with InvalidArgument unless num_required is positive.
  Output take_grad(const Input& num_required, const AccumulatorOpOptions& options = {},
                   std::source_location at = std::source_location::current());
};

// The same for gradients of some rows (IndexedSlices). A mean divides each row by the number of
// gradients that had this row, not by the number of all, as TensorFlow does.
class SparseConditionalAccumulator : public ConditionalAccumulatorBase {
 public:
  explicit SparseConditionalAccumulator(DType dtype, const AccumulatorOptions& options = {},
                                        std::source_location at = std::source_location::current());
  // Indices are cast to int64. `grad_shape` is that of the dense gradient, where it is known.
  Node& apply_grad(const Input& grad_indices, const Input& grad_values,
                   const OptionalInput& grad_shape = {}, const ApplyGradOptions& options = {},
                   std::source_location at = std::source_location::current());
  Node& apply_indexed_slices_grad(const IndexedSlices& grad, const ApplyGradOptions& options = {},
                                  std::source_location at = std::source_location::current());
  // The node has indices, values and shape as outputs.
  Node& take_grad(const Input& num_required, const AccumulatorOpOptions& options = {},
                  std::source_location at = std::source_location::current());
  IndexedSlices take_indexed_slices_grad(const Input& num_required,
                                         const AccumulatorOpOptions& options = {},
                                         std::source_location at = std::source_location::current());
};

}  // namespace rill
