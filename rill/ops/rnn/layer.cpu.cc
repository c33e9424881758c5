#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/rnn/cell_product.h"
#include "rill/ops/rnn/recurrent_rows.h"

namespace rill {

extern const OpDecl kRnnLayer;

namespace {

constexpr std::int64_t kChunk = 1 << 20;  // elements of gates that inputs are multiplied to at once

std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

struct LayerState final : KernelState {
  explicit LayerState(const KernelNode& node)
      : cell(node.attr<std::string>("cell")),
        element_shape(node.attr<PartialShape>("element_shape")),
        forget_bias(node.attr<float>("forget_bias")),
        first(2 + static_cast<int>(node.attr<std::int64_t>("L"))),
        states(static_cast<int>(node.attr<std::int64_t>("S"))),
        gives_all(node.attr<std::int64_t>("Y") > 0) {}
  std::string cell;
  PartialShape element_shape;
  float forget_bias;
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

class Layer {
 public:
  Layer(KernelCall& call, const LayerState& state)
      : call_(call),
        state_(state),
        x_(call.input_tensor(0)),
        batch_(x_.dim(1)),
        depth_(x_.dim(2)),
        cells_(call.input_tensor(state.first).dim(1)),
        h_(call.output_tensor(call.output_count() - 1)) {
    for (int i = state.first + state.states; i < call.input_count(); i += 2)
      weights_.push_back({call.input_tensor(i), call.input_tensor(i + 1), {}});
  }

  void run() {
    const std::int64_t steps = x_.dim(0);
    const std::int64_t bound = call_.input_tensor(1).scalar_value<std::int32_t>();
    const std::int64_t used = std::clamp<std::int64_t>(bound, 0, steps);
    check_written(steps, used);
    for (int i = 0; i < state_.states; ++i) {
      const Tensor& from = call_.input_tensor(state_.first + i);
      for (std::int64_t b = 0; b < batch_; ++b)
        std::copy_n(row(from, from.dim(0) == 1 ? 0 : b), cells_, row(last(i), b));
    }
    if (batch_ > 0 && cells_ > 0) {
      prepare();
      const std::int64_t chunk = std::clamp<std::int64_t>(kChunk / (batch_ * weights_[0].width()),
                                                          1, std::max<std::int64_t>(1, used));
      for (std::int64_t t = 0; t < used; t += chunk) run_steps(t, std::min(used, t + chunk));
    }
    if (state_.gives_all)
      std::fill(output(used), call_.output_tensor(0).data<float>() + steps * batch_ * cells_, 0.0f);
  }

 private:
  const Tensor& last(int i) const {
    return call_.output_tensor(call_.output_count() - state_.states + i);
  }
  float* output(std::int64_t t) const {
    return call_.output_tensor(0).data<float>() + t * batch_ * cells_;
  }

  // Steps that were not made are zeros, if anything says of what shape.
  void check_written(std::int64_t steps, std::int64_t used) const {
    if (!state_.gives_all || used > 0 || state_.element_shape.is_full()) return;
    if (steps == 0)
      raise(Code::kUnimplemented, "TensorArray has size zero, but element shape ",
            state_.element_shape,
            " is not fully defined. Currently only static shapes are supported when packing "
            "zero-size TensorArrays.");
    raise(Code::kInvalidArgument, "Could not read from TensorArray index 0.  Furthermore, the ",
          "element shape is not fully defined: ", state_.element_shape, ".");
  }

  void prepare() {
    gates_ = Tensor(DType::f32, {batch_, weights_[0].width()});
    if (weights_.size() < 2) return;
    update_ = Tensor(DType::f32, {batch_, cells_});
    let_through_ = Tensor(DType::f32, {batch_, cells_});
  }

  void run_steps(std::int64_t begin, std::int64_t end) {
    const float* x = x_.data<float>() + begin * batch_ * depth_;
    for (Weights& w : weights_) w.multiply_inputs(call_, x, (end - begin) * batch_, depth_);
    for (std::int64_t t = begin; t < end; ++t) {
      if (call_.step().cancellation != nullptr && call_.step().cancellation->cancelled())
        raise(Code::kCancelled, "the step was cancelled after ", t, " steps of a layer");
      const std::int64_t row = (t - begin) * batch_;
      weights_[0].multiply_state(call_, h_.data<float>(), batch_, depth_, gates_);
      if (weights_.size() == 2) run_gru(t, row);
      if (weights_.size() == 1) state_.states == 2 ? run_lstm(t, row) : run_rnn(t, row);
    }
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
        if (!state_.gives_all) continue;
        float* const to = output(t) + b * cells_;
        if (is_over)
          std::fill_n(to, cells_, 0.0f);
        else
          std::copy_n(row(h_, b), cells_, to);
      }
    });
  }
  static float* row(const Tensor& matrix, std::int64_t r) {
    return matrix.data<float>() + r * matrix.dim(1);
  }

  void run_lstm(std::int64_t t, std::int64_t first) const {
    for_rows(t, [&](std::int64_t b) {
      recurrent_rows().lstm_cell({.size = at(cells_),
                                  .forget_bias = state_.forget_bias,
                                  .peepholes = {},
                                  .gates = row(gates_, b),
                                  .bias = row(weights_[0].from_x, first + b),
                                  .state_before = row(last(0), b),
                                  .h = row(h_, b),
                                  .state = row(last(0), b)});
    });
  }

  void run_rnn(std::int64_t t, std::int64_t first) const {
    for_rows(t, [&](std::int64_t b) {
      recurrent_rows().tanh_sum(row(h_, b), row(gates_, b), row(weights_[0].from_x, first + b),
                                at(cells_));
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
  const Tensor& x_;
  std::int64_t batch_, depth_, cells_;
  const Tensor& h_;  // the last of the states
  std::vector<Weights> weights_;
  Tensor gates_, update_, let_through_;
};

void run_layer(KernelCall& call) { Layer(call, call.state<LayerState>()).run(); }

constexpr KernelEntry kEntries[] = {
    {.op = &kRnnLayer, .types = DType::f32, .run = run_layer, .make_state = make_state}};

}  // namespace

extern const KernelTable kRnnLayerCpu{kEntries};

}  // namespace rill
