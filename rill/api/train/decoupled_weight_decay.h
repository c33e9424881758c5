#pragma once

#include <optional>

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/train/adam.h"

namespace rill::train {

// Adds decoupled weight decay to an optimizer: before each update a variable loses the part
// `weight_decay` of its value, whatever the gradient. Of sparse gradients only their rows do.
template <class Base>
class DecoupledWeightDecay : public Base {
 public:
  template <class... Args>
  explicit DecoupledWeightDecay(HyperParameter decay, Args&&... args)
      : Base(std::forward<Args>(args)...), weight_decay(std::move(decay), "weight_decay") {}

  // The variables that decay; all of them unless this is called.
  void set_decay_var_list(const std::vector<Variable>& variables) { decaying_ = variables; }

  void prepare() override {
    weight_decay.prepare();
    Base::prepare();
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    Node* const decayed = &decay(var);
    const ControlDependencies after(std::span(&decayed, 1));
    return Base::apply_dense(grad, var);
  }
  Node& resource_apply_dense(Output grad, const Variable& var) override {
    Node* const decayed = &decay(var);
    const ControlDependencies after(std::span(&decayed, 1));
    return Base::resource_apply_dense(grad, var);
  }
  Node& apply_sparse(const IndexedSlices& grad, const Variable& var) override {
    Node* const decayed = &decay_rows(var, grad.indices);
    const ControlDependencies after(std::span(&decayed, 1));
    return Base::apply_sparse(grad, var);
  }
  Node& resource_apply_sparse(Output grad, const Variable& var, Output indices) override {
    Node* const decayed = &decay_rows(var, indices);
    const ControlDependencies after(std::span(&decayed, 1));
    return Base::resource_apply_sparse(grad, var, indices);
  }

  Hyper weight_decay;

 private:
  bool decays(const Variable& var) const {
    if (!decaying_) return true;
    for (const Variable& one : *decaying_)
      if (one == var) return true;
    return false;
  }
  Node& decay(const Variable& var) {
    if (!decays(var)) return no_op();
    const Output loss = train::mul(weight_decay.as(var.dtype()), var.value());
    return write_of(var, var.assign_sub(loss, {.use_locking = this->use_locking()}));
  }
  Node& decay_rows(const Variable& var, Output indices) {
    if (!decays(var)) return no_op();
    const Output loss = train::mul(weight_decay.as(var.dtype()), var.sparse_read(indices));
    return write_of(var, var.scatter("Sub", indices, loss, {.use_locking = this->use_locking()}));
  }

  std::optional<std::vector<Variable>> decaying_;
};

using AdamWOptimizer = DecoupledWeightDecay<AdamOptimizer>;
using MomentumWOptimizer = DecoupledWeightDecay<MomentumOptimizer>;

}  // namespace rill::train
