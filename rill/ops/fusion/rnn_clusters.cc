#include "rill/ops/fusion/rnn_clusters.h"

#include <algorithm>
#include <numeric>

#include "rill/ops/fusion/item_groups.h"
#include "rill/passes/regions.h"

namespace rill {
namespace {

using Edge = Subgraph::Edge;

std::size_t at(int position) { return static_cast<std::size_t>(position); }

bool contains(std::span<const int> members, int item) {
  return std::ranges::find(members, item) != members.end();
}

// Whether nodes still come in some order when the members of each cluster are one.
bool has_order(const Subgraph& graph, const std::vector<int>& cluster_of, std::size_t clusters) {
  const std::size_t count = graph.items.size();
  const auto unit = [&](int item) {
    return cluster_of[at(item)] < 0 ? at(item) : count + at(cluster_of[at(item)]);
  };
  std::vector<std::vector<std::size_t>> after(count + clusters);
  std::vector<int> pending(count + clusters, 0);
  const auto wait = [&](int before, int reader) {
    if (unit(before) == unit(reader)) return;
    after[unit(before)].push_back(unit(reader));
    ++pending[unit(reader)];
  };
  for (int i = 0; at(i) < count; ++i) {
    const Subgraph::Item& item = graph.items[at(i)];
    const bool is_merge = item.is_plain() && item.node->op().has(kMerge);
    for (const Edge& input : item.inputs) {
      const Subgraph::Item& from = graph.items[at(input.item)];
      if (!is_merge || !from.is_plain() || !from.node->op().has(kNextIteration))
        wait(input.item, i);
    }
    for (const int control : item.controls) wait(control, i);
  }
  std::vector<std::size_t> ready;
  for (std::size_t u = 0; u < pending.size(); ++u)
    if (pending[u] == 0) ready.push_back(u);
  std::size_t done = 0;
  for (; done < ready.size(); ++done)
    for (const std::size_t next : after[ready[done]])
      if (--pending[next] == 0) ready.push_back(next);
  return done == pending.size();
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

Together::Together(const Subgraph& graph)
    : graph_(graph), regions_(find_regions(graph)), waits_(find_waits(graph, may_wait)) {}

bool Together::operator()(std::span<const int> members) const {
  const int first = members.front();
  return regions_[at(first)] >= 0 && std::ranges::all_of(members, [&](int member) {
           return graph_.items[at(member)].is_plain() &&
                  regions_[at(member)] == regions_[at(first)] &&
                  waits_[at(member)] == waits_[at(first)] &&
                  graph_.items[at(member)].device == graph_.items[at(first)].device;
         });
}

int put_clusters(Pattern& p, std::vector<Cluster> found) {
  std::vector<int> cluster_of(p.graph.items.size(), -1);
  std::vector<Cluster> clusters;
  for (Cluster& cluster : found) {
    const auto is_taken = [&](int member) { return cluster_of[at(member)] >= 0; };
    const auto is_own = [&](Edge input) { return contains(cluster.members, input.item); };
    if (std::ranges::any_of(cluster.members, is_taken) ||
        std::ranges::any_of(cluster.inputs, is_own))
      continue;
    for (const int member : cluster.members)
      cluster_of[at(member)] = static_cast<int>(clusters.size());
    clusters.push_back(std::move(cluster));
  }
  std::vector<const Cluster::Move*> move_of(p.graph.items.size(), nullptr);
  for (const Cluster& cluster : clusters)
    for (const Cluster::Move& move : cluster.moves) move_of[at(move.item)] = &move;
  if (clusters.empty() || !has_order(p.graph, cluster_of, clusters.size())) return 0;
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
    std::vector<int> swallowed = cluster.members;
    std::erase(swallowed, cluster.last);
    p.put(cluster.last, cluster.op, cluster.inputs, cluster.attrs, swallowed);
    std::erase_if(p.graph.items[at(cluster.last)].controls, [&](int control) {
      return std::ranges::binary_search(cluster.members, control);
    });
  }
  redirect(p.graph, moved);
  return static_cast<int>(clusters.size());
}

}  // namespace rill
