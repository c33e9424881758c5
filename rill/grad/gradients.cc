#include "rill/grad/gradients.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "rill/base/error.h"
#include "rill/grad/aggregate.h"
#include "rill/graph/builders.h"

namespace rill {
namespace {

constexpr TypeSet kDifferentiable = kFloatTypes | kComplexTypes | DType::resource | DType::variant;

bool is_differentiable(DType dtype) { return kDifferentiable.contains(dtype); }

using NodeSet = std::unordered_set<const Node*>;

// One call of gradients(): which nodes lie between xs and ys, what has arrived at each output, and
// how many readers of a node still have to send theirs.
class ReverseWalk {
 public:
  ReverseWalk(Scope scope, std::span<const Output> ys, std::span<const Output> xs,
              const GradientOptions& options)
      : scope_(std::move(scope)), ys_(ys), xs_(xs), options_(options) {}

  std::vector<Gradient> run() {
    find_nodes_between();
    find_stops();
    seed();
    for (const Output& y : ys_)
      if (waiting_for_[y.node] == 0 && queued_.insert(y.node).second) queue_.push_back(y.node);
    while (!queue_.empty()) {
      Node* node = queue_.front();
      queue_.pop_front();
      visit(*node);
    }
    std::vector<Gradient> results;
    for (const Output& x : xs_) results.push_back(result(x));
    return results;
  }

 private:
  void find_nodes_between();
  void find_stops();
  void seed();
  void visit(Node& node);
  std::vector<Gradient> differentiate(Node& node, std::vector<Gradient> arriving, Scope scope);
  void send(Output to, Gradient gradient);
  void release(const Node& node);
  std::vector<Gradient> aggregated(Node& node);
  Gradient result(Output x);

