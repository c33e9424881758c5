#include "rill/passes/rewrite.h"

#include <algorithm>
#include <cstdlib>

namespace rill {
namespace {

std::size_t at(int position) { return static_cast<std::size_t>(position); }

}  // namespace

RewriteSwitches RewriteSwitches::from_environment() {
  RewriteSwitches switches;
  const char* listed = std::getenv("RILL_REWRITES_OFF");
  std::string_view rest = listed == nullptr ? "" : listed;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (comma != 0) switches.off.emplace(rest.substr(0, comma));
    rest = comma == rest.npos ? "" : rest.substr(comma + 1);
  }
  return switches;
}

void rewrite(Subgraph& graph, std::span<const Rewrite* const> rewrites,
             const RewriteSwitches& switches) {
  if (graph.items.empty() || rewrites.empty()) return;
  HelperNodes nodes(graph.items.front().node->graph().registry());
  int changed = 0;
  for (const Rewrite* one : rewrites) {
    if (!switches.allows(one->name)) continue;
    const int places = one->apply(graph, nodes);
    if (places == 0) continue;
    compact(graph);
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
    ++use.reads;
    use.reader = reader;
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

int Readers::sole(Subgraph::Edge value) const {
  const Use& use = uses_[at(value.item)];
  if (use.pinned || use.reads != 1 || use.reader < 0) return -1;
  const Subgraph::Item& from = graph_.items[at(value.item)];
  const Subgraph::Item& to = graph_.items[at(use.reader)];
  const bool joinable = from.is_plain() && to.is_plain() && from.device == to.device;
  return joinable && count(value) == 1 ? use.reader : -1;
}

int Readers::count(Subgraph::Edge value) const {
  const Use& use = uses_[at(value.item)];
  return at(value.output) < use.per_output.size() ? use.per_output[at(value.output)] : 0;
}

void replace(Subgraph& graph, int last, const Node& node, std::vector<Subgraph::Edge> inputs,
             std::span<const int> swallowed) {
  Subgraph::Item& item = graph.items[at(last)];
  item.node = &node;
  item.inputs = std::move(inputs);
  for (const int other : swallowed)
    for (const int control : graph.items[at(other)].controls)
      if (std::ranges::find(item.controls, control) == item.controls.end())
        item.controls.push_back(control);
}

}  // namespace rill
