#pragma once

#include "rill/api/train/optimizer.h"

namespace rill::train {

// One variable to change and along what: `indices` is set where `grad` is rows.
struct Change {
  Variable var = {};
  Output grad = {}, indices = {};
};

// An optimizer for which there is an op that changes one variable, in the forms ApplyX,
// ResourceApplyX, SparseApplyX and ResourceSparseApplyX. In the rules below g is the gradient and
// the operations are elementwise; the names of slots are those in checkpoints.
class OneOpOptimizer : public Optimizer {
 public:
  using Optimizer::Optimizer;
  Node& apply_dense(Output grad, const Variable& var) override;
  Node& resource_apply_dense(Output grad, const Variable& var) override;
  Node& apply_sparse(const IndexedSlices& grad, const Variable& var) override;
  Node& resource_apply_sparse(Output grad, const Variable& var, Output indices) override;

 protected:
  // Inputs of the op: variables by their handles, the gradient with its indices.
  struct Grad {};
  using Part = std::variant<Input, Variable, Grad>;
  Node& add_op(std::string_view op, const Change& change, const std::vector<Part>& parts,
               AttrMap attrs = {});
  virtual Node& apply(const Change& change) = 0;
};

// use_locking: updates of a reference variable exclude each other. Without it, steps that run at
// once may each lose a part of the other's change.
struct OptimizerOptions {
  bool use_locking = false;
  std::string name = {};  // TensorFlow's name of the optimizer when empty
};

// var -= rate g. Rows that occur several times need not be added up first.
class GradientDescentOptimizer : public OneOpOptimizer {
 public:
  explicit GradientDescentOptimizer(HyperParameter learning_rate,
                                    const OptimizerOptions& options = {});
  void prepare() override { learning_rate.prepare(); }
  Node& apply_sparse_duplicate_indices(const IndexedSlices& grad, const Variable& var) override;
  Node& resource_apply_sparse_duplicate_indices(Output grad, const Variable& var,
                                                Output indices) override;
  Hyper learning_rate;

