#include <algorithm>
#include <cctype>

#include "rill/api/array/picking.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/resource.h"
#include "rill/api/gen/train.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/optimizer.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/train/parts.h"
#include "rill/base/error.h"

namespace rill::keras::optimizers {
namespace {

OptimizerOptions with_rate(OptimizerOptions options, double otherwise) {
  if (!options.learning_rate) options.learning_rate = otherwise;
  return options;
}
bool is_used(const HyperValue& value) {
  const double* number = std::get_if<double>(&value);
  return !number || *number > 0;
}
Node& added_rows(const Variable& var, Output indices, Output rows) {
  return raw::ResourceScatterAdd(var.handle(), indices, rows);
}
// slot = slot * decay everywhere, then + rows at the indices; the node that has done it.
Node& faded_and_added(const Variable& slot, Output decay, Output rows, Output indices) {
  Node* const faded = &slot.assign_op(slot.value() * decay);
  const ControlDependencies after(std::span(&faded, 1));
  return added_rows(slot, indices, rows);
}
Output read_after(Node& node, const Variable& variable) {
  Node* const waited = &node;
  const ControlDependencies after(std::span(&waited, 1));
  return variable.value();
}

class Sgd : public Optimizer {
 public:
  explicit Sgd(const OptimizerOptions& o)
      : Optimizer("SGD", with_rate(o, 0.01)),
        momentum_(is_used(o.momentum)),
        nesterov_(o.nesterov) {
    if (const double* m = std::get_if<double>(&o.momentum))
      require(*m >= 0 && *m <= 1, "`momentum` must be between [0, 1].");
    set_hyper("momentum", o.momentum);
  }
  void create_slots(const std::vector<Variable>& vars) override {
    for (const Variable& var : vars)
      if (momentum_) add_slot(var, "momentum");
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    const Output rate = decayed_rate(var.dtype());
    if (!momentum_) return raw::ResourceApplyGradientDescent(var.handle(), rate, grad);
    return raw::ResourceApplyKerasMomentum(var.handle(), get_slot(var, "momentum").handle(), rate,
                                           grad, get_hyper("momentum", var.dtype()),
                                           {.use_nesterov = nesterov_});
  }
  Node& apply_sparse(Output grad, const Variable& var, Output indices) override {
    const Output rate = decayed_rate(var.dtype());
    if (!momentum_) return added_rows(var, indices, -grad * rate);
    return raw::ResourceSparseApplyKerasMomentum(
        var.handle(), get_slot(var, "momentum").handle(), rate, grad, indices,
        get_hyper("momentum", var.dtype()), {.use_nesterov = nesterov_});
  }

 private:
  bool momentum_, nesterov_;
};

class RmsProp : public Optimizer {
 public:
  explicit RmsProp(const OptimizerOptions& o)
      : Optimizer("RMSprop", o), momentum_(is_used(o.momentum)), centered_(o.centered) {
    set_hyper("rho", o.rho.value_or(0.9));
    set_hyper("momentum", o.momentum);
  }
  void create_slots(const std::vector<Variable>& vars) override {
    for (const Variable& var : vars) add_slot(var, "rms");
    for (const Variable& var : vars)
      if (momentum_) add_slot(var, "momentum");
    for (const Variable& var : vars)
      if (centered_) add_slot(var, "mg");
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    const DType dtype = var.dtype();
    const Output rate = decayed_rate(dtype), rho = get_hyper("rho", dtype);
    const Variable rms = get_slot(var, "rms");
    if (momentum_) {
      const Output momentum = get_hyper("momentum", dtype), fuzz = parts::number(epsilon_, grad);
      const Output handle = get_slot(var, "momentum").handle();
      if (!centered_)
        return raw::ResourceApplyRMSProp(var.handle(), rms.handle(), handle, rate, rho, momentum,
                                         fuzz, grad);
      return raw::ResourceApplyCenteredRMSProp(var.handle(), get_slot(var, "mg").handle(),
                                               rms.handle(), handle, rate, rho, momentum, fuzz,
                                               grad);
    }
    const Output squares = rms.assign(rho * rms.value() + (1.0 - rho) * raw::Square(grad));
    Output spread = squares;
    if (centered_) {
      const Variable mean = get_slot(var, "mg");
      const Output now = mean.assign(rho * mean.value() + (1.0 - rho) * grad);
      spread = squares - raw::Square(now);
    }
    return var.assign_sub_op((rate * grad) / (raw::Sqrt(spread) + epsilon_));
  }
  Node& apply_sparse(Output grad, const Variable& var, Output indices) override {
    const DType dtype = var.dtype();
    const Output rate = decayed_rate(dtype), rho = get_hyper("rho", dtype);
    const Variable rms = get_slot(var, "rms");
    if (momentum_) {
      const Output momentum = get_hyper("momentum", dtype), fuzz = parts::number(epsilon_, grad);
      const Output handle = get_slot(var, "momentum").handle();
      if (!centered_)
        return raw::ResourceSparseApplyRMSProp(var.handle(), rms.handle(), handle, rate, rho,
                                               momentum, fuzz, grad, indices);
      return raw::ResourceSparseApplyCenteredRMSProp(var.handle(), get_slot(var, "mg").handle(),
                                                     rms.handle(), handle, rate, rho, momentum,
                                                     fuzz, grad, indices);
    }
    Node& squared = faded_and_added(rms, rho, grad * grad * (1.0 - rho), indices);
    Output spread = gather(read_after(squared, rms), indices);
    if (centered_) {
      const Variable mean = get_slot(var, "mg");
      Node& averaged = faded_and_added(mean, rho, grad * (1.0 - rho), indices);
      spread = spread - raw::Square(gather(read_after(averaged, mean), indices));
    }
    return added_rows(var, indices, -(rate * grad) / (raw::Sqrt(spread) + epsilon_));
  }

