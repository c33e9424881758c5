#include <cstring>

#include "rill/ops/rnn/float_call.h"
#include "rill/ops/rnn/recurrent_rows.h"

namespace rill {

extern const OpDecl kLSTMBlockCell, kBlockLSTM, kBlockLSTMV2;

namespace {

constexpr GateOrder kCandidateFirst{.candidate = 1, .forget = 2};
constexpr GateOrder kForgetFirst{.candidate = 2, .forget = 1};

// Several steps of an LSTM. `first` is the input that x is.
struct Forward {
  const FloatCall& data;
  int first;
  GateOrder order;
  float forget_bias;
  std::int64_t steps, used;  // all, and those that are computed

  const KernelNode& node() const { return data.call().node(); }

  void run() const {
    const Tensor &x = data.tensor(first), &state = data.tensor(first + 1);
    const std::int64_t batch = state.dim(0), cells = state.dim(1), inputs = x.dim(x.rank() - 1);
    const std::int64_t rows = used * batch, width = 4 * cells, size = batch * cells;
    const float* const w = data.in(first + 3);
    const Tensor from_x(DType::f32, {rows, width}), from_h(DType::f32, {batch, width});
    data.multiply(
        {.m = rows, .n = width, .k = inputs, .a = x.raw_data(), .b = w, .c = from_x.raw_data()});
    const float *h = data.in(first + 2), *state_before = data.in(first + 1);
    for (std::int64_t t = 0; t < used; ++t) {
      data.multiply({.m = batch,
                     .n = width,
                     .k = cells,
                     .a = h,
                     .b = w + inputs * width,
                     .c = from_h.raw_data()});
      step(t * size, from_x.data<float>() + t * batch * width, from_h.data<float>(), state_before);
      state_before = data.out(1) + t * size;
      h = data.out(6) + t * size;
    }
    for (int i = 0; i < 7; ++i) data.zero_output(i, used * size);
  }

  // One step, whose outputs begin at element `at`.
  void step(std::int64_t at, const float* from_x, const float* from_h, const float* before) const {
    const auto cells = static_cast<std::size_t>(data.tensor(first + 1).dim(1));
    const bool peephole = node().attr<bool>("use_peephole");
    const auto lstm = recurrent_rows().lstm;
    data.for_rows(data.tensor(first + 1).dim(0), 4 * cells, [&](std::size_t row) {
      const auto out = [&](int i) {
        return data.out(i) + static_cast<std::size_t>(at) + row * cells;
      };
      LstmRow r{.size = cells,
                .order = order,
                .peepholes = {},
                .forget_bias = forget_bias,
                .clip = node().attr<float>("cell_clip"),
                .from_x = from_x + row * 4 * cells,
                .from_h = from_h + row * 4 * cells,
                .bias = data.in(first + 7),
                .state_before = before + row * cells,
                .input = out(0),
                .state = out(1),
                .forget = out(2),
                .output = out(3),
                .candidate = out(4),
                .squashed = out(5),
                .h = out(6)};
      if (peephole) r.peepholes = {data.in(first + 4), data.in(first + 5), data.in(first + 6)};
      lstm(r);
    });
  }
};

void cell(KernelCall& call) {
  FloatCall data(call);
  Forward{data, 0, kCandidateFirst, call.node().attr<float>("forget_bias"), 1, 1}.run();
  data.finish();
}

void block(KernelCall& call, GateOrder order, float forget_bias) {
  FloatCall data(call, 1);
  const std::int64_t steps = call.input_tensor(1).dim(0);
  Forward{data, 1, order, forget_bias, steps, call.input_tensor(0).scalar_value<std::int64_t>()}
      .run();
  data.finish();
}

void block_lstm(KernelCall& call) {
  block(call, kCandidateFirst, call.node().attr<float>("forget_bias"));
}
void block_lstm_v2(KernelCall& call) { block(call, kForgetFirst, 0); }

constexpr KernelEntry kEntries[] = {
    {.op = &kLSTMBlockCell, .types = FloatCall::kTypes, .run = cell},
    {.op = &kBlockLSTM, .types = FloatCall::kTypes, .run = block_lstm},
    {.op = &kBlockLSTMV2, .types = FloatCall::kTypes, .run = block_lstm_v2},
};

}  // namespace

extern const KernelTable kLstmCpu{kEntries};

}  // namespace rill
