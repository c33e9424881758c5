#include "rill/api/array/extent.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/texts.h"
#include "rill/base/error.h"

namespace rill {
namespace {

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  require(b > 0, "division of ", a, " by ", b);
  const std::int64_t quotient = a / b;
  return a < 0 && quotient * b != a ? quotient - 1 : quotient;
}

using Checked = bool (*)(std::int64_t a, std::int64_t b, std::int64_t* c);  // false on overflow

Extent checked(Checked compute, const Extent& a, const Extent& b) {
  std::int64_t result = 0;
  require(compute(a.number(), b.number(), &result), "sizes ", a.number(), " and ", b.number(),
          " are too large");
  return result;
}

// The node of an operator; a number beside a tensor takes its type.
Extent node_of(const char* op, const char* name, const Extent& a, const Extent& b) {
  return current_scope().add(op, {a.input(), b.input()}, {}, name).output();
}

bool are_known(const Extent& a, const Extent& b) { return a.is_known() && b.is_known(); }

}  // namespace

Extent::Extent(const Input& input) {
  if (!input.is_value()) {
    tensor_ = input.as_output(current_scope(), "Const", DType::invalid);
    return;
  }
  const Tensor value = input.value(DType::invalid);
  require_type(
      value.shape().rank() == 0 && (value.dtype() == DType::i32 || value.dtype() == DType::i64),
      "a size must be an integer, not of type ", numpy_name(value.dtype()), " and shape ",
      value.shape());
  number_ = value.dtype() == DType::i32 ? *value.data<std::int32_t>() : *value.data<std::int64_t>();
}

Extent operator+(const Extent& a, const Extent& b) {
  constexpr Checked kAdd = [](std::int64_t x, std::int64_t y, std::int64_t* sum) {
    return !__builtin_add_overflow(x, y, sum);
  };
  return are_known(a, b) ? checked(kAdd, a, b) : node_of("AddV2", "add", a, b);
}
Extent operator-(const Extent& a, const Extent& b) {
  constexpr Checked kSubtract = [](std::int64_t x, std::int64_t y, std::int64_t* difference) {
    return !__builtin_sub_overflow(x, y, difference);
  };
  return are_known(a, b) ? checked(kSubtract, a, b) : node_of("Sub", "sub", a, b);
}
Extent operator*(const Extent& a, const Extent& b) {
  constexpr Checked kMultiply = [](std::int64_t x, std::int64_t y, std::int64_t* product) {
    return !__builtin_mul_overflow(x, y, product);
  };
  return are_known(a, b) ? checked(kMultiply, a, b) : node_of("Mul", "mul", a, b);
}
Extent operator-(const Extent& a) {
  return a.is_known() ? Extent(0) - a : current_scope().add("Neg", {a.tensor()}).output();
}
Extent floor_div(const Extent& a, const Extent& b) {
  return are_known(a, b) ? Extent(floor_quotient(a.number(), b.number()))
                         : node_of("FloorDiv", "floordiv", a, b);
}
Extent largest(const Extent& a, const Extent& b) {
  return are_known(a, b) ? Extent(std::max(a.number(), b.number())) : node_of("Maximum", "", a, b);
}
Extent smallest(const Extent& a, const Extent& b) {
  return are_known(a, b) ? Extent(std::min(a.number(), b.number())) : node_of("Minimum", "", a, b);
}

Input list_of(const std::vector<Extent>& items) {
  std::vector<Input> inputs;
  for (const Extent& item : items) inputs.push_back(item.input());
  return parts::list_of(std::move(inputs));
}

std::vector<Extent> extents_of(Output x, int rank) {
  const PartialShape& shape = x.shape();
  require(!shape.has_rank() || shape.rank() == rank, "Shape ", shape_text(shape),
          " must have rank ", rank);
  std::vector<Extent> extents;
  if (shape.is_full()) {
    for (const std::int64_t dim : shape.dims()) extents.emplace_back(dim);
    return extents;
  }
  Scope& scope = current_scope();
  const Output dims = scope.add("Shape", {x}).output();
  Node& each = scope.add("Unpack", {dims}, {{"num", std::int64_t{rank}}}, "unstack");
  for (int i = 0; i < rank; ++i) {
    const bool is_known = shape.has_rank() && shape[i] >= 0;
    extents.push_back(is_known ? Extent(shape[i]) : Extent(each.output(i)));
  }
  return extents;
}

}  // namespace rill
