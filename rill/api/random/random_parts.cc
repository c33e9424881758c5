#include "rill/api/random/random_parts.h"

namespace rill {

Output typed_argument(Scope& scope, const Input& argument, std::string_view name, DType dtype) {
  const Output tensor = argument.as_output(scope, name, dtype);
  require(base_type(tensor.dtype()) == dtype, name, ": Tensor conversion requested dtype ",
          numpy_name(dtype), " for Tensor with dtype ", numpy_name(base_type(tensor.dtype())), ": ",
          tensor.node->name(), ":", tensor.index);
  return tensor;
}

Output shape_argument(Scope& scope, const Input& shape) {
  return shape.as_output(scope, "shape", DType::invalid);
}

Output stretch_to(Scope& scope, Output unit, Output low, Output high) {
  const Output size = scope.add("Sub", {high, low}, {}, "sub").output();
  const Output part = scope.add("Mul", {unit, size}, {}, "mul").output();
  return scope.add("AddV2", {part, low}, {}, scope.name() + "/").output();
}

Output scale_and_shift(Scope& scope, Output unit, Output deviation, Output mean) {
  const Output scaled = scope.add("Mul", {unit, deviation}, {}, "mul").output();
  return scope.add("AddV2", {scaled, mean}, {}, scope.name() + "/").output();
}

void check_uniform(DType dtype, bool has_maximum) {
  const bool is_integer = dtype == DType::i32 || dtype == DType::i64;
  require(is_integer || kFloatTypes.contains(dtype), "Argument `dtype` got invalid value ",
          numpy_name(dtype),
          ". Accepted dtypes are float16, bfloat16, float32, float64, int32 and int64.");
  require(!is_integer || has_maximum, "Must specify maxval for integer dtype tf.",
          numpy_name(dtype));
}

}  // namespace rill
