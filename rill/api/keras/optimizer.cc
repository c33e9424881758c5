#include "rill/api/keras/optimizer.h"

#include <algorithm>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/gradients.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/resource.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/train/clip_ops.h"
#include "rill/api/train/parts.h"
#include "rill/api/variables/new_variables.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/base/error.h"

namespace rill::keras {

Optimizer::~Optimizer() = default;

void Optimizer::set_hyper(const std::string& name, HyperValue value) {
  hypers_[name] = std::move(value);
}

std::vector<Variable> Optimizer::weights() const { return weights_; }

Optimizer::Optimizer(std::string default_name, const OptimizerOptions& options)
    : epsilon_(options.epsilon.value_or(backend::epsilon())),
      class_name_(std::move(default_name)),
      name_(options.name.empty() ? class_name_ : options.name),
      options_(options) {
  require(options.decay.value_or(0) >= 0,
          "decay cannot be less than 0: ", options.decay.value_or(0));
  set_hyper("learning_rate", options.learning_rate.value_or(HyperValue(0.001)));
  set_hyper("decay", options.decay.value_or(0));
}

Variable Optimizer::add_weight(const std::string& name, const Tensor& value) {
  const OutsideFlow outside;
  return Variable(value, {.trainable = false, .use_resource = true, .name = name});
}

Variable Optimizer::iterations() {
  if (iterations_) return iterations_;
  iterations_ = add_weight("iter", Tensor::scalar<std::int64_t>(0));
  weights_.insert(weights_.begin(), iterations_);
  return iterations_;
}

void Optimizer::create_hypers() {
  for (const auto& [name, value] : hypers_) {
    const double* number = std::get_if<double>(&value);
    if (!number || hyper_variables_.contains(name)) continue;
    hyper_variables_[name] = add_weight(name, Tensor::scalar(static_cast<float>(*number)));
  }
}

Variable Optimizer::hyper_variable(const std::string& name) {
  const auto found = hyper_variables_.find(name);
  return found == hyper_variables_.end() ? Variable() : found->second;
}

std::vector<std::string> Optimizer::hyper_names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : hypers_) names.push_back(name);
  return names;
}

Output Optimizer::get_hyper(const std::string& name, DType dtype) {
  const HyperValue& value = hypers_.at(name);
  if (const Schedule* schedule = std::get_if<Schedule>(&value))
    return rill::cast((*schedule)(rill::cast(iterations().value(), DType::f32)), dtype);
  return rill::cast(raw::Identity(hyper_variables_.at(name)), dtype);
}

Output Optimizer::decayed_rate(DType dtype) {
  const Output rate = get_hyper("learning_rate", dtype);
  if (options_.decay.value_or(0) <= 0) return rate;
  const Output steps = rill::cast(iterations().value(), dtype);
  return rate / (1.0 + get_hyper("decay", dtype) * steps);
}

Variable Optimizer::add_slot(const Variable& var, const std::string& name, double value) {
  if (const Variable known = find_slot(var, name)) return known;
  const OutsideFlow outside;
  const Initializer fill = value == 0 ? zeros_initializer() : constant_initializer(value);
  const std::function<Output()> initial = [&] {
    return fill({.shape = var.shape().full(), .dtype = var.dtype()});
  };
  const Variable slot(initial, {.trainable = false,
                                .dtype = var.dtype(),
                                .use_resource = true,
                                .name = var.op().name() + "/" + name});
  std::erase_if(slots_, [](const auto& entry) { return entry.second.owner.expired(); });
  slots_[{var.state().get(), name}] = {var.state(), slot};
  weights_.push_back(slot);
  if (std::ranges::find(slot_names_, name) == slot_names_.end()) slot_names_.push_back(name);
  return slot;
}

Variable Optimizer::find_slot(const Variable& var, const std::string& name) const {
  const auto found = slots_.find({var.state().get(), name});
  return found == slots_.end() || found->second.owner.expired() ? Variable() : found->second.made;
}

