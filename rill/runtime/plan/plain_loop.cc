#include "rill/runtime/plan/plain_loop.h"

#include <algorithm>
#include <map>

#include "rill/runtime/plan/plan.h"

namespace rill {
namespace {

using Kind = FrameLayout::Kind;

class PlainLoopFinder {
 public:
  PlainLoopFinder(const Plan& plan, const FrameLayout& layout, int frame)
      : plan_(plan), layout_(layout), frame_(layout.frames[at(frame)]) {}

  std::unique_ptr<const PlainLoop> find() {
    for (const int n : frame_.nodes)
      if (!add(n)) return nullptr;
    if (loop_.branches.empty() || loop_.starts.size() != loop_.carries.size()) return nullptr;
    if (!predicate_is_tested() || !carries_are_separate()) return nullptr;
    find_lifetimes();
    return std::make_unique<const PlainLoop>(std::move(loop_));
  }

 private:
  enum class Section : std::uint8_t { kTest, kAfter, kBody, kEnd };

  const FrameLayout::Node& node(int n) const { return layout_.nodes[at(n)]; }
  const PlanNode& plan_node(int n) const { return plan_.nodes[at(n)]; }
  const std::vector<Plan::NodeEdge>& edges(int n) const { return plan_.node_edges[at(n)]; }
  int input(int n, int i) const { return layout_.addresses[at(node(n).input_begin + i)]; }
  int output(int n, int i) const { return layout_.addresses[at(node(n).output_begin + i)]; }
  bool is_read(int slot) const { return frame_.readers[at(slot)] > 0; }

  // Nodes come after what they read, so the parts of the inputs are known. False: not plain.
  bool add(int n) {
    switch (node(n).kind) {
      case Kind::kKernel:
        return add_kernel(n);
      case Kind::kSwitch:
        return add_switch(n);
      case Kind::kMerge:
        return add_merge(n);
      case Kind::kExit:
        loop_.exits.push_back(n);
        return is_in(n, Section::kEnd);
      case Kind::kNextIteration:
        return add_next_iteration(n);
      default:
        return false;  // a loop inside
    }
  }

  bool is_in(int n, Section part) const {
    Section found;
    return plan_node(n).deref_begin == plan_node(n).deref_end && find_part(n, &found) &&
           found == part;
  }

  // The part that a node belongs to by its inputs; false when that depends on more than the test.
  bool find_part(int n, Section* part) const {
    bool in_body = false, in_end = false, after = false, beside = false;
    for (const Plan::NodeEdge& edge : edges(n)) {
      const Kind kind = node(edge.from).kind;
      // What an Enter that is no invariant brings is there in the first iteration only.
      if (kind == Kind::kNextIteration || kind == Kind::kEnter) return false;
      Section source = Section::kTest;
      if (const auto it = part_.find(edge.from); it != part_.end()) source = it->second;
      if (kind == Kind::kSwitch)
        source = edge.output < 0    ? Section::kAfter
                 : edge.output == 0 ? Section::kEnd
                                    : Section::kBody;
      // What runs though its inputs are dead is there in any case, though not that early.
      if (node(edge.from).runs_dead && source != Section::kTest) {
        beside = true;
        continue;
      }
      in_body |= source == Section::kBody;
      in_end |= source == Section::kEnd;
      after |= source == Section::kAfter;
    }
    *part = in_body  ? Section::kBody
            : in_end ? Section::kEnd
            : after  ? Section::kAfter
                     : Section::kTest;
    return !(in_body && in_end) && (in_body || !beside);
  }

  // What runs in the last iteration though its inputs are dead may be left out only if it does
  // nothing.
  bool acts_though_dead(int n) const {
    return node(n).runs_dead &&
           (plan_node(n).output_count > 0 || plan_node(n).node->op().has(kStateful));
  }

  bool add_kernel(int n) {
    Section part;
    if (plan_node(n).run == nullptr || acts_though_dead(n) || !find_part(n, &part)) return false;
    part_.emplace(n, part);
    PlainLoop::Kernel step{.node = n, .value_begin = static_cast<int>(loop_.addresses.size())};
    for (int i = 0; i < plan_node(n).input_count; ++i) loop_.addresses.push_back(input(n, i));
    for (int i = 0; i < plan_node(n).output_count; ++i) loop_.addresses.push_back(output(n, i));
    steps(part).push_back(step);
    return true;
  }

  std::vector<PlainLoop::Kernel>& steps(Section part) {
    switch (part) {
      case Section::kTest:
        return loop_.test;
      case Section::kAfter:
        return loop_.after;
      case Section::kBody:
        return loop_.body;
      default:
        return loop_.end;
    }
  }

  bool add_switch(int n) {
    if (plan_node(n).output_count != 2 || !is_in(n, Section::kTest)) return false;
    if (!loop_.branches.empty() && loop_.predicate != input(n, 1)) return false;
    loop_.predicate = input(n, 1);
    loop_.branches.push_back({.data = input(n, 0),
                              .when_false = is_read(output(n, 0)) ? output(n, 0) : -1,
                              .when_true = is_read(output(n, 1)) ? output(n, 1) : -1,
                              .moves = false});
    return true;
  }

