#pragma once

#include "rill/api/feature_column/feature_column.h"

namespace rill::feature_column {

// Variables of columns as variables of the current variable scope.
class ScopeState : public StateManager {
 public:
  ScopeState(std::optional<std::vector<std::string>> collections, bool trainable)
      : collections_(std::move(collections)), trainable_(trainable) {}
  AnyVariable get_variable(const FeatureColumn& column, const std::string& name,
                           const VariableRequest& request) override;
  const std::optional<std::vector<std::string>>& collections() const { return collections_; }
  bool trainable() const { return trainable_; }

 private:
  std::optional<std::vector<std::string>> collections_;
  bool trainable_;
};

// The collections that weights of models belong to, besides those given.
std::vector<std::string> with_model_collections(std::vector<std::string> given);

// The variables of the current variable scope.
std::vector<Variable> variables_here();

}  // namespace rill::feature_column
