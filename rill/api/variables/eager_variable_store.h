#pragma once

#include <memory>
#include <vector>

#include "rill/api/variables/variable_scope.h"

namespace rill {

// Keeps what get_variable makes in eager execution, so that the same names mean the same variables;
// without one each call makes a new variable.
//
//   EagerVariableStore store;
//   const EagerVariableStore::AsDefault in(store);
//   layers::dense(x, 3, {.name = "l"});  // and again: with the same weights
class EagerVariableStore {
 public:
  EagerVariableStore();
  const std::vector<Variable>& variables() const { return state_->made; }  // by name

  // Stores nest; the innermost of this thread counts. Ends on the thread that made it.
  class AsDefault {
   public:
    explicit AsDefault(const EagerVariableStore& store);
    ~AsDefault();
    AsDefault(const AsDefault&) = delete;
    AsDefault& operator=(const AsDefault&) = delete;
  };

  struct State {
    VariableStore store;
    std::vector<Variable> made;
  };

 private:
  std::shared_ptr<State> state_;
};

// The state of the innermost store; null: none.
EagerVariableStore::State* active_eager_store();

}  // namespace rill
