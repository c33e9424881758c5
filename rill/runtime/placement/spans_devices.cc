// What has to be known of a placed subgraph before it is cut.
#include <algorithm>
#include <optional>

#include "rill/runtime/placement/partition.h"

namespace rill {
bool spans_devices(const Subgraph& graph, int client) {
  const auto is_away = [client](const Subgraph::Item& item) {
    return item.is_plain() && item.device != client;
  };
  if (std::ranges::none_of(graph.items, is_away)) return false;
  // A step without values from or for the client may be whole on another device.
  const auto has_feed = [](const Subgraph::Item& item) { return item.feed >= 0; };
  if (!graph.fetches.empty() || std::ranges::any_of(graph.items, has_feed)) return true;
  const auto first = std::ranges::find_if(graph.items, is_away);
  return std::ranges::any_of(graph.items, [&](const Subgraph::Item& item) {
    return item.is_plain() && item.device != first->device;
  });
}

void follow_values(Subgraph& graph) {
  const auto device_of = [&](const Subgraph::Edge& edge) -> std::optional<int> {
    const Subgraph::Item& source = graph.items[at(edge.item)];
    return source.constant ? std::nullopt : std::optional(source.device);
  };
  for (Subgraph::Item& item : graph.items)
    if (is_node(item, kSwitch | kExit))
      item.device = device_of(item.inputs[0]).value_or(item.device);
  std::vector<int> first_reader(graph.items.size(), -1);
  for (std::size_t i = graph.items.size(); i-- > 0;)
    for (const Subgraph::Edge& input : graph.items[i].inputs)
      first_reader[at(input.item)] = static_cast<int>(i);
  for (std::size_t i = graph.items.size(); i-- > 0;) {
    Subgraph::Item& item = graph.items[i];
    const bool moves = is_node(item, kNextIteration) ||
                       (is_node(item, kEnter) && !is_ref(item.node->input_type(0)));
    if (moves && first_reader[i] >= 0) item.device = graph.items[at(first_reader[i])].device;
  }
}

}  // namespace rill