  Scope scope_;
  std::span<const Output> ys_, xs_;
  const GradientOptions& options_;
  NodeSet between_, stops_, queued_;
  std::unordered_map<const Node*, int> waiting_for_;
  std::unordered_map<const Node*, std::vector<std::vector<Gradient>>> arrived_;
  std::deque<Node*> queue_;
};

// Forward from the xs through differentiable outputs, then backward from the ys through what was
// reached.
void ReverseWalk::find_nodes_between() {
  NodeSet reached, targets;
  for (const Output& y : ys_) targets.insert(y.node);
  std::deque<Node*> queue;
  for (const Output& x : xs_) queue.push_back(x.node);
  while (!queue.empty()) {
    Node* node = queue.front();
    queue.pop_front();
    if (!reached.insert(node).second) continue;
    for (Node* consumer : node->consumers())
      for (const Output& input : consumer->inputs())
        if (input.node == node && is_differentiable(input.dtype())) queue.push_back(consumer);
  }
  std::vector<Node*> order;
  for (const Output& y : ys_) queue.push_back(y.node);
  while (!queue.empty()) {
    Node* node = queue.front();
    queue.pop_front();
    if (reached.erase(node) == 0) continue;
    between_.insert(node);
    order.push_back(node);
    for (const Output& input : node->inputs()) queue.push_back(input.node);
  }
  for (const Node* node : order)
    for (const Output& input : node->inputs())
      if (between_.contains(input.node)) ++waiting_for_[input.node];
}

// An x all of whose sources lie outside is where the walk ends.
void ReverseWalk::find_stops() {
  for (const Output& x : xs_) {
    bool is_stop = true;
    for (const Output& input : x.node->inputs()) is_stop &= waiting_for_[input.node] <= 0;
    if (is_stop) stops_.insert(x.node);
  }
  for (const Output& stop : options_.stop_gradients) stops_.insert(stop.node);
}

void ReverseWalk::seed() {
  for (std::size_t i = 0; i < ys_.size(); ++i) {
    const Output y = ys_[i];
    Gradient given = i < options_.grad_ys.size() ? options_.grad_ys[i] : Gradient();
    if (given.empty()) {
      require(!kComplexTypes.contains(y.dtype()),
              "Gradients of complex tensors must set grad_ys (y.dtype = ", y.dtype(), ")");
      Scope scope = options_.colocate_with_ops ? scope_.colocated_with(*y.node) : scope_;
      const Output shape = shape_of(scope, y);
      const Output one = scope.constant(one_of(base_type(y.dtype())), str_cat("grad_ys_", i));
      given = fill(scope, shape, one);
    }
    send(y, std::move(given));
  }
}

std::vector<Gradient> ReverseWalk::aggregated(Node& node) {
  std::vector<Gradient> sums;
  auto& arrived = arrived_[&node];
  arrived.resize(static_cast<std::size_t>(node.output_count()));
  for (auto& parts : arrived) {
    sums.push_back(aggregate(scope_, parts, options_.aggregation, node));
    parts.clear();
    if (!sums.back().empty()) parts.push_back(sums.back());  // what result() finds
  }
  return sums;
}

void ReverseWalk::visit(Node& node) {
  Scope scope = options_.colocate_with_ops ? scope_.colocated_with(node) : scope_;
  std::vector<Gradient> arriving = aggregated(node);
  const bool any = std::ranges::any_of(arriving, [](const Gradient& g) { return !g.empty(); });
  if (any && !stops_.contains(&node)) {
    std::vector<Gradient> leaving = differentiate(node, std::move(arriving), scope);
    for (int i = 0; i < node.input_count(); ++i)
      send(node.input(i), std::move(leaving[static_cast<std::size_t>(i)]));
  }
  release(node);
}

std::vector<Gradient> ReverseWalk::differentiate(Node& node, std::vector<Gradient> arriving,
                                                 Scope scope) {
  const GradFn grad = gradient_of(node);
  if (grad == not_differentiable)
    return std::vector<Gradient>(static_cast<std::size_t>(node.input_count()));
  for (int i = 0; i < node.output_count(); ++i) {
    Gradient& gradient = arriving[static_cast<std::size_t>(i)];
    if (gradient.empty() && is_differentiable(node.output_type(i)))
      gradient = zeros_like(scope, node.output(i));
  }
  GradCtx ctx(scope.named(node.name() + "_grad"), node, std::move(arriving));
  grad(ctx);
  std::vector<Gradient> leaving = ctx.take();
  if (options_.gate) gate_together(ctx.scope(), leaving);
  return leaving;
}

void ReverseWalk::send(Output to, Gradient gradient) {
  if (gradient.empty()) return;
  if (!gradient.is_slices() && base_type(to.dtype()) != DType::resource &&
      base_type(to.dtype()) != DType::variant) {
    try {
      to.node->graph().refine_shape(gradient.dense(), to.shape());
    } catch (const Error&) {
      raise(Code::kInvalidArgument, "Incompatible shapes between op input and calculated input ",
            "gradient. Forward operation: ", to.node->name(),
            ". Original input shape: ", to.shape(),
            ".  Calculated input gradient shape: ", gradient.dense().shape());
    }
  }
  auto& arrived = arrived_[to.node];
  arrived.resize(static_cast<std::size_t>(to.node->output_count()));
  arrived[static_cast<std::size_t>(to.index)].push_back(std::move(gradient));
}

void ReverseWalk::release(const Node& node) {
  for (const Output& input : node.inputs()) {
    if (--waiting_for_[input.node] != 0 || !between_.contains(input.node)) continue;
    if (queued_.insert(input.node).second) queue_.push_back(input.node);
  }
}

Gradient ReverseWalk::result(Output x) {
  const auto it = arrived_.find(x.node);
  if (it != arrived_.end() && it->second.size() > static_cast<std::size_t>(x.index)) {
    auto& parts = it->second[static_cast<std::size_t>(x.index)];
    if (!parts.empty()) return aggregate(scope_, parts, options_.aggregation, *x.node);
  }
  return options_.unconnected == Unconnected::kZero ? Gradient(zeros_like(scope_, x)) : Gradient();
}

void check_types(std::span<const Output> tensors, const char* what) {
  for (const Output& t : tensors)
    require(is_differentiable(t.dtype()), what, " tensor ", t, " has dtype ", t.dtype(),
            ", which has no gradient");
}

}  // namespace

std::vector<Gradient> gradients(Scope& scope, std::span<const Output> ys,
                                std::span<const Output> xs, const GradientOptions& options) {
  require(options.grad_ys.empty() || options.grad_ys.size() == ys.size(), "Passed ",
          options.grad_ys.size(), " grad_ys for ", ys.size(), " ys");
  check_types(ys, "gradients: y");
  return ReverseWalk(scope.named(options.name), ys, xs, options).run();
}

}  // namespace rill
