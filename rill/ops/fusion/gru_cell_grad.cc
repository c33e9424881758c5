#include <algorithm>
#include <map>

#include "rill/ops/fusion/gru_cell_match.h"
#include "rill/ops/fusion/rnn_pushed.h"

namespace rill {
namespace {

// The gradient of a GRU cell, found from that of its gates: up to the two products that lead on to
// the inputs. Sums over what was broadcast go, since in such a cell nothing is.
class GruGradMatch {
 public:
  GruGradMatch(const Pattern& p, const Users& users, const Pushed& pushed, const GruMatch& cell)
      : p_(p), users_(users), pushed_(pushed), cell_(cell) {}

  bool match(int gates_grad) {
    gates_grad_ = gates_grad;
    gates_ = p_.input(gates_grad, 0);
    const int concat = take(p_.input(gates_grad, 1), "ConcatV2");
    if (concat < 0 || p_.item(concat).inputs.size() != 3 ||
        !is_column_axis(p_, p_.item(concat).inputs.back()))
      return false;
    return find_reset(p_.input(concat, 0)) && find_update(p_.input(concat, 1)) &&
           find_candidate() && find_h_grad() && collect();
  }

  Cluster cluster() const {
    Cluster made{.last = gates_grad_,
                 .op = "_GruCellGrad",
                 .inputs = {gates_, candidate_, h_, grad_, weights_},
                 .attrs = {{"T", DType::f32}, {"X", std::int64_t{wants_x_ ? 1 : 0}}},
                 .members = members_,
                 .moves = {{tanh_grad_, {gates_grad_, 1}, true}}};
    if (sum_ >= 0) {
      made.moves.push_back({from_kept_, {gates_grad_, 2}, true});
      made.moves.push_back({from_through_, {gates_grad_, 2}, true});
    }
    if (wants_x_) made.moves.push_back({product_, {gates_grad_, 3}, true});
    return made;
  }
  // The sum whose two summands become one; -1 if there is none.
  int sum() const { return sum_; }

 private:
  // The item behind an edge, if it runs this op.
  int take(Edge edge, const char* op) {
    if (!p_.is(edge.item, op) || edge.output != 0) return -1;
    members_.push_back(edge.item);
    return edge.item;
  }
  // Without a sum to the shape of one of the cell's values.
  Edge unsummed(Edge edge) {
    if (!p_.is(edge.item, "_Unbroadcast")) return edge;
    const Edge asked = pushed_.source(p_.input(edge.item, 1));
    const auto& known = p_.item(asked.item).constant;
    if (known ? !is_shape_like(asked, cell_.h)
              : !p_.is(asked.item, "Shape") || !cell_.is_like_h(p_.input(asked.item, 0)))
      return edge;
    members_.push_back(edge.item);
    return p_.input(edge.item, 0);
  }
  // known * x or x * known: x.
  bool product_with(Edge edge, Edge known, Edge* other, Edge* seen = nullptr) {
    const Edge value = unsummed(edge);
    if (!p_.is(value.item, "Mul")) return false;
    for (int k = 0; k < 2; ++k) {
      if (!(pushed_.source(p_.input(value.item, k)) == known)) continue;
      members_.push_back(value.item);
      *other = p_.input(value.item, 1 - k);
      if (seen != nullptr) *seen = p_.input(value.item, k);
      return true;
    }
    return false;
  }

  // through_grad * h.
  bool find_reset(Edge edge) {
    if (!product_with(edge, cell_.h, &through_grad_, &h_)) return false;
    const int slice = take(through_grad_, "Slice");
    if (slice < 0) return false;
    product_ = take(p_.input(slice, 0), "MatMul");
    if (product_ < 0 || !p_.node(product_).attr<bool>("transpose_b") ||
        p_.node(product_).attr<bool>("transpose_a"))
      return false;
    weights_ = p_.input(product_, 1);
    return pushed_.outside(weights_) == pushed_.outside(cell_.candidate.weights) &&
           is_second_part(slice);
  }
  // Of the two parts that were side by side the last columns.
  bool is_second_part(int slice) const {
    const Edge begin = p_.input(slice, 1), size = p_.input(slice, 2);
    return is_offset(begin) && is_shape_of_second(size);
  }
  bool is_offset(Edge begin) const {
    const auto& known = p_.item(begin.item).constant;
    const PartialShape x = p_.shape(cell_.x);
    if (known)
      return x.has_rank() && x.rank() == 2 && x.dim(1) >= 0 && is_pair(*known, 0, x.dim(1));
    if (!p_.is(begin.item, "ConcatOffset") || begin.output != 1 ||
        p_.item(begin.item).inputs.size() != 3 || !is_column_axis(p_, p_.input(begin.item, 0)))
      return false;
    return is_shape_like(p_.input(begin.item, 1), cell_.x) &&
           is_shape_of_second(p_.input(begin.item, 2));
  }
  bool is_shape_of_second(Edge edge) const {
    return is_shape_like(edge, {cell_.let_through, 0}) || is_shape_like(edge, cell_.h);
  }
  bool is_shape_like(Edge edge, Edge value) const {
    const auto& known = p_.item(edge.item).constant;
    const PartialShape shape = p_.shape(value);
    if (known)
      return shape.is_full() && shape.rank() == 2 && is_pair(*known, shape.dim(0), shape.dim(1));
    const Edge asked = pushed_.source(edge);
    if (p_.is(asked.item, "Shape")) return pushed_.source(p_.input(asked.item, 0)) == value;
    return p_.is(asked.item, "ShapeN") &&
           pushed_.source(p_.input(asked.item, asked.output)) == value;
  }
  static bool is_pair(const Tensor& known, std::int64_t first, std::int64_t second) {
    return known.dtype() == DType::i32 && known.element_count() == 2 &&
           known.data<std::int32_t>()[0] == first && known.data<std::int32_t>()[1] == second;
  }

