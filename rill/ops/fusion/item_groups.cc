#include "rill/ops/fusion/item_groups.h"

#include <algorithm>

#include "rill/ops/register.h"

namespace rill {
namespace {

constexpr std::size_t kMostMembers = 32;
constexpr int kMostVisits = 512;  // of a search; beyond, a group is not worth the time

std::size_t at(int position) { return static_cast<std::size_t>(position); }

}  // namespace

bool may_wait(const Node& node) {
  if (node.op().has(kPure)) return false;
  return std::ranges::any_of(
      standard_kernels().entries(node.op().name, "CPU"),
      [](const KernelEntry* kernel) { return kernel->run_async != nullptr; });
}

void ItemGroups::add_alone(int item) {
  group_of_[at(item)] = static_cast<int>(members_.size());
  members_.push_back({item});
}

void ItemGroups::join(int item, int other) {
  const int to = group_of_[at(item)], from = group_of_[at(other)];
  if (to == from) return;
  std::vector<int> joined;
  std::ranges::merge(members_[at(to)], members_[at(from)], std::back_inserter(joined));
  if (joined.size() > kMostMembers || !is_closed(joined)) return;
  for (const int member : members_[at(from)]) group_of_[at(member)] = to;
  members_[at(from)].clear();
  members_[at(to)] = std::move(joined);
}

// Whether no member is needed for what members read from outside or wait for.
bool ItemGroups::is_closed(const std::vector<int>& members) {
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
  };
  for (const int member : members) visit_sources(member, true);
  while (!stack.empty()) {
    const int item = stack.back();
    stack.pop_back();
    if (is_member(item) || ++visits > kMostVisits) return false;
    visit_sources(item, false);
  }
  return true;
}

}  // namespace rill
