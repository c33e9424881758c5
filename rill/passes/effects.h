#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "rill/base/function_ref.h"
#include "rill/passes/subgraph.h"

namespace rill {

// Whether an item does the same, and nobody can tell when: it neither acts nor reads a variable.
bool is_calm(const Subgraph& graph, int item);
// Stands for others, as a place to hang control edges on.
bool is_group(const Subgraph::Item& item);

// How many items that are not pure the step runs: reading a value, or waiting for it, may be all
// that makes something happen.
std::ptrdiff_t count_acting(Subgraph graph);

// The order in which a subgraph's items act: which of those that change or read something outside
// of their inputs come before which item.
class Effects {
 public:
  // Nothing where there is too much to keep.
  static std::optional<Effects> of(const Subgraph& graph);

  // Takes note of what comes before item `i`; to be called for every item in order. Of its controls
  // those that `may_go` (one for each) are dropped where that loses no order that counts: two that
  // act on the same thing still do so in the order in which they did, and what acts on things
  // unknown still comes before all that it came before. Where it would lose some, hand_on(control)
  // may see to it that all who act behind the item wait for the control instead; it says whether it
  // did. Returns what was dropped.
  std::vector<int> settle(Subgraph& graph, int i, const std::vector<char>& may_go,
                          FunctionRef<bool(int control)> hand_on);

 private:
  using Set = std::vector<std::uint64_t>;  // a bit for each that acts
  explicit Effects(const Subgraph& graph);
  void add_before(Set& set, int item) const;
  bool is_last(int acting) const;

  std::vector<int> number_;  // per item: which of those that act it is; -1: it does not
  std::vector<int> items_;   // that act, by number
  std::vector<std::vector<int>> subjects_;     // by number: what made the things it acts on
  std::map<int, std::vector<int>> acting_on_;  // per subject: numbers
  std::vector<Set> before_;                    // per item
};

}  // namespace rill
