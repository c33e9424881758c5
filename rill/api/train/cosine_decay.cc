#include <numbers>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/math.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/train/learning_rate_decay.h"
#include "rill/api/train/parts.h"

namespace rill::train {
namespace {

// 1 - x as Python computes it: a number stays one.
Input one_minus(const Input& x) {
  if (!x.is_value()) return sub(1.0, x);
  return Input(1.0 - x.value(DType::f64).scalar_value<double>());
}

// 1 + cos(pi * x)
Output raised_cosine(Output x) {
  const Output angle = mul(constant(std::numbers::pi, {.dtype = base_type(x.dtype())}), x);
  return add(1.0, raw::Cos(angle));
}

struct Periods {
  Output done, fraction;  // whole ones, and the part of the one under way
};

Periods equal_periods(Output time) {
  const Output done = raw::Floor(time);
  return {done, sub(time, done)};
}

// Each period is `growth` times as long as the one before.
Periods growing_periods(Output time, Output growth) {
  const Output shrink = sub(1.0, growth);
  const Output logarithm = raw::Log(sub(1.0, mul(time, shrink)));
  const Output done = raw::Floor(truediv(logarithm, raw::Log(growth)));
  const Output grown = sub(1.0, pow(growth, done));
  const Output before = truediv(grown, sub(1.0, growth));
  const Output since = sub(time, before);
  return {done, truediv(since, pow(growth, done))};
}

}  // namespace

Output cosine_decay(const Input& learning_rate, const Input& global_step, const Input& decay_steps,
                    const CosineDecayOptions& options, std::source_location at) {
  const Block in(options.name, "CosineDecay", at);
  const Output rate = as_tensor(learning_rate, "initial_learning_rate");
  const DType dtype = base_type(rate.dtype());
  const Output steps = cast_in_block(decay_steps, dtype);
  const Output step = raw::Minimum(cast_in_block(global_step, dtype), steps);
  const Output wave = mul(0.5, raised_cosine(truediv(step, steps)));
  const Output decayed = add(mul(one_minus(options.alpha), wave), options.alpha);
  return raw::Mul(rate, decayed);
}

Output cosine_decay_restarts(const Input& learning_rate, const Input& global_step,
                             const Input& first_decay_steps,
                             const CosineDecayRestartsOptions& options, std::source_location at) {
  const Block in(options.name, "SGDRDecay", at);
  const Output rate = as_tensor(learning_rate, "initial_learning_rate");
  const DType dtype = base_type(rate.dtype());
  const Output steps = cast_in_block(first_decay_steps, dtype),
               alpha = cast_in_block(options.alpha, dtype);
  const Output growth = cast_in_block(options.t_mul, dtype),
               height = cast_in_block(options.m_mul, dtype);
  const Output time = truediv(cast_in_block(global_step, dtype), steps);
  const auto branch = [](const Periods& p) { return std::vector{p.done, p.fraction}; };
  const std::vector<Output> now = cond(
      raw::Equal(growth, 1.0), [&] { return branch(equal_periods(time)); },
      [&] { return branch(growing_periods(time, growth)); });
  const Output half = mul(0.5, pow(height, now.at(0)));
  const Output wave = mul(half, raised_cosine(now.at(1)));
  const Output decayed = add(mul(sub(1.0, alpha), wave), alpha);
  return raw::Mul(rate, decayed, {.name = in.own_name()});
}

Output linear_cosine_decay(const Input& learning_rate, const Input& global_step,
                           const Input& decay_steps, const LinearCosineDecayOptions& options,
                           std::source_location at) {
  const Block in(options.name, "LinearCosineDecay", at);
  const Output rate = as_tensor(learning_rate, "initial_learning_rate");
  const DType dtype = base_type(rate.dtype());
  const Output steps = cast_in_block(decay_steps, dtype),
               periods = cast_in_block(options.num_periods, dtype);
  const Output alpha = cast_in_block(options.alpha, dtype),
               beta = cast_in_block(options.beta, dtype);
  const Output step = raw::Minimum(cast_in_block(global_step, dtype), steps);
  const Output left = truediv(sub(steps, step), steps);
  const Output done = truediv(step, steps);
  const Output wave = mul(0.5, raised_cosine(mul(mul(2.0, periods), done)));
  const Output decayed = add(mul(add(alpha, left), wave), beta);
  return raw::Mul(rate, decayed, {.name = in.own_name()});
}

Output noisy_linear_cosine_decay(const Input& learning_rate, const Input& global_step,
                                 const Input& decay_steps,
                                 const NoisyLinearCosineDecayOptions& options,
                                 std::source_location at) {
  const Block in(options.name, "NoisyLinearCosineDecay", at);
  const Output rate = as_tensor(learning_rate, "initial_learning_rate");
  const DType dtype = base_type(rate.dtype());
  const Output steps = cast_in_block(decay_steps, dtype),
               variance = cast_in_block(options.initial_variance, dtype);
  const Output fading = cast_in_block(options.variance_decay, dtype);
  const Output periods = cast_in_block(options.num_periods, dtype),
               alpha = cast_in_block(options.alpha, dtype);
  const Output beta = cast_in_block(options.beta, dtype);
  const Output step = raw::Minimum(cast_in_block(global_step, dtype), steps);
  const Output left = truediv(sub(steps, step), steps);
  const Output spread = truediv(variance, raw::Pow(add(1.0, step), fading));
  const Output noise = random_normal({}, {.stddev = raw::Sqrt(spread), .dtype = dtype});
  const Output noisy = add(left, noise);
  const Output done = truediv(step, steps);
  const Output wave = mul(0.5, raised_cosine(mul(mul(2.0, periods), done)));
  const Output decayed = add(mul(add(alpha, noisy), wave), beta);
  return raw::Mul(rate, decayed, {.name = in.own_name()});
}

}  // namespace rill::train
