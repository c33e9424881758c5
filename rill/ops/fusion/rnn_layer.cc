#include <algorithm>
#include <optional>

#include "rill/ops/fusion/rnn_layer_cells.h"
#include "rill/ops/fusion/rnn_loop_parts.h"

namespace rill {
namespace {

using LoopVariable = LoopParts::Variable;

// The loop that tf.nn.dynamic_rnn builds around one cell, or around several that read each other,
// found from the first. Nothing else may be in it, so that the whole of it can become one node.
class LayerMatch {
 public:
  LayerMatch(const Pattern& p, const Users& users, std::vector<LayerCell> cells)
      : p_(p), users_(users), loop_(p, users), cells_(std::move(cells)) {}

  bool match() {
    for (const LayerCell& cell : cells_)
      for (const int item : cell.items) loop_.take(item);
    return find_reading() && find_states() && find_writing() && find_condition() &&
           find_weights() && find_arrays() && find_results() && loop_.is_closed(results_);
  }

  Cluster cluster() const {
    std::vector<Edge> inputs{x_, bound_};
    if (lengths_.item >= 0) inputs.push_back(lengths_);
    for (const LoopVariable& state : states_) inputs.push_back(state.start);
    inputs.insert(inputs.end(), weights_.begin(), weights_.end());
    const int outputs = gather_ >= 0 ? 1 : 0;
    Cluster cluster{.last = results_.back(),
                    .op = "_RnnLayer",
                    .inputs = std::move(inputs),
                    .attrs = {{"T", DType::f32},
                              {"L", std::int64_t{lengths_.item >= 0 ? 1 : 0}},
                              {"S", static_cast<std::int64_t>(states_.size())},
                              {"W", static_cast<std::int64_t>(weights_.size())},
                              {"Y", std::int64_t{outputs}},
                              {"element_shape", element_shape_}},
                    .members = loop_.own(),
                    .moves = {}};
    std::vector<std::string> kinds, blamed;
    std::vector<float> forget_biases;
    std::vector<bool> adds_x;
    for (const LayerCell& cell : cells_) {
      kinds.emplace_back(cell.kind);
      blamed.push_back(blamed_of(cell));
      forget_biases.push_back(cell.forget_bias);
      adds_x.push_back(cell.adds_x);
    }
    cluster.attrs["cells"] = std::move(kinds);
    cluster.attrs["blamed"] = std::move(blamed);
    cluster.attrs["forget_biases"] = std::move(forget_biases);
    cluster.attrs["adds_x"] = std::move(adds_x);
    if (gather_ >= 0) cluster.moves.push_back({gather_, {cluster.last, 0}, true});
    for (std::size_t k = 0; k < states_.size(); ++k)
      if (exits_[k] >= 0)
        cluster.moves.push_back({exits_[k], {cluster.last, outputs + static_cast<int>(k)}, true});
    return cluster;
  }

 private:
  bool find_reading() {
    const int read = cells_.front().x.item;
    if (!p_.is(read, "TensorArrayReadV3") || !loop_.variable(p_.input(read, 1), &time_) ||
        !loop_.counts(time_))
      return false;
    loop_.take(read);
    Edge handle, flow;
    if (!loop_.constant(p_.input(read, 0), &handle) || !loop_.constant(p_.input(read, 2), &flow))
      return false;
    const int scatter = flow.item;
    if (!p_.is(scatter, "TensorArrayScatterV3") || !(p_.input(scatter, 0) == handle)) return false;
    indices_.push_back(p_.input(loop_.take(scatter), 1));
    x_ = p_.input(scatter, 2);
    const int array = handle.item;
    if (!p_.is(array, "TensorArrayV3") || !(p_.input(scatter, 3) == Edge{array, 1})) return false;
    sizes_.push_back(p_.input(loop_.take(array), 0));
    return p_.graph.dtype(x_) == DType::f32;
  }

