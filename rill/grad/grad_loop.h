#pragma once

#include <unordered_map>
#include <vector>

#include "rill/graph/flow_context.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

// A list, or another value without a shape of its own.
inline bool is_variant(const Output& x) { return base_type(x.dtype()) == DType::variant; }

// A loop that undoes another one iteration by iteration, last iteration first. Values of the
// forward loop that it needs are pushed to stacks while that one runs, and popped here.
class GradLoop final : public LoopHistory {
 public:
  // Makes the counters of both loops at `at`; `outer` undoes the loop around `forward`, if any.
  // The backward loop's context keeps the new object.
  static GradLoop& create(const Scope& at, LoopContext& forward, GradLoop* outer);
  // The loop that `context` is or lies in, if it computes gradients.
  static GradLoop* around(FlowContext* context);

  LoopContext& forward() const override { return forward_; }
  LoopContext& backward() const { return *backward_; }
  GradLoop* outer() const { return outer_; }

  Output value_of(const Scope& at, Output forward_value) override;
  // A predicate of the forward loop, as of the iteration that is being undone.
  Output predicate_of(const Scope& at, Output pred);
  // The two halves of that: a stack that `value` is pushed to in every iteration, and what is
  // popped from it. `dead_branch`: the value is one for the branch of its cond that is not taken.
  Output remember(const Scope& at, Output value, bool dead_branch = false);
  Output recall(const Scope& at, Output stack, Output value, bool dead_branch = false);
  // What was recalled of `pred` before; empty when nothing was.
  Output recalled(Output pred) const;

  // Sums the gradients that arrive in each iteration at a value which is the same in all of them.
  Gradient accumulate(const Scope& at, const Node& enter, const Gradient& gradient);

  // Merges that start the gradient of a loop variable, by the Switch of the forward loop.
  std::vector<std::pair<const Node*, Gradient>> merges;
  const Gradient* merge_of(const Node& forward_switch) const;
  // Where a variable's next value does not depend on its last one, zeros are carried.
  void close_open_merges(const Scope& at);

  // The Exits of the forward loop when this was made, and those the walk has come by.
  std::vector<Output> forward_exits, deferred_exits, unused_exits;
  int pending_exits = 0;

 private:
  GradLoop(const Scope& at, LoopContext& forward, GradLoop* outer)
      : home_(at.flow()), forward_(forward), outer_(outer) {}
  Output count_forward(Scope at);
  void count_backward(Scope at, Output iterations);
  Node& forward_sync(const Scope& at);
  Node& backward_sync(const Scope& at);
  Node& forward_add() const { return *forward_index_->input(0).node; }
  Output initial_sum(const Scope& at, const Node& enter, Output gradient);
  Output accumulate_dense(const Scope& at, const Node& enter, Output gradient);
  IndexedSlices accumulate_slices(const Scope& at, const Node& enter, const IndexedSlices& slices);
  Output carried_zeros(const Scope& at, Output merge);

  FlowContext* const home_;  // where gradients() was called
  LoopContext& forward_;
  GradLoop* const outer_;
  LoopContext* backward_ = nullptr;
  Node *forward_index_ = nullptr, *backward_index_ = nullptr;  // the counters' NextIterations
  Node *forward_sync_ = nullptr, *backward_sync_ = nullptr;
  std::unordered_map<Output, Output, OutputHash> recalled_;
};

}  // namespace rill
