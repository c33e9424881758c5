#include "rill/api/debugging/all_true.h"

#include "rill/api/core/default_graph.h"

namespace rill::debugging {

Output all_true(Output conditions) {
  Scope& scope = current_scope();
  const int rank = conditions.shape().rank();
  if (rank > 0) {
    Tensor axes(DType::i32, {rank});
    for (int i = 0; i < rank; ++i) axes.data<std::int32_t>()[i] = i;
    return scope.add("All", {conditions, scope.constant(axes)}).output();
  }
  const Output count = rank_of(conditions);
  const Output axes = scope.add("Range", {0, count, 1}, {}, "range").output();
  return scope.add("All", {conditions, axes}).output();
}

Output rank_of(Output x) {
  Scope& scope = current_scope();
  if (x.shape().has_rank())
    return scope.constant(Tensor::scalar<std::int32_t>(x.shape().rank()), "Rank");
  return scope.add("Rank", {x}).output();
}

}  // namespace rill::debugging