 private:
  bool momentum_, centered_;
};

class Adagrad : public Optimizer {
 public:
  explicit Adagrad(const OptimizerOptions& o)
      : Optimizer("Adagrad", o), start_(o.initial_accumulator_value) {
    require(start_ >= 0, "initial_accumulator_value must be non-negative: ", start_);
  }
  void create_slots(const std::vector<Variable>& vars) override {
    for (const Variable& var : vars) add_slot(var, "accumulator", start_);
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    return raw::ResourceApplyAdagradV2(var.handle(), get_slot(var, "accumulator").handle(),
                                       decayed_rate(var.dtype()), parts::number(epsilon_, grad),
                                       grad);
  }
  Node& apply_sparse(Output grad, const Variable& var, Output indices) override {
    return raw::ResourceSparseApplyAdagradV2(var.handle(), get_slot(var, "accumulator").handle(),
                                             decayed_rate(var.dtype()),
                                             parts::number(epsilon_, grad), grad, indices);
  }

 private:
  double start_;
};

class Adadelta : public Optimizer {
 public:
  explicit Adadelta(const OptimizerOptions& o) : Optimizer("Adadelta", o) {
    set_hyper("rho", o.rho.value_or(0.95));
  }
  void create_slots(const std::vector<Variable>& vars) override {
    for (const char* name : {"accum_grad", "accum_var"})
      for (const Variable& var : vars) add_slot(var, name);
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    return raw::ResourceApplyAdadelta(var.handle(), get_slot(var, "accum_grad").handle(),
                                      get_slot(var, "accum_var").handle(),
                                      decayed_rate(var.dtype()), get_hyper("rho", var.dtype()),
                                      parts::number(epsilon_, grad), grad);
  }
  Node& apply_sparse(Output grad, const Variable& var, Output indices) override {
    return raw::ResourceSparseApplyAdadelta(
        var.handle(), get_slot(var, "accum_grad").handle(), get_slot(var, "accum_var").handle(),
        decayed_rate(var.dtype()), get_hyper("rho", var.dtype()), parts::number(epsilon_, grad),
        grad, indices);
  }
};

// What Adam and those after it share: averages of gradients and of their squares, and powers.
class WithMoments : public Optimizer {
 public:
  WithMoments(const char* name, const OptimizerOptions& o) : Optimizer(name, o) {
    set_hyper("beta_1", o.beta_1);
    set_hyper("beta_2", o.beta_2);
  }
  void create_slots(const std::vector<Variable>& vars) override {
    for (const char* name : {"m", "v"})
      for (const Variable& var : vars) add_slot(var, name);
  }
  void prepare(DType dtype) override {
    rate_ = decayed_rate(dtype);
    step_ = rill::cast(iterations().value() + Tensor::scalar<std::int64_t>(1), dtype);
    beta_1_ = raw::Identity(get_hyper("beta_1", dtype));
    beta_2_ = raw::Identity(get_hyper("beta_2", dtype));
    power_1_ = raw::Pow(beta_1_, step_);
    power_2_ = raw::Pow(beta_2_, step_);
  }

