// Space moved to the batch and back.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"

namespace rill {
namespace {

// A square block, in the type that TensorFlow's function gives it.
Tensor square(std::int64_t size) { return Tensor::vector<std::int64_t>({size, size}); }

// x[:, column] of a matrix of int32.
Output column(Output x, std::int64_t which) {
  const Block in("", "strided_slice", std::source_location::current());
  const auto bound = [](std::int64_t a, std::int64_t b, const char* name) {
    return as_tensor(parts::ints({a, b}), name);
  };
  const Output begin = bound(0, which, "stack"), end = bound(0, which + 1, "stack_1");
  const Output strides = bound(1, 1, "stack_2");
  return raw::StridedSlice(
      x, begin, end, strides,
      {.begin_mask = 1, .end_mask = 1, .shrink_axis_mask = 2, .name = in.own_name()});
}

// The paddings and crops of shapes that are known.
std::pair<Output, Output> known_paddings(const Tensor& input, const Tensor& block,
                                         const Tensor& base) {
  const std::int64_t count = block.element_count();
  Tensor paddings(DType::i32, {count, 2}), crops(DType::i32, {count, 2});
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t size = block.data<std::int32_t>()[i];
    require(size > 0, "block_shape must be positive, got ", size);
    const std::int32_t start = base.data<std::int32_t>()[2 * i];
    const std::int32_t end = base.data<std::int32_t>()[2 * i + 1];
    const std::int64_t full = std::int64_t{input.data<std::int32_t>()[i]} + start + end;
    const std::int64_t rest = ((full % size) + size) % size;
    const auto extra = static_cast<std::int32_t>((size - rest) % size);
    paddings.data<std::int32_t>()[2 * i] = start;
    paddings.data<std::int32_t>()[2 * i + 1] = end + extra;
    crops.data<std::int32_t>()[2 * i] = 0;
    crops.data<std::int32_t>()[2 * i + 1] = extra;
  }
  return {as_tensor(paddings, "paddings"), as_tensor(crops, "crops")};
}

std::pair<Output, Output> computed_paddings(Output input, Output block, Output base,
                                            std::int64_t count) {
  const Output start = column(base, 0), end = column(base, 1);
  const Output full = parts::plus(parts::plus(input, start), end);
  const Output extra = parts::modulo(parts::minus(block, parts::modulo(full, block)), block);
  const Output new_end = parts::plus(end, extra);
  std::vector<Input> paddings, crops;
  for (std::int64_t i = 0; i < count; ++i) {
    const Output before = parts::item(start, i);
    paddings.push_back(parts::list_of({before, parts::item(new_end, i)}));
  }
  const Output result = as_tensor(parts::list_of(paddings), "paddings");
  for (std::int64_t i = 0; i < count; ++i)
    crops.push_back(parts::list_of({0, parts::item(extra, i)}));
  return {result, as_tensor(parts::list_of(crops), "crops")};
}

// Images: a batch, two dimensions of space and channels, though the op takes other ranks too.
Output of_images(Output result) {
  result.node->graph().refine_shape(result, PartialShape::of_rank(4));
  return result;
}

}  // namespace

Output space_to_batch(const Input& input, const Input& paddings, std::int64_t block_size,
                      const SpaceToBatchOptions& options, std::source_location at) {
  return of_images(
      raw::SpaceToBatchND(input, square(block_size), paddings, {.name = options.name}, at));
}

Output batch_to_space(const Input& input, const Input& crops, std::int64_t block_size,
                      const SpaceToBatchOptions& options, std::source_location at) {
  return of_images(
      raw::BatchToSpaceND(input, square(block_size), crops, {.name = options.name}, at));
}

std::pair<Output, Output> required_space_to_batch_paddings(const Input& input_shape,
                                                           const Input& block_shape,
                                                           const RequiredPaddingsOptions& options,
                                                           std::source_location at) {
  const Block in(options.name, "required_space_to_batch_paddings", at);
  const Output input = as_tensor(input_shape, "input_shape", DType::i32);
  const Output block = as_tensor(block_shape, "block_shape", DType::i32);
  require(block.shape().is_full() && block.shape().rank() == 1,
          "block_shape must be a vector of known size, not of shape ", shape_text(block.shape()));
  const std::int64_t count = block.shape()[0];
  if (count == 0) {
    const Output none = zeros({0, 2}, {.dtype = DType::i32});
    return {none, zeros({0, 2}, {.dtype = DType::i32})};
  }
  require(input.shape().is_compatible({count}), "Shapes ", shape_text(input.shape()), " and (",
          count, ",) are incompatible");
  const Output base = options.base_paddings
                          ? as_tensor(*options.base_paddings, "base_paddings", DType::i32)
                          : zeros({count, 2}, {.dtype = DType::i32});
  require(base.shape().is_compatible({count, 2}), "Shapes ", shape_text(base.shape()), " and (",
          count, ", 2) are incompatible");
  const Tensor *known_input = constant_value(input), *known_block = constant_value(block),
               *known_base = constant_value(base);
  if (known_input != nullptr && known_block != nullptr && known_base != nullptr)
    return known_paddings(*known_input, *known_block, *known_base);
  return computed_paddings(input, block, base, count);
}

}  // namespace rill
