#include "rill/passes/effects.h"

#include <algorithm>
#include <bit>

#include "rill/base/subscript.h"

namespace rill {
namespace {

constexpr std::size_t kMaxWords = std::size_t{1} << 22;  // of all sets together

bool is_handle(const Subgraph& graph, const Subgraph::Edge& edge) {
  const DType type = graph.dtype(edge);
  return is_ref(type) || type == DType::resource;
}

bool is_pure(const Subgraph::Item& item) {
  if (!item.is_plain()) return true;
  const Op& op = item.node->op();
  return op.has(kPure) && !op.has(kControlFlow) && !op.has(kStateful);
}

// Whether the item is one of those whose order is kept.
bool is_ordered(const Subgraph& graph, int i) {
  const Subgraph::Item& item = graph.items[at(i)];
  if (!item.is_plain() || is_group(item) || !has_side_effects(graph, i)) return false;
  const bool makes_handle = item.inputs.empty() && item.node->output_count() > 0 &&
                            is_handle(graph, {.item = i, .output = 0});
  if (makes_handle) return false;
  // A loop's Merge stands for the side effects of the iterations before.
  return !item.node->op().has(kControlFlow) || item.node->op().has(kMerge);
}

// The item that made a handle: follows it back through ops that pass it on, as Assign or Enter do.
int origin_of(const Subgraph& graph, int item) {
  for (;;) {
    const auto& inputs = graph.items[at(item)].inputs;
    const auto from = std::ranges::find_if(
        inputs, [&](const Subgraph::Edge& input) { return is_handle(graph, input); });
    if (from == inputs.end() || from->item >= item) return item;
    item = from->item;
  }
}

std::vector<int> subjects_of(const Subgraph& graph, int i) {
  std::vector<int> subjects;
  for (const Subgraph::Edge& input : graph.items[at(i)].inputs)
    if (is_handle(graph, input)) subjects.push_back(origin_of(graph, input.item));
  std::ranges::sort(subjects);
  subjects.erase(std::unique(subjects.begin(), subjects.end()), subjects.end());
  return subjects;
}

}  // namespace

bool has_side_effects(const Subgraph& graph, int i) {
  const Subgraph::Item& item = graph.items[at(i)];
  return !is_pure(item) || std::ranges::any_of(item.inputs, [&](const Subgraph::Edge& input) {
    return is_ref(graph.dtype(input));
  });
}

bool is_group(const Subgraph::Item& item) {
  if (!item.is_plain()) return false;
  const Op& op = item.node->op();
  return item.inputs.empty() && item.node->output_count() == 0 && item.node->attrs().empty() &&
         !op.has(kStateful) && !op.has(kRunsDead);
}

std::ptrdiff_t count_side_effects(Subgraph graph) {
  compact(graph);
  return std::ranges::count_if(graph.items, [](const Subgraph::Item& item) {
    return item.is_plain() && !item.node->op().has(kPure) && !is_group(item);
  });
}

std::optional<Effects> Effects::of(const Subgraph& graph) {
  Effects effects(graph);
  if (effects.items_.size() / 64 * graph.items.size() > kMaxWords) return std::nullopt;
  effects.before_.resize(graph.items.size());
  return effects;
}

Effects::Effects(const Subgraph& graph) : number_(graph.items.size(), -1) {
  for (int i = 0; at(i) < graph.items.size(); ++i) {
    if (!is_ordered(graph, i)) continue;
    number_[at(i)] = static_cast<int>(items_.size());
    items_.push_back(i);
    subjects_.emplace_back();
    if (graph.items[at(i)].node->op().has(kMerge)) continue;
    subjects_.back() = subjects_of(graph, i);
    for (const int subject : subjects_.back()) effects_on_[subject].push_back(number_[at(i)]);
  }
}

void Effects::add_before(Set& set, int item) const {
  const Set& more = before_[at(item)];
  for (std::size_t word = 0; word < more.size(); ++word) set[word] |= more[word];
  if (const int number = number_[at(item)]; number >= 0)
    set[at(number) / 64] |= std::uint64_t{1} << (number % 64);
}

// Whether all other side effects on the same things come before this one. Then dropping an edge
// from it cannot let a conflicting one overtake it.
bool Effects::is_last(int effect) const {
  const Set& before = before_[at(items_[at(effect)])];
  const auto is_before = [&](int other) {
    return other == effect || (before[at(other) / 64] >> (other % 64) & 1) != 0;
  };
  const std::vector<int>& subjects = subjects_[at(effect)];
  return !subjects.empty() && std::ranges::all_of(subjects, [&](int subject) {
    return std::ranges::all_of(effects_on_.at(subject), is_before);
  });
}

std::vector<int> Effects::relax(Subgraph& graph, int i, const std::vector<char>& removable,
                                FunctionRef<bool(int control)> move_to_frontier) {
  Subgraph::Item& item = graph.items[at(i)];
  Set before((items_.size() + 63) / 64);
  for (const Subgraph::Edge& input : item.inputs)
    if (input.item < i) add_before(before, input.item);  // the last iteration comes through Merge
  for (std::size_t k = 0; k < item.controls.size(); ++k)
    if (removable[k] == 0 && item.controls[k] < i) add_before(before, item.controls[k]);
  std::vector<int> dropped, kept;
  for (std::size_t k = 0; k < item.controls.size(); ++k) {
    const int control = item.controls[k];
    if (removable[k] == 0) {
      kept.push_back(control);
      continue;
    }
    Set lost(before.size());
    add_before(lost, control);
    bool loses = false;
    for (std::size_t word = 0; word < lost.size() && !loses; ++word)
      for (std::uint64_t bits = lost[word] & ~before[word]; bits != 0 && !loses; bits &= bits - 1)
        loses = !is_last(static_cast<int>(word) * 64 + std::countr_zero(bits));
    loses = loses && !move_to_frontier(control);
    if (loses) add_before(before, control);
    (loses ? kept : dropped).push_back(control);
  }
  if (!dropped.empty()) item.controls = std::move(kept);
  before_[at(i)] = std::move(before);
  return dropped;
}

}  // namespace rill
