#include "rill/api/nn/space_to_batch.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/ops/array/values/index_values.h"

namespace rill::nn {
namespace {

std::vector<std::int64_t> numbers(const Tensor& tensor) {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) result.push_back(int_at(tensor, i));
  return result;
}

Tensor matrix(const std::vector<std::int64_t>& values) {
  Tensor result(DType::i32, {static_cast<std::int64_t>(values.size()) / 2, 2});
  for (std::size_t i = 0; i < values.size(); ++i)
    set_int_at(result, static_cast<std::int64_t>(i), values[i]);
  return result;
}

std::vector<std::int64_t> checked_dims(const SpaceToBatchOptions& options, int count) {
  std::vector<std::int64_t> dims = options.spatial_dims;
  const int first = options.num_batch_dims + (is_channels_first(options.data_format) ? 1 : 0);
  if (dims.empty())
    for (int i = 0; i < count; ++i) dims.push_back(first + i);
  for (std::size_t i = 0; i < dims.size(); ++i)
    require(dims[i] >= 1 && (i == 0 || dims[i] > dims[i - 1]),
            "`spatial_dims` must be a monotonically increasing sequence of positive integers.");
  return dims;
}

// How much a window grows beyond a single element, split around it.
Output same_paddings(const Input& filter_shape, Output rate,
                     const std::optional<Tensor>& known_rate, int count) {
  const Output shape = as_tensor(filter_shape, "filter_shape");
  const auto known_shape = static_value(shape);
  if (known_shape && known_rate) {
    std::vector<std::int64_t> around;
    require(known_shape->element_count() >= count, "`filter_shape` has ",
            known_shape->element_count(), " dimensions, fewer than `dilation_rate`");
    for (int i = 0; i < count; ++i) {
      const std::int64_t extra = (int_at(*known_shape, i) - 1) * int_at(*known_rate, i);
      around.push_back(extra / 2);
      around.push_back(extra - extra / 2);
    }
    return as_tensor(matrix(around), "stack");
  }
  const Output spatial = slice(shape, {SliceRange{{}, count, {}}});
  const Output extra = parts::times(parts::minus(spatial, 1), rate);
  const Output start = raw::FloorDiv(extra, 2, {.name = "floordiv"});
  const Output end = parts::minus(extra, start);
  std::vector<Input> around;
  for (int i = 0; i < count; ++i) {
    const Output before = parts::item(start, i);
    around.push_back(parts::list_of({before, parts::item(end, i)}));
  }
  return stack(around);
}

Input base_paddings(const Padding& padding, Output rate, const std::optional<Tensor>& known_rate,
                    int count, const SpaceToBatchOptions& options) {
  const auto n = static_cast<std::size_t>(count);
  if (padding.kind() == "VALID") return matrix(std::vector<std::int64_t>(2 * n, 0));
  if (padding.kind() == "EXPLICIT") {
    const std::vector<std::int64_t> all = padding.around(n + 2);
    const auto first = all.begin() + (is_channels_first(options.data_format) ? 4 : 2);
    return matrix({first, first + 2 * count});
  }
  require(padding.kind() == "SAME",
          "`padding` must be one of 'SAME' or 'VALID'. Received: padding=", padding.kind());
  require(options.filter_shape.has_value(),
          "`filter_shape` must be specified for `padding='SAME'`.");
  return same_paddings(*options.filter_shape, rate, known_rate, count);
}

// Rows for the dimensions of space, with rows of `fill` for those before them.
Input adjusted(Output rows, int fill, const std::vector<std::int64_t>& spatial_dims) {
  const auto known = static_value(rows);
  const std::int64_t width = rows.shape().rank() == 2 ? 2 : 1;
  const auto filled = [&](std::int64_t count) {
    Tensor result(DType::i32, width == 2 ? Shape{count, 2} : Shape{count});
    for (std::int64_t i = 0; i < result.element_count(); ++i) set_int_at(result, i, fill);
    return result;
  };
  std::vector<Input> pieces;
  std::vector<std::int64_t> all;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < spatial_dims.size();) {
    const std::size_t start = i;
    if (spatial_dims[i] > 1) {
      const Tensor gap = filled(spatial_dims[i] - 1 - before);
      for (const std::int64_t v : numbers(gap)) all.push_back(v);
      pieces.emplace_back(gap);
    }
    while (i + 1 < spatial_dims.size() && spatial_dims[i + 1] == spatial_dims[i] + 1) ++i;
    before = spatial_dims[i++];
    if (known) {
      for (auto j = static_cast<std::int64_t>(start) * width;
           j < static_cast<std::int64_t>(i) * width; ++j)
        all.push_back(int_at(*known, j));
    } else {
      pieces.emplace_back(slice(
          rows, {SliceRange{static_cast<std::int64_t>(start), static_cast<std::int64_t>(i), {}}}));
    }
  }
  if (!known) return concat(pieces, 0);
  return width == 2 ? Input(matrix(all)) : parts::ints(all);
}

