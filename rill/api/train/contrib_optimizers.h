#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/api/train/adam.h"

// Of tf.contrib.opt: optimizers that look at signs, at largest values or at the norms of whole
// layers, and ones that change how another optimizer is applied.
namespace rill::contrib::opt {

using train::Change;
using train::Hyper;
using train::HyperParameter;

// sign_decay_fn: a factor for the agreement of signs, from the number of steps; none: 1.
struct SignOptimizerOptions {
  double beta = 0.9;  // how fast the average of gradients forgets
  std::function<Output(Output step)> sign_decay_fn = {};
  bool use_locking = false;
  std::string name = {};
};
// What both have: an average "m" of the gradients, and the factor of the signs.
class SignOptimizer : public train::OneOpOptimizer {
 public:
  SignOptimizer(HyperParameter learning_rate, const SignOptimizerOptions& options,
                const char* name);
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Node& apply_gradients(const std::vector<train::GradientAndVariable>& grads_and_vars,
                        const train::ApplyGradientsOptions& options = {},
                        std::source_location at = std::source_location::current()) override;
  Hyper learning_rate, beta;

 protected:
  Output sign_decay(DType dtype) const;

 private:
  std::function<Output(Output step)> decay_of_;
  Variable step_;
  Output decay_;
};

// m = beta m + (1 - beta) g; var -= rate (alpha + decay sign(g) sign(m)) g.
class AddSignOptimizer : public SignOptimizer {
 public:
  explicit AddSignOptimizer(HyperParameter learning_rate = 0.1, HyperParameter alpha = 1.0,
                            const SignOptimizerOptions& options = {});
  void prepare() override;
  Hyper alpha;

 protected:
  Node& apply(const Change& change) override;
};

// The same with var -= rate base^(decay sign(g) sign(m)) g.
class PowerSignOptimizer : public SignOptimizer {
 public:
  explicit PowerSignOptimizer(HyperParameter learning_rate = 0.1, double base = 2.718281828459045,
                              const SignOptimizerOptions& options = {});
  void prepare() override;
  Hyper logbase;

 protected:
  Node& apply(const Change& change) override;
};

// Adam with the largest gradient so far in the place of the mean square:
//
//   m = beta1 m + (1 - beta1) g; v = max(beta2 v, |g|); var -= rate / (1 - beta1^t) m / (v + eps)
//
// Of sparse gradients only their rows change.
class AdaMaxOptimizer : public train::OneOpOptimizer {
 public:
  explicit AdaMaxOptimizer(HyperParameter learning_rate = 0.001,
                           const train::AdamOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Node& finish(const std::vector<Node*>& update_ops, const std::string& name_scope) override;
  Hyper learning_rate, beta1, beta2, epsilon;

 protected:
  Node& apply(const Change& change) override;

 private:
  Node& apply_rows(const Change& change);
  Variable power() const;
};

struct LARSOptions {
  HyperParameter momentum = 0.9;
  double weight_decay = 1e-4, eeta = 1e-3, epsilon = 0.0;
  std::string name = {};
  std::vector<std::string> skip_list = {};  // variables with these in their names: momentum alone
  bool use_nesterov = false;
};
// Momentum whose rate is scaled, layer by layer, by the norm of the weights over that of their
// gradient, for training with very large batches.
class LARSOptimizer : public train::OneOpOptimizer {
 public:
  explicit LARSOptimizer(HyperParameter learning_rate, const LARSOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  // The rate of one variable, before it is applied.
  Output compute_lr(Output grad, const Variable& var) const;
  Hyper learning_rate, momentum;

 protected:
  Node& apply(const Change& change) override;

 private:
  bool skips(const Variable& var) const;
  LARSOptions options_;
};

// Adagrad that can leave its accumulators alone for a while:
//
//   RegAdagradOptimizer::AvoidUpdatingSlots still(adagrad);  // a regularizer's gradient
class RegAdagradOptimizer : public train::AdagradOptimizer {
 public:
  explicit RegAdagradOptimizer(HyperParameter learning_rate, train::AdagradOptions options = {});

  class AvoidUpdatingSlots {
   public:
    explicit AvoidUpdatingSlots(RegAdagradOptimizer& of)
        : of_(of), before_(std::exchange(of.updates_slots_, false)) {}
    ~AvoidUpdatingSlots() { of_.updates_slots_ = before_; }
    AvoidUpdatingSlots(const AvoidUpdatingSlots&) = delete;
    AvoidUpdatingSlots& operator=(const AvoidUpdatingSlots&) = delete;

   private:
    RegAdagradOptimizer& of_;
    bool before_;
  };

 protected:
  Node& apply(const Change& change) override;

 private:
  bool updates_slots_ = true;
};

struct VariableClippingOptions {
  bool use_locking = false;
  std::string name = {};
};
// After each update of another optimizer, variables whose norm over some dimensions is larger than
// max_norm are scaled down to it.
class VariableClippingOptimizer : public train::Optimizer {
 public:
  VariableClippingOptimizer(
      std::shared_ptr<train::Optimizer> opt,
      std::vector<std::pair<Variable, std::vector<std::int64_t>>> vars_to_clip_dims,
      double max_norm, const VariableClippingOptions& options = {});
  std::vector<train::GradientAndVariable> compute_gradients(
      Output loss, const train::ComputeGradientsOptions& options = {},
      std::source_location at = std::source_location::current()) override;
  Node& apply_gradients(const std::vector<train::GradientAndVariable>& grads_and_vars,
                        const train::ApplyGradientsOptions& options = {},
                        std::source_location at = std::source_location::current()) override;
  Variable get_slot(const Variable& var, const std::string& name) const override;
  std::vector<std::string> get_slot_names() const override;

 private:
  std::shared_ptr<train::Optimizer> optimizer_;
  std::vector<std::pair<Variable, std::vector<std::int64_t>>> clipped_;
  double max_norm_;
};

// All gradients scaled down together to a global norm of at most `clip_norm`.
std::vector<train::GradientAndVariable> clip_gradients_by_global_norm(
    const std::vector<train::GradientAndVariable>& gradients_variables,
    const Input& clip_norm = 20.0f);

}  // namespace rill::contrib::opt
