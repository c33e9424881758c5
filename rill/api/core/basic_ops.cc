#include "rill/api/core/basic_ops.h"

#include <cstring>

namespace rill {

Output placeholder(DType dtype, const PartialShape& shape, const PlaceholderOptions& options,
                   std::source_location at) {
  AttrMap attrs{{"dtype", dtype}, {"shape", shape}};
  Scope scope = here(at);
  return scope.add("Placeholder", {}, std::move(attrs), options.name).output();
}

Output constant(const Input& value, const ConstantOptions& options, std::source_location at) {
  require(!value.is_output(), "Expected any non-tensor type, but got a tensor instead.");
  Tensor tensor = value.value(options.dtype);
  if (options.shape) tensor = filled(tensor, *options.shape);
  Scope scope = here(at);
  return scope.constant(std::move(tensor), options.name.empty() ? "Const" : options.name);
}

Node& no_op(const NoOpOptions& options, std::source_location at) {
  return here(at).add("NoOp", {}, {}, options.name);
}

Tensor shape_tensor(const Shape& shape) {
  Tensor dims(DType::i32, {shape.rank()});
  for (int i = 0; i < shape.rank(); ++i)
    dims.data<std::int32_t>()[i] = static_cast<std::int32_t>(shape[i]);
  return dims;
}

Tensor filled(const Tensor& value, const Shape& shape) {
  const std::int64_t given = value.element_count();
  const std::int64_t wanted = shape.element_count();
  require(given <= wanted, "Too many elements provided. Takes at most ", wanted, ", but got ",
          given, ".");
  if (given == wanted) return value.reshaped(shape);
  if (given == 0) return Tensor::zeros(value.dtype(), shape);
  Tensor result(value.dtype(), shape);
  const std::size_t size = element_size(value.dtype());
  auto* dst = static_cast<char*>(result.raw_data());
  const auto* src = static_cast<const char*>(value.raw_data());
  copy_elements(value.dtype(), dst, src, static_cast<std::size_t>(given));
  for (std::int64_t i = given; i < wanted; ++i)
    copy_elements(value.dtype(), dst + static_cast<std::size_t>(i) * size,
                  src + static_cast<std::size_t>(given - 1) * size, 1);
  return result;
}

}  // namespace rill
