#include "rill/serve/model/lost_variables.h"

#include <algorithm>
#include <set>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/io/saved_model.h"

namespace rill::serve {
namespace {

// Those that these nodes need, in any way.
std::set<const Node*> variables_below(std::vector<const Node*> open) {
  std::set<const Node*> seen, variables;
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (node == nullptr || !seen.insert(node).second) continue;
    if (node->op().has(kVariable)) variables.insert(node);
    for (const Output& input : node->inputs()) open.push_back(input.node);
    open.insert(open.end(), node->control_inputs().begin(), node->control_inputs().end());
  }
  return variables;
}

}  // namespace

void check_variables_are_there(const saved_model::Model& model, const std::string& export_dir) {
  const std::string path = saved_model::variables_path(export_dir);
  const std::string& restore = model.meta_graph.saver_def().restore_op_name();
  if (restore.empty() || model.has_restored) return;
  std::vector<const Node*> asked;
  for (const auto& [key, signature] : model.meta_graph.signature_def())
    for (const auto& [name, tensor] : saved_model::tensor_names(signature.outputs()))
      asked.push_back(model.graph->find(tensor.substr(0, tensor.rfind(':'))));
  const auto read = variables_below(std::move(asked));
  const auto restored = variables_below({model.graph->find(restore)});
  const auto lost = std::ranges::find_if(read, [&](const Node* v) { return restored.contains(v); });
  if (lost != read.end())
    raise(Code::kNotFound, "The model's variables are missing: there is no ", path,
          ".index, which should hold ", (*lost)->name());
}

}  // namespace rill::serve
