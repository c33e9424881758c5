#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"

namespace rill {
namespace {

constexpr std::int64_t kMaxConstant = 1000;  // larger ones are filled when they are needed

Tensor scalar_of(int number, DType dtype) {
  if (dtype == DType::string && number == 0) return Tensor::zeros(dtype, {});
  if (dtype == DType::boolean) return Tensor::scalar(number != 0);
  return Input(number).value(dtype);
}

Output fill_own(const Block& in, const Output& dims, const Tensor& value) {
  const Output scalar = as_tensor(value);
  return raw::Fill(dims, scalar, {.name = in.own_name()});
}

// The shape as a vector, where a tensor tells it.
Output dims_of(const ShapeInput& shape) {
  const Output dims = as_tensor(shape, "packed");
  if (dims.shape().rank() > 0) return dims;
  return raw::Reshape(dims, parts::ints({-1}));
}

Output filled_with(int number, const char* name, const ShapeInput& shape,
                   const FilledOptions& options, std::source_location at) {
  const Block in(options.name, name, at);
  const Tensor value = scalar_of(number, options.dtype);
  if (!shape.is_value()) return fill_own(in, dims_of(shape), value);
  const Tensor given = shape.value(DType::i32);
  const Shape known = shape_of_value(given);
  if (given.shape().rank() == 1 && known.element_count() < kMaxConstant) {
    Scope& scope = current_scope();
    if (known.element_count() == 0)
      return scope.constant(Tensor(options.dtype, known), in.own_name());
    return filled_constant(scope, value, known, in.own_name());
  }
  return fill_own(in, as_tensor(ShapeInput(known), "shape_as_tensor"), value);
}

}  // namespace

Output zeros(const ShapeInput& shape, const FilledOptions& options, std::source_location at) {
  return filled_with(0, "zeros", shape, options, at);
}

Output ones(const ShapeInput& shape, const FilledOptions& options, std::source_location at) {
  return filled_with(1, "ones", shape, options, at);
}

Output zeros_like(const Input& tensor, const LikeOptions& options, std::source_location at) {
  const Block in(options.name, "zeros_like", at);
  const Output x = as_tensor(tensor, "tensor");
  const DType own = base_type(x.dtype());
  const DType dtype = options.dtype == DType::invalid ? own : options.dtype;
  const FilledOptions filled{.dtype = dtype, .name = in.own_name()};
  if (options.optimize && x.shape().is_full() && own != DType::variant)
    return zeros(x.shape().full(), filled);
  if (dtype != own && dtype != DType::variant)
    return zeros(parts::inner_shape(x, options.optimize), filled);
  return raw::ZerosLike(x, {.name = in.own_name()});
}

Output ones_like(const Input& tensor, const LikeOptions& options, std::source_location at) {
  const Block in(options.name, "ones_like", at);
  const Output x = as_tensor(tensor, "tensor");
  const DType dtype = options.dtype == DType::invalid ? base_type(x.dtype()) : options.dtype;
  const Output dims = parts::inner_shape(x, options.optimize);
  return ones(dims, {.dtype = dtype, .name = in.own_name()});
}

}  // namespace rill