Variable Optimizer::get_slot(const Variable& var, const std::string& name) const {
  const Variable slot = find_slot(var, name);
  require(bool(slot), "the optimizer ", name_, " has no slot ", name, " of ", var.name());
  return slot;
}

namespace {

// A change of each gradient that there is.
template <class Change>
void change_each(std::vector<Gradient>& gradients, const Change& change) {
  for (Gradient& g : gradients) {
    if (g.empty()) continue;
    g = g.is_slices() ? Gradient(IndexedSlices{change(g.slices().values), g.slices().indices,
                                               g.slices().dense_shape})
                      : Gradient(change(g.dense()));
  }
}

}  // namespace

std::vector<Gradient> Optimizer::get_gradients(Output loss, const std::vector<Variable>& params,
                                               std::source_location at) {
  const Block in("", name_ + "/gradients", at);
  std::vector<Output> targets;
  for (const Variable& var : params) targets.push_back(var.handle());
  std::vector<Gradient> found = rill::gradients({loss}, targets, {}, at);
  for (std::size_t i = 0; i < found.size(); ++i)
    require(!found[i].empty(), "Variable ", params[i].name(),
            " has `None` for gradient. Please make sure that all of your ops have a gradient "
            "defined (i.e. are differentiable).");
  if (options_.clipnorm)
    change_each(found, [&](Output g) { return rill::clip_by_norm(Input(g), *options_.clipnorm); });
  if (options_.clipvalue)
    change_each(found, [&](Output g) {
      return rill::clip_by_value(g, -*options_.clipvalue, *options_.clipvalue);
    });
  return found;
}

Node& Optimizer::update(const train::GradientAndVariable& item) {
  const Variable& var = item.variable;
  const NameScope named("update_" + var.op().name());
  if (item.gradient.is_slices()) {
    if (var->constraint)
      raise(Code::kFailedPrecondition, "Cannot use a constraint function on a sparse variable.");
    const auto [values, indices] =
        train::sum_duplicates(item.gradient.slices().values, item.gradient.slices().indices);
    return apply_sparse(values, var, indices);
  }
  Node* const changed = &apply_dense(item.gradient.dense(), var);
  if (!var->constraint) return *changed;
  const ControlDependencies after(std::span(&changed, 1));
  return train::write_of(var, var.assign(var->constraint(var)));
}

Node& Optimizer::apply_gradients(const GradientsAndVariables& items, const std::string& name,
                                 std::source_location at) {
  GradientsAndVariables used;
  std::vector<Variable> vars;
  for (const auto& item : items) {
    if (item.gradient.empty()) continue;
    used.push_back(item);
    vars.push_back(item.variable);
  }
  require(!used.empty(), "No gradients provided for any variable.");
  const Block in("", name_, at);
  iterations();
  create_hypers();
  create_slots(vars);
  notice_new_variables();
  std::vector<DType> prepared;
  for (const Variable& var : vars) {
    const DType dtype = base_type(var.dtype());
    if (std::ranges::find(prepared, dtype) != prepared.end()) continue;
    prepared.push_back(dtype);
    prepare(dtype);
  }
  const NameScope updates(name.empty() ? name_ : name);
  std::vector<Node*> done;
  for (const auto& item : used) done.push_back(&update(item));
  Node* const all = &train::group_all(done);
  const ControlDependencies after(std::span(&all, 1));
  return iterations().assign_add_op(Tensor::scalar<std::int64_t>(1));
}

Node& Optimizer::get_updates(Output loss, const std::vector<Variable>& params,
                             std::source_location at) {
  return minimize(loss, params, {}, at);
}

Node& Optimizer::minimize(Output loss, const std::vector<Variable>& params, const std::string& name,
                          std::source_location at) {
  const std::vector<Gradient> gradients = get_gradients(loss, params, at);
  GradientsAndVariables items;
  for (std::size_t i = 0; i < params.size(); ++i) items.push_back({gradients[i], params[i]});
  return apply_gradients(items, name, at);
}

}  // namespace rill::keras
