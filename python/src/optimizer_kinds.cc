#include <array>

#include "errors.h"
#include "optimizer_overrides.h"
#include "plain_values.h"
#include "rill/api/train/adam.h"
#include "rill/api/train/sync_replicas_optimizer.h"
#include "truth.h"

namespace rill::python {
namespace {

// Makes one optimizer from the attributes of its Python object.
class Maker {
 public:
  Maker(nb::handle self, bool use_locking, std::string name)
      : use_locking(use_locking), name(std::move(name)), self_(self) {}

  const bool use_locking;
  const std::string name;
  std::shared_ptr<train::Optimizer> made;
  PythonSide* side = nullptr;

  // An attribute that is looked at, and called where it is a function, whenever it is needed.
  train::HyperParameter hyper(const char* attribute) const {
    return train::HyperParameter(std::function<Input()>([self = self_, attribute] {
      nb::object value = self.attr(attribute);
      if (PyCallable_Check(value.ptr()) && !is_tensor(value) && !is_variable(value))
        value = value();
      return input_of(value, DType::invalid, "", attribute + 1);
    }));
  }
  Input input(const char* attribute) const {
    return input_of(self_.attr(attribute), DType::invalid, "", attribute + 1);
  }
  double number(const char* attribute) const {
    const double value = PyFloat_AsDouble(nb::object(self_.attr(attribute)).ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return value;
  }
  bool flag(const char* attribute) const { return truth_of(self_.attr(attribute)); }
  std::string text(const char* attribute) const {
    const nb::object value = self_.attr(attribute);
    return value.is_none() ? "" : str_of(value);
  }

  template <class Kind, class... Args>
  Kind& make(Args&&... args) {
    auto optimizer = std::make_shared<Overridable<Kind>>(self_.ptr(), std::forward<Args>(args)...);
    side = optimizer.get();
    made = optimizer;
    return *optimizer;
  }
  void tensor(const char* attribute, train::Hyper& hyper) {
    side->tensors.emplace_back(attribute, &hyper);
  }

 private:
  nb::handle self_;
};

void make_gradient_descent(Maker& m) {
  auto& o = m.make<train::GradientDescentOptimizer>(
      m.hyper("_learning_rate"),
      train::OptimizerOptions{.use_locking = m.use_locking, .name = m.name});
  m.tensor("_learning_rate_tensor", o.learning_rate);
}

void make_momentum(Maker& m) {
  auto& o = m.make<train::MomentumOptimizer>(
      m.hyper("_learning_rate"), m.hyper("_momentum"),
      train::MomentumOptions{
          .use_nesterov = m.flag("_use_nesterov"), .use_locking = m.use_locking, .name = m.name});
  m.tensor("_learning_rate_tensor", o.learning_rate);
  m.tensor("_momentum_tensor", o.momentum);
}

void make_adagrad(Maker& m) {
  auto& o = m.make<train::AdagradOptimizer>(
      m.hyper("_learning_rate"),
      train::AdagradOptions{.initial_accumulator_value = m.number("_initial_accumulator_value"),
                            .use_locking = m.use_locking,
                            .name = m.name});
  m.tensor("_learning_rate_tensor", o.learning_rate);
}

void make_adagrad_da(Maker& m) {
  auto& o = m.make<train::AdagradDAOptimizer>(
      m.hyper("_learning_rate"), m.input("_global_step"),
      train::AdagradDAOptions{.initial_gradient_squared_accumulator_value =
                                  m.number("_initial_gradient_squared_accumulator_value"),
                              .l1_regularization_strength = m.input("_l1_regularization_strength"),
                              .l2_regularization_strength = m.input("_l2_regularization_strength"),
                              .use_locking = m.use_locking,
                              .name = m.name});
  m.tensor("_learning_rate_tensor", o.learning_rate);
}

void make_adadelta(Maker& m) {
  auto& o = m.make<train::AdadeltaOptimizer>(m.hyper("_lr"),
                                             train::AdadeltaOptions{.rho = m.hyper("_rho"),
                                                                    .epsilon = m.hyper("_epsilon"),
                                                                    .use_locking = m.use_locking,
                                                                    .name = m.name});
  m.tensor("_lr_t", o.learning_rate);
  m.tensor("_rho_t", o.rho);
  m.tensor("_epsilon_t", o.epsilon);
}

void make_rms_prop(Maker& m) {
  auto& o = m.make<train::RMSPropOptimizer>(m.hyper("_learning_rate"),
                                            train::RMSPropOptions{.decay = m.hyper("_decay"),
                                                                  .momentum = m.hyper("_momentum"),
                                                                  .epsilon = m.hyper("_epsilon"),
                                                                  .centered = m.flag("_centered"),
                                                                  .use_locking = m.use_locking,
                                                                  .name = m.name});
  m.tensor("_learning_rate_tensor", o.learning_rate);
  m.tensor("_decay_tensor", o.decay);
  m.tensor("_momentum_tensor", o.momentum);
  m.tensor("_epsilon_tensor", o.epsilon);
}

void make_ftrl(Maker& m) {
  auto& o = m.make<train::FtrlOptimizer>(
      m.hyper("_learning_rate"),
      train::FtrlOptions{
          .learning_rate_power = m.hyper("_learning_rate_power"),
          .initial_accumulator_value = m.number("_initial_accumulator_value"),
          .l1_regularization_strength = m.number("_l1_regularization_strength"),
          .l2_regularization_strength = m.number("_l2_regularization_strength"),
          .accum_name = m.text("_accum_name"),
          .linear_name = m.text("_linear_name"),
          .l2_shrinkage_regularization_strength = m.number("_l2_shrinkage_regularization_strength"),
          .beta = m.number("_beta"),
          .use_locking = m.use_locking,
          .name = m.name});
  m.tensor("_learning_rate_tensor", o.learning_rate);
  m.tensor("_learning_rate_power_tensor", o.learning_rate_power);
  m.tensor("_l1_regularization_strength_tensor", o.l1);
  m.tensor("_adjusted_l2_regularization_strength_tensor", o.l2);
  m.tensor("_l2_shrinkage_regularization_strength_tensor", o.l2_shrinkage);
}

void make_proximal_gradient_descent(Maker& m) {
  auto& o = m.make<train::ProximalGradientDescentOptimizer>(
      m.hyper("_learning_rate"),
      train::ProximalOptions{.l1_regularization_strength = m.hyper("_l1_regularization_strength"),
                             .l2_regularization_strength = m.hyper("_l2_regularization_strength"),
                             .use_locking = m.use_locking,
                             .name = m.name});
  m.tensor("_learning_rate_tensor", o.learning_rate);
  m.tensor("_l1_regularization_strength_tensor", o.l1);
  m.tensor("_l2_regularization_strength_tensor", o.l2);
}

void make_proximal_adagrad(Maker& m) {
  auto& o = m.make<train::ProximalAdagradOptimizer>(
      m.hyper("_learning_rate"),
      train::ProximalAdagradOptions{
          .initial_accumulator_value = m.number("_initial_accumulator_value"),
          .l1_regularization_strength = m.hyper("_l1_regularization_strength"),
          .l2_regularization_strength = m.hyper("_l2_regularization_strength"),
          .use_locking = m.use_locking,
          .name = m.name});
  m.tensor("_learning_rate_tensor", o.learning_rate);
  m.tensor("_l1_regularization_strength_tensor", o.l1);
  m.tensor("_l2_regularization_strength_tensor", o.l2);
}

template <class Kind>
void make_adam(Maker& m) {
  auto& o = m.make<Kind>(m.hyper("_lr"), train::AdamOptions{.beta1 = m.hyper("_beta1"),
                                                            .beta2 = m.hyper("_beta2"),
                                                            .epsilon = m.hyper("_epsilon"),
                                                            .use_locking = m.use_locking,
                                                            .name = m.name});
  m.tensor("_lr_t", o.learning_rate);
  m.tensor("_beta1_t", o.beta1);
  m.tensor("_beta2_t", o.beta2);
  m.tensor("_epsilon_t", o.epsilon);
}

void make_sync_replicas(Maker& m, nb::handle self) {
  train::SyncReplicasOptions options{.use_locking = m.use_locking, .name = m.name};
  options.total_num_replicas = integer_of(self.attr("_total_num_replicas"));
  if (!nb::object(self.attr("_variable_averages")).is_none())
    options.update_averages = [self]() -> Node& {
      return node_of(
          self.attr("_variable_averages").attr("apply")(self.attr("_variables_to_average")));
    };
  m.make<train::SyncReplicasOptimizer>(
      nb::cast<OptimizerObject&>(self.attr("_opt").attr("_core")).optimizer,
      integer_of(self.attr("_replicas_to_aggregate")), options);
}

void make_kind(Maker& m, nb::handle self, const std::string& kind) {
  if (kind.empty()) {
    m.make<train::Optimizer>(m.use_locking, m.name);
    return;
  }
  if (kind == "AdagradDA") return make_adagrad_da(m);
  if (kind == "SyncReplicas") return make_sync_replicas(m, self);
  constexpr std::pair<const char*, void (*)(Maker&)> kinds[] = {
      {"GradientDescent", make_gradient_descent},
      {"Momentum", make_momentum},
      {"Adagrad", make_adagrad},
      {"Adadelta", make_adadelta},
      {"RMSProp", make_rms_prop},
      {"Ftrl", make_ftrl},
      {"ProximalGradientDescent", make_proximal_gradient_descent},
      {"ProximalAdagrad", make_proximal_adagrad},
      {"Adam", make_adam<train::AdamOptimizer>},
      {"LazyAdam", make_adam<train::LazyAdamOptimizer>},
      {"Nadam", make_adam<train::NadamOptimizer>},
  };
  for (const auto& [name, make] : kinds)
    if (kind == name) return make(m);
  value_error("there is no optimizer ", kind);
}

}  // namespace

void make_optimizer(nb::handle self, OptimizerObject& object, const std::string& kind,
                    bool use_locking, const std::string& name) {
  Maker maker(self, use_locking, name);
  building([&] { make_kind(maker, self, kind); });
  object.optimizer = maker.made;
  object.side = maker.side;
}

}  // namespace rill::python
