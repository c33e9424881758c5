#include <algorithm>
#include <limits>

#include "rill/base/subscript.h"
#include "rill/ops/fusion/derivation.h"

namespace rill {
namespace {

// Decides which items the new node replaces.
class Swallowing {
 public:
  Swallowing(const Pattern& p, const Uses& uses, const Derivation& derivation,
             const Replacement& replacement, int host)
      : p_(p), uses_(uses), derivation_(derivation), replacement_(replacement), host_(host) {
    for (const Edge& input : replacement.inputs) last_input_ = std::max(last_input_, input.item);
    // From the last item on, so that readers are decided first.
    const std::vector<int> known = derivation.known_items();
    for (auto i = known.rbegin(); i != known.rend(); ++i)
      if (may_vanish(*i)) items_.insert(*i);
    for (const int i : items_) {
      if (is_result(i)) first_user_ = std::min(first_user_, i);
      for (const int w : uses.waiting[at(i)])
        if (!items_.contains(w)) first_user_ = std::min(first_user_, w);
    }
    if (replacement.mixed >= 0) first_user_ = std::min(first_user_, replacement.mixed);
  }

  const std::set<int>& items() const { return items_; }
  // No cycle: each control input of a replaced item is replaced too, or comes before every reader
  // of the results.
  bool may_be_one() const {
    return items_.contains(host_) && std::ranges::all_of(items_, [&](int i) {
             return p_.item(i).device == p_.item(host_).device &&
                    std::ranges::all_of(p_.item(i).controls, [&](int c) { return is_before(c); });
           });
  }
  // What the new node has to wait for.
  std::vector<int> controls() const {
    std::vector<int> all;
    for (const int i : items_)
      for (const int control : p_.item(i).controls)
        if (!items_.contains(control) && std::ranges::find(all, control) == all.end())
          all.push_back(control);
    return all;
  }

 private:
  bool may_vanish(int i) const {
    if (!derivation_.is_known(i) || !p_.item(i).is_plain() || p_.is_gone(i)) return false;
    for (const Edge& input : replacement_.inputs)
      if (input.item == i) return false;
    if (is_result(i)) return true;
    return !uses_.kept[at(i)] &&
           std::ranges::all_of(uses_.readers[at(i)], [&](int r) { return is_settled(r); }) &&
           std::ranges::all_of(uses_.waiting[at(i)], [&](int w) {
             // Whoever comes after what the new node reads may wait for that node instead.
             return w > last_input_ || is_settled(w);
           });
  }
  bool is_before(int control) const { return items_.contains(control) || control < first_user_; }
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
  int host_, last_input_ = -1;
  int first_user_ = std::numeric_limits<int>::max();  // of what the new node does
  std::set<int> items_;
};

// The item whose node is replaced: that of result 0, so that its readers need no change; in a mixed
// sum the last of the known summands.
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
  std::vector<int> controls = swallowing.controls();
  p.put(host, replacement.op, replacement.inputs, replacement.attrs, others);
  p.graph.items[at(host)].controls = std::move(controls);
  if (replacement.mixed >= 0) {
    std::vector<Edge> summands{{host, 0}};
    for (const Edge& edge : p.item(replacement.mixed).inputs)
      if (derivation.find(edge) == nullptr) summands.push_back(edge);
    const auto count = static_cast<std::int64_t>(summands.size());
    p.put(replacement.mixed, "AddN", std::move(summands), {{"T", DType::f32}, {"N", count}}, {});
  }
  // Control edges from replaced items come from the new node.
  for (const int i : others) moved[{i, 0}] = {host, 0};
  for (std::size_t i = 0; i < replacement.results.size(); ++i) {
    const Edge& result = replacement.results[i];
    if (result.item >= 0) moved[{result.item, result.output}] = {host, static_cast<int>(i)};
  }
  return true;
}

}  // namespace rill
