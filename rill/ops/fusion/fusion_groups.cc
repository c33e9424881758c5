#include "rill/ops/fusion/fusion_groups.h"

#include <algorithm>
#include <climits>
#include <set>
#include <unordered_set>

#include "rill/base/subscript.h"
#include "rill/ops/register_kernels.h"

namespace rill {
namespace {

constexpr std::size_t kMaxMembers = 32;
constexpr int kMaxVisits = 512;  // of a search; beyond, a group is not worth the time

}  // namespace

bool may_block(const Node& node) {
  if (node.op().has(kPure)) return false;
  return std::ranges::any_of(
      standard_kernels().entries(node.op().name, "CPU"),
      [](const KernelEntry* kernel) { return kernel->run_async != nullptr; });
}

void FusionGroups::add_alone(int item) {
  group_of_[at(item)] = static_cast<int>(members_.size());
  members_.push_back({item});
}

void FusionGroups::join(int item, int other) {
  const int to = group_of_[at(item)], from = group_of_[at(other)];
  if (to == from) return;
  std::vector<int> joined;
  std::ranges::merge(members_[at(to)], members_[at(from)], std::back_inserter(joined));
  if (joined.size() > kMaxMembers || !is_closed(joined)) return;
  for (const int member : members_[at(from)]) group_of_[at(member)] = to;
  members_[at(from)].clear();
  members_[at(to)] = std::move(joined);
}

// Whether the group is convex: searches backwards from what members read or wait for outside of the
// group, and must not come to a member.
bool FusionGroups::is_closed(const std::vector<int>& members) {
  ++search_;
  const auto is_member = [&](int item) { return std::ranges::binary_search(members, item); };
  std::vector<int> stack;
  int visits = 0;
  const auto visit = [&](int item, int reader) {
    // What comes before all members cannot need one; what comes after its reader closes a loop.
    if (item < members.front() || item >= reader || seen_[at(item)] == search_) return;
    seen_[at(item)] = search_;
    stack.push_back(item);
  };
  const auto visit_sources = [&](int item, bool of_member) {
    for (const Subgraph::Edge& input : graph_.items[at(item)].inputs)
      if (!of_member || !is_member(input.item)) visit(input.item, item);
    for (const int control : graph_.items[at(item)].controls)
      if (!of_member || !is_member(control)) visit(control, item);
    for (const int next : exits_.before(item)) visit(next, INT_MAX);
  };
  for (const int member : members) visit_sources(member, true);
  while (!stack.empty()) {
    const int item = stack.back();
    stack.pop_back();
    if (is_member(item) || ++visits > kMaxVisits) return false;
    visit_sources(item, false);
  }
  return true;
}

namespace {

// A topological sort of the items in which the members of a group come at once.
class GroupOrder {
 public:
  GroupOrder(const Subgraph& graph, const LoopExits& exits,
             std::span<const std::vector<int>> groups)
      : graph_(graph),
        exits_(exits),
        readers_(graph.items.size()),
        missing_(graph.items.size(), 0) {
    for (std::size_t i = 0; i < graph.items.size(); ++i) {
      group_.push_back({static_cast<int>(i)});
      first_.push_back(static_cast<int>(i));
      for_sources(static_cast<int>(i),
                  [&](int source) { readers_[at(source)].push_back(static_cast<int>(i)); });
    }
    for (const std::vector<int>& members : groups) {
      if (members.size() < 2) continue;
      group_[at(members.front())] = members;
      for (const int member : members) first_[at(member)] = members.front();
    }
    for (std::size_t i = 0; i < graph.items.size(); ++i) {
      missing_[at(first_[i])] += missing_sources(static_cast<int>(i));
      if (first_[i] == static_cast<int>(i) && group_[i].size() > 1)
        shut_.insert(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < graph.items.size(); ++i)
      if (first_[i] == static_cast<int>(i) && missing_[i] == 0) ready_.push_back(first_[i]);
  }

  // Calls split(members) for each group that has to be split.
  template <class TakeApart>
  void run(TakeApart split) {
    while (true) {
      pass_ready();
      if (shut_.empty()) return;
      const int first = *shut_.begin();
      shut_.erase(shut_.begin());
      const std::vector<int> members = group_[at(first)];
      split(members);
      for (const int member : members) {
        group_[at(member)] = {member};
        first_[at(member)] = member;
      }
      for (const int member : members) {
        missing_[at(member)] = missing_sources(member);
        if (missing_[at(member)] == 0) ready_.push_back(member);
      }
    }
  }

 private:
  // Except for the back edge of a loop.
  template <class Body>
  void for_sources(int i, Body body) const {
    for (const Subgraph::Edge& input : graph_.items[at(i)].inputs)
      if (input.item < i) body(input.item);
    for (const int control : graph_.items[at(i)].controls)
      if (control < i) body(control);
    for (const int next : exits_.before(i)) body(next);
  }
  int missing_sources(int i) const {
    int count = 0;
    for_sources(i, [&](int source) {
      const int first = first_[at(source)];
      count += first != first_[at(i)] && !passed_.contains(first) ? 1 : 0;
    });
    return count;
  }
  void pass_ready() {
    while (!ready_.empty()) {
      const int first = ready_.back();
      ready_.pop_back();
      passed_.insert(first);
      shut_.erase(first);
      for (const int member : group_[at(first)])
        for (const int reader : readers_[at(member)]) {
          const int next = first_[at(reader)];
          if (next != first && --missing_[at(next)] == 0) ready_.push_back(next);
        }
    }
  }

  const Subgraph& graph_;
  const LoopExits& exits_;
  std::vector<std::vector<int>> readers_, group_;  // group_: at its first member
  std::vector<int> first_;                         // of the item's group
  std::vector<int> missing_;                       // at its first member: what it needs still
  std::vector<int> ready_;
  std::unordered_set<int> passed_;
  std::set<int> shut_;  // groups that have not been passed, by their first members
};

}  // namespace

void FusionGroups::break_cycles() {
  const auto joined = [](const std::vector<int>& members) { return members.size() > 1; };
  if (std::ranges::count_if(members_, joined) < 2) return;
  GroupOrder order(graph_, exits_, members_);
  order.run([&](const std::vector<int>& apart) {
    members_[at(group_of_[at(apart.front())])].clear();
    for (const int member : apart) add_alone(member);
  });
}

}  // namespace rill
