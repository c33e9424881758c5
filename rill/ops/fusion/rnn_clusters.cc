#include "rill/ops/fusion/rnn_clusters.h"

#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/ops/fusion/fusion_groups.h"
#include "rill/passes/regions.h"

namespace rill {
namespace {

bool contains(std::span<const int> members, int item) {
  return std::ranges::find(members, item) != members.end();
}

// The condensed graph, in which each cluster is one node: the successors of each.
struct Units {
  Units(const Subgraph& graph, const std::vector<int>& set_of, std::size_t count)
      : before(graph.items.size() + count), after(graph.items.size() + count) {
    const auto unit = [&](int item) {
      return set_of[at(item)] < 0 ? at(item) : graph.items.size() + at(set_of[at(item)]);
    };
    const auto join = [&](int from, int to) {
      if (unit(from) == unit(to)) return;
      after[unit(from)].push_back(unit(to));
      before[unit(to)].push_back(unit(from));
    };
    const LoopExits exits(graph);
    for (int i = 0; at(i) < graph.items.size(); ++i) {
      const Subgraph::Item& item = graph.items[at(i)];
      const bool is_merge = item.is_plain() && item.node->op().has(kMerge);
      for (const Edge& input : item.inputs) {
        const Subgraph::Item& from = graph.items[at(input.item)];
        const bool goes_back = is_merge && from.is_plain() && from.node->op().has(kNextIteration);
        if (!goes_back) join(input.item, i);
      }
      for (const int control : item.controls) join(control, i);
      for (const int next : exits.before(i)) join(next, i);
    }
  }
  std::vector<std::vector<std::size_t>> before, after;
};

// Marks what a topological sort (Kahn) reaches; the rest is on a cycle or behind one.
void peel(const std::vector<std::vector<std::size_t>>& before,
          const std::vector<std::vector<std::size_t>>& after, std::vector<char>& gone) {
  std::vector<std::size_t> pending(before.size(), 0), ready;
  for (std::size_t u = 0; u < before.size(); ++u) {
    for (const std::size_t other : before[u]) pending[u] += gone[other] == 0 ? 1 : 0;
    if (gone[u] == 0 && pending[u] == 0) ready.push_back(u);
  }
  for (std::size_t k = 0; k < ready.size(); ++k) {
    gone[ready[k]] = 1;
    for (const std::size_t next : after[ready[k]])
      if (gone[next] == 0 && --pending[next] == 0) ready.push_back(next);
  }
}

// Clusters that would be on a cycle if each were fused.
std::vector<int> tangled(const Subgraph& graph, const std::vector<int>& set_of, std::size_t count) {
  const Units units(graph, set_of, count);
  std::vector<char> gone(units.before.size(), 0);
  peel(units.before, units.after, gone);
  peel(units.after, units.before, gone);
  std::vector<int> found;
  for (std::size_t set = 0; set < count; ++set)
    if (gone[graph.items.size() + set] == 0) found.push_back(static_cast<int>(set));
  return found;
}

}  // namespace

Users::Users(const Subgraph& graph) : readers_(graph.items.size()) {
  for (std::size_t i = 0; i < graph.items.size(); ++i)
    for (const Edge& input : graph.items[i].inputs)
      readers_[at(input.item)].emplace_back(input.output, static_cast<int>(i));
  for (const Edge& fetch : graph.fetches) readers_[at(fetch.item)].emplace_back(fetch.output, -1);
}

std::vector<int> Users::of(Edge value) const {
  std::vector<int> found;
  for (const auto& [output, reader] : readers_[at(value.item)])
    if (output == value.output) found.push_back(reader);
  return found;
}

int Users::computing(const Pattern& p, Edge value) const {
  int found = -1;
  for (const auto& [output, reader] : readers_[at(value.item)]) {
    if (output != value.output || (reader >= 0 && p.is(reader, "Shape"))) continue;
    if (reader < 0 || found >= 0) return -1;
    found = reader;
  }
  return found;
}

bool Users::only_shapes_leave(const Pattern& p, int item, std::span<const int> members) const {
  return std::ranges::all_of(readers_[at(item)], [&](const auto& use) {
    return use.second >= 0 && (contains(members, use.second) || p.is(use.second, "Shape"));
  });
}

bool Users::leaves(int item, std::span<const int> members) const {
  return std::ranges::any_of(readers_[at(item)],
                             [&](const auto& use) { return !contains(members, use.second); });
}

CanFuse::CanFuse(const Subgraph& graph)
    : graph_(graph),
      regions_(find_regions(graph)),
      blocking_sets_(find_blocking_sets(graph, may_block)) {}

bool CanFuse::operator()(std::span<const int> members) const {
  const int first = members.front();
  return regions_[at(first)] >= 0 && std::ranges::all_of(members, [&](int member) {
           return graph_.items[at(member)].is_plain() &&
                  regions_[at(member)] == regions_[at(first)] &&
                  blocking_sets_[at(member)] == blocking_sets_[at(first)] &&
                  graph_.items[at(member)].device == graph_.items[at(first)].device;
         });
}

int put_clusters(Pattern& p, std::vector<Cluster> clusters) {
  std::vector<int> cluster_of(p.graph.items.size(), -1);
  std::erase_if(clusters, [&](const Cluster& cluster) {
    const auto is_taken = [&](int member) { return cluster_of[at(member)] >= 0; };
    const auto is_own = [&](Edge input) { return contains(cluster.members, input.item); };
    if (std::ranges::any_of(cluster.members, is_taken) ||
        std::ranges::any_of(cluster.inputs, is_own))
      return true;
    for (const int member : cluster.members) cluster_of[at(member)] = 0;
    return false;
  });
  const auto number_all = [&] {
    std::ranges::fill(cluster_of, -1);
    for (std::size_t k = 0; k < clusters.size(); ++k)
      for (const int member : clusters[k].members) cluster_of[at(member)] = static_cast<int>(k);
    return tangled(p.graph, cluster_of, clusters.size());
  };
  for (auto circle = number_all(); !circle.empty(); circle = number_all())
    clusters.erase(clusters.begin() + circle.front());
  std::vector<const Cluster::Move*> move_of(p.graph.items.size(), nullptr);
  for (const Cluster& cluster : clusters)
    for (const Cluster::Move& move : cluster.moves) move_of[at(move.item)] = &move;
  if (clusters.empty()) return 0;
  const auto moved = [&](Edge edge) {
    while (true) {
      const int cluster = cluster_of[at(edge.item)];
      if (cluster < 0) return edge;
      const Cluster::Move* move = move_of[at(edge.item)];
      if (move == nullptr) return Edge{clusters[at(cluster)].last, 0};  // for those who wait
      if (move->is_output) return move->to;
      edge = move->to;
    }
  };
  for (Cluster& cluster : clusters) {
    std::vector<int> fused = cluster.members;
    std::erase(fused, cluster.last);
    p.put(cluster.last, cluster.op, cluster.inputs, cluster.attrs, fused);
    std::erase_if(p.graph.items[at(cluster.last)].controls, [&](int control) {
      return std::ranges::binary_search(cluster.members, control);
    });
  }
  redirect(p.graph, moved);
  return static_cast<int>(clusters.size());
}

void add_once(Pattern& p, int sum, Edge value) {
  if (!p.is(sum, "AddN")) return;  // part of something else by now
  std::vector<Edge> inputs = p.item(sum).inputs;
  const auto first = std::ranges::find(inputs, value);
  if (first == inputs.end()) return;
  inputs.erase(std::remove(first + 1, inputs.end(), value), inputs.end());
  if (inputs.size() == 1 && p.item(sum).controls.empty()) {
    redirect(p.graph, [&](Edge edge) { return edge.item == sum ? value : edge; });
    return;
  }
  const auto count = static_cast<std::int64_t>(inputs.size());
  p.put(sum, "AddN", std::move(inputs), {{"T", DType::f32}, {"N", count}}, {});
}

}  // namespace rill
