#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/state.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/metrics/contrib.h"
#include "rill/api/metrics/parts.h"

namespace rill::contrib::metrics {
namespace {

using namespace rill::metrics;

// Exchanges dimension `axis` and the first.
Output with_axis_first(Output x, int axis) {
  if (axis == 0) return x;
  std::vector<std::int64_t> order;
  for (int i = 0; i < x.shape().rank(); ++i) order.push_back(i);
  std::swap(order[0], order[static_cast<std::size_t>(axis)]);
  return transpose(x, {.perm = parts::ints(order)});
}

// Rows that grow: a reference, whose shape may change.
Variable growing(const Shape& shape, DType dtype) {
  VariableOptions options;
  options.trainable = false;
  options.collections = {{GraphKeys::LOCAL_VARIABLES, GraphKeys::METRIC_VARIABLES}};
  options.validate_shape = false;
  options.use_resource = false;
  options.name = "array";
  return Variable(std::function<Output()>([&] { return zeros(shape, {.dtype = dtype}); }), options);
}

// Room for `needed` rows; half as many again, so that few updates have to copy what is there.
Node& make_room(const Variable& array, const Shape& row, Output capacity, Output needed) {
  const auto grow = [&] {
    const Output more =
        operators::add(operators::sub(needed, capacity, {}), raw::FloorDiv(capacity, 2), {});
    std::vector<Input> dims{more};
    for (const std::int64_t dim : row.dims()) dims.emplace_back(dim);
    const Output room = zeros(ShapeInput(parts::list_of(dims)), {.dtype = array.dtype()});
    const Output larger = concat({array.handle(), room}, 0);
    const Output written = raw::Assign(array.handle(), larger, {.validate_shape = false});
    const ControlDependencies after(written);
    return raw::Identity(needed);
  };
  return *cond_one(operators::greater(needed, capacity, {}), grow, [&] { return needed; }).node;
}

int checked_axis(std::int64_t axis, const PartialShape& shape) {
  require(shape.has_rank() && shape.rank() > 0, "`values` must have known statically known rank");
  const int rank = shape.rank();
  require(axis >= -rank && axis < rank, "axis = ", axis, " not in [", -rank, ", ", rank, ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Shape row_of(const PartialShape& shape) {
  Shape row;
  for (int i = 1; i < shape.rank(); ++i) {
    require(shape[i] != kUnknownDim,
            "dimensions of `values` other than `axis` must be statically known");
    row.add_dim(shape[i]);
  }
  return row;
}

}  // namespace

Metric streaming_concat(const Input& given, const ConcatOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, "streaming_concat", at);
  const Output values = as_tensor(given, "values");
  const int axis = checked_axis(options.axis, values.shape());
  Output rows = with_axis_first(values, axis);
  const Shape row = row_of(rows.shape());
  Shape nothing{0};
  for (const std::int64_t dim : row.dims()) nothing.add_dim(dim);
  const Variable array = growing(nothing, base_type(values.dtype()));
  const Variable count = metric_variable({}, DType::i32, "size");
  const Output size = read(count);
  Output known = slice(array.value(), {SliceRange{.stop = size}});
  PartialShape shape({kUnknownDim});
  for (const std::int64_t dim : row.dims()) shape.add_dim(dim);
  known.node->graph().refine_shape(known, shape);
  const Output value = with_axis_first(known, axis);
  if (options.max_size) {
    const Output room = raw::Maximum(operators::sub(*options.max_size, size, at), 0);
    rows = slice(rows, {SliceRange{.stop = room}});
  }
  const Output added = slice(rill::shape(rows, {.optimize = false}), {Input(0)});
  const Output new_size = operators::add(size, added, at);
  const Output capacity = slice(raw::Shape(array.handle()), {Input(0)});
  Node* const ready = &make_room(array, row, capacity, new_size);
  const ControlDependencies after_growth(std::span(&ready, 1));
  const Output target = slice(array.value(), {SliceRange{.start = size, .stop = new_size}});
  const Output written = array.assign_slice(target, rows);
  const ControlDependencies after_write(written);
  return collected(value, count.assign(new_size), options);
}

}  // namespace rill::contrib::metrics
