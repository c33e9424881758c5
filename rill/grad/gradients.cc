#include "rill/grad/gradients.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "rill/base/error.h"
#include "rill/grad/aggregate.h"
#include "rill/grad/grad_loops.h"
#include "rill/graph/builders.h"
#include "rill/graph/tape.h"

namespace rill {

bool is_differentiable(DType dtype) {
  constexpr TypeSet kDifferentiable =
      kFloatTypes | kComplexTypes | DType::resource | DType::variant;
  return kDifferentiable.contains(base_type(dtype));
}

namespace {

using NodeSet = std::unordered_set<const Node*>;

// One call of gradients(): which nodes lie between xs and ys, what has arrived at each output, and
// how many readers of a node still have to send theirs.
class ReverseWalk {
 public:
  ReverseWalk(const Scope& around, std::span<const Output> ys, std::span<const Output> xs,
              const GradientOptions& options)
      : around_(around), scope_(around.named(options.name)), ys_(ys), xs_(xs), options_(options) {}

  std::vector<Gradient> run() {
    seed();
    find_nodes_between();
    NodeSet starts;
    for (const Output& y : ys_) {
      if (waiting_for_[y.node] == 0 && between_.contains(y.node) && starts.insert(y.node).second)
        queue_.push_back(y.node);
    }
    find_exits(starts);
    find_stops();
    while (!queue_.empty()) {
      Node* node = queue_.front();
      queue_.pop_front();
      visit(*node);
    }
    for (GradLoop* loop : loops_.all()) loop->close_open_merges(around_);
    std::vector<Gradient> results;
    for (const Output& x : xs_) results.push_back(result(x));
    return results;
  }

 private:
  void find_nodes_between();
  NodeSet reached_from_xs() const;
  NodeSet recorded_between() const;
  std::span<const Output> inputs_of(const Node& node) const;
  void find_loops(std::vector<Node*>& order);
  void find_exits(const NodeSet& starts);
  void find_stops();
  void seed();
  void visit(Node& node);
  std::vector<Gradient> differentiate(Node& node, std::vector<Gradient> arriving, Scope scope);
  void send(const Node& from, int input, Gradient gradient);
  void arrive(Output at, Gradient gradient);
  void release(const Node& node);
  void defer_exit(Node& exit);
  void check_not_initial_value(const Node& node, const Scope& scope) const;
  std::vector<Gradient> aggregated(Node& node, Scope scope);
  Gradient result(Output x);

