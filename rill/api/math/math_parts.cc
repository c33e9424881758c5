#include "rill/api/math/math_parts.h"

#include "rill/ops/array/values/index_values.h"

namespace rill::math_parts {
void require_same_type(Output x, Output y) {
  require_type(type_of(x) == type_of(y), "`x` and `y` must have the same dtype, got tf.",
               numpy_name(type_of(x)), " != tf.", numpy_name(type_of(y)), ".");
}

Tensor int_vector(const std::vector<std::int64_t>& values) {
  Tensor result(DType::i32, {static_cast<std::int64_t>(values.size())});
  auto* to = result.data<std::int32_t>();
  for (const std::int64_t value : values) {
    require(value >= INT32_MIN && value <= INT32_MAX, value, " does not fit into int32");
    *to++ = static_cast<std::int32_t>(value);
  }
  return result;
}

Tensor number(DType dtype, double value) {
  if (kIntTypes.contains(dtype)) return Input(static_cast<std::int64_t>(value)).value(dtype);
  return Input(value).value(dtype);
}

bool is_known(const Input& value) {
  return value.is_value() || (value.is_output() && constant_value(value.output()) != nullptr);
}

std::vector<std::int64_t> known_integers(const Input& value, std::string_view what) {
  require(is_known(value), what, " must be known before the graph runs");
  const Tensor tensor =
      value.is_value() ? value.value(DType::invalid) : *constant_value(value.output());
  const bool is_empty = tensor.element_count() == 0;  // of no type in particular
  require(is_empty || tensor.dtype() == DType::i32 || tensor.dtype() == DType::i64, what,
          " must be integers, got ", numpy_name(tensor.dtype()));
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) numbers.push_back(int_at(tensor, i));
  return numbers;
}

}  // namespace rill::math_parts
