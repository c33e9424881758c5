#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "rill/grad/grad_loop.h"

namespace rill {

// The loops that one call of gradients() goes back through, and the zeros that stand where nothing
// arrives: inside of branches and loops they must exist in the iterations and branches that ran.
class GradLoops {
 public:
  // Called for the nodes between xs and ys in order; the first Exit of a loop makes its GradLoop.
  // Returns the loop if it is new.
  GradLoop* see(const Scope& at, const Node& node);
  bool any() const { return !loops_.empty(); }
  const std::vector<GradLoop*>& all() const { return loops_; }

  // The loop in which the gradient of `node` is built. For an Exit, what arrives is gathered
  // outside (`of_result`) of the loop that its gradient enters.
  GradLoop* of(const Node& node, bool of_result) const;
  // The context for that, where gradients() was called in `home`.
  FlowContext* context(const Node& node, bool of_result, FlowContext* home) const;

  // Zeros for output i of a node to which no gradient arrives; empty where none are needed. `at` is
  // inside the context above.
  Gradient zeros_for(const Scope& at, Node& node, int i) const;
  Output zeros_for_exit(const Scope& at, Output exit) const;

 private:
  GradLoop* loop_of(const LoopContext* forward) const;
  Output zeros_in_loop(const Scope& at, GradLoop& loop, Node& node, int i) const;

  std::vector<GradLoop*> loops_;
  std::unordered_map<const LoopContext*, GradLoop*> by_forward_;
};

}  // namespace rill
