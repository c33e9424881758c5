#include <algorithm>
#include <array>
#include <optional>

#include "rill/ops/fusion/rnn_clusters.h"
#include "rill/ops/fusion/rnn_parts.h"

namespace rill {
namespace {

// The gates in the order in which they stand in the product.
enum Gate { kInput, kCandidate, kForget, kOutput };

// What tf.nn.rnn_cell's LSTM cells are built of, found from the Split of their gates.
class LstmMatch {
 public:
  LstmMatch(const Pattern& p, const Users& users) : p_(p), users_(users) {}

  bool match(int split) {
    split_ = split;
    product_ = product_before(p_, users_, p_.input(split, 1), split);
    if (!product_) return false;
    for (const Gate gate : {kInput, kForget, kOutput})
      if (!find_gate(gate)) return false;
    const int candidate = users_.computing(p_, {split, kCandidate});
    if (candidate < 0 || !p_.is(candidate, "Tanh")) return false;
    gate_[kCandidate] = candidate;
    return find_state() && find_output() && peepholes_fit() && shapes_fit() && collect();
  }

  Cluster cluster() const {
    std::vector<Edge> inputs = product_->parts;
    inputs.insert(inputs.end(), {state_before_, product_->weights, product_->bias});
    for (const Gate gate : {kInput, kForget, kOutput})
      if (peephole_[gate].mul >= 0) inputs.push_back(peephole_[gate].weights);
    const auto parts = static_cast<std::int64_t>(product_->parts.size());
    return {.last = output_,
            .op = "_LstmCell",
            .inputs = std::move(inputs),
            .attrs = {{"T", DType::f32},
                      {"P", parts},
                      {"Q", std::int64_t{peephole_[kInput].mul >= 0 ? 3 : 0}},
                      {"N", std::int64_t{keeps_ ? 5 : 0}},
                      {"forget_bias", static_cast<float>(forget_bias_)}},
            .members = members_,
            .moves = moves()};
  }

 private:
  struct Peephole {
    int mul = -1;
    Edge weights;
  };

  // From the Split to the Sigmoid, through the forget bias and a peephole where there are any.
  bool find_gate(Gate gate) {
    Edge value{split_, gate};
    bool has_bias = gate != kForget;
    while (true) {
      const int reader = users_.computing(p_, value);
      if (reader < 0) return false;
      if (p_.is(reader, "Sigmoid")) {
        gate_[gate] = reader;
        return true;
      }
      if (!p_.is(reader, {"Add", "AddV2"}) || peephole_[gate].mul >= 0) return false;
      const Edge other = p_.other(reader, value);
      if (!has_bias && p_.scalar(other, &forget_bias_) && p_.shape(other).rank() <= 2) {
        has_bias = true;
      } else if (p_.is(other.item, "Mul") && users_.computing(p_, other) == reader) {
        peephole_[gate].mul = other.item;
      } else {
        return false;
      }
      sums_.push_back(reader);
      value = {reader, 0};
    }
  }

  bool find_state() {
    const Edge in{gate_[kInput], 0}, candidate{gate_[kCandidate], 0}, forget{gate_[kForget], 0};
    let_in_ = product_of(p_, users_, in, candidate);
    if (let_in_ < 0) return false;
    state_ = users_.computing(p_, {let_in_, 0});
    if (state_ < 0 || !p_.is(state_, {"Add", "AddV2"})) return false;
    const Edge kept = p_.other(state_, {let_in_, 0});
    kept_ = kept.item;
    if (!p_.is(kept_, "Mul") || users_.computing(p_, kept) != state_) return false;
    if (!(p_.input(kept_, 0) == forget) && !(p_.input(kept_, 1) == forget)) return false;
    state_before_ = p_.other(kept_, forget);
    return true;
  }

  bool find_output() {
    for (const int reader : users_.of({state_, 0})) {
      if (reader < 0 || !p_.is(reader, "Tanh")) continue;
      output_ = product_of(p_, users_, {reader, 0}, {gate_[kOutput], 0});
      squashed_ = reader;
      if (output_ >= 0) return true;
    }
    return false;
  }

