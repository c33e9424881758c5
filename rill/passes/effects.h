#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "rill/base/function_ref.h"
#include "rill/passes/subgraph.h"

namespace rill {

// Whether it matters when an item runs: it changes something outside of its outputs, or reads a
// reference variable. Items without side effects may run at any time after their inputs.
bool has_side_effects(const Subgraph& graph, int item);
// A NoOp that only joins control edges, as tf.group makes one.
bool is_group(const Subgraph::Item& item);

// How many items that are not pure the step runs. A pass that drops edges compares this before and
// after: an edge may be all that makes an item with side effects reachable.
std::ptrdiff_t count_side_effects(Subgraph graph);

// The order of side effects in a subgraph: for each item, which items with side effects run before
// it. Two side effects conflict when they use the same variable or resource (found by following
// the handle back to the node that made it), or when one of them uses none that is known.
class Effects {
 public:
  // Nothing where the sets would take too much memory.
  static std::optional<Effects> of(const Subgraph& graph);

  // To be called for every item in order: computes which side effects come before item `i` and
  // removes control inputs of it. `removable` has a flag for each control input: whether the item's
  // own value allows to drop it. Such an edge is dropped when the order of conflicting side effects
  // stays the same without it. Otherwise move_to_frontier(control) is asked to give the edge to the
  // item's nearest successors with side effects; it returns whether it did, and if not the edge
  // stays. Returns the control inputs that were dropped.
  std::vector<int> relax(Subgraph& graph, int i, const std::vector<char>& removable,
                         FunctionRef<bool(int control)> move_to_frontier);

 private:
  using Set = std::vector<std::uint64_t>;  // a bit for each side effect
  explicit Effects(const Subgraph& graph);
  void add_before(Set& set, int item) const;
  bool is_last(int effect) const;

  std::vector<int> number_;  // per item: its number among the side effects, -1 if it has none
  std::vector<int> items_;   // per side effect: its item
  std::vector<std::vector<int>> subjects_;      // per side effect: items that made what it uses
  std::map<int, std::vector<int>> effects_on_;  // per such item: the side effects on it
  std::vector<Set> before_;                     // per item
};

}  // namespace rill