  // grad * h - grad * candidate.
  bool find_update(Edge edge) {
    const int sum = take(edge, "AddN");
    if (sum < 0 || p_.item(sum).inputs.size() != 2) return false;
    for (int k = 0; k < 2; ++k) {
      const auto before = members_.size();
      Edge kept, added;
      if (product_with(p_.input(sum, k), cell_.h, &kept) &&
          is_negative(p_.input(sum, 1 - k), &added)) {
        kept_grad_ = kept;
        grad_ = unsummed(kept);
        return unsummed(added) == grad_;
      }
      members_.resize(before);
    }
    return false;
  }
  bool is_negative(Edge edge, Edge* added) {
    const int neg = take(unsummed(edge), "Neg");
    return neg >= 0 && product_with(p_.input(neg, 0), {cell_.tanh, 0}, added, &candidate_);
  }

  // What the product with the candidate's weights reads: (grad * open), squashed.
  bool find_candidate() {
    tanh_grad_ = take(p_.input(product_, 0), "TanhGrad");
    if (tanh_grad_ < 0 || !(pushed_.source(p_.input(tanh_grad_, 0)) == Edge{cell_.tanh, 0}))
      return false;
    Edge grad;
    return product_with(p_.input(tanh_grad_, 1), {cell_.open, 0}, &grad) &&
           unsummed(grad) == grad_ && p_.shape(grad_).is_compatible(p_.shape(cell_.h));
  }

  // grad * update + through_grad * reset, in a sum with others. Nobody may ask for it.
  bool find_h_grad() {
    from_kept_ = summand(kept_grad_, cell_.update());
    from_through_ = summand(through_grad_, cell_.reset());
    if (from_kept_ < 0 && from_through_ < 0) return true;
    if (from_kept_ < 0 || from_through_ < 0) return false;
    sum_ = users_.computing(p_, {from_kept_, 0});
    return sum_ >= 0 && p_.is(sum_, "AddN") && sum_ == users_.computing(p_, {from_through_, 0});
  }
  // The item that makes grad * gate, without a sum behind it.
  int summand(Edge grad, Edge gate) {
    for (const int reader : users_.of(grad)) {
      if (reader < 0 || !p_.is(reader, "Mul") || !(pushed_.source(p_.other(reader, grad)) == gate))
        continue;
      members_.push_back(reader);
      const int next = users_.computing(p_, {reader, 0});
      if (next < 0 || !p_.is(next, "_Unbroadcast") || !(p_.input(next, 0) == Edge{reader, 0}))
        return reader;
      const auto before = members_.size();
      unsummed({next, 0});
      return members_.size() > before ? next : reader;
    }
    return -1;
  }

  bool collect() {
    members_.push_back(gates_grad_);
    std::ranges::sort(members_);
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
    const int given_out[] = {gates_grad_, tanh_grad_, from_kept_, from_through_};
    wants_x_ = users_.leaves(product_, members_);
    return std::ranges::find(members_, sum_) == members_.end() &&
           std::ranges::all_of(members_, [&](int item) {
             return item == product_ || std::ranges::find(given_out, item) != std::end(given_out) ||
                    !users_.leaves(item, members_);
           });
  }

  const Pattern& p_;
  const Users& users_;
  const Pushed& pushed_;
  const GruMatch& cell_;
  int gates_grad_ = -1, tanh_grad_ = -1, product_ = -1;
  int from_kept_ = -1, from_through_ = -1, sum_ = -1;
  bool wants_x_ = false;
  Edge gates_, candidate_, h_, grad_, kept_grad_, through_grad_, weights_;
  std::vector<int> members_;
};

int fuse_gru_grad(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"SigmoidGrad"}) || !Pattern::occurs(graph, {"Split"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  const CanFuse can_fuse(graph);
  const Pushed pushed(p);
  std::map<int, GruMatch> cells;  // by the item of the squashed gates
  for (int i = 0; i < p.size(); ++i) {
    GruMatch match(p, users);
    if (match.match(i)) cells.emplace(match.squash, match);
  }
  std::vector<Cluster> found;
  std::vector<std::pair<int, int>> sums;  // and the gradient two of whose values they add
  for (int i = 0; i < p.size() && !cells.empty(); ++i) {
    if (!p.is(i, "SigmoidGrad") || graph.dtype({i, 0}) != DType::f32) continue;
    const auto cell = cells.find(pushed.source(p.input(i, 0)).item);
    if (cell == cells.end()) continue;
    GruGradMatch match(p, users, pushed, cell->second);
    if (!match.match(i)) continue;
    Cluster made = match.cluster();
    if (!can_fuse(made.members)) continue;
    found.push_back(std::move(made));
    if (match.sum() >= 0) sums.emplace_back(match.sum(), i);
  }
  const int places = put_clusters(p, std::move(found));
  for (const auto& [sum, grad] : sums) add_once(p, sum, {grad, 2});
  return places;
}

}  // namespace

extern const Rewrite kGruCellGradRewrite{
    "gru_cell_grad", "what gradients make of a GRU cell's gates becomes _GruCellGrad",
    fuse_gru_grad};

}  // namespace rill
