#include <algorithm>

#include "rill/ops/fusion/rnn_parts.h"

namespace rill {
namespace {

using Edge = Subgraph::Edge;

// What tf.nn.rnn_cell's GRU cell is built of: update * h + (1 - update) * candidate, found from
// that sum. Only where nobody else reads what is inside, as gradients do.
class GruMatch {
 public:
  GruMatch(const Pattern& p, const Users& users) : p_(p), users_(users) {}

  bool match(int sum) {
    for (int k = 0; k < 2; ++k) {
      members_.clear();
      if (is_new(p_.input(sum, k)) && is_kept(p_.input(sum, 1 - k)) && is_product(sum)) return true;
    }
    return false;
  }

  std::vector<Edge> inputs;
  const std::vector<int>& members() const { return members_; }

 private:
  int part(Edge edge, std::initializer_list<const char*> ops) {
    if (!p_.is(edge.item, ops)) return -1;
    members_.push_back(edge.item);
    return edge.item;
  }

  // (1 - update) * candidate.
  bool is_new(Edge edge) {
    const int mul = part(edge, {"Mul"});
    if (mul < 0) return false;
    for (int k = 0; k < 2; ++k) {
      const Edge open = p_.input(mul, k), candidate = p_.input(mul, 1 - k);
      double one = 0;
      if (!p_.is(open.item, "Sub") || !p_.is(candidate.item, "Tanh") ||
          !p_.scalar(p_.input(open.item, 0), &one) || one != 1)
        continue;
      members_.insert(members_.end(), {open.item, candidate.item});
      update_ = p_.input(open.item, 1);
      tanh_ = candidate.item;
      return p_.is(update_.item, "Split") && update_.output == 1;
    }
    return false;
  }
  bool is_kept(Edge edge) {
    const int mul = part(edge, {"Mul"});
    if (mul < 0 || (!(p_.input(mul, 0) == update_) && !(p_.input(mul, 1) == update_))) return false;
    h_ = p_.other(mul, update_);
    return true;
  }

  bool is_product(int last) {
    const int split = update_.item;
    if (p_.node(split).attr<std::int64_t>("num_split") != 2 ||
        !is_column_axis(p_, p_.input(split, 0)))
      return false;
    const int squash = p_.input(split, 1).item;
    if (!p_.is(squash, "Sigmoid")) return false;
    const auto gates = product_before(p_, users_, p_.input(squash, 0), squash);
    const auto candidate = product_before(p_, users_, p_.input(tanh_, 0), tanh_);
    if (!gates || !candidate || gates->parts.size() != 2 || candidate->parts.size() != 2 ||
        !(gates->parts[0] == candidate->parts[0]) || !(gates->parts[1] == h_))
      return false;
    const Edge let_through = candidate->parts[1], reset{split, 0};
    if (!p_.is(let_through.item, "Mul") || !(product_of(p_, users_, reset, h_) == let_through.item))
      return false;
    members_.insert(members_.end(), {split, squash, let_through.item});
    for (const auto& product : {gates, candidate})
      members_.insert(members_.end(), product->members.begin(), product->members.end());
    inputs = {gates->parts[0], h_, gates->weights, gates->bias, candidate->weights,
              candidate->bias};
    return fits(last);
  }

  bool fits(int last) const {
    const PartialShape h = p_.shape(h_);
    const auto is_own = [&](Edge edge) {
      return edge.item == last || std::ranges::find(members_, edge.item) != members_.end();
    };
    return h.has_rank() && h.rank() == 2 && h.dim(1) > 0 && has_columns(inputs[2], 2 * h.dim(1)) &&
           has_columns(inputs[4], h.dim(1)) && std::ranges::none_of(inputs, is_own) &&
           p_.readers.inside(members_, last);
  }
  bool has_columns(Edge weights, std::int64_t columns) const {
    const PartialShape shape = p_.shape(weights);
    return shape.has_rank() && shape.rank() == 2 && shape.dim(1) == columns;
  }

  const Pattern& p_;
  const Users& users_;
  Edge update_, h_;
  int tanh_ = -1;
  std::vector<int> members_;
};

int fuse_gru(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Split"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, {"Add", "AddV2"}) || graph.dtype({i, 0}) != DType::f32) continue;
    GruMatch match(p, users);
    if (!match.match(i)) continue;
    p.put(i, "_GruCell", match.inputs, {{"T", DType::f32}}, match.members());
    ++places;
  }
  return places;
}

}  // namespace

extern const Rewrite kFuseGru{
    "gru_cell", "products, gates and next state of a GRU cell become _GruCell", fuse_gru};

}  // namespace rill
