#include "rill/passes/late_waits.h"

#include <algorithm>

#include "rill/passes/regions.h"

namespace rill {
namespace {

constexpr std::size_t kMostWaits = 32;  // that are handed on; they only keep updates in place

std::size_t at(int position) { return static_cast<std::size_t>(position); }

void add_once(std::vector<int>& list, int item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

// Stands for others, as a place to hang control edges on.
bool is_group(const Subgraph::Item& item) {
  const Op& op = item.node->op();
  return item.is_plain() && item.inputs.empty() && item.node->output_count() == 0 &&
         item.node->attrs().empty() && !op.has(kStateful) && !op.has(kRunsDead);
}

class LateWaits {
 public:
  explicit LateWaits(Subgraph& graph)
      : graph_(graph), regions_(find_regions(graph)), handed_on_(graph.items.size()) {}

  int run() {
    int changed = 0;
    for (std::size_t i = 0; i < graph_.items.size(); ++i) changed += visit(static_cast<int>(i));
    return changed;
  }

 private:
  const Subgraph::Item& item(int i) const { return graph_.items[at(i)]; }

  // Does nothing but compute from values; also one that only stands for others.
  bool is_calm(int i) const {
    const Subgraph::Item& item = this->item(i);
    if (!item.is_plain() || is_group(item)) return true;
    const Op& op = item.node->op();
    return op.has(kPure) && !op.has(kControlFlow) && !op.has(kStateful) &&
           std::ranges::none_of(item.inputs,
                                [&](const auto& input) { return is_ref(graph_.dtype(input)); });
  }
  bool has_values(int i) const { return item(i).node->output_count() > 0; }

  // A group that waits for calm nodes alone, or such a node, in the same branch and round.
  bool is_harmless(int control, int waiting) const {
    if (control >= waiting || regions_[at(control)] != regions_[at(waiting)] || !is_calm(control))
      return false;
    return has_values(control) || std::ranges::all_of(item(control).controls, [&](int before) {
             return before < control && is_calm(before);
           });
  }

  // Whether its inputs say in which branch and round it is.
  bool is_held_by_inputs(int i) const {
    return std::ranges::any_of(item(i).inputs, [&](const Subgraph::Edge& input) {
      return input.item < i && regions_[at(input.item)] == regions_[at(i)] &&
             item(input.item).is_plain() && !item(input.item).node->op().has(kSwitch);
    });
  }

  int visit(int i) {
    if (!item(i).is_plain() || regions_[at(i)] < 0) return 0;
    std::vector<int> waits;
    const auto inherit = [&](int from) {
      if (from < i && regions_[at(from)] == regions_[at(i)])
        for (const int wait : handed_on_[at(from)]) add_once(waits, wait);
    };
    for (const Subgraph::Edge& input : item(i).inputs) inherit(input.item);
    for (const int control : item(i).controls) inherit(control);
    std::vector<int>& controls = graph_.items[at(i)].controls;
    if (!is_calm(i) || !has_values(i)) {
      for (const int wait : reduced(std::move(waits))) add_once(controls, wait);
      return 0;
    }
    const std::size_t before = controls.size();
    if (is_held_by_inputs(i))
      std::erase_if(controls, [&](int control) {
        const bool moves = is_harmless(control, i);
        if (moves) add_once(waits, control);
        return moves;
      });
    handed_on_[at(i)] = reduced(std::move(waits));
    return controls.size() < before ? 1 : 0;
  }

  // Without those that others among them wait for.
  std::vector<int> reduced(std::vector<int> waits) const {
    std::vector<int> found;
    for (const int wait : waits)
      if (std::ranges::none_of(waits, [&](int other) {
            return std::ranges::find(item(other).controls, wait) != item(other).controls.end();
          }))
        found.push_back(wait);
    std::ranges::sort(found, std::greater<>());
    if (found.size() > kMostWaits) found.resize(kMostWaits);
    return found;
  }

  Subgraph& graph_;
  std::vector<int> regions_;
  std::vector<std::vector<int>> handed_on_;  // per calm item: what who acts on it waits for
};

// Whoever waited for a group waits for what the group waited for, where that are not many.
void dissolve_groups(Subgraph& graph) {
  constexpr std::size_t kMostEdges = 64;
  const std::vector<int> regions = find_regions(graph);
  std::vector<std::size_t> waiting(graph.items.size(), 0);
  std::vector<char> dissolves(graph.items.size(), 0);
  for (const Subgraph::Item& item : graph.items)
    for (const int control : item.controls) ++waiting[at(control)];
  for (const int target : graph.targets) waiting[at(target)] = kMostEdges + 1;
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    std::vector<int>& controls = graph.items[i].controls;
    std::vector<int> expanded;
    for (const int control : controls)
      if (dissolves[at(control)] != 0 && regions[at(control)] == regions[i])
        for (const int before : graph.items[at(control)].controls) add_once(expanded, before);
      else
        add_once(expanded, control);
    controls = std::move(expanded);
    dissolves[i] = is_group(graph.items[i]) && regions[i] >= 0 && !controls.empty() &&
                           controls.size() * waiting[i] <= kMostEdges
                       ? 1
                       : 0;
  }
}

// Which items that are not pure the step still runs.
std::size_t count_acting(Subgraph graph) {
  compact(graph);
  return static_cast<std::size_t>(std::ranges::count_if(graph.items, [](const auto& item) {
    return item.is_plain() && !item.node->op().has(kPure) && !is_group(item);
  }));
}

int apply(Subgraph& graph, HelperNodes&) {
  if (std::ranges::none_of(graph.items, [](const Subgraph::Item& item) {
        return item.is_plain() && item.node->op().has(kPure) && !item.controls.empty() &&
               item.node->output_count() > 0;
      }))
    return 0;
  Subgraph changed = graph;
  const int places = LateWaits(changed).run();
  // Waiting may be all that makes something happen.
  if (places == 0 || count_acting(changed) != count_acting(graph)) return 0;
  graph = std::move(changed);
  dissolve_groups(graph);
  drop_identities(graph);
  drop_unread(graph);
  return places;
}

}  // namespace

extern const Rewrite kLateWaits{.name = "late_waits",
                                .doc = "nodes without effects do not wait for each other",
                                .apply = apply};

}  // namespace rill
