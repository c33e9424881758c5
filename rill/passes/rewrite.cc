#include "rill/passes/rewrite.h"

#include <algorithm>
#include <map>

#include "rill/base/subscript.h"

namespace rill {

namespace {

bool can_run_all(const Subgraph& graph, const HelperNodes& nodes, const CanRun& can_run) {
  return std::ranges::all_of(graph.items, [&](const Subgraph::Item& item) {
    return !item.is_plain() || &item.node->graph() != &nodes.graph() || can_run(item);
  });
}

}  // namespace

void rewrite(Subgraph& graph, std::span<const Rewrite* const> rewrites,
             const RewriteSwitches& switches, const CanRun& can_run) {
  if (graph.items.empty() || rewrites.empty()) return;
  if (std::ranges::any_of(graph.items, [](const Subgraph::Item& item) {
        return item.is_plain() && item.node->op().has(kExit);
      }))
    sort_items(graph);  // Exits after their loops: rewrites rely on topological order
  HelperNodes nodes(graph.items.front().node->graph().registry());
  int changed = 0;
  for (const Rewrite* one : rewrites) {
    if (!switches.allows(*one)) continue;
    std::optional<Subgraph> before;
    if (can_run) before = graph;
    const int places = one->apply(graph, nodes);
    if (places == 0) continue;
    sort_items(graph);
    compact(graph);
    if (can_run && !can_run_all(graph, nodes, can_run)) {
      graph = *std::move(before);
      continue;
    }
    graph.fired.push_back({one->name, places});
    changed += places;
  }
  if (changed > 0) graph.rewritten = nodes.finish();
}

Readers::Readers(const Subgraph& graph) : graph_(graph), uses_(graph.items.size()) {
  const auto read = [&](Subgraph::Edge edge, int reader) {
    Use& use = uses_[at(edge.item)];
    if (use.per_output.size() <= at(edge.output)) use.per_output.resize(at(edge.output) + 1);
    ++use.per_output[at(edge.output)];
    use.readers.push_back(reader);
  };
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    for (const Subgraph::Edge& input : graph.items[i].inputs) read(input, static_cast<int>(i));
    for (const int control : graph.items[i].controls) uses_[at(control)].pinned = true;
  }
  for (const Subgraph::Edge& fetch : graph.fetches) {
    read(fetch, -1);
    uses_[at(fetch.item)].pinned = true;
  }
  for (const int target : graph.targets) uses_[at(target)].pinned = true;
}

bool Readers::joinable(int from, int to) const {
  const Subgraph::Item &inner = graph_.items[at(from)], &whole = graph_.items[at(to)];
  return !uses_[at(from)].pinned && inner.is_plain() && whole.is_plain() &&
         inner.device == whole.device;
}

int Readers::sole(Subgraph::Edge value) const {
  const Use& use = uses_[at(value.item)];
  if (use.readers.size() != 1 || count(value) != 1) return -1;
  const int reader = use.readers[0];
  return reader >= 0 && joinable(value.item, reader) ? reader : -1;
}

bool Readers::inside(std::span<const int> items, int last) const {
  return std::ranges::all_of(items, [&](int item) {
    return joinable(item, last) && std::ranges::all_of(uses_[at(item)].readers, [&](int reader) {
             return reader == last || std::ranges::find(items, reader) != items.end();
           });
  });
}

int Readers::count(Subgraph::Edge value) const {
  const Use& use = uses_[at(value.item)];
  return at(value.output) < use.per_output.size() ? use.per_output[at(value.output)] : 0;
}

namespace {

// Collects what an item that is about to be rewritten will have replaced.
class ReplacedList {
 public:
  ReplacedList(const Subgraph& graph, std::span<const Subgraph::Edge> inputs)
      : graph_(graph), inputs_(inputs) {}

  void add(int index) {
    const Subgraph::Item& item = graph_.items[at(index)];
    const auto own = [&](Subgraph::Edge edge) { return source(edge); };
    if (item.replaced == nullptr) {
      push(item.node, item.inputs, own);
    } else {
      const int first = static_cast<int>(nodes_.size());
      for (const Subgraph::ReplacedNode& replaced : *item.replaced)
        push(replaced.node, replaced.inputs, [&](Subgraph::Edge edge) {
          if (edge.item >= 0) return Subgraph::Edge{first + edge.item, edge.output};
          return at(edge.output) < item.inputs.size() ? source(item.inputs[at(edge.output)])
                                                      : unknown();
        });
    }
    position_[index] = static_cast<int>(nodes_.size()) - 1;
  }
  Subgraph::ReplacedNodes take() {
    return std::make_shared<const std::vector<Subgraph::ReplacedNode>>(std::move(nodes_));
  }

 private:
  template <class Source>
  void push(const Node* node, const std::vector<Subgraph::Edge>& inputs, Source from) {
    Subgraph::ReplacedNode replaced{node, {}};
    for (const Subgraph::Edge& input : inputs) replaced.inputs.push_back(from(input));
    nodes_.push_back(std::move(replaced));
  }
  // An input that the new item does not have (a constant that became an attribute): its number is
  // beyond them all.
  Subgraph::Edge unknown() const { return {-1, static_cast<int>(inputs_.size())}; }
  Subgraph::Edge source(Subgraph::Edge edge) const {
    if (const auto replaced = position_.find(edge.item); replaced != position_.end())
      return {replaced->second, edge.output};
    const auto input = std::ranges::find(inputs_, edge);
    return input == inputs_.end() ? unknown()
                                  : Subgraph::Edge{-1, static_cast<int>(input - inputs_.begin())};
  }

  const Subgraph& graph_;
  std::span<const Subgraph::Edge> inputs_;
  std::vector<Subgraph::ReplacedNode> nodes_;
  std::map<int, int> position_;
};

}  // namespace

void replace(Subgraph& graph, int last, const Node& node, std::vector<Subgraph::Edge> inputs,
             std::span<const int> fused) {
  std::vector<int> before(fused.begin(), fused.end());
  std::ranges::sort(before);
  ReplacedList replaced(graph, inputs);
  for (const int other : before) replaced.add(other);
  replaced.add(last);
  Subgraph::Item& item = graph.items[at(last)];
  item.replaced = replaced.take();
  item.node = &node;
  item.inputs = std::move(inputs);
  for (const int other : fused)
    for (const int control : graph.items[at(other)].controls)
      if (std::ranges::find(item.controls, control) == item.controls.end())
        item.controls.push_back(control);
}

void absorb(Subgraph& graph, int first, const Node& node, std::vector<Subgraph::Edge> inputs,
            std::span<const int> later) {
  ReplacedList replaced(graph, inputs);
  replaced.add(first);
  for (const int other : later) replaced.add(other);
  Subgraph::Item& item = graph.items[at(first)];
  item.replaced = replaced.take();
  item.node = &node;
  item.inputs = std::move(inputs);
}

void redirect(Subgraph& graph, FunctionRef<Subgraph::Edge(Subgraph::Edge)> moved) {
  for (Subgraph::Item& item : graph.items) {
    for (Subgraph::Edge& input : item.inputs) input = moved(input);
    for (int& control : item.controls) control = moved({control, 0}).item;
  }
  for (Subgraph::Edge& fetch : graph.fetches) fetch = moved(fetch);
  for (int& target : graph.targets) target = moved({target, 0}).item;
}

}  // namespace rill
