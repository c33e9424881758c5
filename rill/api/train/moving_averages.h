#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/variables/variable.h"

namespace rill::train {

struct AssignMovingAverageOptions {
  bool zero_debias = true;  // as if the average had not started at zero
  std::string name = {};
};
// variable -= (1 - decay) * (variable - value); the variable after that. With zero_debias two more
// variables hold the plain average and the number t of updates, and the variable becomes average /
// (1 - decay**t).
Output assign_moving_average(const Variable& variable, const Input& value, const Input& decay,
                             const AssignMovingAverageOptions& options = {},
                             std::source_location at = std::source_location::current());

// truediv: false divides integers as integers. collections: of the two variables that hold the
// sums.
struct WeightedMovingAverageOptions {
  bool truediv = true;
  std::optional<std::vector<std::string>> collections = {};
  std::string name = {};
};
// The moving average of value * weight over that of weight.
Output weighted_moving_average(const Input& value, const Input& decay, const Input& weight,
                               const WeightedMovingAverageOptions& options = {},
                               std::source_location at = std::source_location::current());

struct ExponentialMovingAverageOptions {
  OptionalInput num_updates;  // at first the decay is lower: (1 + n) / (10 + n)
  bool zero_debias = false;   // of averages of tensors
  std::string name = "ExponentialMovingAverage";
};

// Keeps averages of variables and tensors, in variables of its own: average = decay * average + (1
// - decay) * value. The averages of variables start with their initial values, those of tensors
// with zeros. Evaluation with averaged weights is often better than with the last ones.
//
//   ExponentialMovingAverage ema(0.999);
//   Node& averaged = ema.apply();  // to run after each training step
//   Output w_average = ema.average(w).value();
//
// decay near 1 averages over about 1 / (1 - decay) steps.
class ExponentialMovingAverage {
 public:
  using Averaged = std::variant<Variable, Output>;

  explicit ExponentialMovingAverage(Input decay,
                                    const ExponentialMovingAverageOptions& options = {});
  const std::string& name() const { return options_.name; }

  // The operation that updates the averages of `var_list`, of the moving-average and trainable
  // variables when absent. It does not wait for a training step: say so with ControlDependencies.
  // What has an average already is updated once more by each call. Throws TypeError for what is not
  // of a floating-point type.
  Node& apply(const std::optional<std::vector<Averaged>>& var_list = {},
              std::source_location at = std::source_location::current());
  // ema.apply({w, b}), ema.apply(trainable_variables()).
  Node& apply(std::initializer_list<Averaged> var_list,
              std::source_location at = std::source_location::current());
  Node& apply(const std::vector<Variable>& var_list,
              std::source_location at = std::source_location::current());
  Variable average(const Averaged& var) const;  // none where there is none
  // The name of its average's node, or the one that it would get.
  std::string average_name(const Averaged& var) const;
  // What to restore variables from, so that they get their averages: by name in the checkpoint.
  // Other global variables are there under their own names. The list is of the averaged variables,
  // the trainable and moving-average ones when absent.
  //
  //   NamedToSave named;
  //   for (const auto& [name, v] : ema.variables_to_restore()) named[name] = {v};
  //   Saver saver(named);
  std::map<std::string, Variable> variables_to_restore(
      const std::optional<std::vector<Variable>>& moving_avg_variables = {}) const;

 private:
  struct Key {
    const Node* node;
    int index;
    auto operator<=>(const Key&) const = default;
  };
  struct Kept {
    Averaged what;
    Variable average;
    bool zero_debias = false;
  };
  static Key key_of(const Averaged& var);
  void make_average(const Averaged& var);
  Output current_decay() const;

  Input decay_;
  ExponentialMovingAverageOptions options_;
  std::map<Key, Kept> kept_;
};

}  // namespace rill::train
