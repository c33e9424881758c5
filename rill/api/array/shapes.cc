#include "rill/api/array/shapes.h"

#include <algorithm>
#include <numeric>

#include "rill/api/array/array_parts.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"

namespace rill {
namespace {

// The node that takes the name of the block around it.
Output own_constant(const Block& in, Tensor value) {
  return current_scope().constant(std::move(value), in.own_name());
}

Tensor integer(std::int64_t value, DType type) { return Input(value).value(type); }

// Whether a constant of the type can hold these; where it cannot, the step fails.
bool all_fit(std::span<const std::int64_t> numbers, DType type) {
  return type != DType::i32 || std::ranges::all_of(numbers, [](std::int64_t number) {
           return number == static_cast<std::int32_t>(number);
         });
}

}  // namespace

Output shape(const Input& input, const ShapeOptions& options, std::source_location at) {
  const Block in(options.name, "Shape", at);
  const Output x = as_tensor(input);
  const PartialShape& known = x.shape();
  if (!options.optimize || !known.is_full() || !all_fit(known.dims(), options.out_type))
    return raw::Shape(x, {.out_type = options.out_type, .name = in.own_name()});
  return own_constant(in, ShapeInput(known.dims()).value(options.out_type));
}

Output size(const Input& input, const ShapeOptions& options, std::source_location at) {
  const Block in(options.name, "Size", at);
  const Output x = as_tensor(input);
  const std::int64_t known = x.shape().is_full() ? x.shape().full().element_count() : -1;
  if (!options.optimize || known < 0 || !all_fit(std::span(&known, 1), options.out_type))
    return raw::Size(x, {.out_type = options.out_type, .name = in.own_name()});
  return own_constant(in, integer(known, options.out_type));
}

Output rank(const Input& input, const RankOptions& options, std::source_location at) {
  const Block in(options.name, "Rank", at);
  const Output x = as_tensor(input);
  if (!options.optimize || !x.shape().has_rank()) return raw::Rank(x, {.name = in.own_name()});
  return own_constant(in, integer(x.shape().rank(), DType::i32));
}

Output expand_dims(const Input& input, const Input& axis, const ExpandDimsOptions& options,
                   std::source_location at) {
  return raw::ExpandDims(input, axis, {.name = options.name}, at);
}

Output squeeze(const Input& input, const SqueezeOptions& options, std::source_location at) {
  return raw::Squeeze(input, {.squeeze_dims = options.axis, .name = options.name}, at);
}

Output transpose(const Input& a, const TransposeOptions& options, std::source_location at) {
  const Block in(options.name, "transpose", at);
  const Output x = as_tensor(a, "a");
  const bool conjugate = options.conjugate && kComplexTypes.contains(base_type(x.dtype()));
  const auto reverse = [&]() -> Input {
    if (!x.shape().has_rank())
      return raw::Range(parts::minus(raw::Rank(x), 1), -1, -1, {.name = "Range"});
    std::vector<std::int64_t> axes(static_cast<std::size_t>(x.shape().rank()));
    std::iota(axes.rbegin(), axes.rend(), std::int64_t{0});
    return parts::ints(axes);
  };
  const Input perm = options.perm ? *options.perm : reverse();
  if (conjugate) return raw::ConjugateTranspose(x, perm, {.name = in.own_name()});
  return raw::Transpose(x, perm, {.name = in.own_name()});
}

Output matrix_transpose(const Input& a, const MatrixTransposeOptions& options,
                        std::source_location at) {
  const Block in(options.name, "matrix_transpose", at);
  const Output x = as_tensor(a, "a");
  const auto swap_last = [&]() -> Input {
    const int count = x.shape().rank();
    require(count >= 2,
            "Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = ", x,
            " with shape: ", shape_text(x.shape()));
    std::vector<std::int64_t> axes(static_cast<std::size_t>(count));
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    return parts::ints(axes);
  };
  const auto swap_unknown = [&]() -> Input {
    const Output count = raw::Rank(x);
    const Output others = raw::Range(0, parts::minus(count, 2), 1);
    const Output last = parts::minus(count, 1), other = parts::minus(count, 2);
    return raw::ConcatV2({others, parts::list_of({last, other})}, 0, {.name = "concat"});
  };
  return transpose(x, {.perm = x.shape().has_rank() ? swap_last() : swap_unknown(),
                       .conjugate = options.conjugate});
}

std::vector<Output> meshgrid(const Inputs& vectors, const MeshgridOptions& options,
                             std::source_location at) {
  require(options.indexing == "xy" || options.indexing == "ij",
          "Argument `indexing` parameter "
          "must be either 'xy' or 'ij', got '",
          options.indexing, "'");
  const Block in(options.name, "meshgrid", at);
  const std::size_t count = vectors.size();
  const auto along = [&](std::size_t axis) {
    std::vector<std::int64_t> dims(count, 1);
    dims[axis] = -1;
    return parts::ints(dims);
  };
  std::vector<Output> grid;
  for (std::size_t i = 0; i < count; ++i)
    grid.push_back(raw::Reshape(as_tensor(vectors[i], "stack"), along(i)));
  std::vector<Input> sizes;
  for (const Input& v : vectors) sizes.push_back(size(v));
  const DType dtype = base_type(as_tensor(vectors.at(0)).dtype());
  if (options.indexing == "xy" && count > 1) {
    grid[0] = raw::Reshape(grid[0], along(1));
    grid[1] = raw::Reshape(grid[1], along(0));
    std::swap(sizes[0], sizes[1]);
  }
  const Output one = ones(parts::list_of(sizes), {.dtype = dtype});
  for (Output& coordinates : grid) coordinates = parts::times(coordinates, one);
  return grid;
}

}  // namespace rill
