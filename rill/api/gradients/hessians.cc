#include "rill/api/gradients/hessians.h"

#include <functional>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/graph_only.h"
#include "rill/api/core/made_here.h"
#include "rill/api/core/tensor_array.h"
#include "rill/base/error.h"
#include "rill/graph/builders.h"
#include "rill/graph/grad_ctx.h"
#include "rill/graph/traced_functions.h"

namespace rill {
namespace {

Output flattened(Output x) {
  return current_scope().add("Reshape", {x, Tensor::vector<std::int32_t>({-1})}).output();
}

const HandleInfo* variable_behind(Output x) {
  return x.dtype() == DType::resource ? x.node->output_handle(x.index) : nullptr;
}

// tf.size and tf.shape of a variable, of which its resource is given: `op` of what is read there.
Output asked_of_variable(const char* op, Output resource, const Tensor* known) {
  Scope& outer = current_scope();
  Scope inner = outer.named(op);
  const Output value =
      inner.add("ReadVariableOp", {resource}, {{"dtype", variable_behind(resource)->dtype}})
          .output();
  const std::string name = inner.name() + "/";
  return known ? outer.constant(*known, name) : outer.add(op, {value}, {}, name).output();
}

// tf.size: a constant where it is known.
Output element_count(Output x) {
  Scope& scope = current_scope();
  if (const HandleInfo* variable = variable_behind(x)) {
    const std::int64_t count = variable->shape.element_count();
    const Tensor known = Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(count));
    return asked_of_variable("Size", x, count < 0 ? nullptr : &known);
  }
  const std::int64_t known = x.shape().element_count();
  if (known < 0) return scope.add("Size", {x}).output();
  return scope.constant(Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(known)), "Size");
}

// vector[index] of a tensor that is only known when it runs.
Output element_at(Output vector, Output index) {
  Scope& outer = current_scope();
  Scope inner = outer.named("strided_slice");
  const Output begin = inner.add("Pack", {std::vector<Input>{index}}, {}, "stack").output();
  const Output next = inner.add("AddV2", {index, 1}, {}, "add").output();
  const Output end = inner.add("Pack", {std::vector<Input>{next}}, {}, "stack_1").output();
  const Output step = inner.constant(Tensor::vector<std::int32_t>({1}), "stack_2");
  return outer
      .add("StridedSlice", {vector, begin, end, step}, {{"shrink_axis_mask", 1}},
           inner.name() + "/")
      .output();
}

Output dense_gradient(Output y, Output x, const GradientOptions& options) {
  const Gradient found = gradients({y}, {x}, options)[0];
  require(!found.empty(), "None values not supported.");
  if (!found.is_slices()) return found.dense();
  return densify(current_scope(), found.slices());
}

Output shape_asked(Output x) {
  const HandleInfo* variable = variable_behind(x);
  if (variable == nullptr) return shape_of(current_scope(), x);
  if (!variable->shape.is_full()) return asked_of_variable("Shape", x, nullptr);
  const Tensor known = shape_tensor(variable->shape.full());
  return asked_of_variable("Shape", x, &known);
}

// In the body of a function, where a loop is a function of its own, which sees x as an argument:
// one after the other.
Output unrolled_gradients(const std::function<Output(Output index)>& part, Output count, Output x,
                          const GradientOptions& options) {
  const Tensor* const known = constant_value(count);
  if (known == nullptr)
    raise(Code::kUnimplemented,
          "the jacobian, in a function, of a tensor whose number of elements is not known when the "
          "function is built");
  const std::int64_t rows = known->dtype() == DType::i64 ? known->scalar_value<std::int64_t>()
                                                         : known->scalar_value<std::int32_t>();
  std::vector<Input> all;
  for (std::int32_t i = 0; i < rows; ++i)
    all.emplace_back(dense_gradient(part(current_scope().constant(Tensor::scalar(i))), x, options));
  require(!all.empty(), "the jacobian, in a function, of a tensor without elements");
  return current_scope().add("Pack", {std::move(all)}).output();
}

