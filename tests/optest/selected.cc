#include <set>

#include "rill/base/error.h"
#include "rill/graph/graph_def.h"
#include "rill/ops/register.h"
#include "tests/optest/commands.h"

namespace rill {

std::vector<const OpCases*> selected(const std::string& stem) {
  std::vector<const OpCases*> result;
  std::set<std::string_view> stems;
  for (const OpCases* table : all_cases()) {
    require(stems.insert(table->stem).second, "two tables have the stem '", table->stem, "'");
    if (stem.empty() || stem == table->stem) result.push_back(table);
  }
  if (result.empty() && !stem.empty()) raise(Code::kNotFound, "no cases of stem '", stem, "'");
  return result;
}

std::shared_ptr<Graph> load(const CaseGraph& graph) {
  auto result = std::make_shared<Graph>(standard_ops());
  import_graph_def(*result, graph.def);
  return result;
}

}  // namespace rill
