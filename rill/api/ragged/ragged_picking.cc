#include "rill/api/ragged/ragged_picking.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/array/sorting.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/ragged.h"
#include "rill/api/ragged/elementwise.h"
#include "rill/api/ragged/ragged_parts.h"
#include "rill/base/error.h"

namespace rill::ragged {
namespace {

using parts::number;
using parts::ragged_in;
using parts::under;
using parts::values_of;

RaggedOrDense picked(const RaggedOrDense& params, const RaggedOrDense& indices) {
  if (const RaggedTensor* rows = ragged_in(indices))
    return under(rows->row_splits(), picked(params, values_of(*rows)));
  const Output places = std::get<Output>(indices);
  const RaggedTensor* own = ragged_in(params);
  if (own == nullptr) return rill::gather(std::get<Output>(params), places);
  const int added = parts::known_rank(indices) - 1;
  const std::vector<Input> splits(own->nested_row_splits.begin(), own->nested_row_splits.end());
  const auto made = raw::RaggedGather(splits, own->flat_values, places, own->ragged_rank() + added);
  if (made.output_nested_splits.empty()) return made.output_dense_values;
  return RaggedTensor{made.output_dense_values, made.output_nested_splits};
}

RaggedOrDense picked_in_batches(const RaggedOrDense& params, const RaggedOrDense& indices,
                                int batch_dims) {
  if (batch_dims == 0) return picked(params, indices);
  if (batch_dims == 1 && ragged_in(params) != nullptr && ragged_in(indices) == nullptr) {
    const RaggedTensor& from = *ragged_in(params);
    Output starts = parts::row_starts(from);
    for (int i = parts::known_rank(indices); i > 1; --i) starts = raw::ExpandDims(starts, -1);
    const Output places = parts::cast_to(std::get<Output>(indices), from.splits_type());
    return picked(values_of(from), parts::plus(places, starts));
  }
  const auto both = parts::all_raised({params, indices});
  const RaggedTensor &from = both[0], &at = both[1];
  if (batch_dims > 1)
    return under(from.row_splits(),
                 picked_in_batches(values_of(from), values_of(at), batch_dims - 1));
  // What counts from the start of a row counts from that of all values.
  const Output starts = rill::gather(parts::row_starts(from), rowids_of_splits(at.row_splits()));
  const RaggedOrDense inner = values_of(at);
  require(ragged_in(inner) == nullptr || parts::known_rank(inner) == 1,
          "batch_dims must be the rank of indices - 1");
  const Output places =
      parts::plus(parts::cast_to(std::get<Output>(inner), from.splits_type()), starts);
  return under(at.row_splits(), picked(values_of(from), places));
}

// `places` are rows of params for all but the last dimension of `indices` from `depth` on.
RaggedOrDense picked_nd(const RaggedOrDense& params, const Output& places, const Output& indices,
                        std::int64_t depth, std::int64_t count) {
  if (depth == count) return picked(params, places);
  const RaggedTensor* own = ragged_in(params);
  if (own == nullptr) {
    const Output rest = rill::slice(indices, {Ellipsis{}, SliceRange{Input(depth), {}, {}}});
    const Output first = raw::ExpandDims(parts::cast_to(places, base_type(indices.dtype())), -1);
    return rill::gather_nd(std::get<Output>(params), rill::concat({first, rest}, -1));
  }
  const Output next = rill::slice(indices, {Ellipsis{}, Input(depth)});
  const Output starts = rill::gather(parts::row_starts(*own), places);
  return picked_nd(values_of(*own), parts::plus(starts, parts::cast_to(next, own->splits_type())),
                   indices, depth + 1, count);
}

// How many of each row are true.
Output counted_splits(const RaggedTensor& mask) {
  const DType type = mask.splits_type();
  const Output kept = parts::cast_to(mask.flat_values, type);
  const Output so_far = rill::concat(
      {parts::list_of({number(0, type)}), raw::Cumsum(kept, number(0, DType::i32))}, 0);
  return rill::gather(so_far, mask.row_splits());
}

RaggedOrDense masked(const RaggedOrDense& data, const RaggedOrDense& mask) {
  const int rank = parts::known_rank(mask);
  if (rank == 1) {
    if (ragged_in(data) != nullptr)
      return parts::rows_at(
          data, raw::Squeeze(raw::Where(std::get<Output>(mask)), {.squeeze_dims = {1}}));
    return rill::boolean_mask(std::get<Output>(data), std::get<Output>(mask));
  }
  const RaggedTensor where = parts::raised(mask, 1, DType::i64);
  const RaggedTensor what = parts::raised(data, 1, DType::i64);
  std::vector<Node*> checks;
  parts::check_same_rows(checks, where.row_splits(), what.row_splits());
  const RaggedOrDense inner = masked(values_of(what), values_of(where));
  Output splits = rank > 2 ? where.row_splits() : counted_splits(where);
  if (!checks.empty()) splits = parts::after_nodes(checks, splits);
  return under(splits, inner);
}

RaggedTensor partitioned(const RaggedOrDense& data, const RaggedOrDense& partitions,
                         const Output& count, DType type) {
  if (parts::known_rank(partitions) > 1) {
    const auto both = parts::all_raised({partitions, data});
    std::vector<Node*> checks;
    parts::check_same_rows(checks, both[0].row_splits(), both[1].row_splits());
    return partitioned(values_of(both[1]), values_of(both[0]),
                       checks.empty() ? count : parts::after_nodes(checks, count), type);
  }
  const Output which = std::get<Output>(partitions);
  const Output order = argsort(which, {.stable = true});
  const Output rowids = parts::cast_to(rill::gather(which, order), type);
  return under(splits_of_rowids(rowids, Input(parts::cast_to(count, type))),
               parts::rows_at(data, order));
}

}  // namespace

RaggedOrDense gather(const RaggedOrDense& params, const RaggedOrDense& indices, int batch_dims,
                     const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedGather", at);
  const int rank = parts::known_rank(indices);
  if (batch_dims < 0) batch_dims += rank;
  require(batch_dims >= 0 && batch_dims <= rank, "batch_dims=", batch_dims,
          " out of bounds for indices of rank ", rank);
  return picked_in_batches(params, indices, batch_dims);
}

RaggedOrDense batch_gather(const RaggedOrDense& params, const RaggedOrDense& indices,
                           const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedBatchGather", at);
  const int rank = parts::known_rank(indices);
  require(rank > 0, "batch_gather: indices must have a dimension");
  return picked_in_batches(params, indices, rank - 1);
}

RaggedOrDense gather_nd(const RaggedOrDense& params, const RaggedOrDense& indices,
                        const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedGatherNd", at);
  const int rank = parts::known_rank(indices);
  require(rank > 0, "indices.rank must be statically known and at least 1.");
  if (const RaggedTensor* rows = ragged_in(indices)) {
    require(rank > 2 || parts::shape_of(indices)[1] >= 0,
            "The innermost dimension of indices may not be ragged");
    return under(rows->row_splits(), gather_nd(params, values_of(*rows)));
  }
  const Output at_places = std::get<Output>(indices);
  const std::int64_t count = at_places.shape()[rank - 1];
  require(count > 0, "indices.shape[-1] must be statically known and positive.");
  const Output first = rill::slice(at_places, {Ellipsis{}, Input(0)});
  return picked_nd(params, first, at_places, 1, count);
}

Output where(const RaggedTensor& condition, const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedWhere", at);
  const SparseTensor places = to_sparse(condition);
  return rill::boolean_mask(places.indices, parts::cast_to(places.values, DType::boolean));
}

RaggedOrDense where(const RaggedOrDense& condition, const RaggedOrDense& x, const RaggedOrDense& y,
                    const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedWhere", at);
  if (ragged_in(condition) == nullptr && parts::known_rank(condition) == 1) {
    const auto both = parts::all_raised({x, y});
    const Output rows = parts::counted(nrows(both[0]));
    const Output chosen =
        raw::Select(std::get<Output>(condition), rows, parts::plus(rows, nrows(both[0])));
    return parts::rows_at(parts::joined(both), chosen);
  }
  const FlatArguments all = with_same_rows({condition, x, y});
  require(ragged_in(condition) != nullptr && ragged_in(x) != nullptr && ragged_in(y) != nullptr,
          "Input shapes do not match: condition, x and y of where must all be ragged");
  return all.in_rows(raw::Select(all.flat[0], all.flat[1], all.flat[2]));
}

RaggedTensor where_v2(const RaggedOrDense& condition, const RaggedOrDense& x,
                      const RaggedOrDense& y, const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedWhere", at);
  const FlatArguments all = broadcast({condition, x, y});
  return all.in_rows(raw::SelectV2(all.flat[0], all.flat[1], all.flat[2]));
}

RaggedOrDense boolean_mask(const RaggedOrDense& data, const RaggedOrDense& mask,
                           const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedMask", at);
  const PartialShape shape = parts::shape_of(mask);
  require(shape.has_rank(), "mask.shape.ndims must be known statically.");
  require(shape.rank() > 0, "mask cannot be scalar.");
  return masked(data, mask);
}

RaggedTensor stack_dynamic_partitions(const RaggedOrDense& data, const RaggedOrDense& partitions,
                                      const Input& num_partitions, const JoinOptions& options,
                                      std::source_location at) {
  const Block in(options.name, "SegmentStack", at);
  require(parts::shape_of(partitions).has_rank(), "partitions must have known rank");
  const Output count = as_tensor(num_partitions, "num_partitions");
  const RaggedTensor *rows = ragged_in(data), *which = ragged_in(partitions);
  const DType type = rows != nullptr    ? rows->splits_type()
                     : which != nullptr ? which->splits_type()
                                        : base_type(std::get<Output>(partitions).dtype());
  if (parts::shape_of(partitions).rank() > 0) return partitioned(data, partitions, count, type);
  const auto row = [](const RaggedOrDense& x) { return expand_dims(x, 0); };
  return partitioned(row(data), row(partitions), count, type);
}

}  // namespace rill::ragged
