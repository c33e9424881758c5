#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/graph/flow_builders.h"

namespace rill {

// What a branch hands out: tensors. A branch that is run for its effects hands out operations with
// `after`.
using BranchFn = std::function<std::vector<Output>()>;

struct CondOptions {
  std::string name = "cond";
};
// The results of `true_fn` where `pred` is true, of `false_fn` where not. Only the nodes that the
// functions make run conditionally. Throws InvalidArgument when the branches hand out different
// numbers or types of tensors.
std::vector<Output> cond(const Input& pred, const BranchFn& true_fn, const BranchFn& false_fn,
                         const CondOptions& options = {},
                         std::source_location at = std::source_location::current());
// The same for one tensor.
Output cond_one(const Input& pred, const std::function<Output()>& true_fn,
                const std::function<Output()>& false_fn, const CondOptions& options = {},
                std::source_location at = std::source_location::current());

struct CaseOptions {
  bool exclusive = false;  // the step fails when several predicates are true
  std::string name = "case";
};
// The results of the first function whose predicate is true, else of `otherwise`; where that is
// empty, the step fails when no predicate is true. Throws InvalidArgument as cond does.
std::vector<Output> case_of(const std::vector<std::pair<Output, BranchFn>>& branches,
                            const BranchFn& otherwise = {}, const CaseOptions& options = {},
                            std::source_location at = std::source_location::current());

struct WhileLoopOptions : WhileOptions {
  std::string name = "while";
};
using LoopCondFn = std::function<Output(const std::vector<Output>& vars)>;
using LoopBodyFn = std::function<std::vector<Output>(const std::vector<Output>& vars)>;
// The variables after `body` was applied to them as long as `cond` held. Throws InvalidArgument
// when the body returns other numbers, types or shapes of tensors than it takes.
std::vector<Output> while_loop(const LoopCondFn& cond, const LoopBodyFn& body,
                               const std::vector<Input>& loop_vars,
                               const WhileLoopOptions& options = {},
                               std::source_location at = std::source_location::current());

struct AssertOptions {
  int summarize = 3;
  std::string name = "Assert";
};
// An operation that fails the step with `data` in its message when `condition` is false.
Node& assert_true(const Input& condition, const std::vector<Input>& data,
                  const AssertOptions& options = {},
                  std::source_location at = std::source_location::current());

// `nodes` as one operation that has run when all of them have.
Node& group(const std::vector<Node*>& nodes, const std::string& name = "group_deps",
            std::source_location at = std::source_location::current());
// The same tensors, each of which is there only when all of them, and `control_inputs`, are.
std::vector<Output> tuple(const std::vector<Output>& tensors,
                          const std::vector<Node*>& control_inputs = {},
                          const std::string& name = "tuple",
                          std::source_location at = std::source_location::current());

struct WithDependenciesOptions {
  std::string name = "control_dependency";
};
// `output_tensor`, which is there only when `dependencies` have run.
Output with_dependencies(const std::vector<Node*>& dependencies, const Input& output_tensor,
                         const WithDependenciesOptions& options = {},
                         std::source_location at = std::source_location::current());

// The truth value of a predicate where it is known while the graph is built.
std::optional<bool> smart_constant_value(const Input& pred);
// cond where it must be; the results of one of the functions where `pred` is known.
std::vector<Output> smart_cond(const Input& pred, const BranchFn& true_fn, const BranchFn& false_fn,
                               const CondOptions& options = {},
                               std::source_location at = std::source_location::current());

// The rules of case_of and Assert, for faces that call the branches' functions themselves.
// The assertion that at most `most` of `predicates` are true.
Node& assert_at_most(Scope& scope, const std::vector<Output>& predicates, int most,
                     const std::string& message);
Node& add_assert(Scope& scope, const Input& condition, const std::vector<Input>& data,
                 int summarize, std::string_view name = "Assert");
// What the last of `predicates` must fulfil when it is taken without having been asked.
std::vector<Node*> assert_last_is_true(Scope& scope, const std::vector<Output>& predicates);
std::vector<Output> tuple(Scope& scope, const std::vector<Output>& tensors,
                          const std::vector<Node*>& control_inputs, std::string_view name);

}  // namespace rill
