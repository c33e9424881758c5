#pragma once

#include <string>
#include <vector>

#include "rill/api/keras/optimizer.h"
#include "rill/io/json_values.h"

// tf.keras.optimizers.schedules: learning rates that are computed of the number of steps. Files of
// models hold them.
namespace rill::keras {
namespace optimizers::schedules {

using LearningRateSchedule = Schedule;
struct DecayOptions {
  bool staircase = false;
  std::string name{};
};
// initial_learning_rate * decay_rate ^ (step / decay_steps), and divided by 1 + decay_rate * step /
// decay_steps.
Schedule ExponentialDecay(double initial_learning_rate, double decay_steps, double decay_rate,
                          const DecayOptions& options = {});
Schedule InverseTimeDecay(double initial_learning_rate, double decay_steps, double decay_rate,
                          const DecayOptions& options = {});
// values[i] up to boundaries[i], the last value behind them.
Schedule PiecewiseConstantDecay(const std::vector<float>& boundaries,
                                const std::vector<float>& values);
struct PolynomialOptions {
  double end_learning_rate = 0.0001, power = 1.0;
  bool cycle = false;
  std::string name{};
};
Schedule PolynomialDecay(double initial_learning_rate, double decay_steps,
                         const PolynomialOptions& options = {});

// {"class_name": ..., "config": {...}}. Throws InvalidArgument for functions of the program.
Json serialize(const Schedule& schedule);
Schedule deserialize(const Json& config);

}  // namespace optimizers::schedules

namespace experimental {

struct CosineOptions {
  double alpha = 0.0;  // the part of the rate that remains
  std::string name{};
};
Schedule CosineDecay(double initial_learning_rate, double decay_steps,
                     const CosineOptions& options = {});
struct CosineRestartsOptions {
  double t_mul = 2.0, m_mul = 1.0;  // how much longer each period is, how much lower it starts
  double alpha = 0.0;
  std::string name{};
};
Schedule CosineDecayRestarts(double initial_learning_rate, double first_decay_steps,
                             const CosineRestartsOptions& options = {});
struct LinearCosineOptions {
  double num_periods = 0.5, alpha = 0.0, beta = 0.001;
  std::string name{};
};
Schedule LinearCosineDecay(double initial_learning_rate, double decay_steps,
                           const LinearCosineOptions& options = {});
struct NoisyLinearCosineOptions {
  double initial_variance = 1.0, variance_decay = 0.55;
  double num_periods = 0.5, alpha = 0.0, beta = 0.001;
  std::string name{};
};
Schedule NoisyLinearCosineDecay(double initial_learning_rate, double decay_steps,
                                const NoisyLinearCosineOptions& options = {});

}  // namespace experimental
}  // namespace rill::keras
