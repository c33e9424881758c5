#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/host_function.h"
#include "rill/api/core/recorded_function.h"
#include "rill/api/core/static_value.h"
#include "rill/api/eager/gradient_tape.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/linalg/linalg.h"
#include "rill/api/math/search.h"
#include "rill/api/sparse/sparse_tensor.h"
#include "rill/api/variables/state_ops.h"
#include "rill/api/variables/variable_template.h"
#include "rill/base/error_classes.h"
#include "rill/grad/gradient_registry.h"

// tf: TensorFlow's names of what has a C++ one.
namespace rill {

using Operation = Node;
using TensorShape = PartialShape;
using Dimension = std::int64_t;  // -1 where it is not known

// "float32", "float" or "DT_FLOAT". Throws InvalidArgument for what is no type.
inline DType as_dtype(const std::string& name) {
  DType dtype = DType::invalid;
  require(parse_dtype(name, &dtype), "Cannot convert value '", name, "' to a TensorFlow DType.");
  return dtype;
}
inline DType as_dtype(DType dtype) { return dtype; }
namespace dtypes {
using rill::as_dtype;
using rill::DType;
}  // namespace dtypes

// What opens and ends with a block: `const tf::device on("/cpu:0");` for Python's `with`.
using name_scope = NameScope;
using device = DeviceScope;
using control_dependencies = ControlDependencies;
using colocate_with = ColocateWith;
using variable_scope = VariableScopeBlock;

inline const std::shared_ptr<Graph>& get_default_graph() { return default_graph(); }

struct ConvertOptions {
  DType dtype = DType::invalid;  // the value's
  std::string name = "Const";
};
inline Output convert_to_tensor(const Input& value, const ConvertOptions& options = {}) {
  return as_tensor(value, options.name, options.dtype);
}
inline Output convert_to_tensor_or_indexed_slices(const Input& value,
                                                  const ConvertOptions& options = {}) {
  return convert_to_tensor(value, options);
}
inline IndexedSlices convert_to_tensor_or_indexed_slices(const IndexedSlices& value) {
  return value;
}
inline Output convert_to_tensor_or_sparse_tensor(const Input& value,
                                                 const ConvertOptions& options = {}) {
  return convert_to_tensor(value, options);
}
inline SparseTensor convert_to_tensor_or_sparse_tensor(const SparseTensor& value) { return value; }

// Whether a value of that type stands for a tensor.
template <class T>
constexpr bool is_tensor(const T&) {
  return std::is_same_v<T, Output> || std::is_same_v<T, SparseTensor> ||
         std::is_same_v<T, Variable> || std::is_same_v<T, IndexedSlices>;
}

// static_value(): the value of a tensor where it is known while the graph is built.
inline std::optional<Tensor> get_static_value(Output tensor) { return static_value(tensor); }

inline PartialShape broadcast_static_shape(const PartialShape& a, const PartialShape& b) {
  return broadcast(a, b);
}
inline Output broadcast_dynamic_shape(const Input& a, const Input& b,
                                      std::source_location at = std::source_location::current()) {
  return raw::BroadcastArgs(a, b, {}, at);
}
// None where the dimension is not known.
inline std::optional<std::int64_t> dimension_value(Dimension dimension) {
  return dimension < 0 ? std::nullopt : std::optional(dimension);
}
inline Dimension dimension_at_index(const PartialShape& shape, int index) {
  return shape.has_rank() ? shape.dim(index) : kUnknownDim;
}
namespace compat {
using rill::dimension_at_index;
using rill::dimension_value;
}  // namespace compat

// case_of() under TensorFlow's name.
inline std::vector<Output> case_(const std::vector<std::pair<Output, BranchFn>>& pred_fn_pairs,
                                 const BranchFn& otherwise = {}, const CaseOptions& options = {},
                                 std::source_location at = std::source_location::current()) {
  return case_of(pred_fn_pairs, otherwise, options, at);
}

// Rows of a variable, and single elements or slices of it, changed; the variable after that.
inline Output scatter_mul(const Variable& ref, const Input& indices, const Input& updates,
                          const AssignOptions& options = {}) {
  return ref.scatter("Mul", indices, updates, options);
}
inline Output scatter_div(const Variable& ref, const Input& indices, const Input& updates,
                          const AssignOptions& options = {}) {
  return ref.scatter("Div", indices, updates, options);
}
inline Output scatter_min(const Variable& ref, const Input& indices, const Input& updates,
                          const AssignOptions& options = {}) {
  return ref.scatter("Min", indices, updates, options);
}
inline Output scatter_max(const Variable& ref, const Input& indices, const Input& updates,
                          const AssignOptions& options = {}) {
  return ref.scatter("Max", indices, updates, options);
}
inline Output scatter_nd_update(const Variable& ref, const Input& indices, const Input& updates,
                                const AssignOptions& options = {}) {
  return ref.scatter_nd("Update", indices, updates, options);
}
inline Output scatter_nd_add(const Variable& ref, const Input& indices, const Input& updates,
                             const AssignOptions& options = {}) {
  return ref.scatter_nd("Add", indices, updates, options);
}
inline Output scatter_nd_sub(const Variable& ref, const Input& indices, const Input& updates,
                             const AssignOptions& options = {}) {
  return ref.scatter_nd("Sub", indices, updates, options);
}

// host_function() and recorded_function(): functions of the program as nodes.
inline std::vector<Output> py_func(HostFunction function, const Inputs& inputs,
                                   const std::vector<DType>& result_types,
                                   const HostFunctionOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return host_function(std::move(function), inputs, result_types, options, at);
}
inline std::vector<Output> numpy_function(
    HostFunction function, const Inputs& inputs, const std::vector<DType>& result_types,
    const HostFunctionOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return host_function(std::move(function), inputs, result_types, options, at);
}
inline std::vector<Output> py_function(RecordedFunction function, const Inputs& inputs,
                                       const std::vector<DType>& result_types,
                                       const std::string& name = {},
                                       std::source_location at = std::source_location::current()) {
  return recorded_function(std::move(function), inputs, result_types, name, at);
}

inline linalg::EighResult self_adjoint_eig(
    const Input& tensor, const LinalgOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return linalg::eigh(tensor, options, at);
}
inline Output self_adjoint_eigvals(const Input& tensor, const LinalgOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return linalg::eigvalsh(tensor, options, at);
}

// `function` with variables of its own, which all calls share: a Template that knows its part.
template <class Function>
auto make_template(const std::string& name, Function function,
                   const TemplateOptions& options = {}) {
  auto scope = std::make_shared<Template>(name, options);
  return [scope, function](auto&&... arguments) {
    return (*scope)([&] { return function(std::forward<decltype(arguments)>(arguments)...); });
  };
}

inline Regularizer no_regularizer() { return {}; }

// The gradient of an op, or of what a node asks for by _gradient_op_type; see gradient_registry.h.
inline void RegisterGradient(const std::string& op_type, GradientFunction gradient) {
  register_gradient(op_type, std::move(gradient));
}
// The op has no gradient on purpose: what is behind it is a constant.
inline void NotDifferentiable(const std::string& op_type) { register_gradient(op_type, {}); }
inline void NoGradient(const std::string& op_type) { register_gradient(op_type, {}); }
inline void no_gradient(const std::string& op_type) { register_gradient(op_type, {}); }

namespace raw_ops = raw;

// tf.argmax(x, 1): the axis without its name.
template <std::integral Axis>
Output argmax(const Input& input, Axis axis, ArgmaxOptions options = {},
              std::source_location at = std::source_location::current()) {
  options.axis = Input(axis);
  return argmax(input, options, at);
}
template <std::integral Axis>
Output argmin(const Input& input, Axis axis, ArgmaxOptions options = {},
              std::source_location at = std::source_location::current()) {
  options.axis = Input(axis);
  return argmin(input, options, at);
}
namespace math {
using rill::argmax;
using rill::argmin;
}  // namespace math

}  // namespace rill
