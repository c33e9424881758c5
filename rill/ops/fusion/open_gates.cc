#include <algorithm>

#include "rill/ops/fusion/derivation.h"
#include "rill/passes/regions.h"

namespace rill {
namespace {

using Edge = Subgraph::Edge;

// Optimizers let all gradients of an op be there before one of them is used: an Identity of each
// waits for a NoOp that waits for all. That keeps a variable from changing while the other
// gradients still have to be computed from it. Where they read no variable it only keeps nodes from
// becoming one, and the values of the forward part from being forgotten.
class Gates {
 public:
  explicit Gates(const Pattern& p) : p_(p), regions_(find_regions(p.graph)) {}

  bool may_open(int i) const {
    if (!p_.item(i).is_plain() || !p_.node(i).op().has(kIdentity) || !p_.node(i).op().has(kPure) ||
        p_.node(i).output_count() != 1 || p_.item(i).inputs.size() != 1 ||
        is_ref(p_.graph.dtype(p_.input(i, 0))))
      return false;
    return std::ranges::all_of(p_.item(i).controls, [&](int gate) {
      return p_.is(gate, "NoOp") && is_near(i, gate) &&
             std::ranges::all_of(p_.item(gate).controls,
                                 [&](int other) { return is_no_matter(i, other); });
    });
  }

 private:
  bool is_near(int i, int other) const {
    const auto at = [](int position) { return static_cast<std::size_t>(position); };
    return regions_[at(i)] >= 0 && regions_[at(i)] == regions_[at(other)] &&
           p_.item(i).device == p_.item(other).device;
  }
  bool is_no_matter(int i, int other) const {
    if (other == p_.input(i, 0).item || !p_.item(other).is_plain()) return true;
    return is_near(i, other) && is_mere_value(p_, other);
  }

  const Pattern& p_;
  std::vector<int> regions_;
};

int open_gates(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"NoOp"})) return 0;
  const Pattern p(graph, nodes);
  const Gates gates(p);
  std::vector<Edge> source(graph.items.size());
  int opened = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (p.item(i).controls.empty() || !gates.may_open(i)) continue;
    const Edge from = p.input(i, 0), before = source[static_cast<std::size_t>(from.item)];
    source[static_cast<std::size_t>(i)] = before.item >= 0 ? before : from;
    ++opened;
  }
  if (opened > 0)
    redirect(graph, [&](Edge edge) {
      const Edge& from = source[static_cast<std::size_t>(edge.item)];
      return from.item >= 0 ? from : edge;
    });
  return opened;
}

bool reads_reference(const Pattern& p, int i) {
  return std::ranges::any_of(p.item(i).inputs,
                             [&](const Edge& input) { return is_ref(p.graph.dtype(input)); });
}
bool is_state(const Pattern& p, int i) {
  return p.item(i).is_plain() && (!p.node(i).op().has(kPure) || reads_reference(p, i));
}

}  // namespace

bool is_mere_value(const Pattern& p, int i) {
  return !is_state(p, i) && std::ranges::none_of(p.item(i).inputs, [&](const Edge& input) {
    return is_state(p, input.item);
  });
}

extern const Rewrite kOpenGates{
    "open_gates", "gradients that no variable depends on do not wait for each other", open_gates};

}  // namespace rill
