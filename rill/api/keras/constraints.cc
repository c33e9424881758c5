#include "rill/api/keras/constraints.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/regularizers.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::keras {

Penalty::operator Regularizer() const {
  return {.loss = [of = of](const AnyVariable& variable) {
    if (const Output* tensor = std::get_if<Output>(&variable)) return of(*tensor);
    const Variable* plain = std::get_if<Variable>(&variable);
    require(plain != nullptr, "regularizers work on plain variables");
    return of(plain->value());
  }};
}

Penalty regularizers::l1_l2(double l1, double l2) {
  return {[l1, l2](Output x) {
    Output loss;
    if (l1 != 0) loss = l1 * reduce_sum(rill::abs(x));
    if (l2 != 0) {
      const Output squares = l2 * reduce_sum(raw::Square(x));
      loss = loss.node ? loss + squares : squares;
    }
    return loss.node ? loss : parts::number(0, x);
  }};
}

namespace constraints {
namespace {

Output norms(Output w, const std::vector<std::int64_t>& axis) {
  return raw::Sqrt(reduce_sum(raw::Square(w), {.axis = rill::parts::ints(axis), .keepdims = true}));
}

}  // namespace

std::function<Output(Output)> max_norm(double max_value, std::vector<std::int64_t> axis) {
  return [=](Output w) {
    const Output size = norms(w, axis);
    const Output wanted = clip_by_value(size, 0.0, max_value);
    return w * (wanted / (backend::epsilon() + size));
  };
}

std::function<Output(Output)> min_max_norm(double min_value, double max_value, double rate,
                                           std::vector<std::int64_t> axis) {
  return [=](Output w) {
    const Output size = norms(w, axis);
    const Output wanted = rate * clip_by_value(size, min_value, max_value) + (1 - rate) * size;
    return w * (wanted / (backend::epsilon() + size));
  };
}

std::function<Output(Output)> non_neg() {
  return [](Output w) {
    return w * rill::cast(raw::GreaterEqual(w, parts::number(0, w)), base_type(w.dtype()));
  };
}

std::function<Output(Output)> unit_norm(std::vector<std::int64_t> axis) {
  return [=](Output w) { return w / (backend::epsilon() + norms(w, axis)); };
}

namespace {

// A square filter (size, size, n) made of the values from its middle to the right.
Output radial_filters(Output kernel) {
  const PartialShape shape = kernel.shape();
  const std::int64_t width = shape.dim(0), start = width / 2;
  const auto at = [&](std::int64_t row, std::int64_t column) {
    return strided_slice(kernel, rill::parts::ints({row, column, 0}),
                         rill::parts::ints({row + 1, column + 1, 0}),
                         {.end_mask = 4, .shrink_axis_mask = 3});
  };
  const std::int64_t middle = (width - 1) / 2;
  const bool even = width % 2 == 0;
  Output rings = even ? at(middle, middle) : at(start, start);
  std::int64_t size = even ? 2 : 1;
  const Output core = expand_dims(expand_dims(rings, 0), 0);
  Output filter = even ? raw::Tile(core, rill::parts::ints({2, 2, 1})) : core;
  for (std::int64_t i = (even ? 1 : 0) + start + (even ? 0 : 1); i < width; ++i) {
    const Output value = at(start, i);
    size += 2;
    Tensor margins(DType::i32, Shape({3, 2}));
    const std::int32_t ones[] = {1, 1, 1, 1, 0, 0};
    std::copy(std::begin(ones), std::end(ones), margins.data<std::int32_t>());
    Tensor ring(DType::f32, Shape({size, size, 1}));
    for (std::int64_t r = 0; r < size; ++r)
      for (std::int64_t c = 0; c < size; ++c)
        ring.data<float>()[r * size + c] =
            r == 0 || c == 0 || r == size - 1 || c == size - 1 ? 1.0f : 0.0f;
    filter = raw::Pad(filter, margins) + rill::cast(Input(ring), base_type(kernel.dtype())) * value;
  }
  return filter;
}

}  // namespace

std::function<Output(Output)> radial_constraint() {
  return [](Output w) {
    const PartialShape shape = w.shape();
    require(shape.rank() == 4 && shape.is_full(),
            "The weight tensor must be of rank 4, but is of rank ", shape.rank());
    require(shape.dim(0) == shape.dim(1), "filters are square, these are ", shape.dim(0), " x ",
            shape.dim(1));
    const Output flat =
        parts::reshape_to(w, {shape.dim(0), shape.dim(1), shape.dim(2) * shape.dim(3)});
    return parts::reshape_to(radial_filters(flat),
                             {shape.dim(0), shape.dim(1), shape.dim(2), shape.dim(3)});
  };
}

ConstraintFunction as_constraint(std::function<Output(Output)> change) {
  if (!change) return {};
  return {.apply = [change](const Variable& variable) { return change(variable.value()); }};
}

}  // namespace constraints
}  // namespace rill::keras
