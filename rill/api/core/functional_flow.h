#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rill/api/core/switch_case.h"
#include "rill/graph/traced_functions.h"

// Branches and loops whose parts are functions of the graph: what cond() and while_loop() make in
// functions (has_functional_flow). Other faces build the parts themselves.
namespace rill {

// The body of a branch or a loop that nodes of `outer` call.
BuiltBranch build_part(Graph& outer,
                       const std::function<std::vector<Output>(FunctionBuilder&)>& build);

// Every part takes what any of them reads. Returns that, in order.
std::vector<Output> unite_captured(std::span<const BuiltBranch> parts);
// A result that is no node of its part is one that it hands through.
void capture_results(const BuiltBranch& part);
// Defines the function of a part in `graph`. `has_effects` is set if it has some.
FuncName define_part(Graph& graph, const BuiltBranch& part, const std::string& base_name,
                     bool* has_effects);

// The If node. Throws InvalidArgument when the results differ in number or type.
Node& functional_cond(const Scope& scope, const Input& pred, const BuiltBranch& if_true,
                      const BuiltBranch& if_false);

struct FunctionalLoop {
  BuiltBranch cond, body;  // each has the variables as its arguments
  std::vector<Output> variables = {};
  std::vector<PartialShape> shapes = {};  // of the variables in every iteration
  int parallel_iterations = 10;
};
// What leaves the loop. Throws InvalidArgument when the body's results do not fit the variables.
std::vector<Output> functional_while(const Scope& scope, FunctionalLoop loop);

}  // namespace rill