  Scope around_, scope_;
  std::span<const Output> ys_, xs_;
  const GradientOptions& options_;
  NodeSet between_, stops_;
  GradLoops loops_;
  std::unordered_map<const Node*, int> waiting_for_;
  std::unordered_map<const Node*, std::vector<std::vector<Gradient>>> arrived_;
  std::deque<Node*> queue_;
};

// What the walk sees of a node's inputs: of an op that the tape has not recorded, none.
std::span<const Output> ReverseWalk::inputs_of(const Node& node) const {
  if (options_.tape != nullptr && !options_.tape->has_recorded(node)) return {};
  return node.inputs();
}

// Forward from the xs through differentiable outputs.
NodeSet ReverseWalk::reached_from_xs() const {
  NodeSet reached;
  std::deque<Node*> queue;
  for (const Output& x : xs_) queue.push_back(x.node);
  while (!queue.empty()) {
    Node* node = queue.front();
    queue.pop_front();
    if (!reached.insert(node).second) continue;
    for (Node* consumer : node->consumers())
      for (const Output& input : consumer->inputs())
        if (input.node.get() == node && is_differentiable(input.dtype())) queue.push_back(consumer);
  }
  return reached;
}

// Executed nodes do not know who reads them: everything that the ys were computed from is looked
// at, and is on the way where an input is. Inputs come first.
NodeSet ReverseWalk::recorded_between() const {
  NodeSet reached, seen;
  for (const Output& x : xs_) reached.insert(x.node);
  std::vector<std::pair<const Node*, std::size_t>> path;
  const auto enter = [&](const Node* node) {
    if (seen.insert(node).second) path.emplace_back(node, 0);
  };
  for (const Output& y : ys_) {
    enter(y.node);
    while (!path.empty()) {
      const Node* const node = path.back().first;
      const auto inputs = inputs_of(*node);
      if (path.back().second < inputs.size()) {
        enter(inputs[path.back().second++].node);
        continue;
      }
      path.pop_back();
      if (std::ranges::any_of(inputs, [&](const Output& input) {
            return reached.contains(input.node) && is_differentiable(input.dtype());
          }))
        reached.insert(node);
    }
  }
  return reached;
}

// Those that the xs lead to, met backwards from the ys.
void ReverseWalk::find_nodes_between() {
  NodeSet reached = options_.tape != nullptr ? recorded_between() : reached_from_xs();
  std::deque<Node*> queue;
  std::vector<Node*> order;
  for (const Output& y : ys_) queue.push_back(y.node);
  while (!queue.empty()) {
    Node* node = queue.front();
    queue.pop_front();
    if (reached.erase(node) == 0) continue;
    between_.insert(node);
    order.push_back(node);
    for (const Output& input : inputs_of(*node)) queue.push_back(input.node);
  }
  find_loops(order);
  for (const Node* node : order)
    for (const Output& input : inputs_of(*node))
      if (between_.contains(input.node)) ++waiting_for_[input.node];
}

// All Exits of a loop are part of the way once one of them is.
void ReverseWalk::find_loops(std::vector<Node*>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Scope at = options_.colocate_with_ops ? scope_.colocated_with(*order[i]) : scope_;
    GradLoop* const loop = loops_.see(at, *order[i]);
    if (loop == nullptr) continue;
    for (const Output& exit : loop->forward_exits)
      if (between_.insert(exit.node).second) order.push_back(exit.node);
  }
}

// A loop is gone back through when the gradients of all its Exits are there; where some are not
// needed, zeros stand in for theirs. `starts` are the ys at which the walk begins.
void ReverseWalk::find_exits(const NodeSet& starts) {
  std::vector<Output> ready;
  for (GradLoop* loop : loops_.all()) {
    for (const Output& exit : loop->forward_exits) {
      if (waiting_for_[exit.node] != 0) continue;
      --loop->pending_exits;
      if (!starts.contains(exit.node)) loop->unused_exits.push_back(exit);
      if (loop->pending_exits == 0)
        ready.insert(ready.end(), loop->unused_exits.begin(), loop->unused_exits.end());
    }
    for (const Output& enter : loop->forward().enters)
      if (waiting_for_[enter.node] == 0) waiting_for_[enter.node] = 1;
  }
  for (const Output& exit : ready) {
    if (!is_differentiable(exit.dtype())) continue;
    arrive(exit, loops_.zeros_for_exit(scope_, exit));
    queue_.push_back(exit.node);
  }
}

// An x all of whose sources lie outside is where the walk ends.
void ReverseWalk::find_stops() {
  for (const Output& x : xs_) {
    bool is_stop = true;
    for (const Output& input : inputs_of(*x.node)) is_stop &= waiting_for_[input.node] <= 0;
    if (is_stop) stops_.insert(x.node);
  }
  for (const Output& stop : options_.stop_gradients) stops_.insert(stop.node);
}

// Gradients that the caller gives must be of the kind of numbers that the ys are.
void check_seed(Output y, const Gradient& given) {
  const Output value = given.is_slices() ? given.slices().values : given.dense();
  const DType from = base_type(y.dtype()), type = base_type(value.dtype());
  if (kComplexTypes.contains(from))
    require(kComplexTypes.contains(type), "Gradient type ", type, " generated for complex-valued ",
            "tensor ", y, " with type ", from, " must be complex");
  else if (kRealTypes.contains(from))
    require(kRealTypes.contains(type), "Gradient type ", type, " generated for real or ",
            "integer-valued tensor ", y, " with type ", from, " must be real or integer");
}

// The caller's gradient under a name of this call.
Gradient renamed(Scope& scope, const Gradient& given, const std::string& name) {
  if (!given.is_slices()) return identity(scope, given.dense(), name);
  IndexedSlices slices = given.slices();
  slices.indices = identity(scope, slices.indices, name + "_indices");
  slices.values = identity(scope, slices.values, name + "_values");
  if (slices.dense_shape.node)
    slices.dense_shape = identity(scope, slices.dense_shape, name + "_shape");
  return slices;
}

void ReverseWalk::seed() {
  for (std::size_t i = 0; i < ys_.size(); ++i) {
    const Output y = ys_[i];
    const Gradient given = i < options_.grad_ys.size() ? options_.grad_ys[i] : Gradient();
    Scope scope = options_.colocate_with_ops ? scope_.colocated_with(*y.node) : scope_;
    const std::string name = str_cat("grad_ys_", i);
    if (given.empty()) {
      require_type(options_.tape != nullptr || !kComplexTypes.contains(base_type(y.dtype())),
                   "Gradients of complex tensors must set grad_ys (y.dtype = ", y.dtype(), ")");
      const Output shape = shape_of(scope, y);
      const Output one = Input(1).as_output(scope, name, base_type(y.dtype()));
      arrive(y, fill(scope, shape, one));
    } else {
      check_seed(y, given);
      arrive(y, renamed(scope, given, name));
    }
  }
}

std::vector<Gradient> ReverseWalk::aggregated(Node& node, Scope scope) {
  std::vector<Gradient> sums;
  auto& arrived = arrived_[&node];
  arrived.resize(static_cast<std::size_t>(node.output_count()));
  for (auto& parts : arrived) {
    sums.push_back(aggregate(scope, parts, options_.aggregation, node));
    parts.clear();
    if (!sums.back().empty()) parts.push_back(sums.back());  // what result() finds
  }
  return sums;
}

void ReverseWalk::visit(Node& node) {
  Scope scope = options_.colocate_with_ops ? scope_.colocated_with(node) : scope_;
  Scope gathers = scope.inside(loops_.context(node, /*of_result=*/true, scope_.flow()));
  std::vector<Gradient> arriving = aggregated(node, gathers);
  const bool any = std::ranges::any_of(arriving, [](const Gradient& g) { return !g.empty(); });
  if (any && !stops_.contains(&node)) {
    scope = scope.inside(loops_.context(node, /*of_result=*/false, scope_.flow()));
    std::vector<Gradient> leaving = differentiate(node, std::move(arriving), scope);
    const int inputs = static_cast<int>(inputs_of(node).size());
    for (int i = 0; i < inputs; ++i) send(node, i, std::move(leaving[static_cast<std::size_t>(i)]));
  }
  release(node);
}

bool calls_functions(const Node& node) {
  return std::ranges::any_of(node.op().attrs,
                             [](const AttrSpec& attr) { return attr.kind == AttrKind::kFunc; });
}

std::vector<Gradient> ReverseWalk::differentiate(Node& node, std::vector<Gradient> arriving,
                                                 Scope scope) {
  const GradientFunction grad = gradient_of(node);
  check_not_initial_value(node, scope);
  if (!grad) return std::vector<Gradient>(static_cast<std::size_t>(node.input_count()));
  const bool asks_itself = calls_functions(node);  // what it needs zeros for
  for (int i = 0; !asks_itself && i < node.output_count(); ++i) {
    Gradient& gradient = arriving[static_cast<std::size_t>(i)];
    if (!gradient.empty() || !is_differentiable(node.output_type(i))) continue;
    gradient = loops_.zeros_for(scope, node, i);
    if (!gradient.empty()) arrive(node.output(i), gradient);  // also the answer if this is an x
  }
  GradCtx ctx(scope.named(node.name() + "_grad"), node, std::move(arriving));
  grad(ctx);
  std::vector<Gradient> leaving = ctx.take();
  Scope anywhere = ctx.scope().without_device().without_colocation();
  if (options_.gate) gate_together(anywhere, leaving);
  return leaving;
}

// Inside a loop there are gradients with respect to the variables of one iteration, and to what is
// outside; how the variables came about in earlier iterations is not known there.
void ReverseWalk::check_not_initial_value(const Node& node, const Scope& scope) const {
  if (!is_loop_switch(node) || node.flow() != scope.flow()) return;
  std::deque<const Node*> queue{&node};
  NodeSet seen;
  const Node* target = &node;
  while (!queue.empty()) {
    const Node* const next = queue.front();
    queue.pop_front();
    if (!seen.insert(next).second) continue;
    if (std::ranges::any_of(xs_, [&](const Output& x) { return x.node == next; })) {
      target = next;
      break;
    }
    for (const Output& input : next->inputs()) queue.push_back(input.node);
  }
  raise(Code::kInvalidArgument, "Cannot compute gradient inside while loop with respect to op '",
        target->name(),
        "'. We do not support taking the gradient wrt or through the initial value of a loop "
        "variable. Gradients can be computed through loop invariants or wrt the input parameters "
        "to the loop body.");
}

void ReverseWalk::send(const Node& from, int input, Gradient gradient) {
  if (gradient.empty()) return;
  const Output to = from.input(input);
  const DType type = base_type(to.dtype());
  if (!gradient.is_slices() && type != DType::resource && type != DType::variant) {
    require(gradient.dense().shape().is_compatible(to.shape()),
            "Incompatible shapes between op input and calculated input gradient. Forward ",
            "operation: ", from.name(), ". Input index: ", input,
            ". Original input shape: ", to.shape(),
            ". Calculated input gradient shape: ", gradient.dense().shape());
    if (options_.tape == nullptr)
      gradient.dense().node->graph().refine_shape(gradient.dense(), to.shape());
  }
  arrive(to, std::move(gradient));
}

void ReverseWalk::arrive(Output at, Gradient gradient) {
  auto& arrived = arrived_[at.node];
  arrived.resize(static_cast<std::size_t>(at.node->output_count()));
  arrived[static_cast<std::size_t>(at.index)].push_back(std::move(gradient));
}

// A loop's Switch is visited when its Exit's gradient arrives, and again when the body's does.
void ReverseWalk::release(const Node& node) {
  for (const Output& input : inputs_of(node)) {
    const int waiting = --waiting_for_[input.node];
    if (waiting != 0 && !(loops_.any() && waiting > 0 && is_loop_switch(*input.node))) continue;
    if (input.node->op().has(kExit) && loops_.of(*input.node, false) != nullptr) {
      defer_exit(*input.node);
    } else {
      queue_.push_back(input.node);
    }
  }
}

void ReverseWalk::defer_exit(Node& exit) {
  GradLoop& loop = *loops_.of(exit, false);
  loop.deferred_exits.push_back(exit.output(0));
  if (--loop.pending_exits != 0) return;
  const auto has_gradient = [&](const Output& y) {
    const auto it = arrived_.find(y.node);
    return it != arrived_.end() &&
           std::ranges::any_of(it->second, [](const auto& parts) { return !parts.empty(); });
  };
  bool any = false;
  for (const Output& y : loop.deferred_exits) {
    if (has_gradient(y)) {
      any = true;
      queue_.push_back(y.node);
    } else {
      loop.unused_exits.push_back(y);
    }
  }
  for (const Output& y : loop.unused_exits) {
    if (any && is_differentiable(y.dtype())) arrive(y, loops_.zeros_for_exit(scope_, y));
    queue_.push_back(y.node);
  }
}

Gradient ReverseWalk::result(Output x) {
  const auto it = arrived_.find(x.node);
  if (it != arrived_.end() && it->second.size() > static_cast<std::size_t>(x.index)) {
    auto& parts = it->second[static_cast<std::size_t>(x.index)];
    if (!parts.empty()) return aggregate(scope_, parts, options_.aggregation, *x.node);
  }
  return options_.unconnected == Unconnected::kZero ? Gradient(zeros_like(around_, x)) : Gradient();
}

}  // namespace

std::vector<Gradient> gradients(Scope& scope, std::span<const Output> ys,
                                std::span<const Output> xs, const GradientOptions& options) {
  require(options.grad_ys.empty() || options.grad_ys.size() == ys.size(), "Passed ",
          options.grad_ys.size(), " grad_ys for ", ys.size(), " ys");
  return ReverseWalk(scope, ys, xs, options).run();
}

}  // namespace rill
