#include "rill/api/array/array_parts.h"

#include <algorithm>
#include <numeric>

#include "rill/api/core/shape_input.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/graph/builders.h"

namespace rill::parts {
Input ints(std::vector<std::int64_t> values) {
  return Input(Input::MakeValue([values = std::move(values)](DType wanted) {
    const auto count = static_cast<std::int64_t>(values.size());
    if (wanted == DType::i64) {
      Tensor result(DType::i64, {count});
      std::ranges::copy(values, result.data<std::int64_t>());
      return result;
    }
    Tensor result(DType::i32, {count});
    std::ranges::transform(values, result.data<std::int32_t>(), [](std::int64_t v) {
      require(v >= INT32_MIN && v <= INT32_MAX, v, " does not fit into int32");
      return static_cast<std::int32_t>(v);
    });
    return result;
  }));
}

Input list_of(std::vector<Input> items) { return Input::list_of(std::move(items)); }

Output plus(const Input& x, const Input& y) { return raw::AddV2(x, y, {.name = "add"}); }
Output minus(const Input& x, const Input& y) { return raw::Sub(x, y, {.name = "sub"}); }
Output times(const Input& x, const Input& y) { return raw::Mul(x, y, {.name = "mul"}); }
Output modulo(const Input& x, const Input& y) { return raw::FloorMod(x, y, {.name = "mod"}); }

Output inner_shape(const Input& x, bool optimize) {
  const Block in("", "Shape", std::source_location::current());
  const Output tensor = as_tensor(x);
  const bool is_small = tensor.shape().is_full() &&
                        std::ranges::none_of(tensor.shape().dims(),
                                             [](std::int64_t size) { return size > INT32_MAX; });
  if (!optimize || !is_small) return raw::Shape(tensor, {.name = in.own_name()});
  return as_tensor(ShapeInput(tensor.shape().dims()), "shape_as_tensor", DType::i32);
}

Output cast_to(const Input& x, DType dtype) {
  const Block in("", "Cast", std::source_location::current());
  const Output tensor = as_tensor(x, "x");
  if (base_type(tensor.dtype()) == dtype) return tensor;
  return raw::Cast(tensor, dtype, {.name = in.own_name()});
}

Output item(Output x, std::int64_t i) {
  const int start = static_cast<int>(i);
  return strided_slice(current_scope(), x, start, start + 1, true);
}

Output range_of(Output x, std::optional<std::int64_t> start, std::optional<std::int64_t> stop) {
  const auto narrow = [](std::optional<std::int64_t> v) {
    return v ? std::optional<int>(static_cast<int>(*v)) : std::nullopt;
  };
  return strided_slice(current_scope(), x, narrow(start), narrow(stop));
}

Output after_nodes(const std::vector<Node*>& nodes, Output x) {
  const Block in("", "control_dependency", std::source_location::current());
  const ColocateWith beside(*x.node);
  const ControlDependencies wait(nodes);
  return raw::Identity(x, {.name = in.own_name()});
}

Output all_dimensions(Output x) {
  if (!x.shape().has_rank()) return raw::Range(0, raw::Rank(x), 1, {.name = "range"});
  std::vector<std::int64_t> axes(static_cast<std::size_t>(x.shape().rank()));
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  return as_tensor(ints(axes));
}

std::optional<std::int64_t> known_integer(const Input& value) {
  const Tensor* known = nullptr;
  Tensor held;
  if (value.is_value()) {
    held = value.value(DType::invalid);
    known = &held;
  } else if (value.is_output()) {
    known = constant_value(value.output());
  }
  if (known == nullptr || known->shape().rank() != 0) return {};
  if (known->dtype() == DType::i32) return *known->data<std::int32_t>();
  if (known->dtype() == DType::i64) return *known->data<std::int64_t>();
  return {};
}

}  // namespace rill::parts
