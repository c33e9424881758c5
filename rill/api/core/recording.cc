#include "rill/api/core/recording.h"

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/grad/gradients.h"

namespace rill {
namespace {

// One run each: looking for constants to fold would cost more than it saves, and a second thread
// is of no use to a program that waits for every value.
SessionOptions one_shot() {
  SessionOptions options;
  options.inter_op_threads = -1;
  options.fold = options.share = options.simplify = false;
  return options;
}

Output refuse(const Output& outside) {
  raise(Code::kInvalidArgument, "'", outside.name(),
        "' belongs to another graph: a function that is recorded reads its arguments and what it "
        "makes itself");
}

}  // namespace

Recording::Recording() : graph_(make_graph()), session_(graph_, one_shot()) {
  graph_->capture = refuse;
}

Output Recording::add_value(Tensor value) {
  const Output stand_in =
      graph_
          ->add({.op = "Placeholder",
                 .name = graph_->unique_name("value"),
                 .attrs = {{"dtype", value.dtype()}, {"shape", PartialShape(value.shape())}}})
          .output();
  values_.emplace(stand_in, std::move(value));
  return stand_in;
}

Tensor Recording::value(Output x) {
  if (!x || &x.node->graph() != graph_.get()) refuse(x);
  if (x.node->id() >= run_) run_new();
  const auto known = values_.find(x);
  require(known != values_.end(), "'", x.name(),
          "' is inside a branch or loop, or its node failed");
  return known->second;
}

void Recording::run_new() {
  const int end = graph_->node_count();
  std::vector<Feed> feeds;
  std::vector<Output> fetches;
  std::vector<Node*> targets;
  Node* last_effect = nullptr;
  for (int id = run_; id < end; ++id) {
    Node& node = graph_->node(id);
    if (node.output_count() > 0 && values_.contains(node.output())) continue;  // given
    if (node.op().has(kStateful)) {
      if (last_effect != nullptr) graph_->add_control_input(node, *last_effect);
      last_effect = &node;
    }
    for (const Output& input : node.inputs())
      if (const auto known = values_.find(input); known != values_.end())
        feeds.push_back({input, known->second});
    for (int i = 0; i < node.output_count(); ++i) {
      if (is_ref(node.output_type(i)))
        raise(Code::kUnimplemented, "the reference variable '", node.name(),
              "' in a function that is recorded");
      if (node.is_fetchable()) fetches.push_back(node.output(i));
    }
    if (node.output_count() == 0) targets.push_back(&node);
  }
  const auto place = [](const Feed& feed) {
    return std::pair(feed.target.node->id(), feed.target.index);
  };
  std::ranges::sort(feeds, {}, place);
  const auto repeated = std::ranges::unique(feeds, {}, place);
  feeds.erase(repeated.begin(), repeated.end());
  run_ = end;  // also where it fails: what had an effect must not have it again
  std::vector<Tensor> results = session_.run(feeds, fetches, targets);
  for (std::size_t i = 0; i < fetches.size(); ++i)
    values_.emplace(fetches[i], std::move(results[i]));
}

std::vector<std::optional<Tensor>> Recording::gradients(std::span<const Output> ys,
                                                        std::span<const Tensor> dys,
                                                        std::span<const Output> xs) {
  GradientOptions options;
  std::vector<Output> differentiable;
  for (std::size_t i = 0; i < ys.size(); ++i) {
    if (!is_differentiable(ys[i].dtype())) continue;
    differentiable.push_back(ys[i]);
    options.grad_ys.emplace_back(add_value(dys[i]));
  }
  Scope scope(*graph_);
  const std::vector<Gradient> made = rill::gradients(scope, differentiable, xs, options);
  std::vector<Output> dense;
  for (const Gradient& gradient : made)
    dense.push_back(gradient.empty()       ? Output()
                    : gradient.is_slices() ? densify(scope, gradient.slices())
                                           : gradient.dense());
  std::vector<std::optional<Tensor>> results;
  for (const Output& gradient : dense)
    results.push_back(gradient ? std::optional(value(gradient)) : std::nullopt);
  return results;
}

}  // namespace rill
