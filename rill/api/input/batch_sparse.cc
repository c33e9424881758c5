#include "rill/api/input/batch_sparse.h"

#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/sparse.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/sparse/sparse_ops.h"
#include "rill/base/error.h"

namespace rill::train {
namespace {

const std::source_location kHere = std::source_location::current();

Output add_one(const SparseTensor& t, const std::string& map) {
  return raw::AddSparseToTensorsMap(t.indices, t.values, t.dense_shape, {.shared_name = map});
}

Output add_many(const SparseTensor& t, const std::string& map) {
  return raw::AddManySparseToTensorsMap(t.indices, t.values, t.dense_shape, {.shared_name = map});
}

Output dense_shape(const SparseTensor& t) {
  const Block in("", "Shape", kHere);
  return cast(t.dense_shape, DType::i32);
}

// The handles of what is kept; -1 stands for what is not.
Output stored(const SparseTensor& t, bool enqueue_many, Output keep_input, const std::string& map) {
  if (keep_input.shape().rank() == 1) {
    const Output rows = slice(t.indices, {SliceRange{}, Input(0)});
    return add_many(sparse::retain(t, gather(keep_input, rows)), map);
  }
  const auto none = [&] {
    if (!enqueue_many) return current_scope().constant(Tensor::scalar<std::int64_t>(-1));
    const Output count = slice(dense_shape(t), {SliceRange{.start = Input(0), .stop = Input(1)}});
    return operators::mul(-1, ones(count, {.dtype = DType::i64}), kHere);
  };
  const auto listed = [](Output handle) { return std::vector<Output>{handle}; };
  const Output handles = smart_cond(
      keep_input, [&] { return listed(enqueue_many ? add_many(t, map) : add_one(t, map)); },
      [&] { return listed(none()); })[0];
  if (enqueue_many) handles.node->graph().refine_shape(handles, PartialShape{kUnknownDim});
  return handles;
}

// The op that keeps the elements, which a cond may stand before.
Node& map_of(Output handles) {
  for (int i = 0; i < handles.node->input_count(); ++i) {
    Node& source = *handles.node->input(i).node;
    if (source.op().name == "AddSparseToTensorsMap" ||
        source.op().name == "AddManySparseToTensorsMap")
      return source;
  }
  return *handles.node;
}

std::int64_t rank_of(const SparseTensor& t, bool enqueue_many) {
  const PartialShape& shape = t.dense_shape.shape();
  require(!shape.has_rank() || shape.rank() == 1, "Shape ", shape, " must have rank 1");
  if (!shape.has_rank() || shape[0] < 0) return kUnknownDim;
  return shape[0] - (enqueue_many ? 1 : 0);
}

SparseTensor restored(Output stored, const StoredSparse& how) {
  const Output handles = raw::Squeeze(stored, {.squeeze_dims = {1}});
  const auto& name = how.map->attr<std::string>("shared_name");
  const ColocateWith beside(*how.map);
  const auto taken = raw::TakeManySparseFromTensorsMap(
      handles, how.map->attr<DType>("T"), {.shared_name = name.empty() ? how.map->name() : name});
  Graph& graph = how.map->graph();
  const std::int64_t rank = how.rank < 0 ? kUnknownDim : how.rank + 1;
  graph.refine_shape(taken.sparse_indices, PartialShape{kUnknownDim, rank});
  graph.refine_shape(taken.sparse_values, PartialShape{kUnknownDim});
  graph.refine_shape(taken.sparse_shape, PartialShape{rank});
  SparseTensor t;
  t.indices = taken.sparse_indices;
  t.values = taken.sparse_values;
  t.dense_shape = taken.sparse_shape;
  return t;
}

// What a map gives must be taken out whenever anything of its element is used.
Batch all_or_none(const Batch& batch) {
  std::vector<Node*> values;
  for (const BatchedComponent& part : batch) {
    const auto* sparse = std::get_if<SparseTensor>(&part);
    values.push_back((sparse != nullptr ? sparse->values : std::get<Output>(part)).node);
  }
  const auto after_all = [&](Output tensor) { return with_dependencies(values, tensor); };
  Batch result;
  for (const BatchedComponent& part : batch) {
    if (const auto* dense = std::get_if<Output>(&part)) {
      result.emplace_back(after_all(*dense));
      continue;
    }
    SparseTensor t = std::get<SparseTensor>(part);
    t.indices = after_all(t.indices);
    t.values = after_all(t.values);
    t.dense_shape = after_all(t.dense_shape);
    result.emplace_back(t);
  }
  return result;
}

}  // namespace

StoredComponents store_sparse(const Batch& components, bool enqueue_many, Output keep_input,
                              const std::vector<StoredSparse>& like) {
  StoredComponents result;
  for (std::size_t i = 0; i < components.size(); ++i) {
    Node* const map = i < like.size() ? like[i].map : nullptr;
    const auto* sparse = std::get_if<SparseTensor>(&components[i]);
    require(like.empty() || (i < like.size() && (map != nullptr) == (sparse != nullptr)),
            "Inconsistent SparseTensors list");
    if (sparse == nullptr) {
      result.tensors.push_back(std::get<Output>(components[i]));
      result.sparse.emplace_back();
      continue;
    }
    const Output handles =
        stored(*sparse, enqueue_many, keep_input, map == nullptr ? "" : map->name());
    result.tensors.push_back(handles);
    result.sparse.push_back(
        {map == nullptr ? &map_of(handles) : map, rank_of(*sparse, enqueue_many)});
  }
  for (std::size_t i = 0; i < components.size(); ++i)
    if (result.sparse[i].map != nullptr)
      result.tensors[i] = expand_dims(result.tensors[i], Tensor::vector<std::int32_t>({-1}));
  return result;
}

Batch restore_sparse(const std::vector<Output>& stored, const std::vector<StoredSparse>& sparse) {
  Batch batch;
  bool any = false;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (sparse[i].map == nullptr) {
      batch.emplace_back(stored[i]);
      continue;
    }
    any = true;
    batch.emplace_back(restored(stored[i], sparse[i]));
  }
  if (!any) return batch;
  const Batch whole = all_or_none(batch);
  return stored.size() == 1 ? batch : whole;  // one component alone is whole anyway
}

}  // namespace rill::train