  // All or none; those of the output gate see the new state.
  bool peepholes_fit() {
    const bool any = peephole_[kInput].mul >= 0;
    for (const Gate gate : {kInput, kForget, kOutput}) {
      Peephole& peephole = peephole_[gate];
      if ((peephole.mul >= 0) != any) return false;
      if (!any) continue;
      const Edge seen = gate == kOutput ? Edge{state_, 0} : state_before_;
      const bool first = p_.input(peephole.mul, 0) == seen;
      if (!first && !(p_.input(peephole.mul, 1) == seen)) return false;
      peephole.weights = p_.input(peephole.mul, first ? 1 : 0);
      if (!p_.is_vector_for(peephole.weights, p_.shape(state_before_))) return false;
    }
    return true;
  }

  bool shapes_fit() const {
    const PartialShape state = p_.shape(state_before_), weights = p_.shape(product_->weights);
    return p_.graph.dtype({output_, 0}) == DType::f32 && state.has_rank() && state.rank() == 2 &&
           weights.has_rank() && weights.rank() == 2 && state.dim(1) > 0 &&
           weights.dim(1) == 4 * state.dim(1);
  }

  // Gates may be read by others, who then get them from the cell; values between only by those who
  // ask for their shape.
  bool collect() {
    members_ = product_->members;
    members_.insert(members_.end(), sums_.begin(), sums_.end());
    members_.insert(members_.end(), gate_.begin(), gate_.end());
    members_.insert(members_.end(), {split_, let_in_, kept_, state_, squashed_, output_});
    for (const Peephole& peephole : peephole_)
      if (peephole.mul >= 0) members_.push_back(peephole.mul);
    std::ranges::sort(members_);
    if (std::ranges::adjacent_find(members_) != members_.end()) return false;
    for (const int item : between()) {
      if (!users_.only_shapes_leave(p_, item, members_)) return false;
      keeps_ |= users_.leaves(item, members_);
    }
    for (const int item : gate_) keeps_ |= users_.leaves(item, members_);
    keeps_ |= users_.leaves(squashed_, members_);
    return true;
  }

  std::vector<int> between() const {
    std::vector<int> items = sums_;
    items.insert(items.end(), {split_, let_in_, kept_});
    for (const Peephole& peephole : peephole_)
      if (peephole.mul >= 0) items.push_back(peephole.mul);
    return items;
  }

  std::vector<Cluster::Move> moves() const {
    const Edge state{output_, 1}, in{output_, 2}, candidate{output_, 3}, squashed{output_, 6};
    std::vector<Cluster::Move> moves{{state_, state, true},
                                     {gate_[kInput], in, true},
                                     {gate_[kCandidate], candidate, true},
                                     {gate_[kForget], {output_, 4}, true},
                                     {gate_[kOutput], {output_, 5}, true},
                                     {squashed_, squashed, true}};
    // Of these only the shape is asked for. Where there are peepholes all gates have that of `in`.
    if (!keeps_) return moves;
    moves.push_back({split_, candidate, true});
    moves.push_back({let_in_, in, true});
    moves.push_back({kept_, state, true});
    for (const int sum : sums_) moves.push_back({sum, in, true});
    for (const Gate gate : {kInput, kForget})
      if (peephole_[gate].mul >= 0) moves.push_back({peephole_[gate].mul, state_before_, false});
    if (peephole_[kOutput].mul >= 0) moves.push_back({peephole_[kOutput].mul, state, true});
    return moves;
  }

  const Pattern& p_;
  const Users& users_;
  std::optional<CellProduct> product_;
  int split_ = -1, let_in_ = -1, kept_ = -1, state_ = -1, squashed_ = -1, output_ = -1;
  std::array<int, 4> gate_{-1, -1, -1, -1};
  std::array<Peephole, 4> peephole_;
  std::vector<int> sums_, members_;
  Edge state_before_;
  double forget_bias_ = 0;
  bool keeps_ = false;
};

int fuse_lstm(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Split"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  const CanFuse can_fuse(graph);
  std::vector<Cluster> cells;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, "Split") || p.node(i).attr<std::int64_t>("num_split") != 4 ||
        !is_column_axis(p, p.input(i, 0)))
      continue;
    LstmMatch match(p, users);
    if (!match.match(i)) continue;
    Cluster cell = match.cluster();
    if (can_fuse(cell.members)) cells.push_back(std::move(cell));
  }
  return put_clusters(p, std::move(cells));
}

}  // namespace

extern const Rewrite kLstmCellRewrite{
    "lstm_cell", "product, gates and next state of an LSTM cell become _LstmCell", fuse_lstm};

}  // namespace rill
