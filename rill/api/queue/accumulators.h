#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

struct AccumulatorOptions {
  PartialShape shape = {};
  std::string shared_name;
  std::string name;
  std::string reduction_type = "MEAN";  // or "SUM"
};
struct ApplyGradOptions {
  Input local_step = 0;  // gradients of earlier steps than the accumulator's own are dropped
  std::string name;
};
struct AccumulatorOpOptions {
  std::string name;
};

// Adds up gradients until enough have come.
class ConditionalAccumulatorBase {
 public:
  ConditionalAccumulatorBase(DType dtype, const PartialShape& shape, Output accumulator_ref);

  DType dtype() const { return dtype_; }
  const PartialShape& shape() const { return shape_; }
  const std::string& name() const { return name_; }
  Output accumulator_ref() const { return ref_; }

  Output num_accumulated(const AccumulatorOpOptions& options = {},
                         std::source_location at = std::source_location::current());
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

class ConditionalAccumulator : public ConditionalAccumulatorBase {
 public:
  explicit ConditionalAccumulator(DType dtype, const AccumulatorOptions& options = {},
                                  std::source_location at = std::source_location::current());
  // Throws InvalidArgument when the gradient cannot have the accumulator's type and shape.
  Node& apply_grad(const Input& grad, const ApplyGradOptions& options = {},
                   std::source_location at = std::source_location::current());
  // The mean or sum of the gradients, once `num_required` have come.
  Output take_grad(const Input& num_required, const AccumulatorOpOptions& options = {},
                   std::source_location at = std::source_location::current());
};

// The same for gradients of some rows.
class SparseConditionalAccumulator : public ConditionalAccumulatorBase {
 public:
  explicit SparseConditionalAccumulator(DType dtype, const AccumulatorOptions& options = {},
                                        std::source_location at = std::source_location::current());
  Node& apply_grad(const Input& grad_indices, const Input& grad_values,
                   const std::optional<Input>& grad_shape = {},
                   const ApplyGradOptions& options = {},
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
