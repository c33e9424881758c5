#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/rnn/cell_product.h"
#include "rill/ops/rnn/recurrent_rows.h"

namespace rill {

extern const OpDecl kRnnLayer;

namespace {

constexpr std::int64_t kChunk = 1 << 20;  // elements of gates that inputs are multiplied to at once

struct LayerState final : KernelState {
  explicit LayerState(const KernelNode& node)
      : cells(node.attr<std::vector<std::string>>("cells")),
        forget_biases(node.attr<std::vector<float>>("forget_biases")),
        adds_x(node.attr<std::vector<bool>>("adds_x")),
        element_shape(node.attr<PartialShape>("element_shape")),
        first(2 + static_cast<int>(node.attr<std::int64_t>("L"))),
        states(static_cast<int>(node.attr<std::int64_t>("S"))),
        gives_all(node.attr<std::int64_t>("Y") > 0) {}
  std::vector<std::string> cells;
  std::vector<float> forget_biases;
  std::vector<bool> adds_x;
  PartialShape element_shape;
  int first, states;  // the first state, and how many there are
  bool gives_all;
};

std::unique_ptr<KernelState> make_state(const KernelNode& node) {
  return std::make_unique<LayerState>(node);
}

// One pair of weights and bias. The rows of the weights that belong to the inputs come first; these
// are multiplied for many steps at once, and the bias is added.
struct Weights {
  const Tensor &w, &bias;
  Tensor from_x;

  std::int64_t width() const { return w.dim(1); }
  void multiply_inputs(const KernelCall& call, const float* x, std::int64_t rows,
                       std::int64_t depth) {
    if (!from_x.has_value() || from_x.dim(0) != rows) from_x = Tensor(DType::f32, {rows, width()});
    multiply_for_cell(call, rows, width(), depth, x, w.data<float>(), from_x.data<float>());
    call.parallel_for(at(rows), 0.2 * static_cast<double>(width()),
                      [&](std::size_t begin, std::size_t end) {
                        for (std::size_t r = begin; r < end; ++r)
                          recurrent_rows().add(from_x.data<float>() + r * at(width()),
                                               bias.data<float>(), at(width()));
                      });
  }
  void multiply_state(const KernelCall& call, const float* h, std::int64_t batch,
                      std::int64_t depth, const Tensor& to) const {
    multiply_for_cell(call, batch, width(), w.dim(0) - depth, h, w.data<float>() + depth * width(),
                      to.data<float>());
  }
};

// One cell's way through the steps.
class Layer {
 public:
  // What is its own among inputs and outputs.
  struct Own {
    std::size_t cell;
    int states, state_count, weights, pair_count;
    bool sees;           // has peepholes behind its weights
    std::int64_t depth;  // of what it reads
  };

  Layer(KernelCall& call, const LayerState& state, const Own& own)
      : call_(call),
        state_(state),
        own_(own),
        is_relu_(state.cells[own.cell] == "rnn_relu"),
        batch_(call.input_tensor(0).dim(1)),
        depth_(own.depth),
        cells_(call.input_tensor(state.first + own.states).dim(1)),
        h_(last(own.state_count - 1)) {
    for (int i = own.weights; i < own.weights + 2 * own.pair_count; i += 2)
      weights_.push_back({call.input_tensor(i), call.input_tensor(i + 1), {}});
    if (own.sees)
      peepholes_ = {call.input_tensor(own.weights + 2).data<float>(),
                    call.input_tensor(own.weights + 3).data<float>(),
                    call.input_tensor(own.weights + 4).data<float>()};
    for (int i = 0; i < own_.state_count; ++i) {
      const Tensor& from = call_.input_tensor(state_.first + own_.states + i);
      for (std::int64_t b = 0; b < batch_; ++b)
        std::copy_n(row(from, from.dim(0) == 1 ? 0 : b), cells_, row(last(i), b));
    }
    if (batch_ > 0 && cells_ > 0) prepare();
  }

  std::int64_t cells() const { return cells_; }
  std::int64_t gates() const { return weights_[0].width(); }

