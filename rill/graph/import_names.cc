#include "rill/graph/import_names.h"

#include "rill/base/error.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

std::string with_prefix(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : str_cat(prefix, "/", name);
}

// The scopes of the names in the graph: "a/b/c" makes "a" and "a/b" unusable as names.
std::unordered_set<std::string_view> scopes_in(const Graph& graph) {
  std::unordered_set<std::string_view> scopes;
  for (int id = 0; id < graph.node_count(); ++id) {
    std::string_view name = graph.node(id).name();
    for (auto slash = name.rfind('/'); slash != name.npos; slash = name.rfind('/')) {
      name = name.substr(0, slash);
      if (!scopes.insert(name).second) break;
    }
  }
  return scopes;
}

// Gives names that neither the graph nor the rest of the GraphDef has.
class Uniquifier {
 public:
  Uniquifier(const Graph& graph, const ImportPlan& plan, const ImportOptions& options)
      : graph_(graph), scopes_(scopes_in(graph)) {
    for (const ImportNode& node : plan.nodes())
      imported_.insert(with_prefix(options.prefix, node.def->name()));
  }

  std::string unique(const std::string& name) {
    if (!is_taken(name)) return name;
    for (int i = 1;; ++i) {
      std::string candidate = str_cat(name, "_", i);
      if (is_taken(candidate) || !imported_.insert(candidate).second) continue;
      return candidate;
    }
  }

 private:
  bool is_taken(const std::string& name) const {
    return graph_.find(name) != nullptr || scopes_.contains(name);
  }
  const Graph& graph_;
  std::unordered_set<std::string_view> scopes_;
  std::unordered_set<std::string> imported_;
};

}  // namespace

std::vector<std::string> import_names(const Graph& graph, const ImportPlan& plan,
                                      const ImportOptions& options) {
  std::vector<std::string> names;
  names.reserve(plan.nodes().size());
  if (options.uniquify_names) {
    Uniquifier uniquifier(graph, plan, options);
    for (const ImportNode& node : plan.nodes())
      names.push_back(uniquifier.unique(with_prefix(options.prefix, node.def->name())));
    return names;
  }
  for (const ImportNode& node : plan.nodes()) {
    names.push_back(with_prefix(options.prefix, node.def->name()));
    require(graph.find(names.back()) == nullptr, "Node name '", names.back(),
            "' already exists in the Graph");
  }
  return names;
}

}  // namespace rill
