#include <numeric>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/graph/whole_number.h"

namespace rill {
namespace {

Output product(Output dims) { return raw::Prod(dims, parts::ints({0})); }

// The places of the batches of `params`, as rows, in front of `indices`.
Output with_batches(Output indices, Output batch_shape, Output indices_shape,
                    const Output& inner_rank, const Output& index_dims, const Output& batch_size) {
  std::vector<Input> ranges;
  for (const Output& size : unstack(batch_shape)) {
    const Output limit = raw::Cast(size, DType::i32);
    const Output range = raw::Range(0, limit, 1);
    ranges.push_back(raw::Cast(range, base_type(indices.dtype())));
  }
  std::vector<Input> flat;
  for (const Output& grid : meshgrid(ranges, {.indexing = "ij"}))
    flat.push_back(raw::Reshape(grid, parts::ints({-1})));
  const Output coordinates = transpose(stack(flat));
  const Output dims = shape(coordinates);
  const Output first = parts::range_of(dims, {}, 1);
  const Output ones_between = ones(inner_rank, {.dtype = DType::i32});
  const Output last = parts::range_of(dims, 1, {});
  const Output spread = raw::Reshape(coordinates, concat({first, ones_between, last}, 0));
  const Output tiled =
      raw::Tile(spread, concat({parts::ints({1}), index_dims, parts::ints({1})}, 0));
  const Output own = parts::range_of(indices_shape, ranges.size(), {});
  const Output rows = raw::Reshape(indices, concat({parts::list_of({batch_size}), own}, 0));
  return concat({tiled, rows}, -1);
}

Output batch_gather_nd(const Input& params, const Input& indices, std::int64_t batch_dims,
                       const std::string& name, std::source_location at) {
  const Block in(name, "BatchGatherND", at);
  const Output places = as_tensor(indices, "indices"), x = as_tensor(params, "params");
  require(places.shape().has_rank(),
          "batch_dims is only supported when the rank of indices is "
          "known when the graph is built");
  const std::int64_t count = places.shape().rank();
  require(batch_dims >= 0, "batch_dims must be non-negative, got ", batch_dims);
  require(batch_dims < count, "batch_dims = ", batch_dims,
          " must be less than rank(indices) = ", count);
  require(!x.shape().has_rank() || batch_dims < x.shape().rank(), "batch_dims = ", batch_dims,
          " must be less than rank(params) = ", x.shape().rank());
  const Output params_shape = shape(x), indices_shape = shape(places);
  const Output batch_shape = parts::range_of(params_shape, {}, batch_dims);
  const Output batch_size = product(batch_shape);
  const Output index_rank = parts::minus(rank(places), 1);
  const Output inner_rank = parts::minus(index_rank, whole_number(batch_dims));
  const Output index_dims = parts::range_of(indices_shape, batch_dims, -1);
  const Output all =
      with_batches(places, batch_shape, indices_shape, inner_rank, index_dims, batch_size);
  const Output found = raw::GatherNd(x, all);
  const Output inner = parts::range_of(shape(found), 1, {});
  return raw::Reshape(found, concat({batch_shape, inner}, 0));
}

// indices + where each batch of `params` begins when its batches are laid out one after the other.
Output flattened(Output indices, Output params_shape, std::int64_t batch_dims) {
  const DType type = base_type(indices.dtype());
  Output accumulated = ones(ShapeInput{}, {.dtype = type});
  const Output dims = raw::Cast(params_shape, type);
  Output result = indices;
  for (std::int64_t dim = batch_dims; dim > 0; --dim) {
    const Output size = parts::item(dims, dim - 1);
    accumulated = parts::times(accumulated, parts::item(dims, dim));
    const Output start = zeros(ShapeInput{}, {.dtype = type});
    const Output step = ones(ShapeInput{}, {.dtype = type});
    Output offsets = raw::Range(start, size, step);
    offsets = parts::times(offsets, accumulated);
    std::vector<Input> spread(static_cast<std::size_t>(indices.shape().rank()), Input(1));
    spread[static_cast<std::size_t>(dim - 1)] = size;
    result = parts::plus(result, raw::Reshape(offsets, stack(spread)));
  }
  return result;
}

}  // namespace

Output gather_nd(const Input& params, const Input& indices, const GatherNdOptions& options,
                 std::source_location at) {
  if (options.batch_dims != 0)
    return batch_gather_nd(params, indices, options.batch_dims, options.name, at);
  return raw::GatherNd(params, indices, {.name = options.name}, at);
}

Output batch_gather(const Input& params, const Input& indices, const BatchGatherOptions& options,
                    std::source_location at) {
  const Block in(options.name, "BatchGather", at);
  const Output places = as_tensor(indices, "indices"), x = as_tensor(params, "params");
  require(places.shape().has_rank(), "batch_gather does not allow indices with unknown shape.");
  const std::int64_t batch_dims = places.shape().rank() - 1;
  const Output indices_shape = shape(places), params_shape = shape(x);
  const Output flat = raw::Reshape(flattened(places, params_shape, batch_dims), parts::ints({-1}));
  const Output outer = parts::range_of(params_shape, batch_dims + 1, {});
  const Output rows = product(parts::range_of(params_shape, {}, batch_dims + 1));
  const Output flat_params = raw::Reshape(x, concat({parts::list_of({rows}), outer}, 0));
  const Output found = gather(flat_params, flat);
  return raw::Reshape(found, concat({indices_shape, outer}, 0));
}

}  // namespace rill
