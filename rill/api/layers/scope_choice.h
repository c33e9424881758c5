#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rill/api/variables/variable_scope.h"

namespace rill::layers {

// A variable scope to be opened: by name, or one that was open before, whose variables can then be
// reused. Empty: none is chosen, and the caller's default holds.
class ScopeChoice {
 public:
  ScopeChoice() = default;
  ScopeChoice(VariableScopeRef scope) : scope_(std::move(scope)) {}
  ScopeChoice(std::string name) : name_(std::move(name)) {}
  ScopeChoice(const char* name) : name_(name) {}

  explicit operator bool() const { return scope_ != nullptr || !name_.empty(); }
  // The scope is open as long as the result lives. A name opens that scope as it is, not made
  // unique.
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
