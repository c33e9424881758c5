#include <algorithm>
#include <cstring>

#include "rill/ops/rnn/float_call.h"
#include "rill/ops/rnn/recurrent_rows.h"

namespace rill {

extern const OpDecl kLSTMBlockCellGrad, kBlockLSTMGrad, kBlockLSTMGradV2;

namespace {

// The inputs, behind the sequence length where there is one, in which both forms agree.
enum LstmIn { kX, kStateBefore, kHBefore, kW, kWci, kWcf, kWco, kB, kI, kState, kF, kO, kCi, kCo };

// One step back. What arrives from the step behind is in `carried_state` and `carried_h`.
struct BackStep {
  const FloatCall& data;
  int first;  // where x is among the inputs
  GateOrder order;
  std::int64_t at;  // where the step's elements begin in what has a time
  const float *state_before, *state_grad, *h_grad;
  float* carried_state;
  const float* carried_h;
  float* gates;
  PeepholeSums sums;

  std::size_t cells() const { return static_cast<std::size_t>(data.tensor(first + kWci).dim(0)); }
  std::int64_t batch() const { return data.tensor(first + kStateBefore).dim(0); }

  LstmGradRow row(std::size_t b) const {
    const std::size_t n = cells();
    const auto in = [&](int i) {
      return data.in(first + i) + static_cast<std::size_t>(at) + b * n;
    };
    LstmGradRow r{.size = n,
                  .order = order,
                  .peepholes = {},
                  .state_before = state_before + b * n,
                  .input = in(kI),
                  .state = in(kState),
                  .forget = in(kF),
                  .output = in(kO),
                  .candidate = in(kCi),
                  .squashed = in(kCo),
                  .state_grad = state_grad + b * n,
                  .h_grad = h_grad + b * n,
                  .carried_state = carried_state + b * n,
                  .carried_h = carried_h + b * n,
                  .gates = gates + b * 4 * n};
    if (sums.input != nullptr)
      r.peepholes = {data.in(first + kWci), data.in(first + kWcf), data.in(first + kWco)};
    return r;
  }

