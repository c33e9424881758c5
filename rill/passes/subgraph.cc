#include "rill/passes/subgraph.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <unordered_map>

#include "rill/base/error.h"
#include "rill/graph/replaced_nodes.h"
#include "rill/passes/loop_exits.h"

namespace rill {

DType Subgraph::dtype(const Edge& edge) const {
  const Item& item = items[static_cast<std::size_t>(edge.item)];
  if (item.feed >= 0) return base_type(item.node->output_type(item.constant_output));
  if (item.constant) return item.constant->dtype();
  return item.node->output_type(edge.output);
}

PartialShape Subgraph::shape(const Edge& edge) const {
  const Item& item = items[static_cast<std::size_t>(edge.item)];
  if (item.constant) return item.constant->shape();
  if (item.feed >= 0) return item.node->output_shape(item.constant_output);
  const Node* node = item.replaced == nullptr ? item.node : item.replaced->back().node;
  return edge.output < node->output_count() ? node->output_shape(edge.output) : PartialShape();
}

namespace {

// Builds the items by a depth-first walk that needs no recursion: graphs may be a million deep.
class Pruner {
 public:
  Pruner(std::span<const Output> feeds, Subgraph& graph) : graph_(graph) {
    for (const Output& feed : feeds) {
      const int position = static_cast<int>(fed_.size());
      const bool fresh = fed_.emplace(key(feed), position).second;
      require(fresh, "Tensor ", feed, " was fed more than once.");
      Subgraph::Item item{.node = feed.node, .feed = position};
      item.constant_output = feed.index;
      feed_items_.push_back(static_cast<int>(graph_.items.size()));
      graph_.items.push_back(std::move(item));
      if (feed.node->op().has(kFeedOnly)) done_.emplace(feed.node->id(), feed_items_.back());
    }
  }

  Subgraph::Edge edge(Output output) {
    require(
        output.node != nullptr && output.index >= 0 && output.index < output.node->output_count(),
        "FetchOutputs ", output, ": output index is out of range");
    if (const auto it = fed_.find(key(output)); it != fed_.end())
      return {feed_items_[static_cast<std::size_t>(it->second)], 0};
    return {visit(*output.node), output.index};
  }

  int visit(const Node& given) {
    const Node& root = replaced(given);
    if (const auto it = done_.find(root.id()); it != done_.end()) return it->second;
    stack_.push_back({&root, 0});
    open_.emplace(root.id(), true);
    while (!stack_.empty()) step();
    return done_.at(root.id());
  }

  // Adds what only the back edges of loops lead to, and the back edges themselves.
  void close_loops() {
    for (std::size_t i = 0; i < back_edges_.size(); ++i) {  // grows while it is walked
      const BackEdge back = back_edges_[i];
      const int source = visit(*back.from.node);
      graph_.items[static_cast<std::size_t>(done_.at(back.merge->id()))]
          .inputs[static_cast<std::size_t>(back.input)] = {source, back.from.index};
    }
  }

 private:
  // What stands for a node: a call that gives more than the one that the program knows.
  const Node& replaced(const Node& node) {
    if (replaced_ == nullptr) replaced_ = &node.graph().attached<ReplacedNodes>();
    return replaced_->in_place_of(node);
  }

  struct Visit {
    const Node* node;
    int next;  // inputs first, then control inputs
  };

  struct BackEdge {
    const Node* merge;
    int input;
    Output from;
  };

  static bool is_back_edge(const Node& node, Output input) {
    return node.op().has(kMerge) && input.node->op().has(kNextIteration);
  }

  static std::uint64_t key(Output output) {
    return static_cast<std::uint64_t>(output.node->id()) << 24 |
           static_cast<std::uint64_t>(output.index);
  }

  void step() {
    Visit& top = stack_.back();
    const Node& node = *top.node;
    const int input_count = node.input_count();
    const int total = input_count + static_cast<int>(node.control_inputs().size());
    if (top.next == total) return finish(node);
    const int i = top.next++;
    const Node* before;
    if (i < input_count) {
      const Output input = node.input(i);
      if (fed_.contains(key(input))) return;
      if (is_back_edge(node, input)) return back_edges_.push_back({&node, i, input});
      before = input.node;
    } else {
      before = node.control_inputs()[static_cast<std::size_t>(i - input_count)];
    }
    before = &replaced(*before);
    if (done_.contains(before->id())) return;
    require(open_.emplace(before->id(), true).second, "Graph is invalid, contains a cycle with ",
            "node '", before->name(), "'");
    stack_.push_back({before, 0});
  }

  void finish(const Node& node) {
    stack_.pop_back();
    Subgraph::Item item{.node = &node};
    for (const Output& input : node.inputs()) {
      const auto fed = fed_.find(key(input));
      if (fed == fed_.end() && is_back_edge(node, input)) {
        item.inputs.push_back({});  // close_loops fills it
        continue;
      }
      item.inputs.push_back(
          fed != fed_.end() ? Subgraph::Edge{feed_items_[static_cast<std::size_t>(fed->second)]}
                            : Subgraph::Edge{done_.at(replaced(*input.node).id()), input.index});
    }
    for (const Node* control : node.control_inputs())
      item.controls.push_back(done_.at(replaced(*control).id()));
    done_.emplace(node.id(), static_cast<int>(graph_.items.size()));
    graph_.items.push_back(std::move(item));
  }

