#pragma once

#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "rill/api/core/control_flow.h"
#include "rill/graph/function_define.h"

namespace rill {

struct SwitchCaseOptions {
  std::string name = "switch_case";
};
// What branches[index] hands out; the last branch's results where there is none of that index. Each
// branch becomes a function of the graph, and only the one that is taken runs. Throws
// InvalidArgument when the branches hand out different numbers or types of tensors.
std::vector<Output> switch_case(const Input& index, const std::vector<BranchFn>& branches,
                                const SwitchCaseOptions& options = {},
                                std::source_location at = std::source_location::current());

// A branch that was built, for faces that call the branches' functions themselves.
struct BuiltBranch {
  FunctionBuilder* builder;
  std::vector<Output> results;
};
std::vector<Output> indexed_case(const Scope& scope, const Input& index,
                                 std::span<const BuiltBranch> branches);

}  // namespace rill
