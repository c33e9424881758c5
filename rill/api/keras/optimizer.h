#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/train/optimizer.h"

namespace rill::keras {

// A learning rate, or another number of an optimizer: kept in a variable, so that it can be changed
// while training; or computed of the number of steps taken.
using Schedule = std::function<Output(Output step)>;
using HyperValue = std::variant<double, Schedule>;

// Each optimizer reads what concerns it. clipnorm bounds the length of each gradient by itself,
// clipvalue each element.
struct OptimizerOptions {
  std::string name = {};                         // empty: the class's
  std::optional<HyperValue> learning_rate = {};  // 0.001; SGD 0.01
  std::optional<double> decay =
      {};  // 0; Nadam 0.004. of the learning rate: rate / (1 + decay * steps)
  std::optional<double> clipnorm = {}, clipvalue = {};
  HyperValue momentum = 0.0, beta_1 = 0.9, beta_2 = 0.999;
  std::optional<HyperValue> rho = {};  // 0.9; Adadelta 0.95
  std::optional<double> epsilon = {};  // 1e-7
  bool nesterov = false, centered = false, amsgrad = false;
  double initial_accumulator_value = 0.1;
  double learning_rate_power = -0.5, l1_regularization_strength = 0, l2_regularization_strength = 0,
         l2_shrinkage_regularization_strength = 0;
};

using GradientsAndVariables = std::vector<train::GradientAndVariable>;

// tf.keras's optimizers: their variables stand in the name scope of the first update. For one
// graph. Not for several threads at once.
//
//   auto adam = optimizers::Adam({.learning_rate = 0.01});
//   Node& step = adam->minimize(loss, trainable_variables());
//
// The constructor throws InvalidArgument for a negative decay, and subclasses for numbers of theirs
// that cannot be.
class Optimizer {
 public:
  Optimizer(std::string default_name, const OptimizerOptions& options);
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  const std::string& name() const { return name_; }
  const std::string& class_name() const { return class_name_; }
  const OptimizerOptions& options() const { return options_; }  // as it was made
  const std::map<std::string, HyperValue>& hypers() const { return hypers_; }
  Variable iterations();                                     // the number of steps taken
  bool has_iterations() const { return bool(iterations_); }  // whether that is there already
  // The variable of a number ("learning_rate"); none before it is made or where it is computed.
  Variable hyper_variable(const std::string& name);
  std::vector<std::string> hyper_names() const;
  // Before the first update: afterwards assign to hyper_variable(name).
  void set_hyper(const std::string& name, HyperValue value);
  void create_hypers();  // their variables, which otherwise the first update makes

  // Clipped as asked for. Throws InvalidArgument when a gradient does not exist.
  std::vector<Gradient> get_gradients(Output loss, const std::vector<Variable>& params,
                                      std::source_location at = std::source_location::current());
  // One update of all variables, and of the count of steps after them. Items without a gradient are
  // left out; throws InvalidArgument when none has one, FailedPrecondition for rows of a variable
  // with a constraint. Rows that come several times are added up first.
  Node& apply_gradients(const GradientsAndVariables& items, const std::string& name = {},
                        std::source_location at = std::source_location::current());
  Node& get_updates(Output loss, const std::vector<Variable>& params,
                    std::source_location at = std::source_location::current());
  Node& minimize(Output loss, const std::vector<Variable>& params, const std::string& name = {},
                 std::source_location at = std::source_location::current());

  Variable get_slot(const Variable& var, const std::string& name) const;   // throws: no such
  Variable find_slot(const Variable& var, const std::string& name) const;  // none: no such
  const std::vector<std::string>& slot_names() const { return slot_names_; }
  std::vector<Variable> weights() const;  // the steps, then the slots

  // --- what subclasses say ----------------------------------------------------------------------
  virtual void create_slots(const std::vector<Variable>&) {}
  virtual void prepare(DType) {}  // tensors that the updates of variables of a type share
  // One variable's update; of rows, each index comes once.
  virtual Node& apply_dense(Output grad, const Variable& var) = 0;
  virtual Node& apply_sparse(Output grad, const Variable& var, Output indices) = 0;

 protected:
  Output get_hyper(const std::string& name, DType dtype);
  Output decayed_rate(DType dtype);
  // Zeros, or all of one value, like the variable.
  Variable add_slot(const Variable& var, const std::string& name, double value = 0);
  Variable add_weight(const std::string& name, const Tensor& value);
  double epsilon_;

 private:
  Node& update(const train::GradientAndVariable& item);

  std::string class_name_, name_;
  OptimizerOptions options_;
  std::map<std::string, HyperValue> hypers_;
  std::map<std::string, Variable> hyper_variables_;
  Variable iterations_;
  std::vector<Variable> weights_;
  std::vector<std::string> slot_names_;
  struct Slot {
    std::weak_ptr<VariableState> owner;  // another variable may come to have its address
    Variable made;
  };
  std::map<std::pair<const VariableState*, std::string>, Slot> slots_;
};
using OptimizerRef = std::shared_ptr<Optimizer>;

namespace optimizers {

// By class name ("Adam", "adam"). Throws InvalidArgument when there is none, or an option cannot
// be.
OptimizerRef make(const std::string& class_name, const OptimizerOptions& options = {});

inline OptimizerRef SGD(const OptimizerOptions& options = {}) { return make("SGD", options); }
inline OptimizerRef RMSprop(const OptimizerOptions& o = {}) { return make("RMSprop", o); }
inline OptimizerRef Adagrad(const OptimizerOptions& o = {}) { return make("Adagrad", o); }
inline OptimizerRef Adadelta(const OptimizerOptions& o = {}) { return make("Adadelta", o); }
inline OptimizerRef Adam(const OptimizerOptions& options = {}) { return make("Adam", options); }
inline OptimizerRef Adamax(const OptimizerOptions& o = {}) { return make("Adamax", o); }
inline OptimizerRef Nadam(const OptimizerOptions& options = {}) { return make("Nadam", options); }
inline OptimizerRef Ftrl(const OptimizerOptions& options = {}) { return make("Ftrl", options); }

}  // namespace optimizers
}  // namespace rill::keras
