#include "rill/api/core/special_scopes.h"

#include "rill/api/core/outermost_graph.h"

namespace rill {

Scope in_container(const Scope& scope, const std::string& container_name) {
  Scope inner = scope;
  inner.on_created = [container_name, outer = scope.on_created](Node& node) {
    if (!container_name.empty() && node.op().has(kStateful)) {
      const auto given = node.attrs().find("container");
      if (given != node.attrs().end() && given->second.get<std::string>().empty())
        node.graph().set_attr(node, "container", AttrValue(container_name));
    }
    if (outer) outer(node);  // the innermost container comes first
  };
  return inner;
}

container::container(const std::string& container_name)
    : ScopeChange(in_container(current_scope(), container_name)) {}

init_scope::init_scope()
    : around_(current_scope().name()),
      outermost_(outermost_graph()),
      named_(around_.empty() ? around_ : around_ + "/"),
      free_(Dependencies()) {}

}  // namespace rill
