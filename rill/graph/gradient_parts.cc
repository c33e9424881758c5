#include "rill/graph/gradient_parts.h"

namespace rill {

Output conj(GradCtx& g, Output x) {
  return kComplexTypes.contains(base_type(x.dtype())) ? g.add("Conj", {x}) : x;
}

Output number(GradCtx& g, double value, DType type, std::string_view name) {
  const bool whole = kIntTypes.contains(base_type(type));
  const Input input = whole ? Input(static_cast<std::int64_t>(value)) : Input(value);
  return input.as_output(g.scope(), name, base_type(type));
}

Tensor int_vector(std::span<const std::int64_t> values) {
  Tensor tensor(DType::i32, {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i)
    tensor.data<std::int32_t>()[i] = static_cast<std::int32_t>(values[i]);
  return tensor;
}

Output size_of(GradCtx& g, Output x) {
  if (x.shape().is_full())
    return number(g, static_cast<double>(x.shape().element_count()), DType::i32, "Size");
  return g.add("Size", {x});
}

Output rank_of(GradCtx& g, Output x) {
  if (x.shape().has_rank()) return number(g, x.shape().rank(), DType::i32, "Rank");
  return g.add("Rank", {x});
}

Output prod_of_vector(GradCtx& g, Output x) {
  const Output axes = g.scope().constant(Tensor::vector<std::int32_t>({0}));
  return g.add("Prod", {x, axes});
}

Output slice_vector(GradCtx& g, Output x, std::optional<int> start, std::optional<int> stop,
                    bool drop) {
  return strided_slice(g.scope(), x, start, stop, drop);
}

Output column_shape(GradCtx& g, Output rank) {
  Scope inner = g.scope().named("stack");
  const Output one = inner.constant(Tensor::scalar<std::int32_t>(1), "1");
  return g.add("Pack", {std::vector<Input>{rank, one}}, {}, inner.name() + "/");
}

Output concat(GradCtx& g, std::vector<Input> parts, Input axis) {
  return g.add("ConcatV2", {std::move(parts), std::move(axis)}, {}, "concat");
}

Output ones_like(GradCtx& g, Output x) {
  Scope inner = g.scope().named("ones_like");
  const Output shape = shape_of(inner, x);
  const Output one = Input(1).as_output(inner, "Const", base_type(x.dtype()));
  return fill(g.scope(), shape, one, inner.name() + "/");
}

bool same_full_shapes(Output x, Output y, Output z) {
  return x.shape().is_full() && x.shape() == y.shape() && x.shape() == z.shape();
}

Input reduced_shape(GradCtx& g, Output shape, Output axes) {
  const Tensor* known_shape = constant_value(shape);
  const Tensor* known_axes = constant_value(axes);
  if (known_shape != nullptr && known_axes != nullptr) {
    Tensor kept = known_shape->clone();
    const auto dims = kept.flat<std::int32_t>();
    const auto rank = static_cast<std::int64_t>(dims.size());
    for (std::int64_t i = 0; i < known_axes->element_count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      std::int64_t axis = known_axes->dtype() == DType::i64 ? known_axes->flat<std::int64_t>()[at]
                                                            : known_axes->flat<std::int32_t>()[at];
      if (axis < 0) axis += rank;
      if (axis >= 0 && axis < rank) dims[static_cast<std::size_t>(axis)] = 1;
    }
    return kept;
  }
  axes = cast(g, axes, DType::i32);
  const Output rank = size_of(g, shape);
  axes = floormod(g, add(g, axes, rank), rank);
  const Output axes_shape = shape_of(g, axes);
  const Output all = range(g, 0, rank, 1);
  const Output ones = g.add("Fill", {axes_shape, Tensor::scalar<std::int32_t>(1)});
  return g.add("DynamicStitch", {std::vector<Input>{all, axes}, std::vector<Input>{shape, ones}});
}

Output repeats(GradCtx& g, Output x, Input y) {
  const Output at_least_one = g.add("Maximum", {y, 1});
  return floordiv(g, x, at_least_one);
}

Broadcast::Broadcast(GradCtx& g, Output x, Output y) : g_(g) {
  shape_x_ = shape_of(g, x);
  shape_y_ = shape_of(g, y);
  Node& axes = g.scope().add("BroadcastGradientArgs", {shape_x_, shape_y_});
  axes_x_ = axes.output(0);
  axes_y_ = axes.output(1);
}

Output Broadcast::sum_to(Output gradient, Output axes, Output shape) {
  return reshape(g_, g_.add("Sum", {gradient, axes}), shape);
}

}  // namespace rill
