#pragma once

#include <map>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/train/hyper_parameter.h"
#include "rill/api/variables/initializer.h"
#include "rill/grad/gradients.h"

namespace rill::distribute {
class StrategyExtended;
}

namespace rill::train {

// What waits for what when gradients are computed. kNone: nothing, the most parallel and not always
// repeatable. kOp: all gradients of an operation before any is used. kGraph: all gradients of all
// variables before any variable changes.
enum class GateGradients { kNone, kOp, kGraph };

struct GradientAndVariable {
  Gradient gradient = {};  // empty where the loss does not depend on the variable
  Variable variable = {};
};

// colocate_gradients_with_ops: on the devices of the operations that they are the gradients of.
struct ComputeGradientsOptions {
  std::optional<std::vector<Variable>> var_list = {};  // the trainable variables when absent
  GateGradients gate_gradients = GateGradients::kOp;
  Aggregation aggregation_method = Aggregation::kAddN;
  bool colocate_gradients_with_ops = false;
  Gradient grad_loss = {};  // ones when empty
};

struct ApplyGradientsOptions {
  Variable global_step = {};  // grows by one, after the update
  std::string name = {};      // the optimizer's when empty
};

struct MinimizeOptions {
  Variable global_step = {};
  std::optional<std::vector<Variable>> var_list = {};
  GateGradients gate_gradients = GateGradients::kOp;
  Aggregation aggregation_method = Aggregation::kAddN;
  bool colocate_gradients_with_ops = false;
  Gradient grad_loss = {};
  std::string name = {};
};

// Builds the operations that change variables along gradients. Subclasses say how one variable is
// changed; the virtual functions are what they may change. An optimizer may be used in several
// graphs. Not for several threads at once.
//
//   GradientDescentOptimizer sgd(0.1);
//   auto items = sgd.compute_gradients(loss);
//   for (auto& item : items) item.gradient = clip_by_norm(item.gradient, 1.0);
//   Node& train_op = sgd.apply_gradients(items);
//
// Nothing changes before a session runs what is returned. Slots are variables, so the session must
// initialize them too: make the initializer after the training operation.
class Optimizer {
 public:
  Optimizer(bool use_locking, std::string name);  // throws InvalidArgument without a name
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  const std::string& get_name() const { return name_; }
  bool use_locking() const { return use_locking_; }

  // compute_gradients and apply_gradients in one. Throws InvalidArgument when the loss depends on
  // no variable.
  Node& minimize(Output loss, const MinimizeOptions& options = {},
                 std::source_location at = std::source_location::current());
  // One pair for each variable, in order. Throws InvalidArgument when there is no variable, or the
  // loss or a variable with a gradient has none of valid_dtypes().
  virtual std::vector<GradientAndVariable> compute_gradients(
      Output loss, const ComputeGradientsOptions& options = {},
      std::source_location at = std::source_location::current());
  // The same in eager execution, of what `loss` computes; without a list, of the trainable
  // variables that it reads.
  Node& minimize(const std::function<Output()>& loss, const MinimizeOptions& options = {},
                 std::source_location at = std::source_location::current());
  std::vector<GradientAndVariable> compute_gradients(
      const std::function<Output()>& loss, const ComputeGradientsOptions& options = {},
      std::source_location at = std::source_location::current());
  // Changes all variables that have a gradient, then their constraints are applied and
  // `global_step` grows. The operation goes to the collection TRAIN_OP. Throws InvalidArgument when
  // there is no gradient at all, FailedPrecondition for rows of a variable with a constraint.
  virtual Node& apply_gradients(const std::vector<GradientAndVariable>& grads_and_vars,
                                const ApplyGradientsOptions& options = {},
                                std::source_location at = std::source_location::current());

  virtual Variable get_slot(const Variable& var, const std::string& name) const;  // none: no such
  virtual std::vector<std::string> get_slot_names() const;                        // sorted
  virtual std::vector<Variable> variables() const;  // its own in the default graph, by name

  // --- what subclasses say ----------------------------------------------------------------------
  virtual std::vector<DType> valid_dtypes() const;  // f16, bf16, f32, f64
  // Makes the variables that the updates need, where they are not there yet.
  virtual void create_slots(const std::vector<Variable>& var_list);
  virtual void prepare() {}  // before the updates: makes the tensors they share
  // The change of one variable. The default ones throw Unimplemented.
  virtual Node& apply_dense(Output grad, const Variable& var);
  virtual Node& resource_apply_dense(Output grad, const Variable& var);
  virtual Node& apply_sparse(const IndexedSlices& grad, const Variable& var);
  virtual Node& resource_apply_sparse(Output grad, const Variable& var, Output indices);
  // Rows may come several times: these add them up, then call the functions above.
  virtual Node& apply_sparse_duplicate_indices(const IndexedSlices& grad, const Variable& var);
  virtual Node& resource_apply_sparse_duplicate_indices(Output grad, const Variable& var,
                                                        Output indices);
  // After the updates: one operation for all of them, named `name_scope`.
  virtual Node& finish(const std::vector<Node*>& update_ops, const std::string& name_scope);

  // --- what they use ----------------------------------------------------------------------------
  // The slot of that name, made where there is none yet: <variable>/<op_name>.
  Variable zeros_slot(const Variable& var, const std::string& slot_name,
                      const std::string& op_name);
  Variable get_or_make_slot(const Variable& var, const Input& value, const std::string& slot_name,
                            const std::string& op_name);
  Variable get_or_make_slot_with_initializer(const Variable& var, const Initializer& initializer,
                                             const PartialShape& shape, DType dtype,
                                             const std::string& slot_name,
                                             const std::string& op_name);
  Variable slot(const Variable& var, const std::string& name) const;  // throws when there is none
  void set_slot(const Variable& var, const std::string& slot_name, const Variable& slot);
  // A variable of the optimizer itself, one for each graph, beside `colocate_with`.
  Variable create_non_slot_variable(const Input& initial_value, const std::string& name,
                                    const Variable& colocate_with);
  Variable get_non_slot_variable(const std::string& name, const Graph& graph) const;
  std::vector<Variable> non_slot_variables() const;

 protected:
  std::string name_;
  bool use_locking_;

 private:
  using Key = std::pair<const Graph*, std::string>;  // and the name of the variable's node
  void check_dtype(const std::string& what, DType dtype) const;
  Node& update(const GradientAndVariable& item);
  // In a replica of a strategy: the gradients of all replicas come together, then each copy of the
  // variables is changed.
  Node& apply_in_replica(const std::vector<GradientAndVariable>& items,
                         const ApplyGradientsOptions& options, std::source_location at);
  using OfReplicas = std::vector<std::vector<GradientAndVariable>>;
  std::vector<Node*> apply_outside(distribute::StrategyExtended& strategy, const OfReplicas& items,
                                   const ApplyGradientsOptions& options, std::source_location at);
  std::vector<Node*> update_copies(distribute::StrategyExtended& strategy,
                                   const std::vector<Variable>& variables,
                                   const std::vector<std::vector<Gradient>>& gradients);
  Node& apply_some(const std::vector<GradientAndVariable>& items, const MinimizeOptions& options,
                   std::source_location at);
  Node& count_step(const Variable& global_step, const std::string& name);

  std::map<std::string, std::map<Key, Variable>> slots_;
  std::map<std::string, std::map<const Graph*, Variable>> non_slots_;
};

// Rows that occur several times in `indices` added up: the sums, and each index once.
std::pair<Output, Output> sum_duplicates(Output values, Output indices);

}  // namespace rill::train
