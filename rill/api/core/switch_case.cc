#include "rill/api/core/switch_case.h"

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/functional_flow.h"
#include "rill/base/error.h"

namespace rill {
namespace {

void check_results(std::span<const BuiltBranch> branches) {
  require(!branches.empty(), "Must provide at least one item in 'branch_fns'");
  const std::vector<Output>& first = branches[0].results;
  for (std::size_t b = 1; b < branches.size(); ++b) {
    const std::vector<Output>& own = branches[b].results;
    require(own.size() == first.size(), "branches[0] and branches[", b, "] return ", first.size(),
            " and ", own.size(), " results");
    for (std::size_t i = 0; i < own.size(); ++i)
      require(base_type(own[i].dtype()) == base_type(first[i].dtype()), "branches[0] and branches[",
              b, "] return ", first[i].dtype(), " and ", own[i].dtype(), " as result ", i);
  }
}

// What is known of result i, whichever branch is taken.
PartialShape result_shape(std::span<const BuiltBranch> branches, std::size_t i) {
  const PartialShape shape = branches[0].results[i].shape();
  const bool same = std::ranges::all_of(
      branches, [&](const BuiltBranch& branch) { return branch.results[i].shape() == shape; });
  return same ? shape : PartialShape();
}

}  // namespace

std::vector<Output> indexed_case(const Scope& scope, const Input& index,
                                 std::span<const BuiltBranch> branches) {
  check_results(branches);
  for (const BuiltBranch& branch : branches) capture_results(branch);
  const std::vector<Output> captured = unite_captured(branches);
  Scope outer = scope;
  const Scope inner = scope.named("indexed_case");
  const std::string node_name = inner.name() + "/";

  std::string base = inner.name();
  std::ranges::replace(base, '/', '_');
  std::vector<FuncName> functions;
  bool has_effects = false;
  for (std::size_t b = 0; b < branches.size(); ++b)
    functions.push_back(
        define_part(outer.graph(), branches[b], str_cat(base, "_branch", b), &has_effects));
  std::vector<DType> types;
  std::vector<PartialShape> shapes;
  for (std::size_t i = 0; i < branches[0].results.size(); ++i) {
    types.push_back(base_type(branches[0].results[i].dtype()));
    shapes.push_back(result_shape(branches, i));
  }
  Node& node =
      outer.add(has_effects ? "Case" : "StatelessCase",
                {index, InputArg(std::vector<Input>(captured.begin(), captured.end()))},
                {{"Tout", types}, {"branches", functions}, {"output_shapes", shapes}}, node_name);
  Scope results_scope = inner;
  std::vector<Output> results;
  for (int i = 0; i < node.output_count(); ++i)
    results.push_back(results_scope.add("Identity", {node.output(i)}).output());
  return results;
}

std::vector<Output> switch_case(const Input& index, const std::vector<BranchFn>& branches,
                                const SwitchCaseOptions& options, std::source_location at) {
  const std::shared_ptr<Graph> graph = default_graph();
  const Scope scope = here(at).named(options.name);
  std::vector<BuiltBranch> built;
  for (const BranchFn& branch : branches)
    built.push_back(build_part(*graph, [&](FunctionBuilder&) { return branch(); }));
  return indexed_case(scope, index, built);
}

}  // namespace rill
