#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rill/api/keras/optimizer.h"
#include "rill/api/train/learning_rate_decay.h"

// tf.keras.optimizers.schedules: learning rates that are computed of the number of steps.
namespace rill::keras::optimizers::schedules {

using LearningRateSchedule = Schedule;
struct DecayOptions {
  bool staircase = false;
  std::string name{};
};
// initial_learning_rate * decay_rate ^ (step / decay_steps), and divided by 1 + decay_rate * step /
// decay_steps.
inline Schedule ExponentialDecay(double initial_learning_rate, double decay_steps,
                                 double decay_rate, const DecayOptions& options = {}) {
  return [=](Output step) {
    return train::exponential_decay(Input(static_cast<float>(initial_learning_rate)), step,
                                    Input(static_cast<float>(decay_steps)),
                                    Input(static_cast<float>(decay_rate)),
                                    {.staircase = options.staircase, .name = options.name});
  };
}
inline Schedule InverseTimeDecay(double initial_learning_rate, double decay_steps,
                                 double decay_rate, const DecayOptions& options = {}) {
  return [=](Output step) {
    return train::inverse_time_decay(Input(static_cast<float>(initial_learning_rate)), step,
                                     Input(static_cast<float>(decay_steps)),
                                     Input(static_cast<float>(decay_rate)),
                                     {.staircase = options.staircase, .name = options.name});
  };
}
// values[i] up to boundaries[i], the last value behind them.
inline Schedule PiecewiseConstantDecay(std::vector<float> boundaries, std::vector<float> values) {
  return [=](Output step) {
    std::vector<Input> at(boundaries.begin(), boundaries.end()),
        rates(values.begin(), values.end());
    return train::piecewise_constant(step, at, rates);
  };
}
struct PolynomialOptions {
  double end_learning_rate = 0.0001, power = 1.0;
  bool cycle = false;
  std::string name{};
};
inline Schedule PolynomialDecay(double initial_learning_rate, double decay_steps,
                                const PolynomialOptions& o = {}) {
  return [=](Output step) {
    return train::polynomial_decay(
        Input(static_cast<float>(initial_learning_rate)), step,
        Input(static_cast<float>(decay_steps)),
        {.end_learning_rate = Input(static_cast<float>(o.end_learning_rate)),
         .power = Input(static_cast<float>(o.power)),
         .cycle = o.cycle,
         .name = o.name});
  };
}
}  // namespace rill::keras::optimizers::schedules
