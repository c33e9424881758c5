#include <algorithm>

#include "rill/ops/fusion/derivation.h"

namespace rill {
namespace {

using Edge = Subgraph::Edge;

std::size_t at(int position) { return static_cast<std::size_t>(position); }

// Decides what becomes part of the new node.
class Swallowing {
 public:
  Swallowing(const Pattern& p, const Uses& uses, const Derivation& derivation,
             const Replacement& replacement, int host)
      : p_(p), uses_(uses), derivation_(derivation), replacement_(replacement), host_(host) {
    // From the last item on, so that readers are decided first.
    for (int i = p.size() - 1; i >= 0; --i)
      if (may_vanish(i)) items_.insert(i);
  }

  const std::set<int>& items() const { return items_; }
  // What they wait for stands before all of them, so that none of them is needed for it.
  bool may_be_one() const {
    return items_.contains(host_) && std::ranges::all_of(items_, [&](int i) {
             return p_.item(i).device == p_.item(host_).device &&
                    std::ranges::all_of(p_.item(i).controls, [&](int control) {
                      return items_.contains(control) || control < *items_.begin();
                    });
           });
  }

 private:
  bool may_vanish(int i) const {
    if (!derivation_.is_known(i) || !p_.item(i).is_plain() || p_.is_gone(i)) return false;
    for (const Edge& input : replacement_.inputs)
      if (input.item == i) return false;
    if (is_result(i)) return true;
    return !uses_.kept[at(i)] &&
           std::ranges::all_of(uses_.readers[at(i)], [&](int r) { return is_settled(r); }) &&
           std::ranges::all_of(uses_.waiting[at(i)], [&](int r) { return is_settled(r); });
  }
  bool is_result(int i) const { return std::ranges::count(replacement_.results, Edge{i, 0}) > 0; }
  bool is_settled(int reader) const {
    if (reader == replacement_.mixed || items_.contains(reader) || p_.is_gone(reader)) return true;
    // A number that gradients wait for before they read it, for no reason that matters here.
    return p_.is(reader, "Const") && !uses_.kept[at(reader)] && uses_.waiting[at(reader)].empty() &&
           std::ranges::all_of(uses_.readers[at(reader)],
                               [&](int r) { return items_.contains(r) || p_.is_gone(r); });
  }

  const Pattern& p_;
  const Uses& uses_;
  const Derivation& derivation_;
  const Replacement& replacement_;
  int host_;
  std::set<int> items_;
};

// The item that the new node takes the place of: that of result 0, so that who reads it need not
// be told; in a mixed sum the last of the known summands.
int host_of(const Pattern& p, const Derivation& derivation, const Replacement& replacement) {
  int host = -1;
  if (replacement.mixed < 0) {
    for (const Edge& result : replacement.results)
      if (result.item >= 0 && host < 0) host = result.item;
    return host;
  }
  for (const Edge& input : p.item(replacement.mixed).inputs)
    if (derivation.find(input) != nullptr) host = std::max(host, input.item);
  return host;
}

}  // namespace

bool put_derived(Pattern& p, const Uses& uses, const Derivation& derivation,
                 const Replacement& replacement, std::map<std::pair<int, int>, Edge>& moved) {
  const int host = host_of(p, derivation, replacement);
  if (host < 0 || p.is_gone(host)) return false;
  const Swallowing swallowing(p, uses, derivation, replacement, host);
  if (!swallowing.may_be_one()) return false;
  std::vector<int> others(swallowing.items().begin(), swallowing.items().end());
  std::erase(others, host);
  p.put(host, replacement.op, replacement.inputs, replacement.attrs, others);
  if (replacement.mixed >= 0) {
    std::vector<Edge> summands{{host, 0}};
    for (const Edge& edge : p.item(replacement.mixed).inputs)
      if (derivation.find(edge) == nullptr) summands.push_back(edge);
    const auto count = static_cast<std::int64_t>(summands.size());
    p.put(replacement.mixed, "AddN", std::move(summands), {{"T", DType::f32}, {"N", count}}, {});
  }
  std::erase_if(p.graph.items[at(host)].controls,
                [&](int control) { return swallowing.items().contains(control); });
  for (std::size_t i = 0; i < replacement.results.size(); ++i) {
    const Edge& result = replacement.results[i];
    if (result.item >= 0) moved[{result.item, result.output}] = {host, static_cast<int>(i)};
  }
  return true;
}

}  // namespace rill