// The gradients of part(0), part(1), ... of something by x, stacked.
Output stacked_gradients(const std::function<Output(Output index)>& part, Output count, Output x,
                         const GradientOptions& options) {
  if (has_functional_flow(*default_graph())) return unrolled_gradients(part, count, x, options);
  const Output first = current_scope().constant(Tensor::scalar<std::int32_t>(0));
  const HandleInfo* variable = variable_behind(x);
  const TensorArray rows(variable ? variable->dtype : base_type(x.dtype()), count);
  const std::vector<Output> last = while_loop(
      [&](const std::vector<Output>& vars) {
        rows.with_flow(vars[1]);
        return current_scope().add("Less", {vars[0], count}).output();
      },
      [&](const std::vector<Output>& vars) {
        const TensorArray before = rows.with_flow(vars[1]);
        const Output next = current_scope().add("AddV2", {vars[0], 1}, {}, "add").output();
        const Output row = dense_gradient(part(vars[0]), x, options);
        return std::vector<Output>{next, before.write(vars[0], row).flow()};
      },
      {first, rows.flow()});
  return rows.with_flow(last[1]).stack();
}

// Those of each element of a vector.
Output row_gradients(Output vector, Output count, Output x, const GradientOptions& options) {
  return stacked_gradients([&](Output index) { return element_at(vector, index); }, count, x,
                           options);
}

Output joined_shape(Output y, Output x) {
  Scope& scope = current_scope();
  const Output first = shape_asked(y);
  const Output second = x == y ? first : shape_asked(x);
  const Output parts[] = {first, second};
  return concat_rows(scope, parts);
}

}  // namespace

std::vector<Output> hessians(const std::vector<Output>& ys, const std::vector<Output>& xs,
                             const GradientOptions& options, std::source_location at) {
  require_graph_mode(
      "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape "
      "instead.");
  const MadeHere made(at);
  const std::vector<Gradient> first = gradients(ys, xs, options);
  std::vector<Output> results;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    require(!first[i].empty(), "None values not supported.");
    const Output gradient =
        first[i].is_slices() ? densify(current_scope(), first[i].slices()) : first[i].dense();
    const Output vector = flattened(gradient);
    const Output rows = row_gradients(vector, element_count(xs[i]), xs[i], options);
    results.push_back(current_scope().add("Reshape", {rows, joined_shape(xs[i], xs[i])}).output());
  }
  return results;
}

Gradient jacobian(Output y, Output x, const GradientOptions& options, std::source_location at) {
  const MadeHere made(at);
  if (gradients({y}, {x}, options)[0].empty()) return {};
  const Output rows = row_gradients(flattened(y), element_count(y), x, options);
  return current_scope().add("Reshape", {rows, joined_shape(y, x)}).output();
}

Output batch_jacobian(Output y, Output x, const GradientOptions& options, std::source_location at) {
  const MadeHere made(at);
  Scope& scope = current_scope();
  const Output y_shape = shape_of(scope, y), x_shape = shape_of(scope, x);
  const Output batch = strided_slice(scope, y_shape, 0, 1, true);
  const Output matrix_shape =
      scope.add("Pack", {std::vector<Input>{batch, -1}}, {}, "stack").output();
  const Output matrix = scope.add("Reshape", {y, matrix_shape}).output();
  const Output width = strided_slice(scope, shape_of(scope, matrix), 1, 2, true);
  // [column, row, ...]: the columns come first because the loop goes through them.
  const Output columns = stacked_gradients(
      [&](Output index) {
        return current_scope().add("GatherV2", {matrix, index, 1}).output();
      },
      width, x, options);
  const Output rank = scope.add("Rank", {columns}).output();
  const Output rest = scope.add("Range", {2, rank, 1}, {}, "range").output();
  const Output order[] = {scope.constant(Tensor::vector<std::int32_t>({1, 0})), rest};
  const Output by_row =
      scope.add("Transpose", {columns, concat_rows(scope, order)}, {}, "transpose").output();
  const Output parts[] = {y_shape, strided_slice(scope, x_shape, 1, std::nullopt)};
  const Output result = scope.add("Reshape", {by_row, concat_rows(scope, parts)}).output();
  if (y.shape().has_rank() && x.shape().has_rank()) {
    std::vector<std::int64_t> dims(y.shape().dims().begin(), y.shape().dims().end());
    dims.insert(dims.end(), x.shape().dims().begin() + 1, x.shape().dims().end());
    result.node->graph().refine_shape(result, PartialShape(dims));
  }
  return result;
}

}  // namespace rill
