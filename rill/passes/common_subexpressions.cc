#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "rill/passes/subgraph.h"

namespace rill {
namespace {

std::size_t combine(std::size_t seed, std::size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15 + (seed << 6) + (seed >> 2));
}

std::size_t hash(const Tensor& constant) {
  const std::string_view bytes(static_cast<const char*>(constant.raw_data()), constant.byte_size());
  return combine(std::hash<std::string_view>()(bytes), static_cast<std::size_t>(constant.dtype()));
}

std::size_t hash(const Subgraph::Item& item) {
  if (item.constant) return hash(*item.constant);
  std::size_t h = std::hash<const void*>()(&item.node->op());
  for (const auto& input : item.inputs)
    h = combine(h,
                static_cast<std::size_t>(input.item) * 31 + static_cast<std::size_t>(input.output));
  return h;
}

// Compares what decides the result. Placement is done, so colocation (`_class`) no longer counts.
bool same_attrs(const AttrMap& a, const AttrMap& b) {
  const auto skip = [](auto it, const AttrMap& attrs) {
    while (it != attrs.end() && it->first == "_class") ++it;
    return it;
  };
  auto x = skip(a.begin(), a), y = skip(b.begin(), b);
  for (; x != a.end() && y != b.end(); x = skip(++x, a), y = skip(++y, b))
    if (*x != *y) return false;
  return x == a.end() && y == b.end();
}

bool equal(const Subgraph::Item& a, const Subgraph::Item& b) {
  if (a.constant || b.constant)
    return a.constant && b.constant && a.device == b.device && identical(*a.constant, *b.constant);
  return &a.node->op() == &b.node->op() && a.inputs == b.inputs && a.controls == b.controls &&
         a.device == b.device && same_attrs(a.node->attrs(), b.node->attrs());
}

// Large constants are left alone: comparing them costs more than it saves.
constexpr std::size_t kSmallConstant = 64;  // bytes

bool is_small_constant(const Subgraph::Item& item) {
  return item.constant.has_value() && item.feed < 0 && item.controls.empty() &&
         is_trivial(item.constant->dtype()) && item.constant->byte_size() <= kSmallConstant;
}

bool is_shareable(const Subgraph::Item& item) {
  return is_small_constant(item) ||
         (item.is_plain() && item.node->op().has(kPure) && !item.inputs.empty());
}

}  // namespace

int common_subexpressions(Subgraph& graph) {
  int changed = 0;
  std::unordered_multimap<std::size_t, int> seen;
  std::vector<int> same(graph.items.size());
  std::iota(same.begin(), same.end(), 0);  // inputs of a loop's Merge come later in the list
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    auto& item = graph.items[i];
    for (auto& input : item.inputs) input.item = same[static_cast<std::size_t>(input.item)];
    for (int& control : item.controls) control = same[static_cast<std::size_t>(control)];
    if (!is_shareable(item)) continue;
    const std::size_t h = hash(item);
    const auto [begin, end] = seen.equal_range(h);
    const auto twin = std::find_if(begin, end, [&](const auto& entry) {
      return equal(graph.items[static_cast<std::size_t>(entry.second)], item);
    });
    if (twin == end) {
      seen.emplace(h, static_cast<int>(i));
    } else {
      same[i] = twin->second;
      ++changed;
    }
  }
  for (auto& fetch : graph.fetches) fetch.item = same[static_cast<std::size_t>(fetch.item)];
  for (int& target : graph.targets) target = same[static_cast<std::size_t>(target)];
  return changed;
}

}  // namespace rill
