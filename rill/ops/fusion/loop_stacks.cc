#include <algorithm>
#include <map>
#include <tuple>

#include "rill/base/subscript.h"
#include "rill/ops/fusion/pattern.h"
#include "rill/ops/fusion/rnn_clusters.h"
#include "rill/passes/effects.h"
#include "rill/passes/regions.h"

namespace rill {
namespace {

// A stack that one item of a loop pushes to and one item of another pops from, as gradients do.
struct LoopStack {
  int push = -1, pop = -1;
};

// Stacks by which a loop passes values to its gradient: those that are never read are dropped, and
// two that hold the same values become one.
class LoopStacks {
 public:
  LoopStacks(Subgraph& graph, HelperNodes& nodes)
      : p_(graph, nodes),
        users_(graph),
        regions_(find_regions(graph)),
        gone_(graph.items.size(), 0) {
    std::map<int, std::vector<int>> users_of_stack;
    for (int i = 0; i < p_.size(); ++i)
      if (p_.item(i).is_plain() && !p_.node(i).op().has(kEnter))
        for (const Edge& input : p_.item(i).inputs)
          if (const int stack = stack_behind(input); stack >= 0) users_of_stack[stack].push_back(i);
    for (const auto& [stack, users] : users_of_stack) add(stack, users);
  }

  int run() {
    for (const LoopStack& stack : stacks_)
      if (users_.of({stack.pop, 0}).empty()) drop(stack);
    share();
    if (dropped_ == 0) return 0;
    for (std::size_t i = 0; i < gone_.size(); ++i)
      if (gone_[i] == 0) wait_for_others(static_cast<int>(i));
    for (Subgraph::Item& item : p_.graph.items)
      for (Edge& input : item.inputs)
        if (const auto it = shared_.find(input.item); it != shared_.end()) input.item = it->second;
    compact(p_.graph);  // dropped items no longer count as readers
    dead_code(p_.graph);
    return dropped_;
  }

 private:
  int stack_behind(Edge handle) const {
    while (p_.is(handle.item, "Enter")) handle = p_.input(handle.item, 0);
    return p_.is(handle.item, "StackV2") ? handle.item : -1;
  }
  void add(int stack, const std::vector<int>& users) {
    const auto& limit = p_.item(p_.input(stack, 0).item).constant;
    if (users.size() != 2 || !limit || limit->dtype() != DType::i32 ||
        limit->element_count() != 1 || limit->data<std::int32_t>()[0] >= 0)
      return;
    LoopStack found{.push = users[0], .pop = users[1]};
    if (p_.is(found.pop, "StackPushV2")) std::swap(found.push, found.pop);
    if (!p_.is(found.push, "StackPushV2") || !p_.is(found.pop, "StackPopV2") ||
        is_kept(found.push) || is_kept(found.pop) || !is_in_loop(found.push) ||
        !is_in_loop(found.pop) || !users_.of({found.push, 0}).empty())
      return;
    stacks_.push_back(found);
  }
  // Its controls say in which iterations it runs.
  bool is_in_loop(int i) const {
    const auto& controls = p_.item(i).controls;
    return regions_[at(i)] > 0 && !controls.empty() && p_.is(p_.input(i, 0).item, "Enter") &&
           std::ranges::none_of(controls, [&](int other) {
             return p_.is(other, {"StackPushV2", "StackPopV2"});
           });
  }
  bool is_kept(int i) const {
    return std::ranges::any_of(p_.graph.fetches, [&](Edge fetch) { return fetch.item == i; }) ||
           std::ranges::find(p_.graph.targets, i) != p_.graph.targets.end();
  }

  void drop(const LoopStack& stack) {
    gone_[at(stack.push)] = gone_[at(stack.pop)] = 1;
    ++dropped_;
  }
  // The same value pushed in the same iterations and popped in the same iterations.
  void share() {
    std::map<std::tuple<int, int, int, int, std::vector<int>, std::vector<int>>, int> known;
    for (const LoopStack& stack : stacks_) {
      if (gone_[at(stack.pop)] != 0) continue;
      const Edge value = p_.input(stack.push, 1);
      const auto [it, is_new] = known.emplace(
          std::tuple{value.item, value.output, regions_[at(stack.push)], regions_[at(stack.pop)],
                     p_.item(stack.push).controls, p_.item(stack.pop).controls},
          stack.pop);
      if (is_new) continue;
      shared_[stack.pop] = it->second;
      drop(stack);
    }
  }
  // Items with a control edge from a dropped push or pop get its control inputs and the pushed
  // value instead.
  void wait_for_others(int i) {
    std::vector<int>& controls = p_.graph.items[at(i)].controls;
    std::vector<int> kept;
    const auto add = [&](int control) {
      if (std::ranges::find(kept, control) == kept.end()) kept.push_back(control);
    };
    for (const int control : controls) {
      if (gone_[at(control)] == 0) {
        add(control);
        continue;
      }
      for (const int earlier : p_.item(control).controls) add(earlier);
      if (const auto it = shared_.find(control); it != shared_.end()) add(it->second);
      if (!p_.is(control, "StackPushV2")) continue;
      const int pushed = p_.input(control, 1).item;
      if (!p_.item(pushed).is_plain()) continue;
      if (!is_for_stacks(pushed) || p_.item(i).inputs.empty()) {
        add(pushed);
        continue;
      }
      // Nobody needs it any more: what it was made of will do.
      for (const Edge& input : p_.item(pushed).inputs)
        if (p_.item(input.item).is_plain()) add(input.item);
      for (const int earlier : p_.item(pushed).controls) add(earlier);
    }
    controls = std::move(kept);
  }
  // A value that only stacks have read that are gone.
  bool is_for_stacks(int i) const {
    if (has_side_effects(p_.graph, i) || p_.node(i).output_count() != 1 ||
        std::ranges::any_of(p_.item(i).inputs, [&](Edge in) { return p_.is(in.item, "Enter"); }))
      return false;
    return std::ranges::all_of(users_.of({i, 0}),
                               [&](int reader) { return reader >= 0 && gone_[at(reader)] != 0; });
  }

  Pattern p_;
  const Users users_;
  const std::vector<int> regions_;
  std::vector<char> gone_;
  std::vector<LoopStack> stacks_;
  std::map<int, int> shared_;  // pops that are another pop
  int dropped_ = 0;
};

int drop_stacks(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"StackPopV2"})) return 0;
  return LoopStacks(graph, nodes).run();
}

}  // namespace

extern const Rewrite kLoopStacksRewrite{
    "loop_stacks", "loops keep for their gradients only what is read, and only once", drop_stacks};

}  // namespace rill
