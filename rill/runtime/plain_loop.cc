#include "rill/runtime/plain_loop.h"

#include <algorithm>
#include <map>

#include "rill/runtime/plan.h"

namespace rill {
namespace {

using Kind = FrameLayout::Kind;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
  enum class Part : std::uint8_t { kTest, kBody };

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
        return only_input_is_from_switch(n, 0);
      case Kind::kNextIteration:
        return add_next_iteration(n);
      default:
        return false;  // a loop inside
    }
  }

  bool only_input_is_from_switch(int n, int output) const {
    return edges(n).size() == 1 && edges(n)[0].output == output &&
           node(edges(n)[0].from).kind == Kind::kSwitch;
  }

  // The part that a node belongs to by its inputs; false when that depends on more than the test.
  bool find_part(int n, Part* part) const {
    bool in_body = false;
    bool after_test = false;
    for (const Plan::NodeEdge& edge : edges(n)) {
      const Kind kind = node(edge.from).kind;
      if (kind == Kind::kSwitch && edge.output == 0) return false;
      // What an Enter that is no invariant brings is there in the first round only.
      if (kind == Kind::kNextIteration || kind == Kind::kEnter) return false;
      after_test |= kind == Kind::kSwitch && edge.output < 0;
      in_body |= kind == Kind::kSwitch && edge.output > 0;
      const auto it = part_.find(edge.from);
      in_body |= it != part_.end() && it->second == Part::kBody;
    }
    *part = in_body ? Part::kBody : Part::kTest;
    return in_body || !after_test;
  }

  bool add_kernel(int n) {
    Part part;
    if (plan_node(n).run == nullptr || node(n).runs_dead || !find_part(n, &part)) return false;
    part_.emplace(n, part);
    PlainLoop::Step step{.node = n, .value_begin = static_cast<int>(loop_.addresses.size())};
    for (int i = 0; i < plan_node(n).input_count; ++i) loop_.addresses.push_back(input(n, i));
    for (int i = 0; i < plan_node(n).output_count; ++i) loop_.addresses.push_back(output(n, i));
    (part == Part::kTest ? loop_.test : loop_.body).push_back(step);
    return true;
  }

  bool add_switch(int n) {
    Part part;
    if (plan_node(n).deref_begin != plan_node(n).deref_end || plan_node(n).output_count != 2 ||
        !find_part(n, &part) || part != Part::kTest)
      return false;
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
    Part part;
    const auto merge = merge_of_.find(n);
    if (merge == merge_of_.end() || node(n).edge_end - node(n).edge_begin != 1 ||
        plan_node(n).deref_begin != plan_node(n).deref_end || !find_part(n, &part) ||
        part != Part::kBody)
      return false;
    loop_.carries.push_back({.from = input(n, 0), .to = merge->second, .moves = false});
    return true;
  }

  bool predicate_is_tested() const {
    const int predicate = loop_.predicate;
    if (predicate < 0) return false;
    const auto writes_it = [&](const PlainLoop::Step& step) {
      for (int i = 0; i < plan_node(step.node).output_count; ++i)
        if (output(step.node, i) == predicate) return true;
      return false;
    };
    return std::ranges::none_of(loop_.body, writes_it);
  }

  // Carrying one value must not overwrite another that is still to be carried.
  bool carries_are_separate() const {
    return std::ranges::none_of(loop_.carries, [&](const PlainLoop::Carry& carry) {
      return std::ranges::any_of(loop_.starts, [&](const auto& start) {
        return carry.from == start.second || carry.from == start.first;
      });
    });
  }

  // When in a round each slot is read for the last time: a step, or at the test, or at the end.
  void find_lifetimes() {
    const int test_end = static_cast<int>(loop_.test.size());
    const int round_end = test_end + 1 + static_cast<int>(loop_.body.size());
    last_.assign(frame_.readers.size(), -1);
    int time = 0;
    for (const auto& step : loop_.test) read(step.node, time++);
    for (const auto& branch : loop_.branches) read_slot(branch.data, test_end);
    read_slot(loop_.predicate, test_end);
    time = test_end + 1;
    for (const auto& step : loop_.body) read(step.node, time++);
    for (const auto& carry : loop_.carries) read_slot(carry.from, round_end);
    keep_invariants(round_end + 1);
    mark_moves(loop_.branches, test_end, [](auto& branch) { return branch.data; });
    mark_moves(loop_.carries, round_end, [](auto& carry) { return carry.from; });
    time = 0;
    for (auto& step : loop_.test) finish_step(step, time++);
    time = test_end + 1;
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

  void finish_step(PlainLoop::Step& step, int time) {
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
  std::map<int, Part> part_;     // of kernels
  std::map<int, int> merge_of_;  // from a NextIteration to its Merge's slot
  std::vector<int> last_;        // per slot
};

}  // namespace

std::unique_ptr<const PlainLoop> find_plain_loop(const Plan& plan, const FrameLayout& layout,
                                                 int frame) {
  return PlainLoopFinder(plan, layout, frame).find();
}

}  // namespace rill
