#include "rill/grad/split_gradient.h"
#include "rill/graph/function_call.h"
#include "rill/ops/functional/kept_choice.h"
#include "rill/ops/functional/rerun.h"

namespace rill {

void if_gradient(GradCtx& g);
void case_gradient(GradCtx& g);

namespace {

// The gradient of a branch as a function of its own: branches of one choice differ in the function
// that they differentiate only.
class BranchGradients {
 public:
  explicit BranchGradients(GradCtx& g) : g_(g) {
    for (int i = 1; i < g.input_count(); ++i) {
      inputs_.push_back(g.input(i));
      types_.push_back(gradient_type(g.input(i)));
    }
    for (int i = 0; i < g.node().output_count(); ++i) inputs_.push_back(dy_or_zeros(g, i));
  }

  FuncName gradient_of(const FuncName& branch) const {
    check_can_run_again(g_.node(), branch);
    std::vector<DType> arguments;
    for (const Output& input : inputs_) arguments.push_back(base_type(input.dtype()));
    return define_helper(g_.node().graph(), branch.name + "_grad", arguments,
                         [&](Scope& scope, const std::vector<Output>& all) {
                           Node& node = scope.add("SymbolicGradient", {as_inputs(all)},
                                                  {{"Tout", types_}, {"f", branch}});
                           std::vector<Output> results;
                           for (int i = 0; i < node.output_count(); ++i)
                             results.push_back(node.output(i));
                           return results;
                         });
  }

  // The same choice among `attrs`, and where what it gives goes.
  void choose(AttrMap attrs) const {
    if (types_.empty()) return;
    attrs.emplace("Tout", types_);
    Node& node =
        g_.scope().add(g_.node().op().name, {g_.input(0), as_inputs(inputs_)}, std::move(attrs));
    for (int i = 0; i < node.output_count(); ++i) g_.set(i + 1, node.output(i));
  }

 private:
  GradCtx& g_;
  std::vector<Output> inputs_;
  std::vector<DType> types_;
};

}  // namespace

namespace {

AttrMap two_branches(const std::vector<FuncName>& branches) {
  return {{"then_branch", branches[0]}, {"else_branch", branches[1]}};
}
AttrMap many_branches(const std::vector<FuncName>& branches) { return {{"branches", branches}}; }

// Where the node cannot be replaced the branch is run again.
void choice_gradient(GradCtx& g, const std::vector<FuncName>& branches,
                     AttrMap (*named)(const std::vector<FuncName>& branches)) {
  if (can_be_replaced(g.node())) return kept_choice_gradient(g, branches, named);
  const BranchGradients again(g);
  std::vector<FuncName> gradients;
  for (const FuncName& branch : branches) gradients.push_back(again.gradient_of(branch));
  again.choose(named(gradients));
}

}  // namespace

void if_gradient(GradCtx& g) {
  choice_gradient(g, {g.attr<FuncName>("then_branch"), g.attr<FuncName>("else_branch")},
                  two_branches);
}

void case_gradient(GradCtx& g) {
  choice_gradient(g, g.attr<std::vector<FuncName>>("branches"), many_branches);
}

}  // namespace rill
