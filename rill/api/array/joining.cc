#include "rill/api/array/joining.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/graph_only.h"
#include "rill/api/core/static_value.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {
namespace {

// In a list of one type the first tensor decides it; so values among tensors become of that type.
std::vector<Input> of_one_type(const Inputs& values) {
  const auto tensor = std::ranges::find_if(values, &Input::is_output);
  if (tensor == values.end()) return values;
  const DType dtype = base_type(tensor->output().dtype());
  std::vector<Input> typed;
  for (const Input& value : values)
    typed.push_back(value.is_value() ? Input(Input::MakeValue(
                                           [value, dtype](DType) { return value.value(dtype); }))
                                     : value);
  return typed;
}

std::int64_t upper_bound_of(const PartialShape& shape, std::int64_t axis) {
  const std::int64_t count = shape.rank();
  require(axis >= -count && axis < count, "axis = ", axis, " not in [", -count, ", ", count, ")");
  return shape[static_cast<int>(axis < 0 ? axis + count : axis)];
}

bool is_list(Output tensor) {
  return tensor.node->op().name == "Pack" && tensor.node->attr<std::int64_t>("axis") == 0;
}

// What is added to both ends of one dimension, unless a number of it is unknown.
std::optional<std::int64_t> added_by(Output row) {
  if (const auto known = static_value(row)) return int_at(*known, 0) + int_at(*known, 1);
  if (!is_list(row)) return {};
  const auto before = static_value(row.node->input(0)), after = static_value(row.node->input(1));
  if (!before || !after) return {};
  return int_at(*before, 0) + int_at(*after, 0);
}

// Paddings of which some numbers are tensors, as in [[0, 0], [1, n]], tell of the other dimensions.
Output with_known_sizes(Output padded) {
  if (padded.node->is_executed()) return padded;
  const PartialShape& input = padded.node->input(0).shape();
  const Output paddings = padded.node->input(1);
  if (!input.has_rank() || padded.shape().is_full() || !is_list(paddings)) return padded;
  PartialShape sizes = PartialShape::of_rank(input.rank());
  for (int d = 0; d < input.rank(); ++d) {
    if (input[d] < 0) continue;
    if (const auto added = added_by(paddings.node->input(d)))
      sizes = sizes.with_dim(d, input[d] + *added);
  }
  padded.node->graph().refine_shape(padded, sizes);
  return padded;
}

}  // namespace

Output concat(const Inputs& values, const Input& axis, const ConcatOptions& options,
              std::source_location at) {
  if (values.size() != 1)
    return raw::ConcatV2(of_one_type(values), axis, {.name = options.name}, at);
  const Block in(options.name, "concat", at);
  const Output dim = as_tensor(axis, "concat_dim", DType::i32);
  require(!dim.shape().has_rank() || dim.shape().rank() == 0, "Shape ", shape_text(dim.shape()),
          " must have rank 0");
  return raw::Identity(values[0], {.name = options.name});
}

Output stack(const Inputs& values, const StackOptions& options, std::source_location at) {
  if (options.axis == 0) {
    const MadeAt place(at);
    return as_tensor(parts::list_of(values), options.name);
  }
  const std::vector<Input> typed = of_one_type(values);
  const MadeAt place(at);
  require(!values.empty(), "Must specify at least one value to stack");
  const Output first = as_tensor(typed[0], options.name);
  if (first.shape().has_rank()) {
    const std::int64_t count = first.shape().rank() + 1;
    require(options.axis >= -count && options.axis < count, "axis = ", options.axis, " not in [",
            -count, ", ", count, ")");
  }
  return raw::Pack(typed, {.axis = options.axis, .name = options.name});
}

Output parallel_stack(const Inputs& values, const ParallelStackOptions& options,
                      std::source_location at) {
  require_graph_mode("tf.parallel_stack() is not compatible with eager execution.");
  const Block in(options.name, "parallel_stack", at);
  require(!values.empty(), "Must specify at least one value to stack");
  Shape shape{static_cast<std::int64_t>(values.size())};
  const Shape row = as_tensor(values[0]).shape().full();
  for (const std::int64_t dim : row.dims()) shape.add_dim(dim);
  std::vector<Input> rows;
  for (const Input& value : values) rows.push_back(expand_dims(value, 0));
  return raw::ParallelConcat(rows, shape);
}

std::vector<Output> unstack(const Input& value, const UnstackOptions& options,
                            std::source_location at) {
  const MadeAt place(at);
  const auto given = [&](const Input& input, std::int64_t num) {
    return raw::Unpack(input, num, {.axis = options.axis, .name = options.name});
  };
  if (options.num) return given(value, *options.num);
  const Output tensor = as_tensor(value);
  const std::int64_t num =
      tensor.shape().has_rank() ? upper_bound_of(tensor.shape(), options.axis) : -1;
  require(num >= 0, "Cannot infer num from shape ", shape_text(tensor.shape()));
  return given(tensor, num);
}

std::vector<Output> split(const Input& value, std::int64_t num_splits, const SplitOptions& options,
                          std::source_location at) {
  return raw::Split(options.axis, value, num_splits, {.name = options.name}, at);
}

std::vector<Output> split_sizes(const Input& value, const Input& sizes, const SplitOptions& options,
                                std::source_location at) {
  const MadeAt place(at);
  const Output list = as_tensor(sizes);
  require(list.shape().rank() != 0,
          "Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument "
          "provided: ",
          list);
  const std::int64_t known = list.shape().has_rank() ? list.shape()[0] : -1;
  const std::int64_t num = options.num.value_or(known);
  require(num >= 0, "Cannot infer num from shape ", shape_text(list.shape()));
  return raw::SplitV(value, list, options.axis, num, {.name = options.name});
}

Output pad(const Input& tensor, const Input& paddings, const PadOptions& options,
           std::source_location at) {
  std::string mode = options.mode;
  std::ranges::transform(mode, mode.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  if (mode == "REFLECT" || mode == "SYMMETRIC")
    return with_known_sizes(raw::MirrorPad(tensor, paddings, mode, {.name = options.name}, at));
  require(mode == "CONSTANT",
          "Value of argument `mode` expected to be one of \"CONSTANT\", "
          "\"REFLECT\", or \"SYMMETRIC\". Unknown padding mode: ",
          options.mode);
  if (!options.constant_values)
    return with_known_sizes(raw::Pad(tensor, paddings, {.name = options.name}, at));
  return with_known_sizes(
      raw::PadV2(tensor, paddings, *options.constant_values, {.name = options.name}, at));
}

Output strided_slice(const Input& input, const Input& begin, const Input& end,
                     const StridedSliceOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Input strides = options.strides ? *options.strides : Input(ones_like(begin));
  return raw::StridedSlice(input, begin, end, strides,
                           {.begin_mask = options.begin_mask,
                            .end_mask = options.end_mask,
                            .ellipsis_mask = options.ellipsis_mask,
                            .new_axis_mask = options.new_axis_mask,
                            .shrink_axis_mask = options.shrink_axis_mask,
                            .name = options.name});
}

}  // namespace rill
