#include "rill/api/train/optimizer.h"

#include <algorithm>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/gradients.h"
#include "rill/api/core/texts.h"
#include "rill/api/eager/gradient_tape.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/resource.h"
#include "rill/api/gen/state.h"
#include "rill/api/replicas/strategy.h"
#include "rill/api/train/parts.h"
#include "rill/api/variables/new_variables.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/graph/body_owner.h"
#include "rill/graph/builders.h"
#include "rill/graph/function_define.h"

namespace rill::train {
namespace {

// As Python prints a list of variables' texts.
std::string texts_of(const std::vector<GradientAndVariable>& items) {
  std::string text;
  for (const auto& item : items)
    text += str_cat(text.empty() ? "" : ", ", "\"<tf.Variable '", item.variable.name(),
                    "' shape=", shape_text(item.variable.shape()),
                    " dtype=", dtype_text(item.variable.dtype()),
                    item.variable.is_resource() ? ">\"" : "_ref>\"");
  return str_cat("[", text, "]");
}

// Where a strategy makes the loss of a batch of the replicas' means.
Output scaled_for_replicas(const Output& loss) {
  const distribute::Strategy strategy = distribute::get_strategy();
  const int replicas = strategy.num_replicas_in_sync();
  if (replicas == 1 || !strategy.extended().scales_loss) return loss;
  return raw::Mul(loss, 1.0 / replicas, {.name = "mul"});
}

bool has_gradient(const GradientAndVariable& item) { return !item.gradient.empty(); }

// In the body of a function: the variables from outside that it has read by now and that are
// trained.
void add_captured(std::vector<Variable>& found) {
  const FunctionBuilder* const builder = default_graph()->attached<BodyOwner>().builder;
  if (builder == nullptr) return;
  for (const Output& outside : builder->captured()) {
    if (base_type(outside.dtype()) != DType::resource || !outside.node->is_executed()) continue;
    if (Variable variable = find_variable(outside); variable && variable.trainable())
      found.push_back(std::move(variable));
  }
}

std::vector<Variable> variables_to_train() {
  std::vector<Variable> found = trainable_variables();
  for (auto& state : collections_of(*default_graph())
                         .collected<VariableState>(GraphKeys::TRAINABLE_RESOURCE_VARIABLES))
    found.emplace_back(state);
  add_captured(found);
  return found;
}

// No gradient is handed out before all of them are there.
void gate(std::vector<Gradient>& gradients) {
  std::vector<Output> tensors;
  for (const Gradient& g : gradients)
    if (!g.empty()) tensors.push_back(g.is_slices() ? g.slices().values : g.dense());
  if (tensors.empty()) return;
  const std::vector<Output> gated = tuple(tensors);
  std::size_t next = 0;
  for (Gradient& g : gradients) {
    if (g.empty()) continue;
    const Output value = gated.at(next++);
    g = g.is_slices() ? Gradient(IndexedSlices{value, g.slices().indices, g.slices().dense_shape})
                      : Gradient(value);
  }
}

}  // namespace

Optimizer::~Optimizer() = default;

Optimizer::Optimizer(bool use_locking, std::string name)
    : name_(std::move(name)), use_locking_(use_locking) {
  require(!name_.empty(), "Must specify the optimizer name");
}

std::vector<DType> Optimizer::valid_dtypes() const {
  return {DType::f16, DType::bf16, DType::f32, DType::f64};
}

void Optimizer::check_dtype(const std::string& what, DType dtype) const {
  const std::vector<DType> valid = valid_dtypes();
  if (std::ranges::find(valid, base_type(dtype)) != valid.end()) return;
  std::string expected;
  for (const DType type : valid)
    expected += str_cat(expected.empty() ? "" : ", ", "tf.", dtype_text(type));
  require(false, "Invalid type tf.", dtype_text(dtype), " for ", what, ", expected: [", expected,
          "].");
}

namespace {

ComputeGradientsOptions gradient_options(const MinimizeOptions& options) {
  return {.var_list = options.var_list,
          .gate_gradients = options.gate_gradients,
          .aggregation_method = options.aggregation_method,
          .colocate_gradients_with_ops = options.colocate_gradients_with_ops,
          .grad_loss = options.grad_loss};
}

}  // namespace

Node& Optimizer::minimize(Output loss, const MinimizeOptions& options, std::source_location at) {
  return apply_some(compute_gradients(loss, gradient_options(options), at), options, at);
}

Node& Optimizer::minimize(const std::function<Output()>& loss, const MinimizeOptions& options,
                          std::source_location at) {
  return apply_some(compute_gradients(loss, gradient_options(options), at), options, at);
}

Node& Optimizer::apply_some(const std::vector<GradientAndVariable>& items,
                            const MinimizeOptions& options, std::source_location at) {
  require(std::ranges::any_of(items, has_gradient),
          "No gradients provided for any variable, check your graph for ops that do not support "
          "gradients, between variables ",
          texts_of(items), " and the loss.");
  return apply_gradients(items, {.global_step = options.global_step, .name = options.name}, at);
}

std::vector<GradientAndVariable> Optimizer::compute_gradients(
    const std::function<Output()>& loss, const ComputeGradientsOptions& options,
    std::source_location at) {
  if (!executing_eagerly()) return compute_gradients(loss(), options, at);
  GradientTape tape;
  std::vector<Variable> vars;
  if (options.var_list) vars = *options.var_list;
  for (const Variable& var : vars) tape.watch(var);
  const Output value = loss();
  check_dtype("loss", value.dtype());
  if (!options.var_list)
    for (const Output& handle : tape.watched())
      if (Variable var = find_variable(handle)) vars.push_back(std::move(var));
  require(!vars.empty(), "No variables to optimize.");
  std::vector<Output> handles;
  for (const Variable& var : vars) handles.push_back(var.handle());
  TapeGradientOptions how;
  if (!options.grad_loss.empty()) how.output_gradients = {options.grad_loss};
  const auto found = tape.gradient(std::span(&value, 1), handles, how);
  std::vector<GradientAndVariable> items;
  for (std::size_t i = 0; i < vars.size(); ++i) {
    if (!found[i].empty()) check_dtype(vars[i].name(), vars[i].dtype());
    items.push_back({found[i], vars[i]});
  }
  return items;
}

std::vector<GradientAndVariable> Optimizer::compute_gradients(
    Output loss, const ComputeGradientsOptions& options, std::source_location at) {
  if (executing_eagerly())
    raise(Code::kFailedPrecondition,
          "`loss` passed to Optimizer.compute_gradients should be a function when eager execution "
          "is enabled.");
  check_dtype(loss.name(), loss.dtype());
  const std::vector<Variable> vars = options.var_list ? *options.var_list : variables_to_train();
  require(!vars.empty(), "No variables to optimize.");
  std::vector<Output> targets;
  for (const Variable& var : vars) targets.push_back(var.handle());
  GradientOptions how{.colocate_with_ops = options.colocate_gradients_with_ops,
                      .gate = options.gate_gradients == GateGradients::kOp,
                      .aggregation = options.aggregation_method};
  if (!options.grad_loss.empty()) how.grad_ys = {options.grad_loss};
  loss = scaled_for_replicas(loss);
  std::vector<Gradient> gradients = rill::gradients({loss}, targets, how, at);
  if (options.gate_gradients == GateGradients::kGraph) gate(gradients);
  std::vector<GradientAndVariable> items;
  for (std::size_t i = 0; i < vars.size(); ++i) {
    if (!gradients[i].empty()) check_dtype(vars[i].name(), vars[i].dtype());
    items.push_back({gradients[i], vars[i]});
  }
  return items;
}

Node& Optimizer::apply_gradients(const std::vector<GradientAndVariable>& grads_and_vars,
                                 const ApplyGradientsOptions& options, std::source_location at) {
  require(!grads_and_vars.empty(), "No variables provided.");
  if (distribute::has_strategy()) return apply_in_replica(grads_and_vars, options, at);
  std::vector<Variable> changed;
  for (const auto& item : grads_and_vars)
    if (has_gradient(item)) changed.push_back(item.variable);
  require(!changed.empty(), "No gradients provided for any variable: ", texts_of(grads_and_vars),
          ".");
  const InScope made(here(at));
  {
    const OutsideFlow outside;
    create_slots(changed);
  }
  if (executing_eagerly()) notice_new_variables();
  const Block in(options.name, name_, at);
  prepare();
  std::vector<Node*> updates;
  for (const auto& item : grads_and_vars)
    if (has_gradient(item)) updates.push_back(&update(item));
  Node& done = options.global_step ? [&]() -> Node& {
    Node* const updated = &finish(updates, "update");
    const ControlDependencies after(std::span(&updated, 1));
    return count_step(options.global_step, in.own_name());
  }()
      : finish(updates, in.own_name());
  if (executing_eagerly()) return done;
  const auto known = get_collection(GraphKeys::TRAIN_OP);
  if (std::ranges::find(known, CollectionItem(&done)) == known.end())
    add_to_collection(GraphKeys::TRAIN_OP, &done);
  return done;
}

Node& Optimizer::update(const GradientAndVariable& item) {
  const Variable& var = item.variable;
  const NameScope named("update_" + var.op().name());
  std::optional<ColocateWith> beside;
  if (var.whole() == var) beside.emplace(var.op());  // a copy is changed where its strategy says
  if (item.gradient.is_slices()) {
    if (var->constraint)
      raise(Code::kFailedPrecondition, "Cannot use a constraint function on a sparse variable.");
    const IndexedSlices& rows = item.gradient.slices();
    if (!var.is_resource()) return apply_sparse_duplicate_indices(rows, var);
    return resource_apply_sparse_duplicate_indices(rows.values, var, rows.indices);
  }
  const Output grad = item.gradient.dense();
  Node* const changed =
      var.is_resource() ? &resource_apply_dense(grad, var) : &apply_dense(grad, var);
  if (!var->constraint) return *changed;
  const ControlDependencies after(std::span(&changed, 1));
  if (var.is_eager()) return var.assign_op(var->constraint(var));
  return write_of(var, var.assign(var->constraint(var)));
}

Node& Optimizer::count_step(const Variable& global_step, const std::string& name) {
  const ColocateWith beside(global_step.op());
  if (global_step.is_resource()) {
    const Output one = as_tensor(1, "Const", global_step.dtype());
    return raw::AssignAddVariableOp(global_step.handle(), one, {.name = name});
  }
  return *raw::AssignAdd(global_step.handle(), 1, {.name = name}).node;
}

Node& Optimizer::finish(const std::vector<Node*>& update_ops, const std::string& name_scope) {
  return group_all(update_ops, name_scope);
}

void Optimizer::create_slots(const std::vector<Variable>&) {}

Node& Optimizer::apply_dense(Output, const Variable&) {
  raise(Code::kUnimplemented, "the optimizer ", name_, " has no apply_dense");
}
Node& Optimizer::resource_apply_dense(Output, const Variable&) {
  raise(Code::kUnimplemented, "the optimizer ", name_, " has no resource_apply_dense");
}
Node& Optimizer::apply_sparse(const IndexedSlices&, const Variable&) {
  raise(Code::kUnimplemented, "the optimizer ", name_, " has no apply_sparse");
}
Node& Optimizer::resource_apply_sparse(Output, const Variable&, Output) {
  raise(Code::kUnimplemented, "the optimizer ", name_, " has no resource_apply_sparse");
}

Node& Optimizer::apply_sparse_duplicate_indices(const IndexedSlices& grad, const Variable& var) {
  const auto [values, indices] = sum_duplicates(grad.values, grad.indices);
  return apply_sparse({values, indices, grad.dense_shape}, var);
}

Node& Optimizer::resource_apply_sparse_duplicate_indices(Output grad, const Variable& var,
                                                         Output indices) {
  const auto [values, unique] = sum_duplicates(grad, indices);
  return resource_apply_sparse(values, var, unique);
}

std::pair<Output, Output> sum_duplicates(Output values, Output indices) {
  Node& unique = current_scope().add("Unique", {indices});
  const Output shape = raw::Shape(unique.output(0));
  const Output count = strided_slice(current_scope(), shape, 0, 1, true);
  return {raw::UnsortedSegmentSum(values, unique.output(1), count), unique.output(0)};
}

}  // namespace rill::train
