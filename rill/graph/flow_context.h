#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

class LoopContext;

// One branch of a cond, or one loop, while and after it is built: which tensors are known inside,
// and how others get there. A scope that is `inside` a context hands it every node it makes.
class FlowContext {
 public:
  FlowContext(Graph& graph, std::string name, FlowContext* outer)
      : graph_(graph), name_(std::move(name)), outer_(outer) {}
  virtual ~FlowContext() = default;
  FlowContext(const FlowContext&) = delete;
  FlowContext& operator=(const FlowContext&) = delete;

  Graph& graph() const { return graph_; }
  const std::string& name() const { return name_; }
  FlowContext* outer() const { return outer_; }
  virtual bool is_loop() const = 0;
  LoopContext* loop();  // the innermost loop around, this one included; or nullptr
  // What a node without inputs waits for, so that it runs only when the rest does; may be empty.
  virtual Output pivot() const = 0;

  // The tensor that stands for `value` in here. Nodes that are needed for it are made at `at`, the
  // scope in which someone reads the value.
  virtual Output bring_in(const Scope& at, Output value) = 0;
  // Makes a new node part of this context: its inputs are brought in, it waits for the pivot where
  // nothing else ties it to the context. `outside` is what drop_outside took from it.
  virtual void take_in(const Scope& at, Node& node, std::span<Node* const> outside) = 0;
  // Takes away, and returns, what lies outside of the innermost loop: a loop's frame has no way to
  // wait for it.
  std::vector<Node*> drop_outside(std::vector<Node*>& control_inputs);

  bool knows(Output value) const { return values_.contains(value); }
  void know(Output value) { values_.insert(value); }
  void know_everywhere(Output value);                 // and in all contexts around
  void leave(std::span<const Output> results) const;  // what the context around gets to know
  const std::unordered_set<Output, OutputHash>& values() const { return values_; }
  const std::unordered_map<Output, Output, OutputHash>& stand_ins() const { return stand_ins_; }
  void add_stand_in(Output value, Output inside) { stand_ins_[value] = inside; }

 protected:
  // `value`, or what it was replaced by; for values that are known.
  Output stand_in_for(Output value) const;
  void bring_in_inputs(const Scope& at, Node& node);
  void forget_values() { values_.clear(); }

  Graph& graph_;
  std::string name_;
  FlowContext* outer_;

 private:
  std::unordered_set<Output, OutputHash> values_;
  std::unordered_map<Output, Output, OutputHash> stand_ins_;
};

// One branch: values get in through a Switch on the predicate.
class CondContext : public FlowContext {
 public:
  // Makes a context that `graph` keeps.
  static CondContext& create(Graph& graph, std::string name, FlowContext* outer, Output pred,
                             Output pivot, int branch);
  CondContext(Graph& graph, std::string name, FlowContext* outer, Output pred, Output pivot,
              int branch);

  bool is_loop() const override { return false; }
  Output pred() const { return pred_; }
  Output pivot() const override { return pivot_; }
  int branch() const { return branch_; }  // 1 where the predicate is true, else 0
  Output bring_in(const Scope& at, Output value) override;
  void take_in(const Scope& at, Node& node, std::span<Node* const> outside) override;
  // A result of the branch; a tensor from outside gets its Switch here.
  Output result(Scope& at, Output value);

 private:
  Output from_around(const Scope& at, Output value);
  Output pred_, pivot_;
  int branch_;
};

// What a loop that runs backwards knows of the loop whose gradients it computes.
class LoopHistory {
 public:
  virtual ~LoopHistory() = default;
  virtual LoopContext& forward() const = 0;
  // A value of the forward loop, as of the iteration that is being undone.
  virtual Output value_of(const Scope& at, Output forward_value) = 0;
};

struct LoopOptions {
  int parallel_iterations = 10;
  bool back_prop = true;     // may gradients be taken through the loop?
  bool swap_memory = false;  // values kept for gradients may leave the device's memory
};

// One loop: values get in through a constant Enter. The name is that of the loop's frame.
class LoopContext : public FlowContext {
 public:
  // Makes a context that `graph` keeps; `name` must be unique.
  static LoopContext& create(Graph& graph, std::string name, FlowContext* outer,
                             const LoopOptions& options);
  LoopContext(Graph& graph, std::string name, FlowContext* outer, const LoopOptions& options)
      : FlowContext(graph, std::move(name), outer), options(options) {}

  bool is_loop() const override { return true; }
  Output pivot() const override { return body_pivot.node ? body_pivot : pred_pivot; }
  Output bring_in(const Scope& at, Output value) override;
  void take_in(const Scope& at, Node& node, std::span<Node* const> outside) override;

  // An Enter of this loop for `value`, made at `at` under `name`; of a variable whose shape changes
  // nothing is known.
  enum class Enters { kConstant, kVariable, kChangingShape };
  Output enter(const Scope& at, Output value, Enters how, std::string_view name = "Enter");
  // Makes Enters part of this loop; they wait for what `at` says, as far as it is around the loop.
  void adopt_enters(const Scope& at, std::span<const Output> enters);
  void start_with(std::span<const Output> values);  // forgets what was known

  LoopOptions options;
  Output maximum_iterations;      // empty when there is no limit
  Output loop_cond;               // LoopCond's output
  Output pred_pivot, body_pivot;  // the first Merge, and the first value of the body
  std::vector<Output> enters, exits;
  std::shared_ptr<LoopHistory> history;  // only of loops that compute gradients

 private:
  void take_in_here(const Scope& at, Node& node, std::span<Node* const> outside);
};

// The context that an output of `node` is in: for an Exit the one around its loop.
FlowContext* output_context(const Node& node);
LoopContext* output_loop(const Node& node);
bool contains(const FlowContext* outer, const FlowContext* inner);  // or is the same

bool is_constant_enter(const Node& node);
bool is_loop_switch(const Node& node);  // not one of a cond that is in a loop
// The constant Enter that `value` comes from, through identities and switches; or nullptr.
Node* constant_enter_behind(Output value);

// Throws InvalidArgument where a node in `context` would read a value that is inside a loop which
// is not around `context`.
void check_sources(const NodeSpec& node, const FlowContext* context);

// Makes nodes that came into the graph without a scope part of the context that `at` is inside.
void take_in_imported(const Scope& at, std::span<Node* const> nodes);

// Switch(data, pred) beside its data; a reference is switched as one.
Node& add_switch(const Scope& at, Output data, Output pred, std::string_view name = "Switch");

}  // namespace rill
