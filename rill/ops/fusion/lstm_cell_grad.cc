#include <algorithm>
#include <array>

#include "rill/ops/fusion/rnn_parts.h"
#include "rill/ops/fusion/rnn_peepholes.h"

namespace rill {
namespace {

// The gradient of an _LstmCell's gates and of the state before it, found from the concat that puts
// the gates' gradients side by side. Sums over what was broadcast are left out where the cell that
// made the values says that nothing was, or the new node does them.
class LstmGradMatch {
 public:
  LstmGradMatch(const Pattern& p, const Users& users, const Pushed& pushed)
      : p_(p), users_(users), pushed_(pushed) {}

  bool match(int concat) {
    concat_ = concat;
    const auto& inputs = p_.item(concat).inputs;
    if (inputs.size() != 5 || !is_column_axis(p_, inputs[4]) || !find_cell(inputs[0])) return false;
    const int in = squashed(inputs[0], "SigmoidGrad"), cand = squashed(inputs[1], "TanhGrad"),
              forget = squashed(inputs[2], "SigmoidGrad"), out = squashed(inputs[3], "SigmoidGrad");
    if (in < 0 || cand < 0 || forget < 0 || out < 0) return false;
    value_ = {Edge(), p_.input(in, 0), p_.input(cand, 0), p_.input(forget, 0), p_.input(out, 0)};
    if (!find_state_grad(in, cand, forget) || !find_peepholes({in, forget, out}) ||
        !find_h_grad(out))
      return false;
    find_state_before();
    return join_state_before() && values_are_the_cells() && collect();
  }

  Cluster cluster() const {
    std::vector<Edge> inputs(value_.begin(), value_.end());
    inputs.push_back(h_grad_);
    inputs.insert(inputs.end(), state_grads_.begin(), state_grads_.end());
    const auto count = static_cast<std::int64_t>(state_grads_.size());
    for (const PeepholeGrad& peephole : peepholes_) inputs.push_back(peephole.weights);
    const bool trains = !peepholes_.empty() && peepholes_.back().to_weights >= 0;
    if (trains) inputs.push_back(peepholes_.back().state);
    const auto peepholes = static_cast<std::int64_t>(peepholes_.size());
    Cluster cluster{.last = concat_,
                    .op = "_LstmCellGrad",
                    .inputs = std::move(inputs),
                    .attrs = {{"T", DType::f32},
                              {"S", count},
                              {"Q", peepholes},
                              {"R", std::int64_t{trains ? 1 : 0}},
                              {"G", trains ? peepholes : 0}},
                    .members = members_,
                    .moves = {}};
    if (before_ >= 0) cluster.moves.push_back({before_, {concat_, 1}, true});
    for (int k = 0; k < peepholes; ++k) {
      const PeepholeGrad& peephole = peepholes_[static_cast<std::size_t>(k)];
      if (sum_ >= 0 && k < 2) cluster.moves.push_back({peephole.to_state, {concat_, 1}, true});
      if (trains) cluster.moves.push_back({peephole.to_weights, {concat_, 2 + k}, true});
    }
    return cluster;
  }
  // Where the gradient of the state before is added to others and itself a sum; -1 if it is none.
  int sum() const { return sum_; }

 private:
  enum Value { kBefore, kInput, kCandidate, kForget, kOutput, kSquashed };  // inputs of the node

  int take(int item) {
    members_.push_back(item);
    return item;
  }

  bool find_cell(Edge in_grad) {
    if (p_.is(in_grad.item, "_Unbroadcast")) in_grad = p_.input(in_grad.item, 0);
    if (!p_.is(in_grad.item, "SigmoidGrad")) return false;
    const Edge in = p_.input(in_grad.item, 0);
    cell_ = pushed_.source(in).item;
    is_looped_ = cell_ != in.item;
    return p_.is(cell_, "_LstmCell");
  }

