#pragma once

#include <functional>
#include <vector>

#include "rill/api/variables/variable.h"

namespace rill {

// Makes the variable: what the next scope around does, or Variable itself.
using MakeVariable = std::function<Variable(const InitialValue&, const VariableOptions&)>;
using VariableCreator =
    std::function<Variable(const MakeVariable& next, const InitialValue&, const VariableOptions&)>;

// While it lives, `creator` is asked for every new variable of this thread, the innermost first.
//
//   const tf::variable_creator_scope on_cpu([](auto& next, auto& value, auto options) {
//     options.trainable = false;
//     return next(value, options);
//   });
class variable_creator_scope {
 public:
  [[nodiscard]] explicit variable_creator_scope(VariableCreator creator);
  ~variable_creator_scope();
  variable_creator_scope(const variable_creator_scope&) = delete;
  variable_creator_scope& operator=(const variable_creator_scope&) = delete;
};

// Those of this thread, outermost first; for another thread that goes on building for it.
using VariableCreators = std::vector<VariableCreator>;
VariableCreators variable_creators();
class WithVariableCreators {
 public:
  [[nodiscard]] explicit WithVariableCreators(VariableCreators creators);
  ~WithVariableCreators();
  WithVariableCreators(const WithVariableCreators&) = delete;
  WithVariableCreators& operator=(const WithVariableCreators&) = delete;

 private:
  VariableCreators outer_;
};

// Whether there is such a scope, and what its creators make of the arguments.
bool has_variable_creators();
Variable created_variable(const InitialValue& initial_value, const VariableOptions& options,
                          std::source_location at);

}  // namespace rill
