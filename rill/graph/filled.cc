#include "rill/graph/filled.h"

#include "rill/graph/graph.h"

namespace rill {

Tensor filled(const Tensor& value, const Shape& shape) {
  const std::int64_t given = value.element_count();
  const std::int64_t wanted = shape.element_count();
  if (wanted == 0 && given == 1) return Tensor::zeros(value.dtype(), shape);
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

Output filled_constant(Scope& scope, const Tensor& value, const Shape& shape,
                       std::string_view name) {
  const Output constant = scope.constant(filled(value, shape), name);
  const std::int64_t given = value.element_count();
  if (given > 0 && given < shape.element_count())
    constant.node->graph().set_attr(*constant.node, kGivenElements, given);
  return constant;
}

}  // namespace rill