  // Steps [begin, end). `x` is what it reads in the first of them, `y` where that step's output
  // goes, nullptr if nobody wants outputs.
  void run(std::int64_t begin, std::int64_t end, const float* x, float* y) {
    x_ = x;
    y_ = y;
    begin_ = begin;
    for (Weights& w : weights_) w.multiply_inputs(call_, x, (end - begin) * batch_, depth_);
    for (std::int64_t t = begin; t < end; ++t) {
      if (call_.step().cancellation != nullptr && call_.step().cancellation->cancelled())
        raise(Code::kCancelled, "the step was cancelled after ", t, " steps of a layer");
      const std::int64_t row = (t - begin) * batch_;
      weights_[0].multiply_state(call_, h_.data<float>(), batch_, depth_, gates_);
      if (weights_.size() == 2) run_gru(t, row);
      if (weights_.size() == 1) own_.state_count == 2 ? run_lstm(t, row) : run_rnn(t, row);
    }
  }

 private:
  const Tensor& last(int i) const {
    return call_.output_tensor(call_.output_count() - state_.states + own_.states + i);
  }

  void prepare() {
    gates_ = Tensor(DType::f32, {batch_, weights_[0].width()});
    if (weights_.size() < 2) return;
    update_ = Tensor(DType::f32, {batch_, cells_});
    let_through_ = Tensor(DType::f32, {batch_, cells_});
  }

  bool is_over(std::int64_t t, std::int64_t b) const {
    return state_.first > 2 && t >= call_.input_tensor(2).data<std::int32_t>()[b];
  }
  // body(b) makes the next h of row b.
  template <class Body>
  void for_rows(std::int64_t t, Body body) const {
    const double nanos = 20 + 3.0 * static_cast<double>(weights_[0].width());
    call_.parallel_for(at(batch_), nanos, [&](std::size_t begin, std::size_t end) {
      for (auto b = static_cast<std::int64_t>(begin); b < static_cast<std::int64_t>(end); ++b) {
        const bool is_over = this->is_over(t, b);
        if (!is_over) body(b);
        if (y_ == nullptr) continue;
        const std::int64_t done = (t - begin_) * batch_ + b;
        float* const to = y_ + done * cells_;
        if (is_over)
          std::fill_n(to, cells_, 0.0f);
        else
          std::copy_n(row(h_, b), cells_, to);
        if (!is_over && state_.adds_x[own_.cell])
          recurrent_rows().add(to, x_ + done * depth_, at(cells_));
      }
    });
  }
  static float* row(const Tensor& matrix, std::int64_t r) {
    return matrix.data<float>() + r * matrix.dim(1);
  }

  void run_lstm(std::int64_t t, std::int64_t first) const {
    for_rows(t, [&](std::int64_t b) {
      recurrent_rows().lstm_cell({.size = at(cells_),
                                  .forget_bias = state_.forget_biases[own_.cell],
                                  .peepholes = peepholes_,
                                  .gates = row(gates_, b),
                                  .bias = row(weights_[0].from_x, first + b),
                                  .state_before = row(last(0), b),
                                  .h = row(h_, b),
                                  .state = row(last(0), b)});
    });
  }

  void run_rnn(std::int64_t t, std::int64_t first) const {
    const auto squash = is_relu_ ? recurrent_rows().relu_sum : recurrent_rows().tanh_sum;
    for_rows(t, [&](std::int64_t b) {
      squash(row(h_, b), row(gates_, b), row(weights_[0].from_x, first + b), at(cells_));
    });
  }

  void run_gru(std::int64_t t, std::int64_t first) const {
    const double nanos = 20 + 6.0 * static_cast<double>(cells_);
    call_.parallel_for(at(batch_), nanos, [&](std::size_t begin, std::size_t end) {
      for (auto b = static_cast<std::int64_t>(begin); b < static_cast<std::int64_t>(end); ++b)
        recurrent_rows().gru_cell_gates({.size = at(cells_),
                                         .gates = row(gates_, b),
                                         .bias = row(weights_[0].from_x, first + b),
                                         .h_before = row(h_, b),
                                         .update = row(update_, b),
                                         .reset_h = row(let_through_, b)});
    });
    // The gates have been used: the candidates take their place.
    weights_[1].multiply_state(call_, let_through_.data<float>(), batch_, depth_, gates_);
    for_rows(t, [&](std::int64_t b) {
      recurrent_rows().gru_cell_state({.size = at(cells_),
                                       .candidate = gates_.data<float>() + b * cells_,
                                       .bias = row(weights_[1].from_x, first + b),
                                       .update = row(update_, b),
                                       .h_before = row(h_, b),
                                       .h = row(h_, b)});
    });
  }

