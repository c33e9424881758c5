// Embeddings of sparse ids, combined by row.
#include <functional>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/segments.h"
#include "rill/api/nn/embedding.h"
#include "rill/api/sparse/sparse_ops.h"

namespace rill::nn {
namespace {

// The weights with as many dimensions as the rows they belong to.
Output widened(Output weights, Output rows) {
  const Output ones = rill::ones(expand_dims(rank(rows) - 1, 0), {.dtype = DType::i32, .name = {}});
  const PartialShape own = weights.shape();
  const Output result = raw::Reshape(weights, concat({shape(weights), ones}, 0));
  if (rows.shape().has_rank() && own.rank() == 1) {
    PartialShape known{own[0]};
    for (int i = 1; i < rows.shape().rank(); ++i) known.add_dim(1);
    result.node->graph().refine_shape(result, known);
  }
  return result;
}

// Sums of narrow numbers lose too much: they are made, and given back, as float32.
Output wide_enough(Output rows) {
  const DType dtype = math_parts::type_of(rows);
  const bool narrow = dtype == DType::f16 || dtype == DType::bf16;
  return narrow ? cast(rows, DType::f32) : rows;
}

Output combined(Output rows, Output given_weights, Output segments, const std::string& combiner,
                const std::string& name) {
  const Output weights = widened(cast(given_weights, math_parts::type_of(rows)), rows);
  rows = rows * weights;
  if (combiner == "sum") return raw::SegmentSum(rows, segments, {.name = name});
  const Output sum = raw::SegmentSum(rows, segments);
  Output total;
  if (combiner == "mean") {
    total = raw::SegmentSum(weights, segments);
  } else {
    total = raw::Sqrt(raw::SegmentSum(raw::Pow(weights, 2), segments));
  }
  return raw::DivNoNan(sum, total, {.name = name});
}

void check(const SparseTensor& ids, const SparseEmbeddingOptions& options) {
  const std::string& combiner = options.combiner;
  require(combiner == "mean" || combiner == "sqrtn" || combiner == "sum",
          "combiner must be one of 'mean', 'sqrtn' or 'sum', got ", combiner);
  if (!options.sp_weights) return;
  const SparseTensor& weights = *options.sp_weights;
  const auto same = [](Output a, Output b) {
    require(a.shape().is_compatible(b.shape()),
            "sp_ids and sp_weights have different shapes: ", a.shape(), " and ", b.shape());
  };
  same(ids.values, weights.values);
  same(ids.indices, weights.indices);
  same(ids.dense_shape, weights.dense_shape);
}

}  // namespace

Output embedding_lookup_sparse(const EmbeddingTable& params, const SparseTensor& sp_ids,
                               const SparseEmbeddingOptions& options, std::source_location at) {
  check(sp_ids, options);
  const Block in(options.name, "embedding_lookup_sparse", at);
  Output segments = slice(sp_ids.indices, {SliceRange{}, Input(0)});
  // The ops that need no weights take segments of int32 only.
  if (!options.sp_weights) segments = cast(segments, DType::i32);
  const auto unique = raw::Unique(sp_ids.values);
  const Output rows = wide_enough(embedding_lookup(
      params, unique.y,
      {.partition_strategy = options.partition_strategy, .max_norm = options.max_norm}));
  if (options.sp_weights) {
    segments = cast(segments, DType::i32);
    return combined(gather(rows, unique.idx), options.sp_weights->values, segments,
                    options.combiner, in.own_name());
  }
  const SparseSegmentOptions named{.name = in.own_name()};
  if (options.combiner == "sum") return sparse_segment_sum(rows, unique.idx, segments, named);
  if (options.combiner == "mean") return sparse_segment_mean(rows, unique.idx, segments, named);
  return sparse_segment_sqrt_n(rows, unique.idx, segments, named);
}

namespace {

struct IdsAndWeights {
  SparseTensor ids;
  std::optional<SparseTensor> weights;
};

void retain(IdsAndWeights& both, Output valid) {
  both.ids = sparse::retain(both.ids, valid);
  if (both.weights) both.weights = sparse::retain(*both.weights, valid);
}

// Without what is no id, and without weights that a mean cannot have.
void prune(IdsAndWeights& both, bool weights_too) {
  Output valid = raw::GreaterEqual(both.ids.values, 0);
  if (both.weights)
    valid = raw::LogicalAnd(valid,
                            ones_like(both.weights->values, {.dtype = DType::boolean, .name = {}}));
  retain(both, valid);
  if (weights_too && both.weights) retain(both, raw::Greater(both.weights->values, 0));
}

// The ids as a matrix: all dimensions but the last are one.
IdsAndWeights as_matrix(const SparseTensor& ids, const std::optional<SparseTensor>& weights,
                        const std::function<Input()>& last) {
  const Output rows =
      reduce_prod(raw::Slice(ids.dense_shape, parts::ints({0}), parts::list_of({last()})));
  const Output columns = gather(ids.dense_shape, last());
  IdsAndWeights both{sparse::reshape(ids, parts::list_of({rows, columns})), {}};
  if (weights) both.weights = SparseTensor(both.ids.indices, weights->values, both.ids.dense_shape);
  return both;
}

EmbeddingTable typed(const EmbeddingTable& table, DType dtype) {
  std::vector<EmbeddingTable::Shard> parts = table.parts();
  for (auto& part : parts) {
    if (part.is_resource() && (dtype == DType::invalid || dtype == part.variable.dtype())) continue;
    const Output tensor = as_tensor(part.input, "Const", dtype);
    part = {tensor, tensor.shape()};
  }
  return parts;
}

// Rows of zeros where there was nothing.
Output zeroed(Output rows, Output is_empty, const std::string& name) {
  const Output column = raw::Reshape(is_empty, parts::ints({-1, 1}));
  const Output width = parts::item(shape(rows), 1);
  const Output spread = raw::Tile(column, stack({1, width}));
  return where(spread, zeros_like(rows), rows, {.name = name});
}

}  // namespace

Output safe_embedding_lookup_sparse(const EmbeddingTable& embedding_weights,
                                    const SparseTensor& sparse_ids,
                                    const SafeEmbeddingOptions& options, std::source_location at) {
  require(!embedding_weights.parts().empty(), "Missing embedding_weights.");
  const MadeAt place(at);
  const auto& weights = options.sparse_weights;
  const EmbeddingTable table =
      typed(embedding_weights, weights ? weights->dtype() : DType::invalid);
  const Block in(options.name, "embedding_lookup", at);
  const Output original = sparse_ids.dense_shape;
  const std::int64_t rank = original.shape().rank() == 1 ? original.shape()[0] : kUnknownDim;
  const Output size = rank < 0 ? rill::size(original) : Output();
  const auto last = [&] { return rank < 0 ? Input(size - 1) : Input(static_cast<int>(rank - 1)); };
  IdsAndWeights both = as_matrix(sparse_ids, weights, last);
  prune(both, options.combiner != "sum");
  const auto [ids, is_empty] =
      sparse::fill_empty_rows(both.ids, static_cast<int>(options.default_id.value_or(0)));
  if (both.weights) both.weights = sparse::fill_empty_rows(*both.weights, 1.0).first;
  Output rows = embedding_lookup_sparse(table, ids,
                                        {.sp_weights = both.weights,
                                         .partition_strategy = options.partition_strategy,
                                         .combiner = options.combiner,
                                         .max_norm = options.max_norm,
                                         .name = options.default_id ? in.own_name() : ""});
  if (!options.default_id) rows = zeroed(rows, is_empty, in.own_name());
  const Output sizes = cast(original, DType::i32);
  const Output outer = raw::Slice(sizes, parts::ints({0}), parts::list_of({last()}));
  const Output row = raw::Slice(shape(rows), parts::ints({1}), parts::ints({-1}));
  const Output result = raw::Reshape(rows, concat({outer, row}, 0));
  if (rank > 0 && rows.shape().has_rank()) {
    PartialShape known = PartialShape::of_rank(static_cast<int>(rank - 1));
    for (int i = 1; i < rows.shape().rank(); ++i) known.add_dim(rows.shape()[i]);
    result.node->graph().refine_shape(result, known);
  }
  return result;
}

}  // namespace rill::nn
