#pragma once

#include <memory>
#include <span>

#include "rill/api/train/optimizer.h"

namespace rill::train {

// An optimizer that programs may give as text, by its short name.
struct NamedOptimizer {
  const char* name;        // "SGD"
  const char* class_name;  // of tf.train: "GradientDescentOptimizer"
  std::shared_ptr<Optimizer> (*make)(double learning_rate);
  double momentum = 0;        // what the class is given for it; 0: it asks for none
  bool of_estimators = true;  // premade estimators know it; tf.contrib.layers knows all of these
};

// All of them, sorted by name. Python reads this table too.
std::span<const NamedOptimizer> named_optimizers();

}  // namespace rill::train
