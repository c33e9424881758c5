#pragma once

#include "rill/api/train/optimizers.h"

namespace rill::train {

struct AdamOptions {
  HyperParameter beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  bool use_locking = false;
  std::string name;  // "Adam" when empty
};
class AdamOptimizer : public Optimizer {
 public:
  explicit AdamOptimizer(HyperParameter learning_rate = 0.001, const AdamOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Node& apply_dense(Output grad, const Variable& var) override;
  Node& resource_apply_dense(Output grad, const Variable& var) override;
  Node& apply_sparse(const IndexedSlices& grad, const Variable& var) override;
  Node& resource_apply_sparse(Output grad, const Variable& var, Output indices) override;
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

// Adam that changes only the rows of its averages that a sparse gradient has.
class LazyAdamOptimizer : public AdamOptimizer {
 public:
  using AdamOptimizer::AdamOptimizer;

 protected:
  Node& apply_rows(const Change& change) override;
};

// Adam that looks one step ahead, as Nesterov's momentum does.
class NadamOptimizer : public AdamOptimizer {
 public:
  using AdamOptimizer::AdamOptimizer;
  Node& apply_dense(Output grad, const Variable& var) override;
  Node& resource_apply_dense(Output grad, const Variable& var) override;

 protected:
  Node& apply_rows(const Change& change) override;
};

}  // namespace rill::train
