#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

struct WhileOptions;

// What a branch hands out: tensors. A branch that is run for its effects hands out operations with
// `after`.
using BranchFn = std::function<std::vector<Output>()>;

struct CondOptions {
  std::string name = "cond";
};
// The results of `true_fn` where `pred`, a bool scalar, is true, of `false_fn` where not. Both
// functions are called at once, to build; only the nodes that they make run conditionally. What a
// function merely returns, or reads from outside, is computed in any case.
//
//   Output y = cond_one(x > 0, [&] { return sqrt(x); }, [&] { return -x; });
//
// Throws InvalidArgument when the branches hand out different numbers or types of tensors, or none.
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
// empty, the step fails with InvalidArgument when no predicate is true. All predicates are
// computed. Throws InvalidArgument as cond does, and when there is nothing to choose from.
std::vector<Output> case_of(const std::vector<std::pair<Output, BranchFn>>& branches,
                            const BranchFn& otherwise = {}, const CaseOptions& options = {},
                            std::source_location at = std::source_location::current());

// See WhileOptions for parallel_iterations, swap_memory, maximum_iterations and
// shape invariants.
struct WhileLoopOptions {
  int parallel_iterations = 10;
  bool back_prop = true;     // may gradients be taken through the loop?
  bool swap_memory = false;  // values kept for gradients may leave the device's memory
  OptionalInput maximum_iterations = {};
  // Empty, or for each variable a shape that it keeps to although its own changes.
  std::vector<PartialShape> shape_invariants = {};
  std::string name = "while";

  operator WhileOptions() const;  // of the builder; graph/flow_builders.h
};
using LoopCondFn = std::function<Output(const std::vector<Output>& vars)>;
using LoopBodyFn = std::function<std::vector<Output>(const std::vector<Output>& vars)>;
// The variables after `body` was applied to them as long as `cond` held. Both functions are called
// once, to build. Iterations overlap where their data allows it.
//
//   auto r = while_loop([](auto& v) { return v[0] < 10; },
//                       [](auto& v) { return std::vector<Output>{v[0] + 1, v[1] * 2.0F}; },
//                       {0, 1.0F});
//
// Throws InvalidArgument when there are no variables, or the body returns other numbers, types or
// shapes of tensors than it takes: a variable whose shape changes needs a shape invariant.
std::vector<Output> while_loop(const LoopCondFn& cond, const LoopBodyFn& body,
                               const Inputs& loop_vars, const WhileLoopOptions& options = {},
                               std::source_location at = std::source_location::current());

struct AssertOptions {
  int summarize = 3;
  std::string name = "Assert";
};
// An operation that fails the step with InvalidArgument, and `data` in its message, when
// `condition`, a bool scalar, is false. `summarize` elements of each are shown. It checks only
// where it runs: name it in a ControlDependencies, or run it. Data that is not plain texts or int32
// is computed on failure alone.
Node& assert_true(const Input& condition, const Inputs& data, const AssertOptions& options = {},
                  std::source_location at = std::source_location::current());

// `nodes` as one operation that has run when all of them have. Of none it is a NoOp.
Node& group(const Dependencies& nodes, const std::string& name = "group_deps",
            std::source_location at = std::source_location::current());
// The same tensors, each of which is there only when all of them, and `control_inputs`, are. Throws
// InvalidArgument when there is nothing at all.
std::vector<Output> tuple(const std::vector<Output>& tensors,
                          const Dependencies& control_inputs = {},
                          const std::string& name = "tuple",
                          std::source_location at = std::source_location::current());

struct WithDependenciesOptions {
  std::string name = "control_dependency";
};
// `output_tensor`, which is there only when `dependencies` have run: an Identity, placed beside it.
Output with_dependencies(const Dependencies& dependencies, const Input& output_tensor,
                         const WithDependenciesOptions& options = {},
                         std::source_location at = std::source_location::current());

// The truth value of a predicate where it is known while the graph is built: of a bool, or of a
// constant. Nothing for other values.
std::optional<bool> smart_constant_value(const Input& pred);
// cond where it must be; the results of one of the functions where `pred` is known.
std::vector<Output> smart_cond(const Input& pred, const BranchFn& true_fn, const BranchFn& false_fn,
                               const CondOptions& options = {},
                               std::source_location at = std::source_location::current());

// The rules of case_of and Assert, for faces that call the branches' functions themselves.
// The assertion that at most `most` of `predicates` are true.
Node& assert_at_most(Scope& scope, const std::vector<Output>& predicates, int most,
                     const std::string& message);
Node& add_assert(Scope& scope, const Input& condition, const Inputs& data, int summarize,
                 std::string_view name = "Assert");
// What the last of `predicates` must fulfil when it is taken without having been asked.
std::vector<Node*> assert_last_is_true(Scope& scope, const std::vector<Output>& predicates);
std::vector<Output> tuple(Scope& scope, const std::vector<Output>& tensors,
                          const std::vector<Node*>& control_inputs, std::string_view name);

}  // namespace rill
