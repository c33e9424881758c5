#include "rill/api/core/basic_ops.h"

#include "rill/api/core/shape_input.h"

namespace rill {

Output placeholder(DType dtype, const PartialShape& shape, const PlaceholderOptions& options,
                   std::source_location at) {
  AttrMap attrs{{"dtype", dtype}, {"shape", shape}};
  Scope scope = here(at);
  return scope.add("Placeholder", {}, std::move(attrs), options.name).output();
}

Output constant(const Input& value, const ConstantOptions& options, std::source_location at) {
  require(value.is_value(), "Expected any non-tensor type, but got a tensor instead.");
  Tensor tensor = value.value(options.dtype);
  Scope scope = here(at);
  const std::string name = options.name.empty() ? "Const" : options.name;
  if (options.shape) return filled_constant(scope, tensor, *options.shape, name);
  return scope.constant(std::move(tensor), name);
}

Node& no_op(const NoOpOptions& options, std::source_location at) {
  return here(at).add("NoOp", {}, {}, options.name);
}

Tensor shape_tensor(const Shape& shape) { return ShapeInput(shape).value(DType::i32); }

}  // namespace rill
