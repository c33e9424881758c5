#include "rill/graph/builders.h"

#include "rill/graph/filled.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rill {
namespace {

// The dimensions as a vector of int32 or int64.
Tensor dims_of(const Shape& shape, DType type) {
  Tensor value(type, {shape.rank()});
  for (int i = 0; i < shape.rank(); ++i) {
    if (type == DType::i64) value.data<std::int64_t>()[i] = shape[i];
    if (type == DType::i32) value.data<std::int32_t>()[i] = static_cast<std::int32_t>(shape[i]);
  }
  return value;
}

DType type_for(const Shape& shape) {
  const bool small = std::ranges::all_of(
      shape.dims(), [](std::int64_t size) { return std::in_range<std::int32_t>(size); });
  return small ? DType::i32 : DType::i64;
}

}  // namespace

Output shape_of(Scope& scope, Output x, std::string_view name, DType out_type) {
  if (x.shape().is_full()) return scope.constant(dims_of(x.shape().full(), out_type), name);
  return scope.add("Shape", {x}, {{"out_type", out_type}}, name).output();
}

Output variable_shape(Scope& scope, Output handle, DType out_type) {
  const HandleInfo* info = handle.node->output_handle(handle.index);
  if (info == nullptr || !info->shape.is_full())
    return scope.add("VariableShape", {handle}, {{"out_type", out_type}}).output();
  return scope.constant(dims_of(info->shape.full(), out_type));
}

Output zeros_like(Scope& scope, Output x, std::string_view name) {
  if (base_type(x.dtype()) != DType::resource)
    return scope.add("ZerosLike", {x}, {}, name).output();
  const HandleInfo* handle = x.node->output_handle(x.index);
  const Output shape = variable_shape(scope, x);
  Scope inner = scope.named("zeros");
  const Tensor zero = Tensor::zeros(handle == nullptr ? DType::f32 : handle->dtype, {});
  return fill(scope, shape, inner.constant(zero, "Const"), inner.name() + "/");
}

Output zeros(Scope& scope, Output shape, DType dtype, std::string_view name) {
  Scope inner = scope.named(name);
  const Output zero = inner.constant(Tensor::zeros(dtype, {}), "Const");
  return fill(scope, shape, zero, inner.name() + "/");
}

Output zeros(Scope& scope, const Shape& shape, DType dtype, std::string_view name) {
  constexpr std::int64_t kMaxConstant = 1000;
  if (shape.element_count() < kMaxConstant)
    return filled_constant(scope, Tensor::zeros(dtype, {}), shape, name);
  Scope inner = scope.named(name);
  const Output as_tensor = inner.constant(dims_of(shape, type_for(shape)), "shape_as_tensor");
  const Output zero = inner.constant(Tensor::zeros(dtype, {}), "Const");
  return fill(scope, as_tensor, zero, inner.name() + "/");
}

Output strided_slice(Scope& scope, Output x, std::optional<int> start, std::optional<int> stop,
                     bool drop) {
  Scope inner = scope.named("strided_slice");
  const auto bound = [&](int value, const char* name) {
    return inner.constant(Tensor::vector<std::int32_t>({value}), name);
  };
  const Output begin = bound(start.value_or(0), "stack");
  const Output end = bound(stop.value_or(0), "stack_1");
  const Output stride = bound(1, "stack_2");
  return scope
      .add("StridedSlice", {x, begin, end, stride},
           {{"begin_mask", start ? 0 : 1},
            {"end_mask", stop ? 0 : 1},
            {"shrink_axis_mask", drop ? 1 : 0}},
           inner.name() + "/")
      .output();
}

Output fill(Scope& scope, Output dims, Output value, std::string_view name) {
  return scope.add("Fill", {dims, value}, {}, name).output();
}

Output add_n(Scope& scope, std::span<const Output> terms, std::string_view name) {
  if (terms.size() == 1) return terms[0];
  return scope.add("AddN", {std::vector<Input>(terms.begin(), terms.end())}, {}, name).output();
}

Output concat_rows(Scope& scope, std::span<const Output> parts, std::string_view name) {
  Scope inner = scope.named(name);
  const std::string whole = inner.name() + "/";
  if (parts.size() == 1) {
    inner.constant(Tensor::scalar<std::int32_t>(0), "concat_dim");
    return identity(scope, parts[0], whole);
  }
  const Output axis = inner.constant(Tensor::scalar<std::int32_t>(0), "axis");
  return scope.add("ConcatV2", {std::vector<Input>(parts.begin(), parts.end()), axis}, {}, whole)
      .output();
}

Output cast(Scope& scope, Output x, DType dtype, std::string_view name) {
  if (base_type(x.dtype()) == dtype) return x;
  return scope.add("Cast", {x}, {{"DstT", dtype}}, name).output();
}

Output identity(Scope& scope, Output x, std::string_view name) {
  return scope.add("Identity", {x}, {}, name).output();
}

Node& group(Scope& scope, std::span<Node* const> nodes, std::string_view name) {
  if (scope.graph().is_eager()) return scope.add("NoOp", {});  // they have run, and may be gone
  std::map<std::string, std::vector<Node*>> by_device;
  for (Node* node : nodes) by_device[node->device()].push_back(node);
  const auto wait_for = [&](Scope where, std::span<Node* const> before,
                            std::string_view as) -> Node& {
    return where.with_control(before).add("NoOp", {}, {}, as);
  };
  if (by_device.size() <= 1) {
    Scope where = by_device.empty() ? scope : scope.on_device(by_device.begin()->first);
    return wait_for(where, nodes, name);
  }
  Scope inner = scope.named(name);
  std::vector<Node*> parts;
  for (const auto& [device, members] : by_device)
    parts.push_back(&wait_for(inner.on_device(device), members, "NoOp"));
  return wait_for(scope, parts, inner.name() + "/");
}

}  // namespace rill
