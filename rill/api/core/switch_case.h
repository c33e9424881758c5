#pragma once

#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "rill/api/core/control_flow.h"

namespace rill {

class FunctionBuilder;

struct SwitchCaseOptions {
  std::string name = "switch_case";
};
// What branches[index] hands out, index a scalar of int32; the last branch's results where there is
// none of that index, a negative one included. Each branch becomes a function of the graph, and
// only the one that is taken runs. Throws InvalidArgument when there are no branches, or they hand
// out different numbers or types of tensors.
std::vector<Output> switch_case(const Input& index, const std::vector<BranchFn>& branches,
                                const SwitchCaseOptions& options = {},
                                std::source_location at = std::source_location::current());

// A branch that was built, for faces that call the branches' functions themselves.
struct BuiltBranch {
  std::shared_ptr<FunctionBuilder> builder = {};
  std::vector<Output> results = {};
};
std::vector<Output> indexed_case(const Scope& scope, const Input& index,
                                 std::span<const BuiltBranch> branches);

}  // namespace rill
