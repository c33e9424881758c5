#include "rill/ops/functional/kept_loop.h"

#include <algorithm>

#include "rill/grad/gradients.h"
#include "rill/grad/split_gradient.h"
#include "rill/graph/builders.h"
#include "rill/graph/function_call.h"
#include "rill/ops/functional/rerun.h"

namespace rill {
namespace {

using Outputs = std::vector<Output>;

class KeptLoop {
 public:
  explicit KeptLoop(GradCtx& g)
      : g_(g),
        graph_(g.node().graph()),
        split_(split_gradient(graph_, g.attr<FuncName>("body"))),
        count_(split_->argument_types.size()) {
    for (std::size_t i = 0; i < count_; ++i) inputs_.push_back(g.input(static_cast<int>(i)));
    find_sought();
    find_lists();
  }

  void build() {
    if (sought_.empty() && summed_.empty()) return;
    Node& forward = add_forward();
    const Outputs gradients = add_backward(forward);
    for (std::size_t k = 0; k < sought_.size(); ++k)
      g_.set(static_cast<int>(sought_[k]), gradients[k]);
    for (std::size_t k = 0; k < summed_.size(); ++k)
      g_.set(static_cast<int>(summed_[k]), gradients[sought_.size() + k]);
  }

 private:
  bool is_invariant(std::size_t i) const { return split_->passes[i] == static_cast<int>(i); }
  DType type(std::size_t i) const { return split_->argument_types[i]; }

  // Every variable that `backward` takes a gradient of; handles of variables whose gradients are
  // summed up.
  void find_sought() {
    for (const int seed : split_->seeds) sought_.push_back(static_cast<std::size_t>(seed));
    for (std::size_t i = 0; i < count_; ++i)
      if (type(i) == DType::resource && !split_->sent[i].empty()) summed_.push_back(i);
  }

  // What differs from iteration to iteration goes to a list: values of the body, and variables as
  // they are when it begins.
  void find_lists() {
    for (const SplitGradient::Kept& kept : split_->kept)
      if (!kept.is_argument || !is_invariant(static_cast<std::size_t>(kept.index))) add_list(kept);
    for (const std::size_t i : sought_)  // zeros like it stand for a gradient that there is not
      if (split_->sent[i].empty() && !split_->argument_shapes[i].is_full() && !is_invariant(i))
        add_list({true, static_cast<int>(i)});
  }

  void add_list(const SplitGradient::Kept& kept) {
    if (list_of(kept) >= 0) return;
    const auto at = static_cast<std::size_t>(kept.index);
    const DType kept_type = kept.is_argument ? type(at) : split_->forward_types[at];
    if (kept_type == DType::resource)
      raise(Code::kUnimplemented, "The gradient of '", g_.node().name(),
            "' (op type: ", g_.node().op().name,
            "): a resource that differs from iteration to iteration");
    lists_.push_back(kept);
    list_types_.push_back(kept_type);
    list_shapes_.push_back(kept.is_argument ? split_->argument_shapes[at]
                                            : split_->kept_shapes[at - split_->result_count]);
  }

  int list_of(const SplitGradient::Kept& kept) const {
    for (std::size_t k = 0; k < lists_.size(); ++k)
      if (lists_[k].is_argument == kept.is_argument && lists_[k].index == kept.index)
        return static_cast<int>(k);
    return -1;
  }

  static std::vector<DType> types_of(const Outputs& outputs) {
    std::vector<DType> types;
    for (const Output& output : outputs) types.push_back(base_type(output.dtype()));
    return types;
  }

  // --- forward: the loop's own variables, the lists, the number of iterations
  // ----------------------

  Outputs own_test(Scope& scope, const Outputs& all) const {
    const auto& test = g_.attr<FuncName>("cond");
    const auto definition = graph_.functions()->at(test.name);
    return call_recorded(scope, test, definition->signature.has(kStateful),
                         std::span(all).first(count_), {{DType::boolean}});
  }

  Outputs own_body(Scope& scope, const Outputs& all) const {
    const auto own = std::span(all).first(count_);
    const Outputs values = call_recorded(scope, {.name = split_->forward},
                                         split_->forward_has_effects, own, split_->forward_types);
    Outputs next(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count_));
    for (std::size_t k = 0; k < lists_.size(); ++k) {
      const Output element = lists_[k].is_argument
                                 ? own[static_cast<std::size_t>(lists_[k].index)]
                                 : values[static_cast<std::size_t>(lists_[k].index)];
      next.push_back(scope.add("TensorListPushBack", {all[count_ + k], element}).output());
    }
    next.push_back(scope.add("AddV2", {all.back(), 1}).output());
    return next;
  }

  Node& add_forward() {
    const std::string& name = g_.attr<FuncName>("body").name;
    Scope outside(graph_);
    Outputs more;
    for (const DType element : list_types_)
      more.push_back(
          outside.add("EmptyTensorList", {-1, -1}, {{"element_dtype", element}}, "accumulator")
              .output());
    more.push_back(outside.constant(Tensor::scalar<std::int32_t>(0), "iterations"));
    Outputs all = inputs_;
    all.insert(all.end(), more.begin(), more.end());
    std::vector<PartialShape> shapes = split_->argument_shapes;
    shapes.resize(all.size(), PartialShape::scalar());
    const auto types = types_of(all);
    const auto handles = as_handles(all);
    const FuncName test = define_helper(
        graph_, name + "_forward_cond", types,
        [&](Scope& scope, const Outputs& vars) { return own_test(scope, vars); }, shapes, handles);
    const FuncName body = define_helper(
        graph_, name + "_forward", types,
        [&](Scope& scope, const Outputs& vars) { return own_body(scope, vars); }, shapes, handles);
    std::vector<PartialShape> results;
    for (int i = 0; i < g_.node().output_count(); ++i) results.push_back(g_.node().output_shape(i));
    results.resize(all.size(), PartialShape::scalar());
    return replace_node(g_.node(), more,
                        {{"T", types}, {"cond", test}, {"body", body}, {"output_shapes", results}});
  }