  // `made`, or for rows that are over what `kept` says.
  bool is_next(Edge next, Edge kept, Edge made) {
    if (next == made) return true;
    if (!p_.is(next.item, "Select") || !(p_.input(next.item, 1) == kept) ||
        !(p_.input(next.item, 2) == made))
      return false;
    const Edge over = p_.input(loop_.take(next.item), 0);
    if (over_.item >= 0) return over == over_;
    over_ = over;
    if (!p_.is(over.item, "GreaterEqual") || !(p_.input(over.item, 0) == time_.now)) return false;
    loop_.take(over.item);
    return loop_.constant(p_.input(over.item, 1), &lengths_) &&
           p_.graph.dtype(lengths_) == DType::i32 && p_.shape(lengths_).has_rank() &&
           p_.shape(lengths_).rank() == 1;
  }
  bool find_states() {
    for (const LayerCell& cell : cells_)
      for (std::size_t k = 0; k < cell.states.size(); ++k) {
        LoopVariable state;
        if (!loop_.variable(cell.states[k], &state) ||
            !is_next(state.made, state.now, cell.made[k]))
          return false;
        states_.push_back(state);
        is_chosen_.push_back(!(state.made == cell.made[k]));
      }
    return over_.item < 0 || std::ranges::all_of(is_chosen_, [](bool chosen) { return chosen; });
  }

  // Each step's output, zeros for rows that are over. Where nobody reads them nothing is written.
  bool find_writing() {
    const Edge output = cells_.back().output;
    Edge value = output;
    if (over_.item >= 0)
      for (const int reader : users_.of(value)) {
        Edge zeros;
        if (reader >= 0 && p_.is(reader, "Select") && p_.input(reader, 0) == over_ &&
            p_.input(reader, 2) == value && !(p_.input(reader, 1) == states_.back().now) &&
            loop_.constant(p_.input(reader, 1), &zeros) && is_zeros(p_, zeros)) {
          value = {loop_.take(reader), 0};
          break;
        }
      }
    for (const int reader : users_.of(value)) {
      if (reader < 0 || !p_.is(reader, "TensorArrayWriteV3")) continue;
      if (over_.item >= 0 && value == output) return false;
      write_ = loop_.take(reader);
    }
    if (write_ < 0) return true;
    Edge handle;
    if (!(p_.input(write_, 1) == time_.now) || !(p_.input(write_, 2) == value) ||
        !loop_.variable(p_.input(write_, 3), &flow_) || !(flow_.made == Edge{write_, 0}) ||
        !loop_.constant(p_.input(write_, 0), &handle))
      return false;
    array_ = handle.item;
    return p_.is(array_, "TensorArrayV3") && flow_.start == Edge{array_, 1};
  }

  bool find_condition() {
    int test = loop_.condition().item;
    if (p_.is(test, "LoopCond")) test = p_.input(loop_.take(test), 0).item;
    if (p_.is(test, "Less")) return is_bound(test) && is_length(bound_);
    if (!p_.is(test, "LogicalAnd")) return false;
    loop_.take(test);
    const int a = p_.input(test, 0).item, b = p_.input(test, 1).item;
    return (is_limit(a) && is_bound(b)) || (is_limit(b) && is_bound(a));
  }
  bool is_bound(int less) {
    if (!p_.is(less, "Less") || !(p_.input(less, 0) == Edge{time_.merge, 0})) return false;
    loop_.take(less);
    return loop_.constant(p_.input(less, 1), &bound_) && p_.graph.dtype(bound_) == DType::i32;
  }
  // Of another counter, which is there to count iterations.
  bool is_limit(int less) {
    LoopVariable counter;
    Edge limit;
    if (!p_.is(less, "Less") || p_.input(less, 0) == Edge{time_.merge, 0} ||
        !loop_.variable_of_merge(p_.input(less, 0), &counter) || !loop_.counts(counter))
      return false;
    loop_.take(less);
    return loop_.constant(p_.input(less, 1), &limit) && is_length(limit) &&
           loop_.exit(counter) == -1;
  }

  bool find_weights() {
    for (const LayerCell& cell : cells_)
      for (const Edge& inside : cell.weights) {
        weights_.emplace_back();
        if (!loop_.constant(inside, &weights_.back())) return false;
      }
    return true;
  }

