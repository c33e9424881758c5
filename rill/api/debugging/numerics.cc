#include "rill/api/debugging/numerics.h"

#include "rill/api/core/control_flow.h"
#include "rill/api/core/graph_only.h"
#include "rill/api/gen/array.h"
#include "rill/api/math/reduce.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_builders.h"

namespace rill {
namespace debugging {
namespace {

// x[1:] - x[:-1] of all elements; empty where there are fewer than two.
Output differences(const Input& x) {
  Scope& scope = current_scope();
  const Output flat = scope.add("Reshape", {x, Tensor::vector<std::int32_t>({-1})}).output();
  const PartialShape& shape = flat.shape();
  const Output count =
      shape.is_full()
          ? scope.constant(Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(shape[0])),
                           "Size")
          : scope.add("Size", {flat}).output();
  const Output is_short = scope.add("Less", {count, 2}).output();
  const Output last = scope.add("Sub", {shape_of(scope, flat), 1}, {}, "sub").output();
  const DType type = base_type(flat.dtype());
  return cond_one(
      is_short, [&] { return current_scope().constant(Tensor(type, {0})); },
      [&] {
        Scope& inner = current_scope();
        const Tensor zero = Tensor::vector<std::int32_t>({0}),
                     one = Tensor::vector<std::int32_t>({1});
        const Output end = inner.add("AddV2", {one, last}, {}, "add").output();
        const auto ones = [&](const Tensor& like) {
          Scope named = inner.named("ones_like");
          named.constant(like, "tensor");
          const Output dims =
              named.constant(Tensor::vector<std::int32_t>({1}), "Shape/shape_as_tensor");
          const Output value = named.constant(Tensor::scalar<std::int32_t>(1));
          return fill(inner, dims, value, named.name() + "/");
        };
        const Output steps = ones(one);
        const Output later = inner.add("StridedSlice", {flat, one, end, steps}).output();
        const Output more_steps = ones(zero);
        const Output earlier = inner.add("StridedSlice", {flat, zero, last, more_steps}).output();
        return inner.add("Sub", {later, earlier}, {}, "sub").output();
      });
}

Output ordered(const char* name, const char* comparison, const Input& x,
               const OrderOptions& options, std::source_location at) {
  const Block in(options.name, name, at);
  const Output steps = differences(x);
  const Output zero = current_scope().constant(Tensor::zeros(base_type(steps.dtype()), {}));
  return math::reduce_all(current_scope().add(comparison, {zero, steps}).output());
}

}  // namespace

Output check_numerics(const Input& tensor, const std::string& message,
                      const CheckNumericsOptions& options, std::source_location at) {
  return raw::CheckNumerics(tensor, message, {.name = options.name}, at);
}

Output assert_all_finite(const Input& t, const std::string& msg, const AllFiniteOptions& options,
                         std::source_location at) {
  const Block in(options.name, "VerifyFinite", at);
  const Output tensor = as_tensor(t, "x");
  Scope beside = current_scope().colocated_with(*tensor.node);
  Node& check = beside.add("CheckNumerics", {tensor}, {{"message", msg}});
  return with_dependency(current_scope(), check, tensor);
}

Output is_non_decreasing(const Input& x, const OrderOptions& options, std::source_location at) {
  return ordered("is_non_decreasing", "LessEqual", x, options, at);
}

Output is_strictly_increasing(const Input& x, const OrderOptions& options,
                              std::source_location at) {
  return ordered("is_strictly_increasing", "Less", x, options, at);
}

}  // namespace debugging

Node& add_check_numerics_ops(std::source_location at) {
  require_graph_mode(
      "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's and "
      "NaN's under eager execution, call tfe.seterr(inf_or_nan='raise') once before executing the "
      "checked operations.");
  Scope scope = here(at);
  std::vector<Node*> checks;
  const int count = scope.graph().node_count();
  for (int id = 0; id < count; ++id) {
    Node& node = scope.graph().node(id);
    for (int i = 0; i < node.output_count(); ++i) {
      const DType type = node.output_type(i);
      if (type != DType::f16 && type != DType::f32 && type != DType::f64) continue;
      require(node.flow() == nullptr,
              "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow "
              "operations such as `tf.cond()` or `tf.while_loop()`.");
      Scope after = checks.empty() ? scope : scope.with_control(std::span(checks).last(1));
      const Output checked = node.output(i);
      checks.push_back(&after.add("CheckNumerics", {checked}, {{"message", checked.name()}}));
    }
  }
  return group(scope, checks.empty() ? std::span<Node* const>() : std::span(checks).last(1));
}

}  // namespace rill
