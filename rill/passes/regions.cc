#include "rill/passes/regions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include "rill/base/subscript.h"
#include "rill/passes/loop_exits.h"

namespace rill {
namespace {

constexpr int kUnknownRegion = -1;

// The tree of branches and loops, as the walk over the items finds them.
class Regions {
 public:
  explicit Regions(const Subgraph& graph) : graph_(graph) {}

  std::vector<int> find() {
    for (std::size_t i = 0; i < graph_.items.size(); ++i)
      found_.push_back(region_of(graph_.items[i], static_cast<int>(i)));
    return std::move(found_);
  }

 private:
  // A branch: the item of the predicate, its output and the side. A loop: its name.
  using Key = std::tuple<int, int, int, int, std::string>;
  struct Region {
    int parent = -1, depth = 0;
    bool is_loop = false;
  };

  int region_of(const Subgraph::Item& item, int index) {
    if (!item.is_plain()) return 0;
    const Op& op = item.node->op();
    const int around = deepest(item, index);
    if (around == kUnknownRegion) return kUnknownRegion;
    if (op.has(kEnter))
      return child({around, -1, 0, 0, attr<std::string>(item.node->attrs(), "frame_name")}, true);
    if (op.has(kExit)) return out_of_loop(around);
    if (op.has(kMerge) && !closes_loop(item, index)) return out_of_branch(around);
    return around;
  }

  // The region of what an edge brings: a Switch opens one for each of its outputs.
  int region_of(const Subgraph::Edge& edge) {
    const Subgraph::Item& from = graph_.items[at(edge.item)];
    const int region = found_[at(edge.item)];
    if (!from.is_plain() || !from.node->op().has(kSwitch) || region == kUnknownRegion)
      return region;
    const Subgraph::Edge predicate = from.inputs.back();
    return child({region, predicate.item, predicate.output, edge.output, {}}, false);
  }

  int deepest(const Subgraph::Item& item, int index) {
    int found = 0;
    const auto join = [&](int region) {
      if (found == kUnknownRegion || region == kUnknownRegion) {
        found = kUnknownRegion;
      } else if (contains(found, region)) {
        found = region;
      } else if (!contains(region, found)) {
        found = kUnknownRegion;
      }
    };
    const bool is_merge = item.node->op().has(kMerge);
    for (const Subgraph::Edge& input : item.inputs) {
      if (input.item >= index) continue;  // the back edge of a loop
      join(region_of(input));
      if (is_merge) break;  // its inputs come from different sides
    }
    for (const int control : item.controls)
      if (control < index) join(found_[at(control)]);
    return found;
  }

  static bool closes_loop(const Subgraph::Item& item, int index) {
    for (const Subgraph::Edge& input : item.inputs)
      if (input.item >= index) return true;
    return false;
  }

  bool contains(int outer, int inner) const {
    while (regions_[at(inner)].depth > regions_[at(outer)].depth)
      inner = regions_[at(inner)].parent;
    return inner == outer;
  }
  int out_of_branch(int region) const {
    if (regions_[at(region)].parent < 0 || regions_[at(region)].is_loop) return kUnknownRegion;
    return regions_[at(region)].parent;
  }
  int out_of_loop(int region) const {
    while (regions_[at(region)].parent >= 0 && !regions_[at(region)].is_loop)
      region = regions_[at(region)].parent;
    return regions_[at(region)].is_loop ? regions_[at(region)].parent : kUnknownRegion;
  }
  int child(const Key& key, bool is_loop) {
    const auto [it, is_new] = known_.emplace(key, static_cast<int>(regions_.size()));
    const int parent = std::get<0>(key);
    if (is_new) regions_.push_back({parent, regions_[at(parent)].depth + 1, is_loop});
    return it->second;
  }

  const Subgraph& graph_;
  std::vector<Region> regions_{Region{}};
  std::map<Key, int> known_;
  std::vector<int> found_;
};

}  // namespace

std::vector<int> find_regions(const Subgraph& graph) { return Regions(graph).find(); }

std::vector<int> find_blocking_sets(const Subgraph& graph, bool (*may_block)(const Node&)) {
  constexpr std::ptrdiff_t kMaxBlocking =
      64;  // beyond, telling them apart costs more than it gains
  const auto blocks = [&](const Subgraph::Item& item) {
    return item.is_plain() && may_block(*item.node);
  };
  std::vector<int> found(graph.items.size(), 0);
  const std::ptrdiff_t count = std::ranges::count_if(graph.items, blocks);
  if (count > kMaxBlocking) std::iota(found.begin(), found.end(), 1);  // every item is alone
  if (count == 0 || count > kMaxBlocking) return found;
  std::map<std::vector<int>, int> numbers{{{}, 0}};
  std::vector<const std::vector<int>*> sets{&numbers.begin()->first};
  const auto number_of = [&](std::vector<int> set) {
    const auto [it, is_new] = numbers.emplace(std::move(set), static_cast<int>(sets.size()));
    if (is_new) sets.push_back(&it->first);
    return it->second;
  };
  const auto joined = [&](int a, int b) {
    if (a == b || b == 0) return a;
    std::vector<int> both;
    std::ranges::set_union(*sets[at(a)], *sets[at(b)], std::back_inserter(both));
    return number_of(std::move(both));
  };
  const LoopExits exits(graph);
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    const Subgraph::Item& item = graph.items[i];
    for (const int next : exits.before(static_cast<int>(i)))
      if (at(next) < i) found[i] = joined(found[i], found[at(next)]);
    for (const Subgraph::Edge& input : item.inputs)
      if (at(input.item) < i) found[i] = joined(found[i], found[at(input.item)]);
    for (const int control : item.controls)
      if (at(control) < i) found[i] = joined(found[i], found[at(control)]);
    if (blocks(item)) found[i] = joined(found[i], number_of({static_cast<int>(i)}));
  }
  return found;
}

}  // namespace rill
