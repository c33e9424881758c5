#pragma once

#include "rill/api/train/optimizers.h"

namespace rill::train {

// epsilon is added after the root, in TensorFlow's form of the rule (see below), so it is not quite
// the paper's.
struct AdamOptions {
  HyperParameter beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  bool use_locking = false;
  std::string name = {};  // "Adam" when empty
};
// Kingma and Ba's Adam. With g the gradient and t the number of steps taken, 1 in the first:
//
//   m = beta1 m + (1 - beta1) g
//   v = beta2 v + (1 - beta2) g**2
//   var -= rate sqrt(1 - beta2**t) / (1 - beta1**t) * m / (sqrt(v) + epsilon)
//
// A sparse gradient still decays all rows of m and v and moves all rows of the variable: it means
// the same as its dense form, and costs as much. LazyAdamOptimizer does not.
//
//   AdamOptimizer adam(1e-3);
//   Node& train_op = adam.minimize(loss, {.global_step = get_or_create_global_step()});
class AdamOptimizer : public Optimizer {
 public:
  explicit AdamOptimizer(HyperParameter learning_rate = 0.001, const AdamOptions& options = {});
  // Slots "m" and "v" for each variable; beta1_power and beta2_power once, beside the variable
  // whose name comes first, so that all workers agree.
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Node& apply_dense(Output grad, const Variable& var) override;
  Node& resource_apply_dense(Output grad, const Variable& var) override;
  Node& apply_sparse(const IndexedSlices& grad, const Variable& var) override;
  Node& resource_apply_sparse(Output grad, const Variable& var, Output indices) override;
  // The powers grow after all updates, since these read them.
  Node& finish(const std::vector<Node*>& update_ops, const std::string& name_scope) override;
  Hyper learning_rate, beta1, beta2, epsilon;

 protected:
  // beta1 and beta2 to the power of the steps taken, in the default graph.
  std::pair<Variable, Variable> beta_powers() const;
  // All of them in the type of the variable; its powers may still be variables.
  struct Factors {
    Input beta1_power, beta2_power;
    Output rate, beta1, beta2, epsilon;
  };
  Factors factors(DType dtype) const;
  // rate * sqrt(1 - beta2_power) / (1 - beta1_power)
  static Output unbiased_rate(const Factors& factors);
  // slot = slot * decay everywhere, then + addend at `indices`.
  Output decay_and_add(const Variable& slot, Output decay, Output addend, Output indices);
  Node& apply_op(const Change& change, bool use_nesterov);
  virtual Node& apply_rows(const Change& change);
};

// Adam that changes only the rows of its averages that a sparse gradient has. Much faster for large
// embeddings; rows that are rare keep older averages, so the numbers differ from Adam's.
class LazyAdamOptimizer : public AdamOptimizer {
 public:
  using AdamOptimizer::AdamOptimizer;

 protected:
  Node& apply_rows(const Change& change) override;
};

// Adam that looks one step ahead, as Nesterov's momentum does: beta1 m + (1 - beta1) g stands in
// the place of m in the last line of its rule.
class NadamOptimizer : public AdamOptimizer {
 public:
  using AdamOptimizer::AdamOptimizer;
  Node& apply_dense(Output grad, const Variable& var) override;
  Node& resource_apply_dense(Output grad, const Variable& var) override;

 protected:
  Node& apply_rows(const Change& change) override;
};

}  // namespace rill::train
