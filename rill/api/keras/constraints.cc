#include "rill/api/keras/constraints.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/described.h"
#include "rill/api/keras/regularizers.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::keras {

Output PenaltyOfVariable::operator()(const AnyVariable& variable) const {
  if (const Output* tensor = std::get_if<Output>(&variable)) return of(*tensor);
  const Variable* plain = std::get_if<Variable>(&variable);
  require(plain != nullptr, "regularizers work on plain variables");
  return of(plain->value());
}

Penalty::operator Regularizer() const {
  if (!of) return {};
  return {.loss = PenaltyOfVariable{of}};
}

Penalty regularizers::l1_l2(double l1, double l2) {
  const auto penalty = [l1, l2](Output x) {
    Output loss;
    if (l1 != 0) loss = l1 * reduce_sum(rill::abs(x));
    if (l2 != 0) {
      const Output squares = l2 * reduce_sum(raw::Square(x));
      loss = loss.node ? loss + squares : squares;
    }
    return loss.node ? loss : parts::number(0, x);
  };
  return {
      DescribedFunction{penalty, described_as("L1L2", {{"l1", json_of(l1)}, {"l2", json_of(l2)}})}};
}

namespace constraints {
namespace {

Output norms(Output w, const std::vector<std::int64_t>& axis) {
  return raw::Sqrt(reduce_sum(raw::Square(w), {.axis = rill::parts::ints(axis), .keepdims = true}));
}

// One axis is written as a number.
Json one_or_all(const std::vector<std::int64_t>& axis) {
  return axis.size() == 1 ? json_of(axis[0]) : json_of(axis);
}

}  // namespace

std::function<Output(Output)> max_norm(double max_value, std::vector<std::int64_t> axis) {
  const auto apply = [=](Output w) {
    const Output size = norms(w, axis);
    const Output wanted = clip_by_value(size, 0.0, max_value);
    return w * (wanted / (backend::epsilon() + size));
  };
  return DescribedFunction{apply, described_as("MaxNorm", {{"max_value", json_of(max_value)},
                                                           {"axis", one_or_all(axis)}})};
}

std::function<Output(Output)> min_max_norm(double min_value, double max_value, double rate,
                                           std::vector<std::int64_t> axis) {
  const auto apply = [=](Output w) {
    const Output size = norms(w, axis);
    const Output wanted = rate * clip_by_value(size, min_value, max_value) + (1 - rate) * size;
    return w * (wanted / (backend::epsilon() + size));
  };
  return DescribedFunction{apply, described_as("MinMaxNorm", {{"min_value", json_of(min_value)},
                                                              {"max_value", json_of(max_value)},
                                                              {"rate", json_of(rate)},
                                                              {"axis", one_or_all(axis)}})};
}

std::function<Output(Output)> non_neg() {
  const auto apply = [](Output w) {
    return w * rill::cast(raw::GreaterEqual(w, parts::number(0, w)), base_type(w.dtype()));
  };
  return DescribedFunction{apply, described_as("NonNeg", {})};
}

std::function<Output(Output)> unit_norm(std::vector<std::int64_t> axis) {
  return DescribedFunction{[=](Output w) { return w / (backend::epsilon() + norms(w, axis)); },
                           described_as("UnitNorm", {{"axis", one_or_all(axis)}})};
}

namespace {

// A ring of ones around a square of zeros.
Tensor ring_of(std::int64_t size) {
  Tensor ring = Tensor::zeros(DType::f32, Shape({size, size, 1}));
  for (std::int64_t i = 0; i < size; ++i)
    for (const std::int64_t place : {i, i * size, (size - 1) * size + i, i * size + size - 1})
      ring.data<float>()[place] = 1;
  return ring;
}

// A square filter (size, size, n) of rings, each of one value from the diagonal.
Output radial_filters(Output kernel) {
  const std::int64_t width = kernel.shape().dim(0), start = width / 2;
  const bool odd = width % 2 == 1;
  const auto on_diagonal = [&](std::int64_t i) {
    return strided_slice(kernel, rill::parts::ints({i, i, 0}), rill::parts::ints({i + 1, i + 1, 0}),
                         {.end_mask = 4, .shrink_axis_mask = 3});
  };
  const Output core =
      expand_dims(expand_dims(on_diagonal(std::max<std::int64_t>(start - 1, 0)), 0), 0);
  Output filter = odd ? core : raw::Tile(core, rill::parts::ints({2, 2, 1}));
  std::int64_t size = odd ? 1 : 2;
  for (std::int64_t i = odd ? 0 : 1; i < start; ++i) {
    size += 2;
    Tensor margins(DType::i32, Shape({3, 2}));
    const std::int32_t ones[] = {1, 1, 1, 1, 0, 0};
    std::copy(std::begin(ones), std::end(ones), margins.data<std::int32_t>());
    const Output ring = rill::cast(Input(ring_of(size)), base_type(kernel.dtype()));
    filter = raw::Pad(filter, margins) + ring * on_diagonal(start + i);
  }
  return filter;
}

}  // namespace

std::function<Output(Output)> radial_constraint() {
  const auto apply = [](Output w) {
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
  return DescribedFunction{apply, described_as("RadialConstraint", {})};
}

ConstraintFunction as_constraint(std::function<Output(Output)> change) {
  if (!change) return {};
  return {.apply = [change](const Variable& variable) { return change(variable.value()); }};
}

}  // namespace constraints
}  // namespace rill::keras
