#include "rill/grad/gradients.h"
#include "rill/grad/split_gradient.h"
#include "rill/graph/builders.h"
#include "rill/graph/function_call.h"
#include "rill/ops/functional/kept_loop.h"
#include "rill/ops/functional/rerun.h"

namespace rill {

void while_gradient(GradCtx& g);

namespace {

using Outputs = std::vector<Output>;

// The gradient of a loop: a second loop forward that lays aside its variables of every iteration,
// then one backward that takes them up again, iteration by iteration, and differentiates the body
// there.
class LoopGradient {
 public:
  explicit LoopGradient(GradCtx& g)
      : g_(g), graph_(g.node().graph()), body_(g.attr<FuncName>("body")) {
    check_can_run_again(g.node(), body_);
    check_can_run_again(g.node(), g.attr<FuncName>("cond"));
    for (int i = 0; i < g.input_count(); ++i) {
      const DType type = base_type(g.input(i).dtype());
      types_.push_back(type);
      if (type == DType::resource) {
        handles_.push_back(i);
        const HandleInfo* handle = g.input(i).node->output_handle(g.input(i).index);
        if (handle != nullptr && is_differentiable(handle->dtype)) summed_.push_back(i);
      } else {
        kept_.push_back(i);
        if (is_differentiable(type)) sought_.push_back(i);
      }
    }
  }