 protected:
  Output rate_, step_, beta_1_, beta_2_, power_1_, power_2_;
};

class Adam : public WithMoments {
 public:
  explicit Adam(const OptimizerOptions& o) : WithMoments("Adam", o), amsgrad_(o.amsgrad) {}
  void create_slots(const std::vector<Variable>& vars) override {
    WithMoments::create_slots(vars);
    for (const Variable& var : vars)
      if (amsgrad_) add_slot(var, "vhat");
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    const Output m = get_slot(var, "m").handle(), v = get_slot(var, "v").handle(),
                 fuzz = parts::number(epsilon_, grad);
    if (!amsgrad_)
      return raw::ResourceApplyAdam(var.handle(), m, v, power_1_, power_2_, rate_, beta_1_, beta_2_,
                                    fuzz, grad);
    return raw::ResourceApplyAdamWithAmsgrad(var.handle(), m, v, get_slot(var, "vhat").handle(),
                                             power_1_, power_2_, rate_, beta_1_, beta_2_, fuzz,
                                             grad);
  }
  Node& apply_sparse(Output grad, const Variable& var, Output indices) override {
    const Variable m = get_slot(var, "m"), v = get_slot(var, "v");
    Node& first = faded_and_added(m, beta_1_, grad * (1.0 - beta_1_), indices);
    Node& second = faded_and_added(v, beta_2_, grad * grad * (1.0 - beta_2_), indices);
    const Output mean = read_after(first, m);
    Output squares = read_after(second, v);
    if (amsgrad_) {
      const Variable most = get_slot(var, "vhat");
      squares = most.assign(raw::Maximum(most.value(), squares));
    }
    const Output rate = rate_ * (raw::Sqrt(1.0 - power_2_) / (1.0 - power_1_));
    return var.assign_sub_op((rate * mean) / (raw::Sqrt(squares) + epsilon_));
  }

 private:
  bool amsgrad_;
};

class Adamax : public WithMoments {
 public:
  explicit Adamax(const OptimizerOptions& o) : WithMoments("Adamax", o) {}
  Node& apply_dense(Output grad, const Variable& var) override {
    return raw::ResourceApplyAdaMax(var.handle(), get_slot(var, "m").handle(),
                                    get_slot(var, "v").handle(), power_1_, rate_, beta_1_, beta_2_,
                                    parts::number(epsilon_, grad), grad);
  }
  Node& apply_sparse(Output grad, const Variable& var, Output indices) override {
    const Variable m = get_slot(var, "m"), v = get_slot(var, "v");
    const Output mean = gather(m.value(), indices) * beta_1_ + grad * (1.0 - beta_1_);
    const Output most = raw::Maximum(gather(v.value(), indices) * beta_2_, rill::abs(grad));
    Node* const written[] = {&raw::ResourceScatterUpdate(m.handle(), indices, mean),
                             &raw::ResourceScatterUpdate(v.handle(), indices, most)};
    const ControlDependencies after(written);
    const Output rate = -rate_ / (1.0 - power_1_);
    return added_rows(var, indices, rate * (mean / (most + epsilon_)));
  }
};

OptimizerOptions with_schedule_decay(OptimizerOptions o) {
  if (!o.decay) o.decay = 0.004;
  return o;
}

class Nadam : public WithMoments {
 public:
  explicit Nadam(const OptimizerOptions& o)
      : WithMoments("Nadam", with_schedule_decay(o)), decay_(o.decay.value_or(0.004)) {}
  void create_slots(const std::vector<Variable>& vars) override {
    if (!cache_) cache_ = add_weight("momentum_cache", Tensor::scalar(1.0f));
    WithMoments::create_slots(vars);
  }
  void prepare(DType dtype) override {
    WithMoments::prepare(dtype);
    rate_ = get_hyper("learning_rate", dtype);
    const auto momentum_at = [&](Output step) {
      const Output base = rill::cast(as_tensor(0.96, "Const", DType::f32), dtype);
      return beta_1_ * (1.0 - 0.5 * raw::Pow(base, decay_ * step));
    };
    now_ = momentum_at(step_);
    next_ = momentum_at(step_ + 1.0);
    schedule_ = cache_.assign(cache_.value() * rill::cast(now_, DType::f32));
    schedule_ = rill::cast(schedule_, dtype);
    schedule_next_ = schedule_ * next_;
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    const Variable m = get_slot(var, "m"), v = get_slot(var, "v");
    const Output mean = m.assign(beta_1_ * m.value() + (1.0 - beta_1_) * grad);
    const Output squares = v.assign(beta_2_ * v.value() + (1.0 - beta_2_) * raw::Square(grad));
    return var.assign_sub_op(change(grad, mean, squares));
  }
  Node& apply_sparse(Output grad, const Variable& var, Output indices) override {
    const Variable m = get_slot(var, "m"), v = get_slot(var, "v");
    Node& first = faded_and_added(m, beta_1_, grad * (1.0 - beta_1_), indices);
    Node& second = faded_and_added(v, beta_2_, grad * grad * (1.0 - beta_2_), indices);
    const Output mean = gather(read_after(first, m), indices);
    const Output squares = gather(read_after(second, v), indices);
    return added_rows(var, indices, -change(grad, mean, squares));
  }