// The sizes of the dimensions of space, computed where one is not known.
Input spatial_shape(Output x, const std::vector<std::int64_t>& dims) {
  const PartialShape shape = x.shape();
  std::vector<std::int64_t> sizes;
  for (const std::int64_t dim : dims)
    if (shape.has_rank() && shape[static_cast<int>(dim)] >= 0)
      sizes.push_back(shape[static_cast<int>(dim)]);
  if (sizes.size() == dims.size()) return parts::ints(sizes);
  const Output all = rill::shape(x);
  std::vector<Input> items;
  for (const std::int64_t dim : dims) items.emplace_back(parts::item(all, dim));
  return stack(items);
}

}  // namespace

Output with_space_to_batch(const Input& input, const Input& dilation_rate, const Padding& padding,
                           const WindowOp& op, const SpaceToBatchOptions& options,
                           std::source_location at) {
  const MadeAt place(at);
  const Output x = as_tensor(input, "input");
  const Output rate = as_tensor(dilation_rate, "dilation_rate", DType::i32);
  require(rate.shape().rank() == 1 && rate.shape()[0] > 0,
          "`dilation_rate` must be a vector of known length. Received: ", shape_text(rate.shape()));
  const auto count = static_cast<int>(rate.shape()[0]);
  const std::vector<std::int64_t> dims = checked_dims(options, count);
  require(dims.size() == static_cast<std::size_t>(count), "`spatial_dims` has ", dims.size(),
          " elements, `dilation_rate` ", count);
  const auto least = dims.back() + (is_channels_first(options.data_format) ? 0 : 1);
  require(!x.shape().has_rank() || (x.shape().rank() >= least && x.shape().rank() > dims.back()),
          "`input.shape.rank` must be at least ", least,
          ". Received: input.shape=", shape_text(x.shape()), " with rank ", x.shape().rank());
  const auto known_rate = static_value(rate);
  if (known_rate) {
    bool all_one = true;
    for (const std::int64_t r : numbers(*known_rate)) {
      require(r >= 1, "`dilation_rate` must be positive. Received: dilation_rate=",
              value_text(*known_rate));
      all_one = all_one && r == 1;
    }
    if (all_one) return op(x, count, padding);
  }
  const Input base = base_paddings(padding, rate, known_rate, count, options);
  const auto [paddings, crops] =
      required_space_to_batch_paddings(spatial_shape(x, dims), rate, {.base_paddings = base});
  const Input blocks = adjusted(rate, 1, dims);
  const Input padded = adjusted(paddings, 0, dims), cropped = adjusted(crops, 0, dims);
  const Output result = op(raw::SpaceToBatchND(x, blocks, padded), count, "VALID");
  return raw::BatchToSpaceND(result, blocks, cropped);
}

namespace {

// shape[:-inner] or shape[-inner:], as numbers where they are known.
struct ShapePart {
  std::vector<std::int64_t> known;
  Output computed;
  bool is_known() const { return computed.node == nullptr; }
  operator Input() const { return is_known() ? parts::ints(known) : Input(computed); }
};

ShapePart shape_part(Output x, int inner_rank, bool inner) {
  const PartialShape shape = x.shape();
  ShapePart part;
  bool known = shape.has_rank();
  const int split = shape.rank() - inner_rank;
  for (int i = inner ? split : 0; known && i < (inner ? shape.rank() : split); ++i) {
    known = shape[i] >= 0;
    part.known.push_back(shape[i]);
  }
  if (known) return part;
  const Output all = rill::shape(x);
  part.computed =
      inner ? parts::range_of(all, -inner_rank, {}) : parts::range_of(all, {}, -inner_rank);
  return part;
}

}  // namespace

Output squeeze_batch_dims(const Input& input, const std::function<Output(Output)>& op,
                          int inner_rank, const std::string& name, std::source_location at) {
  const Block in(name, "squeeze_batch_dims", at);
  const Output x = as_tensor(input, "input");
  const ShapePart inner = shape_part(x, inner_rank, true), batch = shape_part(x, inner_rank, false);
  Input flat = -1;
  if (inner.is_known()) {
    std::vector<std::int64_t> dims{-1};
    dims.insert(dims.end(), inner.known.begin(), inner.known.end());
    flat = parts::ints(dims);
  } else {
    flat = concat({parts::ints({-1}), inner}, -1);
  }
  const Output computed = op(raw::Reshape(x, flat));
  const ShapePart out_inner = shape_part(computed, inner_rank, true);
  const Output result = raw::Reshape(computed, concat({batch, out_inner}, -1));
  if (x.shape().has_rank() && computed.shape().has_rank()) {
    PartialShape shape = PartialShape::scalar();
    for (int i = 0; i < x.shape().rank() - inner_rank; ++i) shape.add_dim(x.shape()[i]);
    for (int i = 1; i < computed.shape().rank(); ++i) shape.add_dim(computed.shape()[i]);
    result.node->graph().refine_shape(result, shape);
  }
  return result;
}

}  // namespace rill::nn
