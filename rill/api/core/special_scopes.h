#pragma once

#include <string>
#include <string_view>

#include "rill/api/core/default_graph.h"

namespace rill {

// State that ops made inside own (variables, queues, tables) is kept under that name; sessions
// reset one container at a time. An inner container hides an outer one.
class container : public ScopeChange {
 public:
  [[nodiscard]] explicit container(const std::string& container_name);
};
// The same of any scope, for faces of other languages.
Scope in_container(const Scope& scope, const std::string& container_name);

// Nodes made inside wait for nothing around and are part of no branch, loop or function body; their
// names are those of the scope around.
class init_scope {
 public:
  [[nodiscard]] init_scope();

 private:
  std::string around_;  // the scope's name, before the graph changes
  AsDefault outermost_;
  NameScope named_;
  ControlDependencies free_;
};

// name_scope with its arguments in another order; `default_name` where there is no name.
class op_scope : public NameScope {
 public:
  [[nodiscard]] op_scope(const Inputs& /*values*/, std::string_view name,
                         std::string_view default_name = {})
      : NameScope(name.empty() ? default_name : name) {}
};

}  // namespace rill
