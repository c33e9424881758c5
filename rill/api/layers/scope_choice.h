#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rill/api/variables/variable_scope.h"

namespace rill::layers {

// A variable scope to be opened: by name, or one that was open before. Empty: none is chosen.
class ScopeChoice {
 public:
  ScopeChoice() = default;
  ScopeChoice(VariableScopeRef scope) : scope_(std::move(scope)) {}
  ScopeChoice(std::string name) : name_(std::move(name)) {}
  ScopeChoice(const char* name) : name_(name) {}

  explicit operator bool() const { return scope_ != nullptr || !name_.empty(); }
  std::unique_ptr<VariableScopeBlock> open(const VariableScopeOptions& options,
                                           std::source_location at) const {
    if (scope_) return std::make_unique<VariableScopeBlock>(scope_, options, at);
    return std::make_unique<VariableScopeBlock>(name_, options, at);
  }

 private:
  std::string name_;
  VariableScopeRef scope_;
};

}  // namespace rill::layers
