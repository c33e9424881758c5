#include "rill/api/variables/variable_creator.h"

#include <utility>

namespace rill {
namespace {

// Outermost first.
std::vector<VariableCreator>& creators_here() {
  thread_local std::vector<VariableCreator> creators;
  return creators;
}

// While a creator is asked, variables are those of the scopes around its own.
class OuterCreators {
 public:
  OuterCreators() : all_(creators_here()) { creators_here().pop_back(); }
  ~OuterCreators() { creators_here() = std::move(all_); }
  OuterCreators(const OuterCreators&) = delete;
  OuterCreators& operator=(const OuterCreators&) = delete;

 private:
  std::vector<VariableCreator> all_;
};

}  // namespace

variable_creator_scope::variable_creator_scope(VariableCreator creator) {
  creators_here().push_back(std::move(creator));
}
variable_creator_scope::~variable_creator_scope() { creators_here().pop_back(); }

VariableCreators variable_creators() { return creators_here(); }

WithVariableCreators::WithVariableCreators(VariableCreators creators)
    : outer_(std::exchange(creators_here(), std::move(creators))) {}
WithVariableCreators::~WithVariableCreators() { creators_here() = std::move(outer_); }

bool has_variable_creators() { return !creators_here().empty(); }

Variable created_variable(const InitialValue& initial_value, const VariableOptions& options,
                          std::source_location at) {
  const VariableCreator creator = creators_here().back();
  const OuterCreators outer;
  return creator([at](const InitialValue& value,
                      const VariableOptions& changed) { return Variable(value, changed, at); },
                 initial_value, options);
}

}  // namespace rill