  void run() const {
    const RecurrentRows& rows = recurrent_rows();
    data.for_rows(batch(), 4 * cells(), [&](std::size_t b) { rows.lstm_back(row(b)); });
    if (sums.input == nullptr) return;
    for (std::int64_t b = 0; b < batch(); ++b)
      rows.peepholes_back(row(static_cast<std::size_t>(b)), sums);
  }
};

// The sums of the peepholes' gradients in the outputs from `output` on, which become zeros.
PeepholeSums peephole_sums(const FloatCall& data, int output) {
  for (int i = output; i < output + 3; ++i) data.zero_output(i);
  if (!data.call().node().attr<bool>("use_peephole")) return {};
  return {data.out(output), data.out(output + 1), data.out(output + 2)};
}

void cell_grad(KernelCall& call) {
  FloatCall data(call);
  const Tensor nothing = Tensor::zeros(DType::f32, data.tensor(kStateBefore).shape());
  data.zero_output(0);
  BackStep{.data = data,
           .first = 0,
           .order = {.candidate = 1, .forget = 2},
           .at = 0,
           .state_before = data.in(kStateBefore),
           .state_grad = data.in(kCo + 1),
           .h_grad = data.in(kCo + 2),
           .carried_state = data.out(0),
           .carried_h = nothing.data<float>(),
           .gates = data.out(1),
           .sums = peephole_sums(data, 2)}
      .run();
  data.finish();
}

// Adds up the columns of a matrix, each in the order of its rows.
void sum_columns(const FloatCall& data, const float* x, std::int64_t rows, std::int64_t width,
                 float* sums) {
  constexpr std::int64_t kStrip = 64;
  const auto add = recurrent_rows().add;
  const std::int64_t strips = (width + kStrip - 1) / kStrip;
  std::fill(sums, sums + width, 0.0F);
  data.call().parallel_for(
      static_cast<std::size_t>(strips), static_cast<double>(rows) * 10,
      [&](std::size_t begin, std::size_t end) {
        for (auto s = static_cast<std::int64_t>(begin); s < static_cast<std::int64_t>(end); ++s) {
          const std::int64_t from = s * kStrip, count = std::min(kStrip, width - from);
          for (std::int64_t r = 0; r < rows; ++r)
            add(sums + from, x + r * width + from, static_cast<std::size_t>(count));
        }
      });
}

struct BlockSizes {
  std::int64_t used, batch, inputs, cells;
  std::int64_t rows() const { return used * batch; }
  std::int64_t width() const { return 4 * cells; }
  std::int64_t step() const { return batch * cells; }
};

// Goes back through the steps; fills `gates`, and the gradients of what was before the first step.
void run_steps(const FloatCall& data, const BlockSizes& s, GateOrder order, float* gates) {
  float *const carried_state = data.out(1), *const carried_h = data.out(2);
  data.zero_output(1);
  data.zero_output(2);
  const PeepholeSums sums = peephole_sums(data, 4);
  for (std::int64_t t = s.used - 1; t >= 0; --t) {
    const std::int64_t at = t * s.step();
    float* const here = gates + t * s.batch * s.width();
    const float* const states = data.in(1 + kState);
    BackStep{.data = data,
             .first = 1,
             .order = order,
             .at = at,
             .state_before = t == 0 ? data.in(1 + kStateBefore) : states + at - s.step(),
             .state_grad = data.in(16) + at,
             .h_grad = data.in(17) + at,
             .carried_state = carried_state,
             .carried_h = carried_h,
             .gates = here,
             .sums = sums}
        .run();
    data.multiply({.m = s.batch,
                   .n = s.cells,
                   .k = s.width(),
                   .a = here,
                   .b = data.in(1 + kW) + s.inputs * s.width(),
                   .c = carried_h,
                   .transpose_b = true});
  }
}

// What each step got from the one before: the state before the first, then what went out.
Tensor shifted_h(const FloatCall& data, const BlockSizes& s) {
  Tensor h(DType::f32, {s.rows(), s.cells});
  const auto bytes = [](std::int64_t count) {
    return static_cast<std::size_t>(count) * sizeof(float);
  };
  if (s.used == 0) return h;
  std::memcpy(h.raw_data(), data.in(1 + kHBefore), bytes(s.step()));
  std::memcpy(h.data<float>() + s.step(), data.in(15), bytes((s.used - 1) * s.step()));
  return h;
}

void block_grad(KernelCall& call, GateOrder order) {
  FloatCall data(call, 1);
  const Tensor& x = data.tensor(1);
  const BlockSizes s{call.input_tensor(0).scalar_value<std::int64_t>(), x.dim(1), x.dim(2),
                     data.tensor(1 + kWci).dim(0)};
  const Tensor gates(DType::f32, {s.rows(), s.width()});
  run_steps(data, s, order, gates.data<float>());
  data.zero_output(0, s.rows() * s.inputs);
  data.multiply({.m = s.rows(),
                 .n = s.inputs,
                 .k = s.width(),
                 .a = gates.raw_data(),
                 .b = data.in(1 + kW),
                 .c = data.out(0),
                 .transpose_b = true});
  data.multiply({.m = s.inputs,
                 .n = s.width(),
                 .k = s.rows(),
                 .a = x.raw_data(),
                 .b = gates.raw_data(),
                 .c = data.out(3),
                 .transpose_a = true});
  const Tensor h = shifted_h(data, s);
  data.multiply({.m = s.cells,
                 .n = s.width(),
                 .k = s.rows(),
                 .a = h.raw_data(),
                 .b = gates.raw_data(),
                 .c = data.out(3) + s.inputs * s.width(),
                 .transpose_a = true});
  sum_columns(data, gates.data<float>(), s.rows(), s.width(), data.out(7));
  data.finish();
}

void block_lstm_grad(KernelCall& call) { block_grad(call, {.candidate = 1, .forget = 2}); }
void block_lstm_grad_v2(KernelCall& call) { block_grad(call, {.candidate = 2, .forget = 1}); }

constexpr KernelEntry kEntries[] = {
    {.op = &kLSTMBlockCellGrad, .types = FloatCall::kTypes, .run = cell_grad},
    {.op = &kBlockLSTMGrad, .types = FloatCall::kTypes, .run = block_lstm_grad},
    {.op = &kBlockLSTMGradV2, .types = FloatCall::kTypes, .run = block_lstm_grad_v2},
};

}  // namespace

extern const KernelTable kLstmGradCpu{kEntries};

}  // namespace rill
