#include "rill/api/queue/accumulators.h"

#include "rill/api/core/op_call.h"
#include "rill/api/core/texts.h"
#include "rill/base/error.h"
#include "rill/graph/builders.h"

namespace rill {
namespace {

Output new_accumulator(const char* op, const char* default_name, DType dtype,
                       const AccumulatorOptions& options, std::source_location at) {
  return OpCall(op)
      .attr("dtype", dtype)
      .attr("shape", options.shape)
      .attr("shared_name", options.shared_name)
      .attr("reduction_type", options.reduction_type)
      .add(options.name.empty() ? default_name : options.name, at)
      .output();
}

// tf.cast of a value: `name` is the constant's where it is none of the graph yet.
Output as_int64(Scope& scope, const Input& value, const char* name) {
  const Output tensor = value.as_output(scope, name, DType::invalid);
  return base_type(tensor.dtype()) == DType::i64 ? tensor : cast(scope, tensor, DType::i64);
}

// The same, where the constant is made by the cast itself and named "x" below it.
Output cast_to_int64(Scope& scope, const Input& value) {
  if (value.is_output()) return as_int64(scope, value, "x");
  Scope inner = scope.named("Cast");
  const Output tensor = value.as_output(inner, "x", DType::invalid);
  if (base_type(tensor.dtype()) == DType::i64) return tensor;
  return cast(scope, tensor, DType::i64, inner.name() + "/");
}

}  // namespace

ConditionalAccumulatorBase::ConditionalAccumulatorBase(DType dtype, const PartialShape& shape,
                                                       Output accumulator_ref)
    : dtype_(dtype), shape_(shape), ref_(accumulator_ref) {
  const std::string& node = ref_.node->name();
  name_ = node.substr(node.rfind('/') + 1);
}

std::string ConditionalAccumulatorBase::op_name(const char* op) const {
  return base_type(ref_.dtype()) == DType::resource ? str_cat("Resource", op) : op;
}

Output ConditionalAccumulatorBase::num_accumulated(const AccumulatorOpOptions& options,
                                                   std::source_location at) {
  return OpCall(op_name("AccumulatorNumAccumulated"))
      .in(ref_)
      .add(options.name.empty() ? name_ + "_NumAccumulated" : options.name, at)
      .output();
}

Node& ConditionalAccumulatorBase::set_global_step(const Input& new_global_step,
                                                  const AccumulatorOpOptions& options,
                                                  std::source_location at) {
  Scope scope = here(at);
  const Output step = as_int64(scope, new_global_step, "Const");
  return OpCall(op_name("AccumulatorSetGlobalStep")).in(ref_).in(step).add(options.name, at);
}

ConditionalAccumulator::ConditionalAccumulator(DType dtype, const AccumulatorOptions& options,
                                               std::source_location at)
    : ConditionalAccumulatorBase(dtype, options.shape,
                                 new_accumulator("ResourceConditionalAccumulator",
                                                 "conditional_accumulator", dtype, options, at)) {}

Node& ConditionalAccumulator::apply_grad(const Input& grad, const ApplyGradOptions& options,
                                         std::source_location at) {
  Scope scope = here(at);
  const Output gradient = grad.as_output(scope, "Const", dtype());
  require(gradient.shape().is_compatible(shape()), "Shapes ", shape_text(gradient.shape()), " and ",
          shape_text(shape()), " are incompatible");
  const Output step = as_int64(scope, options.local_step, "Const");
  return OpCall(op_name("AccumulatorApplyGradient"))
      .in(accumulator_ref())
      .in(step)
      .in(gradient)
      .add(options.name, at);
}

Output ConditionalAccumulator::take_grad(const Input& num_required,
                                         const AccumulatorOpOptions& options,
                                         std::source_location at) {
  const Output taken = OpCall(op_name("AccumulatorTakeGradient"))
                           .in(accumulator_ref())
                           .in(num_required)
                           .attr("dtype", dtype())
                           .add(options.name, at)
                           .output();
  taken.node->graph().refine_shape(taken, shape());
  return taken;
}

SparseConditionalAccumulator::SparseConditionalAccumulator(DType dtype,
                                                           const AccumulatorOptions& options,
                                                           std::source_location at)
    : ConditionalAccumulatorBase(
          dtype, options.shape,
          new_accumulator("SparseConditionalAccumulator", "sparse_conditional_accumulator", dtype,
                          options, at)) {}

Node& SparseConditionalAccumulator::apply_grad(const Input& grad_indices, const Input& grad_values,
                                               const OptionalInput& grad_shape,
                                               const ApplyGradOptions& options,
                                               std::source_location at) {
  Scope scope = here(at);
  const Output step = as_int64(scope, options.local_step, "Const");
  const Output indices = cast_to_int64(scope, grad_indices);
  const Output shape = cast_to_int64(scope, grad_shape.value_or(Tensor(DType::f32, {0})));
  return OpCall("SparseAccumulatorApplyGradient")
      .in(accumulator_ref())
      .in(step)
      .in(indices)
      .in(grad_values)
      .in(shape)
      .attr("has_known_shape", grad_shape.has_value())
      .add(options.name, at);
}

Node& SparseConditionalAccumulator::apply_indexed_slices_grad(const IndexedSlices& grad,
                                                              const ApplyGradOptions& options,
                                                              std::source_location at) {
  return apply_grad(grad.indices, grad.values,
                    grad.dense_shape.node ? OptionalInput(grad.dense_shape) : std::nullopt, options,
                    at);
}

Node& SparseConditionalAccumulator::take_grad(const Input& num_required,
                                              const AccumulatorOpOptions& options,
                                              std::source_location at) {
  return OpCall("SparseAccumulatorTakeGradient")
      .in(accumulator_ref())
      .in(num_required)
      .attr("dtype", dtype())
      .add(options.name, at);
}

IndexedSlices SparseConditionalAccumulator::take_indexed_slices_grad(
    const Input& num_required, const AccumulatorOpOptions& options, std::source_location at) {
  Node& taken = take_grad(num_required, options, at);
  return {.values = taken.output(1), .indices = taken.output(0), .dense_shape = taken.output(2)};
}

}  // namespace rill
