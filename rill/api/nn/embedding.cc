#include "rill/api/nn/embedding.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/data_flow.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"
#include "rill/api/train/clip_ops.h"

namespace rill::nn {
namespace {

using Shard = EmbeddingTable::Shard;

// Where the part's value is kept.
Node& node_of(const Shard& part) {
  return part.is_resource() ? part.variable.op() : *part.input.output().node;
}

Output gathered(const Shard& part, const Input& ids, const std::string& name) {
  if (part.is_resource()) return part.variable.sparse_read(ids, name);
  return gather(part.input, ids, {.name = name});
}

// Rows no longer than `max_norm`, where one is asked for.
Output clipped(Output rows, Output ids, const OptionalInput& max_norm) {
  if (!max_norm) return rows;
  const int ids_rank = ids.shape().rank(), rank = rows.shape().rank();
  if (ids_rank > 0 && rank > 0) {
    std::vector<std::int64_t> axes;
    for (int i = ids_rank; i < rank; ++i) axes.push_back(i);
    return clip_by_norm(Input(rows), *max_norm, {.axes = parts::ints(axes), .name = {}});
  }
  const Input first = ids_rank > 0 ? Input(ids_rank) : Input(rill::rank(ids));
  const Input last = rank > 0 ? Input(rank) : Input(rill::rank(rows));
  return clip_by_norm(Input(rows), *max_norm, {.axes = range(first, last), .name = {}});
}

// Tensors all of them, unless a resource among them is to be read by row.
std::vector<Shard> converted_table(std::vector<Shard> table) {
  for (const Shard& part : table)
    if (part.is_resource()) return table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Output tensor = as_tensor(table[i].input, "params_" + std::to_string(i));
    table[i].input = tensor;
    table[i].shape = tensor.shape();
  }
  return table;
}

std::int64_t row_count(const Shard& part) {
  return part.shape.rank() > 0 ? part.shape[0] : kUnknownDim;
}

// How many rows the table has, in the type of the ids.
Output total_rows(const std::vector<Shard>& table, DType dtype) {
  std::int64_t total = 0;
  for (const Shard& part : table)
    total = total < 0 || row_count(part) < 0 ? kUnknownDim : total + row_count(part);
  if (total > 0) return as_tensor(math_parts::number(dtype, static_cast<double>(total)));
  std::vector<Input> sizes;
  for (const Shard& part : table) {
    if (row_count(part) >= 0) {
      sizes.emplace_back(static_cast<int>(row_count(part)));
      continue;
    }
    const ColocateWith beside(node_of(part));
    sizes.emplace_back(parts::item(shape(part.input), 0));
  }
  return reduce_sum(cast(stack(sizes), dtype));
}

// For each id the part it is in, and its row there.
struct Places {
  Output part, row;
};
Places places_of(Output ids, const std::vector<Shard>& table, const std::string& strategy) {
  const auto at = std::source_location::current();
  const auto floordiv = [&](const Input& x, const Input& y) {
    return operators::floordiv(x, y, at);
  };
  const auto count = static_cast<int>(table.size());
  if (strategy == "mod") {
    const Output part = ids % count;
    return {part, floordiv(ids, count)};
  }
  require(strategy == "div", "Unrecognized partition strategy: ", strategy,
          ".Must be one of either `mod` or `div`.");
  const Output total = total_rows(table, math_parts::type_of(ids));
  const Output size = floordiv(total, count), extras = total % count;
  const Output larger = floordiv(ids, size + 1);
  const Output part = raw::Maximum(larger, floordiv(ids - extras, size));
  const Output among_larger = raw::Less(part, extras);
  const Output row = ids % (size + 1);
  return {part, where(among_larger, row, (ids - extras) % size)};
}

// What is known of a row, and its sizes.
struct RowShape {
  PartialShape known;
  Input sizes;
};
RowShape row_shape(const std::vector<Shard>& table) {
  PartialShape known;
  for (const Shard& part : table) {
    if (!part.shape.has_rank()) continue;
    PartialShape rest = PartialShape::scalar();
    for (int i = 1; i < part.shape.rank(); ++i) rest.add_dim(part.shape[i]);
    known = known.merged(rest);
  }
  if (known.has_rank() && known.is_full()) return {known, ShapeInput(known.dims())};
  const auto first = [&] {
    const ColocateWith beside(node_of(table[0]));
    return shape(table[0].input);
  }();
  return {known, parts::range_of(first, 1, {})};
}

}  // namespace

Output embedding_lookup(const EmbeddingTable& params, const Input& ids,
                        const EmbeddingOptions& options, std::source_location at) {
  require(!params.parts().empty(), "Length of params is currently 0. Need at least one param.");
  const Block in(options.name, "embedding_lookup", at);
  const std::vector<Shard> table = converted_table(params.parts());
  const Output wanted = as_tensor(ids, "ids");
  if (table.size() == 1) {
    const auto rows = [&] {
      const ColocateWith beside(node_of(table[0]));
      return clipped(gathered(table[0], wanted, in.own_name()), wanted, options.max_norm);
    }();
    return raw::Identity(rows);
  }
  const Output flat = raw::Reshape(wanted, parts::ints({-1}));
  const Output order = range(size(flat));
  Places places = places_of(flat, table, options.partition_strategy);
  places.part = cast(places.part, DType::i32);
  const auto count = static_cast<std::int64_t>(table.size());
  const auto rows = raw::DynamicPartition(places.row, places.part, count);
  const auto orders = raw::DynamicPartition(order, places.part, count);
  std::vector<Input> found;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const DeviceScope anywhere(nullptr);
    const ColocateWith beside(node_of(table[i]));
    found.emplace_back(gathered(table[i], rows[i], {}));
  }
  const Output stitched =
      raw::ParallelDynamicStitch({orders.begin(), orders.end()}, found, {.name = in.own_name()});
  const RowShape row = row_shape(table);
  const Output sizes = shape(wanted);
  const Output result = raw::Reshape(stitched, concat({sizes, row.sizes}, 0));
  if (wanted.shape().has_rank() && row.known.has_rank()) {
    PartialShape known = wanted.shape();
    for (const std::int64_t dim : row.known.dims()) known.add_dim(dim);
    result.node->graph().refine_shape(result, known);
  }
  return clipped(result, wanted, options.max_norm);
}

}  // namespace rill::nn