  // Whether `shape` is that of one of these outputs of the cell.
  bool is_shape_of(Edge shape, std::initializer_list<int> outputs) const {
    const Edge source = pushed_.source(shape);
    if (const auto& known = p_.item(source.item).constant) return is_full_shape(*known);
    if (!p_.is(source.item, "Shape")) return false;
    const Edge of = p_.input(source.item, 0);
    return of.item == cell_ && std::ranges::find(outputs, of.output) != outputs.end();
  }

  // The value before a sum to the shape of a gate, or of the state, if there is one.
  static constexpr std::initializer_list<int> kGates = {2, 3, 4, 5}, kStates = {0, 1, 6};
  bool skip_sum(Edge& edge, std::initializer_list<int> outputs) {
    if (!p_.is(edge.item, "_Unbroadcast")) return has_full_shape(edge);
    shapes_.push_back({p_.input(edge.item, 1), outputs});
    edge = p_.input(take(edge.item), 0);
    return true;
  }
  bool is_full_shape(const Tensor& known) const {
    return known.dtype() == DType::i32 && known.element_count() == 2 && full_.is_full() &&
           full_.dim(0) == known.data<std::int32_t>()[0] &&
           full_.dim(1) == known.data<std::int32_t>()[1];
  }
  // Without a sum all shapes must be known, and the same. What a loop's gradient carries from
  // iteration to iteration is of unknown shape, but has that of what it is the gradient of.
  bool has_full_shape(Edge edge) {
    edge = pushed_.source(edge);
    // The states that a cell gives out have the same shape.
    const bool is_state = p_.is(edge.item, "_LstmCell") && edge.output <= 1;
    PartialShape shape = p_.shape(is_state ? Edge{edge.item, 0} : edge);
    if (is_looped_ && !shape.is_full()) shape = p_.shape({cell_, 0});
    if (!shape.is_full() || shape.rank() != 2) return false;
    if (!full_.has_rank()) full_ = shape;
    return full_ == shape;
  }

  // The gradient through a squashing function, behind which there may be a sum.
  int squashed(Edge edge, const char* op) {
    skip_sum(edge, kGates);  // what it came to may have no sum while others have
    while (p_.is(edge.item, "_Unbroadcast")) skip_sum(edge, kGates);
    if (!p_.is(edge.item, op) || p_.graph.dtype(edge) != DType::f32) return -1;
    return take(edge.item);
  }

  // a * x with one of both known: x.
  bool factor(Edge edge, Edge known, Edge* other) {
    if (!p_.is(edge.item, "Mul")) return false;
    const int mul = edge.item;
    if (!(p_.input(mul, 0) == known) && !(p_.input(mul, 1) == known)) return false;
    *other = p_.other(mul, known);
    take(mul);
    return true;
  }

  bool find_state_grad(int in, int cand, int forget) {
    Edge from_in = p_.input(in, 1), from_cand = p_.input(cand, 1),
         from_forget = p_.input(forget, 1);
    Edge grads[3];
    if (!skip_sum(from_in, kGates) || !factor(from_in, value_[kCandidate], &grads[0])) return false;
    if (!skip_sum(from_cand, kGates) || !factor(from_cand, value_[kInput], &grads[1])) return false;
    if (!skip_sum(from_forget, kGates) || !p_.is(from_forget.item, "Mul")) return false;
    if (!(grads[0] == grads[1]) || !skip_sum(grads[0], kGates)) return false;
    state_grad_ = grads[0];
    // Of its two factors that which is no gradient is the state before.
    for (int k = 0; k < 2; ++k) {
      Edge grad = p_.input(from_forget.item, k);
      kept_grad_ = grad;
      const auto before = members_.size();
      const auto shapes = shapes_.size();
      if (skip_sum(grad, kStates) && grad == state_grad_) {
        value_[kBefore] = p_.input(from_forget.item, 1 - k);
        take(from_forget.item);
        return true;
      }
      members_.resize(before);
      shapes_.resize(shapes);
    }
    return false;
  }