  // --- backward: iterations to go, the gradients sought, the sums, the lists, what stays the same
  // ---

  Outputs add_backward(Node& forward) {
    Outputs variables{forward.output(forward.output_count() - 1)};
    for (const std::size_t i : sought_) variables.push_back(dy_or_zeros(g_, static_cast<int>(i)));
    for (const std::size_t i : summed_) variables.push_back(zeros_like(g_.scope(), inputs_[i]));
    for (std::size_t k = 0; k < lists_.size(); ++k)
      variables.push_back(forward.output(static_cast<int>(count_ + k)));
    for (std::size_t i = 0; i < count_; ++i)
      if (is_invariant(i)) variables.push_back(inputs_[i]);
    std::vector<PartialShape> shapes;
    for (const Output& variable : variables) shapes.push_back(variable.shape());
    for (std::size_t k = 0; k < sought_.size(); ++k)
      shapes[1 + k] = split_->argument_shapes[sought_[k]];
    const auto types = types_of(variables);
    const auto handles = as_handles(variables);
    const std::string& name = g_.attr<FuncName>("body").name;
    const FuncName test = define_helper(
        g_.scope().graph(), name + "_backward_cond", types,
        [](Scope& scope, const Outputs& all) {
          return Outputs{scope.add("Greater", {all[0], 0}).output()};
        },
        shapes, handles);
    const FuncName body = define_helper(
        g_.scope().graph(), name + "_backward", types,
        [&](Scope& scope, const Outputs& all) { return differentiated(scope, all); }, shapes,
        handles);
    Node& node = g_.scope().add(split_->backward_has_effects ? "While" : "StatelessWhile",
                                {as_inputs(variables)},
                                {{"cond", test}, {"body", body}, {"output_shapes", shapes}});
    Outputs gradients;
    for (std::size_t k = 0; k < sought_.size() + summed_.size(); ++k)
      gradients.push_back(node.output(static_cast<int>(k) + 1));
    return gradients;
  }

  Outputs differentiated(Scope& scope, const Outputs& all) const {
    const std::size_t first_sum = 1 + sought_.size(), first_list = first_sum + summed_.size();
    const std::size_t first_invariant = first_list + lists_.size();
    Outputs shorter, popped;
    for (std::size_t k = 0; k < lists_.size(); ++k) {
      Node& pop = scope.add("TensorListPopBack", {all[first_list + k], -1},
                            {{"element_dtype", list_types_[k]}});
      shorter.push_back(pop.output(0));
      popped.push_back(pop.output(1));
      if (list_types_[k] != DType::variant) scope.graph().refine_shape(popped[k], list_shapes_[k]);
    }
    Outputs arguments(count_), results(split_->forward_types.size());
    std::size_t next_invariant = first_invariant;
    for (std::size_t i = 0; i < count_; ++i)
      if (is_invariant(i)) arguments[i] = all[next_invariant++];
    for (std::size_t k = 0; k < lists_.size(); ++k)
      (lists_[k].is_argument ? arguments : results)[static_cast<std::size_t>(lists_[k].index)] =
          popped[k];
    const auto dys = std::span(all).subspan(1, sought_.size());
    const Outputs sent = call_backward(scope, *split_, dys, arguments, results);
    Outputs next{scope.add("Sub", {all[0], 1}).output()};
    for (std::size_t k = 0; k < sought_.size(); ++k)
      next.push_back(gradient_of(scope, sent, sought_[k], arguments, dys[k]));
    for (std::size_t k = 0; k < summed_.size(); ++k)
      next.push_back(scope
                         .add("AddV2", {all[first_sum + k],
                                        dense(scope, sent_gradient(*split_, sent, summed_[k]))})
                         .output());
    next.insert(next.end(), shorter.begin(), shorter.end());
    next.insert(next.end(), all.begin() + static_cast<std::ptrdiff_t>(first_invariant), all.end());
    return next;
  }

  static Output dense(Scope& scope, const Gradient& gradient) {
    return gradient.is_slices() ? densify(scope, gradient.slices()) : gradient.dense();
  }

  Output gradient_of(Scope& scope, const Outputs& sent, std::size_t i, const Outputs& arguments,
                     const Output& like) const {
    const Gradient gradient = sent_gradient(*split_, sent, i);
    if (!gradient.empty()) return dense(scope, gradient);
    return zeros_like(scope, arguments[i].node != nullptr ? arguments[i] : like);
  }

  GradCtx& g_;
  Graph& graph_;
  const std::shared_ptr<const SplitGradient> split_;
  const std::size_t count_;
  Outputs inputs_;
  std::vector<std::size_t> sought_, summed_;
  std::vector<SplitGradient::Kept> lists_;
  std::vector<DType> list_types_;
  std::vector<PartialShape> list_shapes_;
};

}  // namespace

void kept_loop_gradient(GradCtx& g) { KeptLoop(g).build(); }

}  // namespace rill
