#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::train {

// Learning rates that follow the number of steps taken. The result has the type of `learning_rate`;
// steps may be numbers, tensors or variables of any type.

// They are tensors: made once, they follow the step by themselves.
//
//   Variable step = get_or_create_global_step();
//   GradientDescentOptimizer sgd(exponential_decay(0.1, step, 1000, 0.96));
struct DecayOptions {
  bool staircase = false;  // the rate changes at multiples of decay_steps only
  std::string name = {};
};
// learning_rate * decay_rate ^ (global_step / decay_steps)
Output exponential_decay(const Input& learning_rate, const Input& global_step,
                         const Input& decay_steps, const Input& decay_rate,
                         const DecayOptions& options = {},
                         std::source_location at = std::source_location::current());
// learning_rate * exp(-decay_rate * global_step / decay_steps). With `staircase` the quotient is
// rounded down, as in the other two.
Output natural_exp_decay(const Input& learning_rate, const Input& global_step,
                         const Input& decay_steps, const Input& decay_rate,
                         const DecayOptions& options = {},
                         std::source_location at = std::source_location::current());
// learning_rate / (1 + decay_rate * global_step / decay_steps)
Output inverse_time_decay(const Input& learning_rate, const Input& global_step,
                          const Input& decay_steps, const Input& decay_rate,
                          const DecayOptions& options = {},
                          std::source_location at = std::source_location::current());

struct PolynomialDecayOptions {
  Input end_learning_rate = 0.0001;
  Input power = 1.0;
  bool cycle = false;  // after decay_steps the decay starts again, with a longer way
  std::string name = {};
};
// (learning_rate - end) * (1 - step / decay_steps) ** power + end, where step stops at decay_steps.
// With `cycle`, decay_steps is the next multiple of itself that step has not passed, so that the
// rate jumps up at each.
Output polynomial_decay(const Input& learning_rate, const Input& global_step,
                        const Input& decay_steps, const PolynomialDecayOptions& options = {},
                        std::source_location at = std::source_location::current());

struct PiecewiseConstantOptions {
  std::string name = {};
};
// values[0] up to boundaries[0], values[1] up to boundaries[1], ..., the last value beyond. Throws
// InvalidArgument when there is not one value more than boundaries, or types do not agree.
Output piecewise_constant(const Input& x, const Inputs& boundaries, const Inputs& values,
                          const PiecewiseConstantOptions& options = {},
                          std::source_location at = std::source_location::current());

struct CosineDecayOptions {
  Input alpha = 0.0;  // the part of the rate that remains
  std::string name = {};
};
// Half a cosine from learning_rate to alpha * learning_rate, which it keeps after decay_steps:
// learning_rate * ((1 - alpha) * (1 + cos(pi * step / decay_steps)) / 2 + alpha).
Output cosine_decay(const Input& learning_rate, const Input& global_step, const Input& decay_steps,
                    const CosineDecayOptions& options = {},
                    std::source_location at = std::source_location::current());

// t_mul = 1 makes all periods equal.
struct CosineDecayRestartsOptions {
  Input t_mul = 2.0;  // how much longer each period is than the one before
  Input m_mul = 1.0;  // and how much lower it starts
  Input alpha = 0.0;
  std::string name = {};
};
// The same in periods that start again from the top, the first one first_decay_steps long
// (Loshchilov and Hutter's warm restarts).
Output cosine_decay_restarts(const Input& learning_rate, const Input& global_step,
                             const Input& first_decay_steps,
                             const CosineDecayRestartsOptions& options = {},
                             std::source_location at = std::source_location::current());

// num_periods: of the cosine within decay_steps. alpha and beta as in the formula.
struct LinearCosineDecayOptions {
  Input num_periods = 0.5;
  Input alpha = 0.0;
  Input beta = 0.001;
  std::string name = {};
};
// learning_rate * ((alpha + linear) * cosine + beta) with linear = 1 - step / decay_steps and
// cosine = (1 + cos(2 pi num_periods step / decay_steps)) / 2.
Output linear_cosine_decay(const Input& learning_rate, const Input& global_step,
                           const Input& decay_steps, const LinearCosineDecayOptions& options = {},
                           std::source_location at = std::source_location::current());

// The noise's variance is initial_variance / (1 + step) ** variance_decay.
struct NoisyLinearCosineDecayOptions {
  Input initial_variance = 1.0;
  Input variance_decay = 0.55;
  Input num_periods = 0.5;
  Input alpha = 0.0;
  Input beta = 0.001;
  std::string name = {};
};
// The same with normal noise added to `linear`, drawn anew in every step.
Output noisy_linear_cosine_decay(const Input& learning_rate, const Input& global_step,
                                 const Input& decay_steps,
                                 const NoisyLinearCosineDecayOptions& options = {},
                                 std::source_location at = std::source_location::current());

}  // namespace rill::train