  // Of the input, forget and output gates, if the cell has them.
  bool find_peepholes(std::initializer_list<int> gate_grads) {
    if (p_.node(cell_).attr<std::int64_t>("Q") == 0) return true;
    const int first = static_cast<int>(p_.node(cell_).attr<std::int64_t>("P")) + 3;
    const auto is_shape = [&](Edge edge) {
      const Edge asked = pushed_.source(edge);
      return is_shape_of(edge, {0, 1, 2, 3, 4, 5, 6}) ||
             (p_.is(asked.item, "Shape") &&
              pushed_.source(p_.input(asked.item, 0)) == pushed_.source(value_[kBefore]));
    };
    for (const int gate_grad : gate_grads) {
      const int k = static_cast<int>(peepholes_.size());
      PeepholeGrad& found = peepholes_.emplace_back();
      const Edge seen = k == 2 ? Edge{cell_, 1} : pushed_.source(value_[kBefore]);
      if (!found.find(p_, users_, pushed_, {gate_grad, 0}, p_.input(cell_, first + k), seen,
                      is_shape))
        return false;
      members_.insert(members_.end(), found.members.begin(), found.members.end());
      if ((found.to_weights < 0) != (peepholes_.front().to_weights < 0)) return false;
      if (found.to_state < 0) found.weights = weights_there(p_.input(cell_, first + k));
      if (found.weights.item < 0) return false;
    }
    return peepholes_.back().to_state >= 0;
  }
  // The cell's weights where the gradient is; nowhere where nobody has them in that loop.
  Edge weights_there(Edge weights) const { return is_looped_ ? Edge() : weights; }

  bool find_h_grad(int out) {
    Edge from_out = p_.input(out, 1);
    if (!skip_sum(from_out, kGates) || !p_.is(from_out.item, "Mul")) return false;
    // The gradient of the new state is that of its squashed value, and perhaps others.
    int tanh = state_grad_.item;
    if (p_.is(tanh, "AddN")) {
      take(tanh);
      const auto& terms = p_.item(state_grad_.item).inputs;
      const auto found =
          std::ranges::find_if(terms, [&](Edge e) { return p_.is(e.item, "TanhGrad"); });
      if (found == terms.end()) return false;
      tanh = found->item;
      for (const Edge& term : terms)
        if (!(term == *found) && !is_from_peephole(term)) state_grads_.push_back(term);
      if (state_grads_.size() + (peepholes_.empty() ? 1 : 2) != terms.size()) return false;
    } else if (!peepholes_.empty()) {
      return false;
    }
    if (!p_.is(tanh, "TanhGrad")) return false;
    take(tanh);
    value_[kSquashed] = p_.input(tanh, 0);
    Edge shown = p_.input(tanh, 1), grad;
    if (!skip_sum(shown, kStates) || !factor(shown, value_[kOutput], &h_grad_)) return false;
    return factor(from_out, value_[kSquashed], &grad) && grad == h_grad_;
  }

  // Nobody may ask for the gradient of the state before.
  void find_state_before() {
    const int mul = product_of(p_, users_, value_[kForget], kept_grad_);
    if (mul < 0) return;
    const int sum = users_.computing(p_, {mul, 0});
    const bool is_sum = sum >= 0 && p_.is(sum, "_Unbroadcast") && p_.input(sum, 0) == Edge{mul, 0};
    const Edge asked = is_sum ? pushed_.source(p_.input(sum, 1)) : Edge();
    if (is_sum && p_.is(asked.item, "Shape") &&
        pushed_.source(value_[kBefore]) == p_.input(asked.item, 0)) {
      take(mul);
      before_ = take(sum);
    } else if (has_full_shape({mul, 0}) && has_full_shape(value_[kBefore])) {
      before_ = take(mul);
    }
  }

  bool is_from_peephole(Edge term) const {
    return !peepholes_.empty() && term == Edge{peepholes_.back().to_state, 0};
  }
  // With peepholes three parts of it are added, perhaps with others.
  bool join_state_before() {
    if (peepholes_.empty()) return true;
    const int parts[] = {before_, peepholes_[0].to_state, peepholes_[1].to_state};
    if (std::ranges::all_of(parts, [](int part) { return part < 0; })) return true;
    for (const int part : parts) {
      const int sum = part < 0 ? -1 : users_.computing(p_, {part, 0});
      if (sum < 0 || !p_.is(sum, "AddN") || (sum_ >= 0 && sum != sum_)) return false;
      sum_ = sum;
    }
    return true;
  }

