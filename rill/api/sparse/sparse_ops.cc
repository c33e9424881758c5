#include "rill/api/sparse/sparse_ops.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/graph_only.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/sparse.h"

namespace rill::sparse {
namespace {

Tensor dims_of(const Shape& shape) { return ShapeInput(shape).value(DType::i64); }

}  // namespace

SparseTensor placeholder(DType dtype, const std::optional<std::vector<std::int64_t>>& shape,
                         const PlaceholderOptions& options, std::source_location at) {
  require_graph_mode("`sparse_placeholder` is not compatible with eager execution.");
  const MadeAt place(at);
  const auto named = [&](const char* part) {
    return options.name.empty() ? std::string() : options.name + part;
  };
  std::int64_t rank = shape ? static_cast<std::int64_t>(shape->size()) : kUnknownDim;
  Output dense_shape;
  PartialShape hint = shape ? PartialShape(std::span(*shape)) : PartialShape();
  if (const Output given = options.shape_tensor; given.node) {
    dense_shape = raw::PlaceholderWithDefault(given, given.shape(), {.name = named("/shape")});
    hint = constant_shape_value(given);
    if (given.shape().has_rank() && given.shape().rank() == 1) rank = given.shape()[0];
  } else if (shape) {
    const std::string name = options.name.empty() ? "Const" : options.name + "/shape_default";
    const Output known = as_tensor(ShapeInput(*shape), name, DType::i64);
    dense_shape = raw::PlaceholderWithDefault(known, known.shape(), {.name = named("/shape")});
  } else {
    dense_shape = rill::placeholder(DType::i64, {rank}, {.name = named("/shape")});
  }
  const Output values = rill::placeholder(dtype, {kUnknownDim}, {.name = named("/values")});
  const Output indices =
      rill::placeholder(DType::i64, {kUnknownDim, rank}, {.name = named("/indices")});
  SparseTensor result(indices, values, dense_shape);
  result.hint = hint;
  return result;
}

Output to_dense(const SparseTensor& input, const ToDenseOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Input otherwise = options.default_value
                              ? *options.default_value
                              : Input(zeros(ShapeInput(Shape{}), {.dtype = input.dtype()}));
  return raw::SparseToDense(input.indices, input.dense_shape, input.values, otherwise,
                            {.validate_indices = options.validate_indices, .name = options.name});
}

SparseTensor from_dense(const Input& tensor, const NamedOptions& options, std::source_location at) {
  const Block in(options.name, "dense_to_sparse", at);
  const Output x = as_tensor(tensor);
  const Output indices = where(raw::NotEqual(x, zeros_like(x)));
  const Output values = raw::GatherNd(x, indices);
  return {indices, values, shape(x, {.out_type = DType::i64})};
}

SparseTensor reorder(const SparseTensor& input, const NamedOptions& options,
                     std::source_location at) {
  const MadeAt place(at);
  const auto sorted =
      raw::SparseReorder(input.indices, input.values, input.dense_shape, {.name = options.name});
  const PartialShape known = input.shape();
  const Input dims =
      known.is_full() ? Input(dims_of(known.full())) : Input(raw::Identity(input.dense_shape));
  return {sorted.output_indices, sorted.output_values, dims};
}

namespace {

// What -1 in `wanted` stands for, where `count` is the number of elements.
Shape completed(const Tensor& wanted, std::int64_t count) {
  std::vector<std::int64_t> dims(wanted.data<std::int64_t>(),
                                 wanted.data<std::int64_t>() + wanted.element_count());
  std::int64_t* implied = nullptr;
  for (std::int64_t& dim : dims) {
    if (dim != -1) continue;
    require(implied == nullptr, "At most one dimension can be inferred (-1). Found: ", wanted);
    implied = &dim;
  }
  if (implied != nullptr) {
    *implied = 1;
    const std::int64_t others = Shape(dims).element_count();
    *implied = others == 0 ? 0 : count / others;
  }
  const Shape shape(dims);
  require(shape.element_count() == count, "Cannot reshape a tensor with ", count,
          " elements to shape ", shape, " (", shape.element_count(), " elements).");
  return shape;
}

// The numbers of `wanted`, of which one may be unknown: it is given as -1.
std::optional<Tensor> known_numbers(Output wanted) {
  if (std::optional<Tensor> known = static_value(wanted)) return known;
  const PartialShape partly = constant_shape_value(wanted);
  if (!partly.has_rank() || std::ranges::count(partly.dims(), kUnknownDim) != 1) return {};
  Tensor numbers(DType::i64, {partly.rank()});
  std::ranges::copy(partly.dims(), numbers.data<std::int64_t>());
  return numbers;
}

}  // namespace

SparseTensor reshape(const SparseTensor& input, const Input& shape, const NamedOptions& options,
                     std::source_location at) {
  const MadeAt place(at);
  const Output wanted = parts::cast_to(shape, DType::i64);
  const Block in(options.name, "SparseReshape", at);
  const auto made =
      raw::SparseReshape(input.indices, input.dense_shape, wanted, {.name = in.own_name()});
  Output dims = made.output_shape;
  const std::optional<Tensor> known = known_numbers(wanted);
  const PartialShape own = input.shape();
  if (known && own.is_full()) dims = as_tensor(dims_of(completed(*known, own.element_count())));
  return {made.output_indices, raw::Identity(input.values), dims};
}

SparseTensor transpose(const SparseTensor& input, const TransposeOptions& options,
                       std::source_location at) {
  const Block in(options.name, "SparseTranspose", at);
  const auto order = [&]() -> Input {
    if (options.perm) return *options.perm;
    const PartialShape known = input.shape();
    if (!known.has_rank()) {
      const Output count = parts::item(shape(input.dense_shape), 0);
      return raw::Range(parts::minus(count, 1), -1, -1, {.name = "range"});
    }
    Tensor reversed(DType::i64, {known.rank()});
    for (int i = 0; i < known.rank(); ++i) reversed.data<std::int64_t>()[i] = known.rank() - 1 - i;
    return reversed;
  };
  const Input perm = order();
  const Output columns = gather(rill::transpose(input.indices), perm);
  const Output indices = rill::transpose(columns);
  const Output known_perm = as_tensor(perm);
  const PartialShape own = input.shape();
  const Tensor* known = constant_value(known_perm);
  const auto dims = [&]() -> Input {
    if (!own.is_full() || known == nullptr) return gather(input.dense_shape, perm);
    Tensor moved(DType::i64, {own.rank()});
    require(known->element_count() == own.rank(), "perm has ", known->element_count(),
            " elements for ", own.rank(), " dimensions");
    for (int i = 0; i < own.rank(); ++i) {
      const std::int64_t from = known->dtype() == DType::i64
                                    ? known->data<std::int64_t>()[i]
                                    : std::int64_t{known->data<std::int32_t>()[i]};
      moved.data<std::int64_t>()[i] = own[canonical_axis(from, own.rank(), "perm")];
    }
    return moved;
  };
  return reorder(SparseTensor(indices, input.values, dims()));
}

namespace {

// The shapes of inputs whose other dimensions are made equal.
std::vector<Input> expanded_shapes(const std::vector<SparseTensor>& inputs, std::int64_t axis) {
  std::vector<Input> rows, shapes;
  for (const SparseTensor& input : inputs)
    rows.push_back(raw::Reshape(input.dense_shape, parts::ints({1, -1})));
  const Output largest = raw::Max(rill::concat(rows, 0), 0);
  for (const SparseTensor& input : inputs) {
    const Output before = parts::range_of(largest, {}, axis);
    std::optional<std::int64_t> end = axis + 1;
    if (axis == -1) end.reset();
    const Output own = parts::range_of(input.dense_shape, axis, end);
    const Input after = axis == -1 ? Input(Tensor(DType::i64, Shape{0}))
                                   : Input(parts::range_of(largest, axis + 1, {}));
    shapes.push_back(rill::concat({before, own, after}, 0));
  }
  return shapes;
}

}  // namespace

SparseTensor concat(std::int64_t axis, const std::vector<SparseTensor>& inputs,
                    const ConcatOptions& options, std::source_location at) {
  if (inputs.size() == 1) return inputs[0];
  const MadeAt place(at);
  std::vector<Input> indices, values, shapes;
  for (const SparseTensor& input : inputs) {
    indices.push_back(input.indices);
    values.push_back(input.values);
    shapes.push_back(input.dense_shape);
  }
  if (options.expand_nonconcat_dim) shapes = expanded_shapes(inputs, axis);
  const auto joined = raw::SparseConcat(indices, values, shapes, axis, {.name = options.name});
  Output dims = joined.output_shape;
  std::vector<const Tensor*> known;
  for (const Input& shape : shapes)
    if (const Tensor* value = constant_value(shape.output())) known.push_back(value);
  if (!known.empty() && known.size() == shapes.size()) {
    Shape total = shape_of_value(*known[0]);
    const int where = canonical_axis(axis, total.rank());
    std::int64_t length = 0;
    for (const Tensor* shape : known) {
      require(shape->element_count() == total.rank(), "the inputs have different ranks");
      length += shape->data<std::int64_t>()[where];
    }
    dims = as_tensor(dims_of(total.with_dim(where, length)));
  }
  return {joined.output_indices, joined.output_values, dims};
}

std::vector<SparseTensor> split(const SparseTensor& input, std::int64_t num_split,
                                const Input& axis, const NamedOptions& options,
                                std::source_location at) {
  const MadeAt place(at);
  const auto made = raw::SparseSplit(axis, input.indices, input.values, input.dense_shape,
                                     num_split, {.name = options.name});
  std::vector<SparseTensor> result;
  for (std::size_t i = 0; i < made.output_indices.size(); ++i)
    result.emplace_back(made.output_indices[i], made.output_values[i], made.output_shape[i]);
  return result;
}

SparseTensor slice(const SparseTensor& input, const Input& start, const Input& size,
                   const NamedOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Output from = as_tensor(start, "Const", DType::i64);
  const Output count = as_tensor(size, "Const", DType::i64);
  const Block in(options.name, "SparseSlice", at);
  const auto made = raw::SparseSlice(input.indices, input.values, input.dense_shape, from, count,
                                     {.name = in.own_name()});
  return {made.output_indices, made.output_values, made.output_shape};
}

}  // namespace rill::sparse