  const KernelCall& call_;
  const LayerState& state_;
  const Own own_;
  bool is_relu_;
  std::int64_t batch_, depth_, cells_;
  const Tensor& h_;  // the last of the states
  std::vector<Weights> weights_;
  Peepholes peepholes_;
  Tensor gates_, update_, let_through_;
  const float* x_ = nullptr;  // of step begin_
  float* y_ = nullptr;
  std::int64_t begin_ = 0;
};

// Steps that were not made are zeros, if anything says of what shape.
void check_written(const LayerState& state, std::int64_t steps, std::int64_t used) {
  if (!state.gives_all || used > 0 || state.element_shape.is_full()) return;
  if (steps == 0)
    raise(Code::kUnimplemented, "TensorArray has size zero, but element shape ",
          state.element_shape,
          " is not fully defined. Currently only static shapes are supported when packing "
          "zero-size TensorArrays.");
  raise(Code::kInvalidArgument, "Could not read from TensorArray index 0.  Furthermore, the ",
        "element shape is not fully defined: ", state.element_shape, ".");
}

std::vector<Layer> layers_of(KernelCall& call, const LayerState& state) {
  std::vector<Layer> layers;
  int states = 0, weights = state.first + state.states;
  std::int64_t depth = call.input_tensor(0).dim(2);
  for (std::size_t k = 0; k < state.cells.size(); ++k) {
    const Layer::Own own{.cell = k,
                         .states = states,
                         .state_count = state.cells[k].starts_with("lstm") ? 2 : 1,
                         .weights = weights,
                         .pair_count = state.cells[k] == "gru" ? 2 : 1,
                         .sees = state.cells[k] == "lstm_peepholes",
                         .depth = depth};
    layers.emplace_back(call, state, own);
    depth = layers.back().cells();
    states += own.state_count;
    weights += 2 * own.pair_count + (own.sees ? 3 : 0);
  }
  return layers;
}

// Cell by cell, for so many steps at once that what is between them stays small.
void run_layer(KernelCall& call) {
  const auto& state = call.state<LayerState>();
  const Tensor& x = call.input_tensor(0);
  const std::int64_t steps = x.dim(0), batch = x.dim(1);
  const std::int64_t used =
      std::clamp<std::int64_t>(call.input_tensor(1).scalar_value<std::int32_t>(), 0, steps);
  check_written(state, steps, used);
  std::vector<Layer> layers = layers_of(call, state);
  std::int64_t widest = 1;
  for (const Layer& layer : layers) widest = std::max(widest, layer.gates());
  const std::int64_t chunk = std::clamp<std::int64_t>(
      kChunk / std::max<std::int64_t>(1, batch * widest), 1, std::max<std::int64_t>(1, used));
  float* const all = state.gives_all ? call.output_tensor(0).data<float>() : nullptr;
  const std::int64_t out = batch * layers.back().cells();
  std::vector<Tensor> between;
  for (std::size_t k = 0; k + 1 < layers.size(); ++k)
    between.emplace_back(DType::f32, Shape{chunk, batch, layers[k].cells()});
  const bool is_empty = std::ranges::any_of(
      layers, [&](const Layer& layer) { return batch == 0 || layer.cells() == 0; });
  for (std::int64_t t = 0; t < used && !is_empty; t += chunk) {
    const float* in = x.data<float>() + t * batch * x.dim(2);
    for (std::size_t k = 0; k < layers.size(); ++k) {
      const bool is_last = k + 1 == layers.size();
      float* const to = !is_last ? between[k].data<float>() : all == nullptr ? all : all + t * out;
      layers[k].run(t, std::min(used, t + chunk), in, to);
      in = to;
    }
  }
  if (all != nullptr) std::fill_n(all + used * out, (steps - used) * out, 0.0f);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRnnLayer, .types = DType::f32, .run = run_layer, .make_state = make_state}};

}  // namespace

extern const KernelTable kRnnLayerCpu{kEntries};

}  // namespace rill
