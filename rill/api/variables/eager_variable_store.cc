#include "rill/api/variables/eager_variable_store.h"

namespace rill {
namespace {

thread_local std::vector<std::shared_ptr<EagerVariableStore::State>> active;

}  // namespace

EagerVariableStore::EagerVariableStore() : state_(std::make_shared<State>()) {
  state_->store.keeps_eager_variables = true;
}

EagerVariableStore::AsDefault::AsDefault(const EagerVariableStore& store) {
  active.push_back(store.state_);
}
EagerVariableStore::AsDefault::~AsDefault() { active.pop_back(); }

EagerVariableStore::State* active_eager_store() {
  return active.empty() ? nullptr : active.back().get();
}

}  // namespace rill
