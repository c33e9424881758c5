#include "rill/passes/late_waits.h"

#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/passes/effects.h"
#include "rill/passes/regions.h"
#include "rill/passes/who_acts_behind.h"

namespace rill {
namespace {

constexpr std::size_t kMostWaits = 64;  // of an update for those who read the variable

class LateWaits {
 public:
  explicit LateWaits(Subgraph& graph)
      : graph_(graph),
        regions_(find_regions(graph)),
        behind_(graph, regions_),
        was_waited_for_(graph.items.size(), 0) {}

  int run() {
    std::optional<Effects> effects = Effects::of(graph_);
    if (!effects) return 0;
    int changed = 0;
    for (int i = 0; at(i) < graph_.items.size(); ++i) {
      changed += drop_waits_for_inputs(i) ? 1 : 0;
      const auto hand_on = [&](int control) { return this->hand_on(i, control); };
      const std::vector<int> dropped = effects->settle(graph_, i, waits_for_nothing(i), hand_on);
      changed += dropped.empty() ? 0 : 1;
      for (const int control : dropped) {
        was_waited_for_[at(control)] = 1;
        for (const int member : item(control).controls) was_waited_for_[at(member)] = 1;
      }
    }
    if (changed > 0) let_updates_wait();
    return changed;
  }

 private:
  const Subgraph::Item& item(int i) const { return graph_.items[at(i)]; }
  bool is_pure(int i) const {
    if (!item(i).is_plain()) return true;
    const Op& op = item(i).node->op();
    return op.has(kPure) && !op.has(kControlFlow) && !op.has(kStateful);
  }
  bool is_calm(int i) const { return rill::is_calm(graph_, i); }

  bool reads(int i, int from) const {
    return std::ranges::any_of(item(i).inputs,
                               [&](const Subgraph::Edge& input) { return input.item == from; });
  }
  // Something without effects, or a group of such and of what is read anyway, in the same branch
  // and round.
  bool is_harmless(int control, int waiting) const {
    if (control >= waiting || regions_[at(control)] != regions_[at(waiting)]) return false;
    return is_pure(control) ||
           (is_group(item(control)) && std::ranges::all_of(item(control).controls, [&](int before) {
              return before < control && (is_pure(before) || reads(waiting, before));
            }));
  }
  // A group of what an item reads comes before it in any case, and is not dead where that is not.
  bool drop_waits_for_inputs(int i) {
    if (!item(i).is_plain() || item(i).node->op().has(kMerge)) return false;
    return std::erase_if(graph_.items[at(i)].controls, [&](int control) {
             return control < i && is_group(item(control)) && !item(control).controls.empty() &&
                    std::ranges::all_of(item(control).controls,
                                        [&](int before) { return reads(i, before); });
           }) > 0;
  }
  // Lets those who act behind an item wait for what it waited for.
  bool hand_on(int i, int control) {
    const auto acting = behind_.in_loop(i);
    if (!acting) return false;
    for (const int later : *acting) {
      std::vector<int>& controls = graph_.items[at(later)].controls;
      if (std::ranges::find(controls, control) == controls.end()) controls.push_back(control);
    }
    return true;
  }
  // Whether its inputs say in which branch and round it is.
  bool is_held_by_inputs(int i) const {
    return std::ranges::any_of(item(i).inputs, [&](const Subgraph::Edge& input) {
      return input.item < i && regions_[at(input.item)] == regions_[at(i)] &&
             item(input.item).is_plain() && !item(input.item).node->op().has(kSwitch);
    });
  }
  // Which of an item's controls it need not wait for as far as values go.
  std::vector<char> waits_for_nothing(int i) const {
    std::vector<char> may_go(item(i).controls.size(), 0);
    if (may_go.empty() || !item(i).is_plain() || regions_[at(i)] < 0 || !is_calm(i) ||
        !is_held_by_inputs(i))
      return may_go;
    for (std::size_t k = 0; k < may_go.size(); ++k)
      may_go[k] = is_harmless(item(i).controls[k], i) ? 1 : 0;
    return may_go;
  }

  bool is_variable(const Subgraph::Edge& edge) const {
    const DType type = graph_.dtype(edge);
    return is_ref(type) || type == DType::resource;
  }
  // Who changes a variable waits for those who compute with its old value, as it did before: then
  // it need not leave that to them and take other memory for the new one.
  void let_updates_wait() {
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
            if (user < i && was_waited_for_[at(user)] != 0 && is_calm(user) &&
                regions_[at(user)] == regions_[at(i)])
              waits.push_back(user);
      }
      std::ranges::sort(waits, std::greater<>());
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
      if (waits.size() > kMostWaits) waits.resize(kMostWaits);
      std::vector<int>& controls = graph_.items[at(i)].controls;
      for (const int wait : waits)
        if (std::ranges::find(controls, wait) == controls.end()) controls.push_back(wait);
    }
  }

  Subgraph& graph_;
  std::vector<int> regions_;
  WhoActsBehind behind_;
  std::vector<char> was_waited_for_;  // by someone who does not wait any more
};

int apply(Subgraph& graph, HelperNodes&) {
  if (std::ranges::none_of(graph.items, [](const Subgraph::Item& item) {
        return item.is_plain() && item.node->op().has(kPure) && !item.controls.empty();
      }))
    return 0;
  Subgraph changed = graph;
  const int places = LateWaits(changed).run();
  // Waiting may be all that makes something happen.
  if (places == 0 || count_acting(changed) != count_acting(graph)) return 0;
  graph = std::move(changed);
  drop_identities(graph);
  return places;
}

}  // namespace

extern const Rewrite kLateWaits{.name = "late_waits",
                                .doc = "nodes without effects do not wait for each other",
                                .apply = apply};

}  // namespace rill
