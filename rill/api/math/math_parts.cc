#include "rill/api/math/math_parts.h"

#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/ops/array/index_values.h"

namespace rill::math_parts {
namespace {

// TensorFlow writes small known tensors into the graph and fills larger ones when they are needed.
constexpr std::int64_t kLargestConstant = 1000;

}  // namespace

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

Output rank_of(const Input& x, std::string_view name) {
  const Block in(name, "Rank", {});
  const Output tensor = as_tensor(x);
  if (!tensor.shape().has_rank()) return raw::Rank(tensor, {.name = in.own_name()});
  return current_scope().constant(Tensor::scalar<std::int32_t>(tensor.shape().rank()),
                                  in.own_name());
}

Output shape_of(Output x, std::string_view name) {
  const Block in(name, "Shape", {});
  if (!x.shape().is_full()) return raw::Shape(x, {.name = in.own_name()});
  const auto dims = x.shape().dims();
  return current_scope().constant(int_vector({dims.begin(), dims.end()}), in.own_name());
}

Output size_of(Output x, DType out_type) {
  const Block in("", "Size", {});
  if (!x.shape().is_full()) return raw::Size(x, {.out_type = out_type, .name = in.own_name()});
  return current_scope().constant(Input(x.shape().element_count()).value(out_type), in.own_name());
}

Output zeros_like(Output x, std::string_view name) {
  const Block in(name, "zeros_like", {});
  if (!x.shape().is_full()) return raw::ZerosLike(x, {.name = in.own_name()});
  const Shape shape = x.shape().full();
  if (shape.element_count() < kLargestConstant)
    return current_scope().constant(Tensor::zeros(type_of(x), shape), in.own_name());
  const Output dims = current_scope().constant(
      int_vector({shape.dims().begin(), shape.dims().end()}), "shape_as_tensor");
  return raw::Fill(dims, as_tensor(Input(Tensor::zeros(type_of(x), Shape()))),
                   {.name = in.own_name()});
}

Output ones_like(const Input& value) {
  const Block in("", "ones_like", {});
  const Output x = as_tensor(value, "tensor");
  const auto dims_of = [&] {
    if (!x.shape().is_full()) return raw::Shape(x);
    const Block shape("", "Shape", {});
    const auto dims = x.shape().dims();
    return current_scope().constant(int_vector({dims.begin(), dims.end()}), "shape_as_tensor");
  };
  const Output dims = dims_of();
  return raw::Fill(dims, as_tensor(Input(number(type_of(x), 1))), {.name = in.own_name()});
}

Output part_of(Output x, std::int64_t begin, std::int64_t end) {
  SliceRange range;
  range.start = Input(static_cast<int>(begin));
  if (end >= 0) range.stop = Input(static_cast<int>(end));
  return slice(x, {range});
}

bool is_known(const Input& value) {
  return value.is_value() || (value.is_output() && constant_value(value.output()) != nullptr);
}

std::vector<std::int64_t> known_integers(const Input& value, std::string_view what) {
  require(is_known(value), what, " must be known before the graph runs");
  const Tensor tensor =
      value.is_value() ? value.value(DType::invalid) : *constant_value(value.output());
  require(tensor.dtype() == DType::i32 || tensor.dtype() == DType::i64, what,
          " must be integers, got ", numpy_name(tensor.dtype()));
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) numbers.push_back(int_at(tensor, i));
  return numbers;
}

}  // namespace rill::math_parts
