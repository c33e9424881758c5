#pragma once

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
  std::string name;
};
// variable -= (1 - decay) * (variable - value); the variable after that.
Output assign_moving_average(const Variable& variable, const Input& value, const Input& decay,
                             const AssignMovingAverageOptions& options = {},
                             std::source_location at = std::source_location::current());

struct WeightedMovingAverageOptions {
  bool truediv = true;
  std::optional<std::vector<std::string>> collections;
  std::string name;
};
// The moving average of value * weight over that of weight.
Output weighted_moving_average(const Input& value, const Input& decay, const Input& weight,
                               const WeightedMovingAverageOptions& options = {},
                               std::source_location at = std::source_location::current());

struct ExponentialMovingAverageOptions {
  std::optional<Input> num_updates;  // at first the decay is lower: (1 + n) / (10 + n)
  bool zero_debias = false;          // of averages of tensors
  std::string name = "ExponentialMovingAverage";
};

// Keeps averages of variables and tensors, in variables of its own. The averages of variables start
// with their initial values, those of tensors with zeros.
class ExponentialMovingAverage {
 public:
  using Averaged = std::variant<Variable, Output>;

  explicit ExponentialMovingAverage(Input decay,
                                    const ExponentialMovingAverageOptions& options = {});
  const std::string& name() const { return options_.name; }

  // The operation that updates the averages of `var_list`, of the moving-average and trainable
  // variables when absent. Throws InvalidArgument when something has an average already or is not
  // of a floating-point type.
  Node& apply(const std::optional<std::vector<Averaged>>& var_list = {},
              std::source_location at = std::source_location::current());
  Variable average(const Averaged& var) const;  // none where there is none
  std::string average_name(const Averaged& var) const;
  // What to restore variables from, so that they get their averages: by name in the checkpoint.
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
