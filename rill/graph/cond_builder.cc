#include "rill/base/error.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_builders.h"
#include "rill/graph/number.h"

namespace rill {

CondBuilder::CondBuilder(Scope scope, const Input& pred) : scope_(std::move(scope)) {
  const Output given = pred.as_output(scope_, "pred", DType::boolean);
  Node& gate = scope_.add("Switch", {given, given});
  const Output if_true = identity(scope_, gate.output(1), "switch_t");
  const Output if_false = identity(scope_, gate.output(0), "switch_f");
  const Output pred_id = identity(scope_, given, "pred_id");
  Graph& graph = scope_.graph();
  for (const Output& own : {gate.output(), if_true, if_false, pred_id})
    graph.forbid_fetch(*own.node);
  const auto context = [&](Output pivot, int branch) {
    return &CondContext::create(graph, scope_.unique_name("cond_text"), scope_.flow(), pred_id,
                                pivot, branch);
  };
  branches_[1] = context(if_true, 1);
  branches_[0] = context(if_false, 0);
}

Scope CondBuilder::branch(bool taken_if) const { return scope_.inside(branches_[taken_if]); }

Output CondBuilder::result(bool taken_if, Output value) const {
  Scope inside = branch(taken_if);
  return branches_[taken_if]->result(inside, value);
}

Output CondBuilder::result(bool taken_if, Node& operation) const {
  Scope inside = branch(taken_if);
  return with_dependency(inside, operation, branches_[taken_if]->pivot());
}

Output CondBuilder::merge(Output if_false, Output if_true) {
  require(base_type(if_false.dtype()) == base_type(if_true.dtype()),
          "Outputs of true_fn and false_fn must have the same type: ",
          python_name(base_type(if_true.dtype())), ", ", python_name(base_type(if_false.dtype())));
  const bool refs = is_ref(if_false.dtype()) && is_ref(if_true.dtype());
  return scope_
      .add(refs ? "RefMerge" : "Merge", {std::vector<Input>{if_false, if_true}}, {}, "Merge")
      .output();
}

Output with_dependency(Scope& scope, Node& before, Output value) {
  Node* const waits_for = &before;
  Scope after = scope.colocated_with(*value.node).with_control({&waits_for, 1});
  return identity(after, value, "control_dependency");
}

}  // namespace rill
