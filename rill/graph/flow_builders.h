#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rill/graph/flow_context.h"

namespace rill {

// Builds a cond step by step: whoever uses it runs the functions of the two branches in between.
// The scope is the cond's own name scope ("cond").
//
//   CondBuilder cond(scope.named("cond"), pred);
//   Scope yes = cond.branch(true), no = cond.branch(false);
//   Output y = cond.merge(cond.result(false, g(no)), cond.result(true, f(yes)));
class CondBuilder {
 public:
  CondBuilder(Scope scope, const Input& pred);

  // Where nodes of one branch are made.
  Scope branch(bool taken_if) const;
  // How a branch hands out a tensor, or the fact that an operation has run.
  Output result(bool taken_if, Output value) const;
  Output result(bool taken_if, Node& operation) const;
  // One of these for each pair of results; throws InvalidArgument when their types differ.
  Output merge(Output if_false, Output if_true);

 private:
  Scope scope_;
  CondContext* branches_[2];
};

struct WhileOptions {
  int parallel_iterations = 10;
  bool back_prop = true;     // may gradients be taken through the loop?
  bool swap_memory = false;  // values kept for gradients may leave the device's memory
  OptionalInput maximum_iterations = {};
  // Empty, or for each variable a shape that it keeps to although its own changes.
  std::vector<PartialShape> shape_invariants = {};

  operator LoopOptions() const {
    return {.parallel_iterations = parallel_iterations,
            .back_prop = back_prop,
            .swap_memory = swap_memory};
  }
};

// Builds a while loop step by step: begin_condition, end_condition, begin_body, end_body. The scope
// is the loop's own name scope ("while").
class WhileBuilder {
 public:
  // Throws InvalidArgument when there are no variables or an option does not fit them.
  WhileBuilder(Scope scope, std::span<const Input> variables, WhileOptions options = {});

  Scope inside() const { return scope_.inside(loop_); }  // where cond and body make nodes
  LoopContext& context() const { return *loop_; }

  // The variables as the condition sees them.
  std::vector<Output> begin_condition();
  void end_condition(const Input& go_on);
  // The variables as the body sees them.
  std::vector<Output> begin_body();
  // Takes the variables' next values and returns what leaves the loop. Throws InvalidArgument when
  // their number or types differ, or a shape is not one that the loop was built for.
  std::vector<Output> end_body(std::span<const Input> next);

 private:
  void make_enters(std::span<const Output> variables);
  void set_invariants(std::span<const Output> variables);
  void check_shape(std::size_t variable, Output next) const;
  std::vector<Output> without_counter(std::vector<Output> all) const;

  Scope scope_;
  WhileOptions options_;
  LoopContext* loop_ = nullptr;
  bool counts_ = false;  // the first variable is the number of iterations so far
  std::vector<Output> merges_;
  std::vector<Node*> switches_;
  Output within_limit_, next_count_;
};

// A NextIteration of `next`, fed back to `merge`, which was made with its first input twice.
Output add_back_edge(Scope& scope, Output merge, Output next);
// Merge(x, x): the second input is given later.
Output merge_with_itself(Scope& scope, Output x, std::string_view name = "Merge");

// `value` after `before` has run.
Output with_dependency(Scope& scope, Node& before, Output value);

}  // namespace rill