  // Whether a number is that of x's steps.
  bool is_length(Edge edge) const {
    const PartialShape shape = p_.shape(x_);
    if (!shape.has_rank() || shape.rank() != 3) return false;
    if (shape.dim(0) >= 0 && is_integer(p_, edge, shape.dim(0))) return true;
    if (!p_.is(edge.item, "StridedSlice") ||
        p_.node(edge.item).attr<std::int64_t>("shrink_axis_mask") != 1)
      return false;
    const Edge all = p_.input(edge.item, 0);
    const auto& begin = p_.item(p_.input(edge.item, 1).item).constant;
    return p_.is(all.item, "Shape") && p_.input(all.item, 0) == x_ && begin &&
           begin->dtype() == DType::i32 && begin->element_count() == 1 &&
           begin->data<std::int32_t>()[0] == 0;
  }
  // Whether a vector counts x's steps: 0, 1, 2, ...
  bool counts_steps(Edge edge) {
    const auto& known = p_.item(edge.item).constant;
    const PartialShape shape = p_.shape(x_);
    if (known) {
      if (known->dtype() != DType::i32 || known->rank() != 1 || !shape.has_rank() ||
          known->dim(0) != shape.dim(0))
        return false;
      for (std::int32_t i = 0; const std::int32_t value : known->flat<std::int32_t>())
        if (value != i++) return false;
      return true;
    }
    if (!p_.is(edge.item, "Range") || !is_integer(p_, p_.input(edge.item, 0), 0) ||
        !is_integer(p_, p_.input(edge.item, 2), 1))
      return false;
    Edge end = p_.input(edge.item, 1);
    if (p_.is(end.item, "TensorArraySizeV3")) {
      if (p_.input(end.item, 0).item != array_) return false;
      loop_.take(end.item);
      loop_.take(edge.item);
      end = p_.input(array_, 0);
    }
    return is_length(end);
  }

  bool find_arrays() {
    return std::ranges::all_of(sizes_, [&](Edge e) { return is_length(e); }) &&
           std::ranges::all_of(indices_, [&](Edge e) { return counts_steps(e); });
  }

  bool find_results() {
    if (loop_.exit(time_) != -1) return false;
    for (const LoopVariable& state : states_) {
      exits_.push_back(loop_.exit(state));
      if (exits_.back() == -2) return false;
      if (exits_.back() >= 0) results_.push_back(exits_.back());
    }
    if (write_ >= 0 && !find_gather()) return false;
    return !results_.empty();
  }
  bool find_gather() {
    const int flow = loop_.exit(flow_);
    loop_.take(array_);
    if (flow < 0 || !is_length(p_.input(array_, 0))) return false;
    for (const int reader : users_.of({flow, 0})) {
      if (reader >= 0 && p_.is(reader, "TensorArraySizeV3")) continue;  // own, or the loop is open
      if (reader < 0 || gather_ >= 0 || !p_.is(reader, "TensorArrayGatherV3")) return false;
      gather_ = reader;
    }
    if (gather_ < 0 || !(p_.input(gather_, 0) == Edge{array_, 0}) ||
        !counts_steps(p_.input(gather_, 1)))
      return false;
    element_shape_ = p_.node(array_).attr<PartialShape>("element_shape");
    if (!element_shape_.is_full() && !p_.node(array_).attr<bool>("identical_element_shapes"))
      return false;
    results_.push_back(loop_.take(gather_));
    return true;
  }

  // The node that joins the input with the state, or where that was fused the cell's first.
  std::string blamed_of(const LayerCell& cell) const {
    const auto& parts = p_.item(cell.made.back().item).replaced;
    if (parts != nullptr) return parts->front().node->name();
    return p_.node(*std::ranges::min_element(cell.items)).name();
  }

  const Pattern& p_;
  const Users& users_;
  LoopParts loop_;
  std::vector<LayerCell> cells_;
  LoopVariable time_, flow_;
  std::vector<LoopVariable> states_;
  std::vector<bool> is_chosen_;  // per state: rows that are over keep theirs
  std::vector<int> exits_, results_;
  std::vector<Edge> weights_, sizes_, indices_;
  Edge x_, bound_, lengths_, over_;
  int write_ = -1, array_ = -1, gather_ = -1;
  PartialShape element_shape_;
};

int fuse_layers(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"TensorArrayReadV3"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  std::vector<Cluster> layers;
  for (int i = 0; i < p.size(); ++i) {
    const auto first = find_layer_cell(p, users, i);
    if (!first || !p.is(first->x.item, "TensorArrayReadV3")) continue;
    LayerMatch match(p, users, find_layer_cells(p, users, i));
    if (match.match()) layers.push_back(match.cluster());
  }
  return put_clusters(p, std::move(layers));
}

}  // namespace

extern const Rewrite kRnnLayerRewrite{
    "rnn_layer", "tf.nn.dynamic_rnn's loop around cells becomes _RnnLayer", fuse_layers};

}  // namespace rill
