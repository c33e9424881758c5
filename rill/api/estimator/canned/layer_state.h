#pragma once

#include <map>

#include "rill/api/feature_column/feature_column.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::estimator {

// Variables of columns that a layer makes before it is called.
class LayerState : public feature_column::StateManager {
 public:
  void create_variable(const feature_column::FeatureColumn& column, const std::string& name,
                       const VariableRequest& request) override;
  AnyVariable get_variable(const feature_column::FeatureColumn& column, const std::string& name,
                           const VariableRequest& request) override;
  bool keeps_state() const override { return true; }

 private:
  std::map<std::pair<std::string, std::string>, AnyVariable> variables_;
};

// A column's name as that of a variable scope.
std::string scope_name_of(const feature_column::FeatureColumn& column);

// Opens a variable scope without a name scope.
inline VariableScopeOptions without_name_scope() {
  VariableScopeOptions options;
  options.auxiliary_name_scope = false;
  return options;
}
// The current one again, with variables that are resources.
inline VariableScopeOptions with_resources() {
  VariableScopeOptions options = without_name_scope();
  options.use_resource = true;
  return options;
}

}  // namespace rill::estimator