 private:
  Output change(Output grad, Output mean, Output squares) const {
    const Output gradient_part = (1.0 - now_) * (grad / (1.0 - schedule_));
    const Output bar = gradient_part + next_ * (mean / (1.0 - schedule_next_));
    return (rate_ * bar) / (raw::Sqrt(squares / (1.0 - power_2_)) + epsilon_);
  }

  double decay_;
  Variable cache_;
  Output now_, next_, schedule_, schedule_next_;
};

class Ftrl : public Optimizer {
 public:
  explicit Ftrl(const OptimizerOptions& o)
      : Optimizer("Ftrl", o),
        start_(o.initial_accumulator_value),
        shrinkage_(o.l2_shrinkage_regularization_strength) {
    require(start_ >= 0, "initial_accumulator_value ", start_, " needs to be positive or zero");
    require(o.learning_rate_power <= 0, "learning_rate_power ", o.learning_rate_power,
            " needs to be negative or zero");
    set_hyper("learning_rate_power", o.learning_rate_power);
    set_hyper("l1_regularization_strength", o.l1_regularization_strength);
    set_hyper("l2_regularization_strength", o.l2_regularization_strength);
  }
  void create_slots(const std::vector<Variable>& vars) override {
    for (const Variable& var : vars) {
      add_slot(var, "accumulator", start_);
      add_slot(var, "linear");
    }
  }
  Node& apply_dense(Output grad, const Variable& var) override {
    const Numbers n = numbers(var);
    if (shrinkage_ <= 0)
      return raw::ResourceApplyFtrl(var.handle(), n.accumulator, n.linear, grad, n.rate, n.l1, n.l2,
                                    n.power);
    return raw::ResourceApplyFtrlV2(var.handle(), n.accumulator, n.linear, grad, n.rate, n.l1, n.l2,
                                    parts::number(shrinkage_, grad), n.power);
  }
  Node& apply_sparse(Output grad, const Variable& var, Output indices) override {
    const Numbers n = numbers(var);
    if (shrinkage_ <= 0)
      return raw::ResourceSparseApplyFtrl(var.handle(), n.accumulator, n.linear, grad, indices,
                                          n.rate, n.l1, n.l2, n.power);
    return raw::ResourceSparseApplyFtrlV2(var.handle(), n.accumulator, n.linear, grad, indices,
                                          n.rate, n.l1, n.l2, parts::number(shrinkage_, grad),
                                          n.power);
  }

 private:
  struct Numbers {
    Output accumulator, linear, rate, l1, l2, power;
  };
  Numbers numbers(const Variable& var) {
    const DType dtype = var.dtype();
    return {get_slot(var, "accumulator").handle(),
            get_slot(var, "linear").handle(),
            decayed_rate(dtype),
            get_hyper("l1_regularization_strength", dtype),
            get_hyper("l2_regularization_strength", dtype),
            get_hyper("learning_rate_power", dtype)};
  }
  double start_, shrinkage_;
};

template <class Kind>
OptimizerRef made(const OptimizerOptions& options) {
  return std::make_shared<Kind>(options);
}
constexpr std::pair<const char*, OptimizerRef (*)(const OptimizerOptions&)> kKinds[] = {
    {"sgd", made<Sgd>},     {"rmsprop", made<RmsProp>},   {"adagrad", made<Adagrad>},
    {"adam", made<Adam>},   {"adadelta", made<Adadelta>}, {"adamax", made<Adamax>},
    {"nadam", made<Nadam>}, {"ftrl", made<Ftrl>},
};

}  // namespace

OptimizerRef make(const std::string& class_name, const OptimizerOptions& options) {
  std::string lower = class_name;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& [name, make_one] : kKinds)
    if (lower == name) return make_one(options);
  raise(Code::kInvalidArgument, "Unknown optimizer: ", class_name);
}

}  // namespace rill::keras::optimizers