  // An Enter and a NextIteration, and nobody who asks which of them it was.
  bool add_merge(int n) {
    if (edges(n).size() != 2 || is_read(output(n, 1))) return false;
    int enters = 0;
    for (const Plan::NodeEdge& edge : edges(n)) {
      const Kind kind = node(edge.from).kind;
      if (edge.input < 0 || (kind != Kind::kEnter && kind != Kind::kNextIteration)) return false;
      if (kind == Kind::kNextIteration) {
        merge_of_.emplace(edge.from, output(n, 0));
      } else {
        ++enters;
        loop_.starts.emplace_back(input(n, edge.input), output(n, 0));
      }
    }
    return enters == 1 && frame_.readers[at(loop_.starts.back().first)] == 1;
  }

  bool add_next_iteration(int n) {
    const auto merge = merge_of_.find(n);
    if (merge == merge_of_.end() || node(n).edge_end - node(n).edge_begin != 1 ||
        !is_in(n, Section::kBody))
      return false;
    loop_.carries.push_back({.from = input(n, 0), .to = merge->second, .moves = false});
    return true;
  }

  // What the Switches ask is known after the test.
  bool predicate_is_tested() const {
    const auto writes_it = [&](const PlainLoop::Kernel& step) {
      for (int i = 0; i < plan_node(step.node).output_count; ++i)
        if (output(step.node, i) == loop_.predicate) return true;
      return false;
    };
    const auto is_it = [&](const auto& start) { return start.second == loop_.predicate; };
    return loop_.predicate >= 0 &&
           (std::ranges::any_of(loop_.test, writes_it) || std::ranges::any_of(loop_.starts, is_it));
  }

  // Carrying one value must not overwrite another that is still to be carried.
  bool carries_are_separate() const {
    return std::ranges::none_of(loop_.carries, [&](const PlainLoop::Carry& carry) {
      return std::ranges::any_of(loop_.starts, [&](const auto& start) {
        return carry.from == start.second || carry.from == start.first;
      });
    });
  }

  // When in an iteration each slot is read for the last time: a step, or at the test, or at the
  // end.
  void find_lifetimes() {
    last_.assign(frame_.readers.size(), -1);
    int time = 0;
    for (const auto& step : loop_.test) read(step.node, time++);
    const int tested = time++;
    for (const auto& branch : loop_.branches) read_slot(branch.data, tested);
    read_slot(loop_.predicate, tested);
    for (const auto& step : loop_.after) read(step.node, time++);
    for (const auto& step : loop_.body) read(step.node, time++);
    const int carried = time++;
    for (const auto& carry : loop_.carries) read_slot(carry.from, carried);
    // The end comes once, and all is given up after it.
    for (const auto& step : loop_.end) read(step.node, time);
    keep_invariants(time);
    mark_moves(loop_.branches, tested, [](auto& branch) { return branch.data; });
    mark_moves(loop_.carries, carried, [](auto& carry) { return carry.from; });
    time = 0;
    for (auto& step : loop_.test) finish_step(step, time++);
    ++time;
    for (auto& step : loop_.after) finish_step(step, time++);
    for (auto& step : loop_.body) finish_step(step, time++);
  }

  void read(int n, int time) {
    for (int i = node(n).release_begin; i < node(n).release_end; ++i)
      read_slot(layout_.releases[at(i)], time);
  }
  void read_slot(int slot, int time) {
    if (slot >= 0) last_[at(slot)] = time;
  }

  void keep_invariants(int never) {
    for (std::size_t n = 0; n < layout_.nodes.size(); ++n)
      if (layout_.nodes[n].kind == Kind::kConstantEnter &&
          &layout_.frames[at(layout_.nodes[n].output_frame)] == &frame_)
        last_[at(output(static_cast<int>(n), 0))] = never;
  }

  // The last of those that read a slot at `time` may take the value away.
  template <class Items, class Source>
  void mark_moves(Items& items, int time, Source source) {
    std::vector<int> seen;
    for (auto it = items.rbegin(); it != items.rend(); ++it) {
      const int slot = source(*it);
      it->moves = slot >= 0 && slot != loop_.predicate && last_[at(slot)] == time &&
                  std::ranges::find(seen, slot) == seen.end();
      seen.push_back(slot);
    }
  }

  void finish_step(PlainLoop::Kernel& step, int time) {
    step.dying_begin = static_cast<int>(loop_.dying.size());
    for (int i = node(step.node).release_begin; i < node(step.node).release_end; ++i) {
      const int slot = layout_.releases[at(i)];
      const auto begin = loop_.dying.begin() + step.dying_begin;
      if (last_[at(slot)] == time && std::find(begin, loop_.dying.end(), slot) == loop_.dying.end())
        loop_.dying.push_back(slot);
    }
    step.dying_end = static_cast<int>(loop_.dying.size());
    step.takeable = 0;
    for (int i = 0; i < std::min(plan_node(step.node).input_count, 64); ++i) {
      const int slot = input(step.node, i);
      if (slot >= 0 && last_[at(slot)] == time) step.takeable |= std::uint64_t{1} << i;
    }
  }

  const Plan& plan_;
  const FrameLayout& layout_;
  const FrameLayout::Frame& frame_;
  PlainLoop loop_;
  std::map<int, Section> part_;  // of kernels
  std::map<int, int> merge_of_;  // from a NextIteration to its Merge's slot
  std::vector<int> last_;        // per slot
};

}  // namespace

std::unique_ptr<const PlainLoop> find_plain_loop(const Plan& plan, const FrameLayout& layout,
                                                 int frame) {
  return PlainLoopFinder(plan, layout, frame).find();
}

}  // namespace rill