  Subgraph& graph_;
  const ReplacedNodes* replaced_ = nullptr;
  std::unordered_map<std::uint64_t, int> fed_;  // output -> position among the feeds
  std::vector<int> feed_items_;
  std::unordered_map<int, int> done_;   // node id -> item
  std::unordered_map<int, bool> open_;  // node ids on the stack or done
  std::vector<Visit> stack_;
  std::vector<BackEdge> back_edges_;
};

}  // namespace

Subgraph prune(std::span<const Output> feeds, std::span<const Output> fetches,
               std::span<Node* const> targets) {
  Subgraph graph;
  Pruner pruner(feeds, graph);
  for (const Output& fetch : fetches) graph.fetches.push_back(pruner.edge(fetch));
  for (const Node* target : targets) graph.targets.push_back(pruner.visit(*target));
  pruner.close_loops();
  return graph;
}

namespace {

// Puts items in the order `order` says (old positions); those it leaves out go.
void reorder(Subgraph& graph, const std::vector<int>& order) {
  std::vector<int> moved(graph.items.size(), -1);
  std::vector<Subgraph::Item> items;
  for (const int i : order) {
    moved[static_cast<std::size_t>(i)] = static_cast<int>(items.size());
    items.push_back(std::move(graph.items[static_cast<std::size_t>(i)]));
  }
  const auto move = [&](int& i) { i = moved[static_cast<std::size_t>(i)]; };
  for (auto& item : items) {
    for (auto& input : item.inputs) move(input.item);
    for (int& control : item.controls) move(control);
  }
  for (auto& fetch : graph.fetches) move(fetch.item);
  for (int& target : graph.targets) move(target);
  graph.items = std::move(items);
}

bool closes_loop(const Subgraph& graph, const Subgraph::Item& reader, int from) {
  const auto& source = graph.items[static_cast<std::size_t>(from)];
  return reader.is_plain() && source.is_plain() && reader.node->op().has(kMerge) &&
         source.node->op().has(kNextIteration);
}

}  // namespace

namespace {

// The order that changes least; fewer items than there are where some form a circle.
std::vector<int> order_of(const Subgraph& graph, const LoopExits* exits) {
  const std::size_t count = graph.items.size();
  std::vector<std::vector<int>> after(count);
  std::vector<int> pending(count, 0), order;
  bool sorted = true;
  for (std::size_t i = 0; i < count; ++i) {
    const auto wait_for = [&](int before) {
      after[static_cast<std::size_t>(before)].push_back(static_cast<int>(i));
      ++pending[i];
      sorted &= static_cast<std::size_t>(before) < i;
    };
    for (const auto& input : graph.items[i].inputs)
      if (!closes_loop(graph, graph.items[i], input.item)) wait_for(input.item);
    for (const int control : graph.items[i].controls) wait_for(control);
    if (exits == nullptr) continue;
    for (const int next : exits->before(static_cast<int>(i))) wait_for(next);
  }
  if (sorted) {
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (std::size_t i = 0; i < count; ++i)
    if (pending[i] == 0) ready.push(static_cast<int>(i));
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const int next : after[static_cast<std::size_t>(order.back())])
      if (--pending[static_cast<std::size_t>(next)] == 0) ready.push(next);
  }
  return order;
}

}  // namespace

void sort_items(Subgraph& graph) {
  const LoopExits exits(graph);
  std::vector<int> order = order_of(graph, &exits);
  // Loops of one name that are not in the same place look like one loop.
  if (order.size() != graph.items.size()) order = order_of(graph, nullptr);
  if (order.size() != graph.items.size())
    raise(Code::kInternal, "rewriting made a circle of nodes");
  if (!std::ranges::is_sorted(order)) reorder(graph, order);
}

void compact(Subgraph& graph) {
  std::vector<char> wanted(graph.items.size(), 0);
  std::vector<int> stack;
  const auto want = [&](int i) {
    if (wanted[static_cast<std::size_t>(i)] == 0) {
      wanted[static_cast<std::size_t>(i)] = 1;
      stack.push_back(i);
    }
  };
  const int count = static_cast<int>(graph.items.size());
  for (int i = 0; i < count; ++i)
    if (graph.items[static_cast<std::size_t>(i)].feed >= 0) wanted[static_cast<std::size_t>(i)] = 1;
  for (const auto& fetch : graph.fetches) want(fetch.item);
  for (const int target : graph.targets) want(target);
  while (!stack.empty()) {
    const Subgraph::Item& item = graph.items[static_cast<std::size_t>(stack.back())];
    stack.pop_back();
    for (const auto& input : item.inputs) want(input.item);
    for (const int control : item.controls) want(control);
  }
  std::vector<int> order;
  for (int i = 0; i < count; ++i)
    if (wanted[static_cast<std::size_t>(i)] != 0) order.push_back(i);
  reorder(graph, order);
}

}  // namespace rill