  bool values_are_the_cells() {
    for (const Value v : {kInput, kCandidate, kForget, kOutput, kSquashed})
      if (!(pushed_.source(value_[v]) == Edge{cell_, v + 1})) return false;
    if (!std::ranges::all_of(shapes_,
                             [&](const auto& s) { return is_shape_of(s.first, s.second); }))
      return false;
    // Where no sums say what the shapes are, the values must; gates have the rows of the inputs.
    if (!full_.has_rank()) return true;
    const PartialShape x = p_.shape(p_.input(cell_, 0));
    return x.has_rank() && x.rank() == 2 && x.dim(0) == full_.dim(0) &&
           has_full_shape(value_[kBefore]) && has_full_shape(h_grad_) &&
           has_full_shape(state_grad_);
  }

  bool collect() {
    members_.push_back(concat_);
    std::ranges::sort(members_);
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
    const auto is_given_out = [&](int item) {
      return item == concat_ || item == before_ ||
             std::ranges::any_of(peepholes_, [&](const PeepholeGrad& peephole) {
               return item == peephole.to_weights || (item == peephole.to_state && sum_ >= 0 &&
                                                      item != peepholes_.back().to_state);
             });
    };
    return std::ranges::find(members_, sum_) == members_.end() &&
           std::ranges::all_of(members_, [&](int item) {
             return is_given_out(item) || !users_.leaves(item, members_);
           });
  }

  const Pattern& p_;
  const Users& users_;
  const Pushed& pushed_;
  int concat_ = -1, cell_ = -1, before_ = -1, sum_ = -1;
  std::array<Edge, 6> value_;
  Edge state_grad_, kept_grad_, h_grad_;
  std::vector<Edge> state_grads_;
  std::vector<PeepholeGrad> peepholes_;
  std::vector<std::pair<Edge, std::initializer_list<int>>> shapes_;
  PartialShape full_;
  bool is_looped_ = false;  // the values were kept from iteration to iteration
  std::vector<int> members_;
};

// The same where the sum has become part of the gradient of the step before.
void add_states_once(Pattern& p) {
  constexpr int kFirst = 7;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, "_LstmCellGrad")) continue;
    std::vector<Edge> inputs = p.item(i).inputs;
    const auto first = inputs.begin() + kFirst;
    auto end = first + p.node(i).attr<std::int64_t>("S");
    for (auto k = first; k != end; ++k) {
      if (!p.is(k->item, "_LstmCellGrad")) continue;
      const auto rest = std::remove(k + 1, end, *k);
      inputs.erase(rest, end);
      end = rest;
    }
    if (inputs.size() == p.item(i).inputs.size()) continue;
    AttrMap attrs = p.node(i).attrs();
    attrs["S"] = static_cast<std::int64_t>(end - first);
    p.put(i, "_LstmCellGrad", std::move(inputs), std::move(attrs), {});
  }
}

int fuse_lstm_grad(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"_LstmCell"}) || !Pattern::occurs(graph, {"SigmoidGrad"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  const CanFuse can_fuse(graph);
  const Pushed pushed(p);
  std::vector<Cluster> cells;
  std::vector<std::pair<int, int>> sums;  // and the gradient several of whose values they add
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, "ConcatV2")) continue;
    LstmGradMatch match(p, users, pushed);
    if (!match.match(i)) continue;
    Cluster cell = match.cluster();
    if (!can_fuse(cell.members)) continue;
    cells.push_back(std::move(cell));
    if (match.sum() >= 0) sums.emplace_back(match.sum(), i);
  }
  const int places = put_clusters(p, std::move(cells));
  for (const auto& [sum, grad] : sums) add_once(p, sum, {grad, 1});
  if (!sums.empty()) add_states_once(p);
  return places;
}

}  // namespace

extern const Rewrite kLstmCellGradRewrite{
    "lstm_cell_grad", "what gradients make of an _LstmCell's gates becomes _LstmCellGrad",
    fuse_lstm_grad};

}  // namespace rill