  void build() {
    if (sought_.empty() && summed_.empty()) return;
    const Outputs stacks = make_stacks();
    const Output iterations = run_forward(stacks);
    const Outputs gradients = run_backward(stacks, iterations);
    for (std::size_t k = 0; k < sought_.size(); ++k) g_.set(sought_[k], gradients[k]);
    for (std::size_t k = 0; k < summed_.size(); ++k)
      g_.set(summed_[k], gradients[sought_.size() + k]);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  Outputs make_stacks() {
    Outputs stacks;
    for (const int i : kept_)
      stacks.push_back(
          g_.add("StackV2", {-1}, {{"elem_type", types_[at(i)]}, {"stack_name", ""}}, "f_acc"));
    return stacks;
  }

  Node& loop(const FuncName& test, const FuncName& body, const Outputs& variables) {
    return g_.scope().add("While", {as_inputs(variables)}, {{"cond", test}, {"body", body}});
  }

  static std::vector<DType> types_of(const Outputs& outputs) {
    std::vector<DType> types;
    for (const Output& output : outputs) types.push_back(base_type(output.dtype()));
    return types;
  }

  static Outputs call(Scope& scope, const FuncName& function, const Outputs& arguments,
                      const std::vector<DType>& results) {
    Node& node = scope.add("StatefulPartitionedCall", {as_inputs(arguments)},
                           {{"Tout", results}, {"f", function}});
    Outputs outputs;
    for (int i = 0; i < node.output_count(); ++i) outputs.push_back(node.output(i));
    return outputs;
  }

  // Variables: the number of iterations, the loop's own variables, the stacks. Gives the number.
  Output run_forward(const Outputs& stacks) {
    Outputs variables{g_.scope().constant(Tensor::scalar<std::int32_t>(0), "rounds")};
    for (int i = 0; i < g_.input_count(); ++i) variables.push_back(g_.input(i));
    variables.insert(variables.end(), stacks.begin(), stacks.end());
    const std::size_t count = types_.size();
    const auto own = [count](const Outputs& all) {
      return Outputs(all.begin() + 1, all.begin() + 1 + static_cast<std::ptrdiff_t>(count));
    };
    const auto types = types_of(variables);
    const FuncName test = define_helper(
        graph_, body_.name + "_forward_cond", types, [&](Scope& scope, const Outputs& all) {
          return call(scope, g_.attr<FuncName>("cond"), own(all), {DType::boolean});
        });
    const FuncName body = define_helper(
        graph_, body_.name + "_forward", types, [&](Scope& scope, const Outputs& all) {
          for (std::size_t k = 0; k < kept_.size(); ++k)
            scope.add("StackPushV2", {all[1 + count + k], all[1 + at(kept_[k])]});
          Outputs next{scope.add("AddV2", {all[0], 1}).output()};
          for (const Output& value : call(scope, body_, own(all), types_)) next.push_back(value);
          next.insert(next.end(), all.begin() + 1 + static_cast<std::ptrdiff_t>(count), all.end());
          return next;
        });
    return loop(test, body, variables).output(0);
  }

  // Variables: iterations to go, the gradients sought, sums of gradients of what is behind handles,
  // the stacks, handles. Gives the gradients and the sums.
  Outputs run_backward(const Outputs& stacks, Output iterations) {
    Outputs variables{iterations};
    for (const int i : sought_) variables.push_back(dy_or_zeros(g_, i));
    for (const int i : summed_) variables.push_back(zeros_behind(g_.input(i)));
    variables.insert(variables.end(), stacks.begin(), stacks.end());
    for (const int i : handles_) variables.push_back(g_.input(i));
    const auto types = types_of(variables);
    const FuncName test = define_helper(
        graph_, body_.name + "_backward_cond", types, [](Scope& scope, const Outputs& all) {
          return Outputs{scope.add("Greater", {all[0], 0}).output()};
        });
    const FuncName body =
        define_helper(graph_, body_.name + "_backward", types,
                      [&](Scope& scope, const Outputs& all) { return differentiated(scope, all); });
    Node& node = loop(test, body, variables);
    Outputs gradients;
    for (std::size_t k = 0; k < sought_.size() + summed_.size(); ++k)
      gradients.push_back(node.output(static_cast<int>(k) + 1));
    return gradients;
  }

  Output zeros_behind(Output handle) {
    const Output value = g_.add("ReadVariableOp", {handle}, {{"dtype", gradient_type(handle)}});
    return zeros_like(g_.scope(), value);
  }

  Outputs differentiated(Scope& scope, const Outputs& all) const {
    Outputs inputs(types_.size());
    const std::size_t first_sum = 1 + sought_.size(), first_stack = first_sum + summed_.size();
    const std::size_t first_handle = first_stack + kept_.size();
    for (std::size_t k = 0; k < kept_.size(); ++k)
      inputs[at(kept_[k])] =
          scope.add("StackPopV2", {all[first_stack + k]}, {{"elem_type", types_[at(kept_[k])]}})
              .output();
    for (std::size_t k = 0; k < handles_.size(); ++k)
      inputs[at(handles_[k])] = all[first_handle + k];
    Outputs dys;
    for (const Output& input : inputs) dys.push_back(input);
    for (const int i : kept_) dys[at(i)] = zeros_like(scope, inputs[at(i)]);
    for (std::size_t k = 0; k < sought_.size(); ++k) dys[at(sought_[k])] = all[1 + k];
    std::vector<DType> tout;
    for (int i = 0; i < g_.input_count(); ++i) tout.push_back(gradient_type(g_.input(i)));
    inputs.insert(inputs.end(), dys.begin(), dys.end());
    Node& node = scope.add("SymbolicGradient", {as_inputs(inputs)}, {{"Tout", tout}, {"f", body_}});
    Outputs next{scope.add("Sub", {all[0], 1}).output()};
    for (const int i : sought_) next.push_back(node.output(i));
    for (std::size_t k = 0; k < summed_.size(); ++k)
      next.push_back(scope.add("AddV2", {all[first_sum + k], node.output(summed_[k])}).output());
    next.insert(next.end(), all.begin() + static_cast<std::ptrdiff_t>(first_stack), all.end());
    return next;
  }

  GradCtx& g_;
  Graph& graph_;
  const FuncName body_;
  std::vector<DType> types_;
  std::vector<int> handles_;  // variables that are resource handles, the same in every iteration
  std::vector<int> kept_;     // all others
  std::vector<int> sought_;   // those of them that have gradients
  std::vector<int> summed_;   // handles of variables that have gradients
};

}  // namespace

// Where the node cannot be replaced the loop is run again.
void while_gradient(GradCtx& g) {
  if (can_be_replaced(g.node())) return kept_loop_gradient(g);
  LoopGradient(g).build();
}

}  // namespace rill