 protected:
  Node& apply(const Change& change) override;
};

struct MomentumOptions {
  bool use_nesterov = false;
  bool use_locking = false;
  std::string name = {};
};
// m = momentum m + g; var -= rate m. With use_nesterov, var -= rate (g + momentum m). The slot is
// "momentum". The rate is not in m, unlike in some papers: a change of it acts at once.
class MomentumOptimizer : public OneOpOptimizer {
 public:
  MomentumOptimizer(HyperParameter learning_rate, HyperParameter momentum,
                    const MomentumOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Hyper learning_rate, momentum;
  bool use_nesterov;

 protected:
  Node& apply(const Change& change) override;
};

struct AdagradOptions {
  double initial_accumulator_value = 0.1;
  bool use_locking = false;
  std::string name = {};
};
// a += g**2; var -= rate g / sqrt(a). The slot is "accumulator".
class AdagradOptimizer : public OneOpOptimizer {
 public:
  // Throws InvalidArgument unless the initial value is positive.
  explicit AdagradOptimizer(HyperParameter learning_rate, const AdagradOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override { learning_rate.prepare(); }
  Hyper learning_rate;
  double initial_accumulator_value;

 protected:
  Node& apply(const Change& change) override;
};

struct AdagradDAOptions {
  double initial_gradient_squared_accumulator_value = 0.1;
  Input l1_regularization_strength = 0.0, l2_regularization_strength = 0.0;
  bool use_locking = false;
  std::string name = {};
};
// Adagrad with dual averaging: the variable is computed anew from the sums of all gradients (slot
// "gradient_accumulator") and their squares ("gradient_squared_accumulator"), so that l1 makes
// weights exactly zero. `global_step`, a variable or a tensor of int64, is read, not advanced, and
// the initial value must be positive (InvalidArgument). Shapes of variables must be known.
class AdagradDAOptimizer : public OneOpOptimizer {
 public:
  AdagradDAOptimizer(HyperParameter learning_rate, Input global_step,
                     const AdagradDAOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Hyper learning_rate;
  Input global_step;
  double initial_value;
  Input l1, l2;

 protected:
  Node& apply(const Change& change) override;

 private:
  Output step_on_worker_;
};

struct AdadeltaOptions {
  HyperParameter rho = 0.95, epsilon = 1e-8;
  bool use_locking = false;
  std::string name = {};
};
// a = rho a + (1 - rho) g**2; d = g sqrt(u + epsilon) / sqrt(a + epsilon); u = rho u + (1 - rho)
// d**2; var -= rate d. The slots are "accum" (a) and "accum_update" (u). The paper's rate is 1, not
// the default here.
class AdadeltaOptimizer : public OneOpOptimizer {
 public:
  explicit AdadeltaOptimizer(HyperParameter learning_rate = 0.001,
                             const AdadeltaOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Hyper learning_rate, rho, epsilon;

 protected:
  Node& apply(const Change& change) override;
};

struct RMSPropOptions {
  HyperParameter decay = 0.9, momentum = 0.0, epsilon = 1e-10;
  bool centered = false;
  bool use_locking = false;
  std::string name = {};
};
// r = decay r + (1 - decay) g**2; m = momentum m + rate g / sqrt(r + epsilon); var -= m. With
// `centered` the square of the mean gradient is taken off r below the root. The slots are "rms",
// which starts at one, "momentum" and, centered, "mg".
class RMSPropOptimizer : public OneOpOptimizer {
 public:
  explicit RMSPropOptimizer(HyperParameter learning_rate, const RMSPropOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Hyper learning_rate, decay, momentum, epsilon;
  bool centered;

 protected:
  Node& apply(const Change& change) override;
};

struct FtrlOptions {
  HyperParameter learning_rate_power = -0.5;
  double initial_accumulator_value = 0.1;
  double l1_regularization_strength = 0.0, l2_regularization_strength = 0.0;
  std::string accum_name = {}, linear_name = {};  // of the slots; the optimizer's name when empty
  double l2_shrinkage_regularization_strength = 0.0;
  double beta = 0.0;
  bool use_locking = false;
  std::string name = {};
};
// "Follow the regularized leader", for sparse linear models. With s the sum of g**2 (slot "accum")
// and sigma = (s_new**p - s_old**p) / rate, p = -learning_rate_power:
//
//   z += g - sigma var                   (slot "linear")
//   var = (sign(z) l1 - z) / (s**p / rate + 2 l2) where |z| > l1, else 0
//
// so that l1 makes weights exactly zero. `beta` adds beta / (2 rate) to l2. l2_shrinkage adds 2
// l2_shrinkage var to the g of z alone.
class FtrlOptimizer : public OneOpOptimizer {
 public:
  // Throws InvalidArgument when a strength or the initial value is negative.
  explicit FtrlOptimizer(HyperParameter learning_rate, const FtrlOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Hyper learning_rate, learning_rate_power, l1, l2, l2_shrinkage;
  FtrlOptions options;

 protected:
  Node& apply(const Change& change) override;
};

struct ProximalOptions {
  HyperParameter l1_regularization_strength = 0.0, l2_regularization_strength = 0.0;
  bool use_locking = false;
  std::string name = {};
};
// Gradient descent, then the proximal step of l1 and l2: with p = var - rate g, var = sign(p)
// max(|p| - rate l1, 0) / (1 + rate l2).
class ProximalGradientDescentOptimizer : public OneOpOptimizer {
 public:
  explicit ProximalGradientDescentOptimizer(HyperParameter learning_rate,
                                            const ProximalOptions& options = {});
  void prepare() override;
  Hyper learning_rate, l1, l2;

 protected:
  Node& apply(const Change& change) override;
};

struct ProximalAdagradOptions {
  double initial_accumulator_value = 0.1;
  HyperParameter l1_regularization_strength = 0.0, l2_regularization_strength = 0.0;
  bool use_locking = false;
  std::string name = {};
};
// The same with Adagrad's rate / sqrt(a). The initial value must be positive (InvalidArgument).
class ProximalAdagradOptimizer : public OneOpOptimizer {
 public:
  explicit ProximalAdagradOptimizer(HyperParameter learning_rate,
                                    const ProximalAdagradOptions& options = {});
  void create_slots(const std::vector<Variable>& var_list) override;
  void prepare() override;
  Hyper learning_rate, l1, l2;
  double initial_accumulator_value;

 protected:
  Node& apply(const Change& change) override;
};

}  // namespace rill::train
