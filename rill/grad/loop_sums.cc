// Gradients of values that are the same in every iteration: a variable of the backward loop adds up
// what each iteration contributes.
#include <algorithm>
#include <array>

#include "rill/base/error.h"
#include "rill/grad/grad_loop.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_builders.h"

namespace rill {
namespace {

Output shape_at_run_time(Scope& scope, Output x, DType type = DType::i32) {
  if (base_type(x.dtype()) == DType::resource) return variable_shape(scope, x, type);
  return scope.add("Shape", {x}, {{"out_type", type}}).output();
}

// Lists are added up by AddN alone.
Output sum_of_two(Scope& scope, Output x, Output y) {
  if (is_variant(x)) return add_n(scope, std::array{x, y});
  return scope.add("Add", {x, y}).output();
}

}  // namespace

Gradient GradLoop::accumulate(const Scope& at, const Node& enter, const Gradient& gradient) {
  if (gradient.is_slices()) return accumulate_slices(at, enter, gradient.slices());
  return accumulate_dense(at, enter, gradient.dense());
}

// Zeros of the gradient's shape, the gradient where the loop has no iteration.
Output GradLoop::initial_sum(const Scope& at, const Node& enter, Output gradient) {
  FlowContext* const around = backward_->outer();
  Scope outside = at.inside(around);
  const DType type = base_type(gradient.dtype());
  if (gradient.shape().is_full() && !is_variant(gradient))
    return outside.constant(Tensor::zeros(type, gradient.shape().full()), "b_acc");
  const Output value = enter.input(0);
  if (outer_ == nullptr || around != &outer_->backward())
    return is_variant(gradient) ? zeros_like(outside, value)
                                : zeros(outside, shape_at_run_time(outside, value), type);
  Scope forward = at.inside(forward_.outer());
  if (is_variant(gradient)) {
    const Output stack = outer_->remember(at.inside(home_), value);
    return zeros_like(outside, outer_->recall(outside, stack, value));
  }
  const Output shape = shape_at_run_time(forward, value);
  const Output stack = outer_->remember(at.inside(home_), shape);
  return zeros(outside, outer_->recall(outside, stack, shape), type);
}

Output GradLoop::accumulate_dense(const Scope& at, const Node& enter, Output gradient) {
  const Output first = initial_sum(at, enter, gradient);
  LoopContext& loop = *backward_;
  Scope inside = at.inside(&loop);
  loop.know(first);
  loop.enters.push_back(loop.enter(inside, first, LoopContext::Enters::kVariable, "b_acc"));
  const Output merge = merge_with_itself(inside, loop.enters.back(), "b_acc");
  Node& gate = inside.add("Switch", {merge, loop.loop_cond});
  const Output sum = sum_of_two(inside, gate.output(1), gradient);
  add_back_edge(inside, merge, sum);
  loop.exits.push_back(inside.add("Exit", {gate.output(0)}, {}, "b_acc").output());
  loop.leave(std::span(&loop.exits.back(), 1));
  return loop.exits.back();
}

namespace {

Tensor dims_after_first(const PartialShape& shape) {
  Tensor dims(DType::i32, {std::max(shape.rank() - 1, 0)});
  for (int i = 1; i < shape.rank(); ++i)
    dims.data<std::int32_t>()[i - 1] = static_cast<std::int32_t>(shape[i]);
  return dims;
}

// One row of zeros to start with, for row 0.
Output first_row(Scope& scope, const Node& enter, Output values) {
  const DType type = base_type(values.dtype());
  if (values.shape().is_full()) {
    PartialShape shape = values.shape();
    return scope.constant(Tensor::zeros(type, shape.with_dim(0, 1).full()), "b_acc");
  }
  const Output source = enter.input(0);
  const HandleInfo* variable = source.node->output_handle(source.index);
  const bool is_known = variable != nullptr && variable->shape.is_full();
  Output row;
  if (!is_known) row = strided_slice(scope, shape_at_run_time(scope, source), 1, std::nullopt);
  Scope inner = scope.named("concat");
  const Output one = inner.constant(Tensor::vector<std::int32_t>({1}), "values_0");
  if (is_known) row = inner.constant(dims_after_first(variable->shape), "values_1");
  const Output axis = inner.constant(Tensor::scalar<std::int32_t>(0), "axis");
  const Output whole =
      scope.add("ConcatV2", {std::vector<Input>{one, row}, axis}, {}, inner.name() + "/").output();
  return zeros(scope, whole, type);
}

Output first_shape(Scope& scope, const Node& enter, Output dense_shape) {
  const DType type = base_type(dense_shape.dtype());
  if (dense_shape.shape().is_full())
    return scope.constant(Tensor::zeros(type, dense_shape.shape().full()));
  return zeros_like(scope, shape_at_run_time(scope, enter.input(0), type));
}

}  // namespace

IndexedSlices GradLoop::accumulate_slices(const Scope& at, const Node& enter,
                                          const IndexedSlices& slices) {
  LoopContext& loop = *backward_;
  Scope outside = at.inside(loop.outer());
  const Output values = first_row(outside, enter, slices.values);
  const Output indices = outside.constant(Tensor::zeros(base_type(slices.indices.dtype()), {1}));
  std::vector<Output> parts{indices, values};
  if (slices.dense_shape.node) parts.push_back(first_shape(outside, enter, slices.dense_shape));

  Scope inside = at.inside(&loop);
  Graph& graph = at.graph();
  std::vector<Output> enters, merges;
  std::vector<Node*> gates;
  for (const Output& part : parts) {
    loop.know(part);
    enters.push_back(loop.enter(inside, part, LoopContext::Enters::kChangingShape, "b_acc"));
  }
  graph.refine_shape(enters[0], PartialShape::of_rank(1));
  if (values.shape().has_rank())
    graph.refine_shape(enters[1], PartialShape(values.shape()).with_dim(0, kUnknownDim));
  loop.enters.insert(loop.enters.end(), enters.begin(), enters.end());
  for (const Output& e : enters) merges.push_back(merge_with_itself(inside, e, "b_acc"));
  for (const Output& merge : merges)
    gates.push_back(&inside.add("Switch", {merge, loop.loop_cond}));

  std::vector<Output> next;
  const auto longer = [&](std::size_t i, Output more) {
    next.push_back(concat_rows(inside, std::array{gates[i]->output(1), more}));
  };
  longer(0, slices.indices);
  longer(1, slices.values);
  if (slices.dense_shape.node)  // the same in every iteration, except that it starts as zeros
    next.push_back(inside.add("Maximum", {slices.dense_shape, gates[2]->output(1)}).output());
  // All NextIterations first: the order in which the nodes are named.
  std::vector<Output> backs;
  for (const Output& value : next) backs.push_back(inside.add("NextIteration", {value}).output());
  for (std::size_t i = 0; i < backs.size(); ++i) graph.set_input(*merges[i].node, 1, backs[i]);

  std::vector<Output> exits;
  for (Node* gate : gates)
    exits.push_back(inside.add("Exit", {gate->output(0)}, {}, "b_acc").output());
  loop.exits.insert(loop.exits.end(), exits.begin(), exits.end());
  loop.leave(exits);
  return {exits[1], exits[0], slices.dense_shape.node ? exits[2] : Output()};
}

Output GradLoop::carried_zeros(const Scope& at, Output merge) {
  const Output first = merge.node->input(0);
  Scope inside = at.inside(backward_);
  if (first.shape().is_full() && !is_variant(first))
    return inside.constant(Tensor::zeros(base_type(first.dtype()), first.shape().full()));
  Scope outside = at.inside(backward_->outer());
  const Output entered = first.node->input(0);
  if (is_variant(first)) return zeros_like(outside, entered);
  return zeros(outside, shape_at_run_time(outside, entered), base_type(first.dtype()));
}

void GradLoop::close_open_merges(const Scope& at) {
  for (const auto& [node, merged] : merges) {
    require(!merged.is_slices() ||
                merged.slices().values.node->input(0) != merged.slices().values.node->input(1),
            "the gradient of ", node->name(),
            " is sparse and does not come from the iteration before");
    if (merged.is_slices()) continue;
    Node& merge = *merged.dense().node;
    if (merge.input(0) != merge.input(1)) continue;
    const Output next = carried_zeros(at, merged.dense());
    Scope inside = at.inside(backward_);
    add_back_edge(inside, merged.dense(), next);
  }
}

}  // namespace rill
