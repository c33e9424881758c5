#include "rill/passes/relax_control_edges.h"

#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/passes/effects.h"
#include "rill/passes/regions.h"
#include "rill/passes/side_effect_frontier.h"

namespace rill {
namespace {

constexpr std::size_t kMaxWaits = 64;  // control edges from readers of a variable to its update

class RelaxControlEdges {
 public:
  explicit RelaxControlEdges(Subgraph& graph)
      : graph_(graph),
        regions_(find_regions(graph)),
        frontier_(graph, regions_),
        lost_waiter_(graph.items.size(), 0) {}

  int run() {
    std::optional<Effects> effects = Effects::of(graph_);
    if (!effects) return 0;
    int changed = 0;
    for (int i = 0; at(i) < graph_.items.size(); ++i) {
      changed += drop_redundant_controls(i) ? 1 : 0;
      const auto move_to_frontier = [&](int control) { return this->move_to_frontier(i, control); };
      const std::vector<int> dropped =
          effects->relax(graph_, i, removable_controls(i), move_to_frontier);
      changed += dropped.empty() ? 0 : 1;
      for (const int control : dropped) {
        lost_waiter_[at(control)] = 1;
        for (const int member : item(control).controls) lost_waiter_[at(member)] = 1;
      }
    }
    if (changed > 0) order_updates_after_reads();
    return changed;
  }

 private:
  const Subgraph::Item& item(int i) const { return graph_.items[at(i)]; }
  bool is_pure(int i) const {
    if (!item(i).is_plain()) return true;
    const Op& op = item(i).node->op();
    return op.has(kPure) && !op.has(kControlFlow) && !op.has(kStateful);
  }
  bool has_side_effects(int i) const { return rill::has_side_effects(graph_, i); }

  bool reads(int i, int from) const {
    return std::ranges::any_of(item(i).inputs,
                               [&](const Subgraph::Edge& input) { return input.item == from; });
  }
  // Whether a control edge orders no side effects by itself: it comes from a pure item, or from a
  // group of pure items and of inputs of the waiting one, in the same branch and iteration.
  bool orders_nothing(int control, int waiting) const {
    if (control >= waiting || regions_[at(control)] != regions_[at(waiting)]) return false;
    return is_pure(control) ||
           (is_group(item(control)) && std::ranges::all_of(item(control).controls, [&](int before) {
              return before < control && (is_pure(before) || reads(waiting, before));
            }));
  }
  // Drops control edges from groups whose members are all inputs of the item: the inputs come
  // before it in any case, and are dead in the same branches.
  bool drop_redundant_controls(int i) {
    if (!item(i).is_plain() || item(i).node->op().has(kMerge)) return false;
    return std::erase_if(graph_.items[at(i)].controls, [&](int control) {
             return control < i && is_group(item(control)) && !item(control).controls.empty() &&
                    std::ranges::all_of(item(control).controls,
                                        [&](int before) { return reads(i, before); });
           }) > 0;
  }
  // Adds `control` to the control inputs of the item's nearest successors with side effects.
  bool move_to_frontier(int i, int control) {
    const auto effects_after = frontier_.in_loop(i);
    if (!effects_after) return false;
    for (const int later : *effects_after) {
      std::vector<int>& controls = graph_.items[at(later)].controls;
      if (std::ranges::find(controls, control) == controls.end()) controls.push_back(control);
    }
    return true;
  }
  // Whether the item stays in its branch and loop when its control edges go, because an input is
  // there.
  bool inputs_fix_region(int i) const {
    return std::ranges::any_of(item(i).inputs, [&](const Subgraph::Edge& input) {
      return input.item < i && regions_[at(input.item)] == regions_[at(i)] &&
             item(input.item).is_plain() && !item(input.item).node->op().has(kSwitch);
    });
  }
  // For each control input of an item, whether its value is the same without it.
  std::vector<char> removable_controls(int i) const {
    std::vector<char> removable(item(i).controls.size(), 0);
    if (removable.empty() || !item(i).is_plain() || regions_[at(i)] < 0 || has_side_effects(i) ||
        !inputs_fix_region(i))
      return removable;
    for (std::size_t k = 0; k < removable.size(); ++k)
      removable[k] = orders_nothing(item(i).controls[k], i) ? 1 : 0;
    return removable;
  }

  bool is_variable(const Subgraph::Edge& edge) const {
    const DType type = graph_.dtype(edge);
    return is_ref(type) || type == DType::resource;
  }
  // An update gets control edges from the nodes that compute with the variable's old value and that
  // it used to wait for through others. Without them it might run while the old value is in use,
  // and would have to allocate another buffer for the new one.
  void order_updates_after_reads() {
    std::vector<std::vector<int>> readers(graph_.items.size());
    for (int i = 0; at(i) < graph_.items.size(); ++i)
      for (const Subgraph::Edge& input : item(i).inputs) readers[at(input.item)].push_back(i);
    for (int i = 0; at(i) < graph_.items.size(); ++i) {
      if (is_pure(i) || regions_[at(i)] < 0) continue;
      std::vector<int> waits;
      for (const Subgraph::Edge& input : item(i).inputs) {
        if (!is_variable(input)) continue;
        for (const int read : readers[at(input.item)])
          for (const int user : readers[at(read)])
            if (user < i && lost_waiter_[at(user)] != 0 && !has_side_effects(user) &&
                regions_[at(user)] == regions_[at(i)])
              waits.push_back(user);
      }
      std::ranges::sort(waits, std::greater<>());
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
      if (waits.size() > kMaxWaits) waits.resize(kMaxWaits);
      std::vector<int>& controls = graph_.items[at(i)].controls;
      for (const int wait : waits)
        if (std::ranges::find(controls, wait) == controls.end()) controls.push_back(wait);
    }
  }

  Subgraph& graph_;
  std::vector<int> regions_;
  SideEffectFrontier frontier_;
  std::vector<char> lost_waiter_;  // per item: a control edge from it was dropped
};

int apply(Subgraph& graph, HelperNodes&) {
  if (std::ranges::none_of(graph.items, [](const Subgraph::Item& item) {
        return item.is_plain() && item.node->op().has(kPure) && !item.controls.empty();
      }))
    return 0;
  Subgraph changed = graph;
  const int places = RelaxControlEdges(changed).run();
  // A dropped edge may have been all that made an item with side effects run.
  if (places == 0 || count_side_effects(changed) != count_side_effects(graph)) return 0;
  graph = std::move(changed);
  drop_identities(graph);
  return places;
}

}  // namespace

extern const Rewrite kRelaxControlEdgesRewrite{
    .name = "relax_control_edges",
    .doc = "control edges between nodes without side effects are dropped",
    .apply = apply};

}  // namespace rill
