#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rill/graph/import_plan.h"

namespace rill {

// The names that the nodes of `plan` get in `graph`, in the order of the GraphDef.
std::vector<std::string> import_names(const Graph& graph, const ImportPlan& plan,
                                      const ImportOptions& options);

}  // namespace rill
