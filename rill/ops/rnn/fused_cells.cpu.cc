#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/rnn/cell_rows.h"
#include "rill/ops/rnn/recurrent_rows.h"

namespace rill {

extern const OpDecl kLstmCell, kLstmCellGrad;

namespace {

struct LstmState final : KernelState {
  explicit LstmState(const KernelNode& node)
      : parts(static_cast<int>(node.attr<std::int64_t>("P"))),
        sees(node.attr<std::int64_t>("Q") > 0),
        keeps(node.attr<std::int64_t>("N") > 0),
        forget_bias(node.attr<float>("forget_bias")) {}
  int parts;
  bool sees, keeps;  // has peepholes; gives out the gates
  float forget_bias;
};

std::unique_ptr<KernelState> make_lstm(const KernelNode& node) {
  return std::make_unique<LstmState>(node);
}

// Row r of a matrix, whose only row counts for all.
float* row_of(const Tensor& matrix, std::int64_t r) {
  return matrix.data<float>() + (matrix.dim(0) == 1 ? 0 : r * matrix.dim(1));
}

void lstm_cell(KernelCall& call) {
  const auto& state = call.state<LstmState>();
  const int first = state.parts;
  const Tensor &c = call.input_tensor(first), &w = call.input_tensor(first + 1);
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const Tensor in = joined(call, state.parts);
  const Tensor gates(DType::f32, {in.dim(0), w.dim(1)});
  multiply_for_cell(call, in.dim(0), w.dim(1), w.dim(0), in.data<float>(), w.data<float>(),
                    gates.data<float>());
  LstmCellRow whole{.size = at(c.dim(1)),
                    .forget_bias = state.forget_bias,
                    .bias = call.input_tensor(first + 2).data<float>()};
  if (state.sees)
    whole.peepholes = {call.input_tensor(first + 3).data<float>(),
                       call.input_tensor(first + 4).data<float>(),
                       call.input_tensor(first + 5).data<float>()};
  const auto one = [&](std::int64_t r) {
    LstmCellRow row = whole;
    row.gates = row_of(gates, r);
    row.state_before = row_of(c, r);
    row.h = row_of(out, r);
    row.state = row_of(call.output_tensor(1), r);
    if (state.keeps) {
      row.input = row_of(call.output_tensor(2), r);
      row.candidate = row_of(call.output_tensor(3), r);
      row.forget = row_of(call.output_tensor(4), r);
      row.output = row_of(call.output_tensor(5), r);
      row.squashed = row_of(call.output_tensor(6), r);
    }
    recurrent_rows().lstm_cell(row);
  };
  if (in.dim(0) == out.dim(0)) return for_rows(call, out.dim(0), w.dim(1), one);
  for (std::int64_t r = 0; r < out.dim(0); ++r) one(r);  // gates of one row are written by all
}

// The sum of rows as the only row of `sum`.
void sum_rows(const Tensor& rows, const Tensor& sum) {
  const auto width = at(rows.dim(1));
  std::copy_n(rows.data<float>(), width, sum.data<float>());
  for (std::int64_t r = 1; r < rows.dim(0); ++r)
    recurrent_rows().add(sum.data<float>(), row_of(rows, r), width);
}

struct LstmGradState final : KernelState {
  explicit LstmGradState(const KernelNode& node)
      : state_grads(static_cast<int>(node.attr<std::int64_t>("S"))),
        sees(node.attr<std::int64_t>("Q") > 0),
        trains(node.attr<std::int64_t>("R") > 0) {}
  int state_grads;
  bool sees, trains;  // has peepholes; gives out their gradients
};

std::unique_ptr<KernelState> make_lstm_grad(const KernelNode& node) {
  return std::make_unique<LstmGradState>(node);
}

constexpr int kFirstStateGrad = 7;

Tensor state_grads(const KernelCall& call, int count) {
  if (count == 0) return {};
  const Tensor& first = call.input_tensor(kFirstStateGrad);
  if (count == 1) return first;
  Tensor sum(DType::f32, first.shape());
  std::copy_n(first.data<float>(), at(first.element_count()), sum.data<float>());
  for (int i = 1; i < count; ++i)
    recurrent_rows().add(sum.data<float>(), call.input_tensor(kFirstStateGrad + i).data<float>(),
                         at(first.element_count()));
  return sum;
}

// Row after row, so that the sums are the same with any number of threads.
void sum_peepholes(const KernelCall& call, const Tensor& gates, const Tensor& new_c) {
  const auto sum = [&](int i) { return call.output_tensor(2 + i).data<float>(); };
  for (int i = 0; i < 3; ++i) std::fill_n(sum(i), call.output_tensor(2 + i).element_count(), 0.0f);
  for (std::int64_t r = 0; r < gates.dim(0); ++r) {
    LstmGradRow row{};
    row.size = at(new_c.dim(1));
    row.order = {.candidate = 1, .forget = 2};
    row.state_before = row_of(call.input_tensor(0), r);
    row.state = row_of(new_c, r);
    row.gates = row_of(gates, r);
    recurrent_rows().peepholes_back(row, {.input = sum(0), .forget = sum(1), .output = sum(2)});
  }
}

void lstm_cell_grad(KernelCall& call) {
  const auto& state = call.state<LstmGradState>();
  const Tensor &gates_grad = call.output_tensor(0), &c_grad = call.output_tensor(1);
  const Tensor& h_grad = call.input_tensor(6);
  const std::int64_t rows = h_grad.dim(0), cells = h_grad.dim(1);
  if (h_grad.element_count() == 0) {
    for (int i = 0; i < call.output_count(); ++i)
      std::fill_n(call.output_tensor(i).data<float>(), call.output_tensor(i).element_count(), 0.0f);
    return;
  }
  // What was repeated gets the sum of what came back.
  const bool sums_gates = gates_grad.dim(0) != rows, sums_state = c_grad.dim(0) != rows;
  const Tensor gates = sums_gates ? Tensor(DType::f32, {rows, 4 * cells}) : gates_grad;
  const Tensor before = sums_state ? Tensor(DType::f32, {rows, cells}) : c_grad;
  const Tensor from_state = state_grads(call, state.state_grads);
  const int first = kFirstStateGrad + state.state_grads;
  Peepholes peepholes;
  if (state.sees)
    peepholes = {call.input_tensor(first).data<float>(), call.input_tensor(first + 1).data<float>(),
                 call.input_tensor(first + 2).data<float>()};
  for_rows(call, rows, cells, [&](std::int64_t r) {
    const auto in = [&](int i) { return row_of(call.input_tensor(i), r); };
    recurrent_rows().lstm_cell_back(
        {.size = at(cells),
         .peepholes = peepholes,
         .state_before = in(0),
         .input = in(1),
         .candidate = in(2),
         .forget = in(3),
         .output = in(4),
         .squashed = in(5),
         .h_grad = in(6),
         .state_grad = from_state.has_value() ? row_of(from_state, r) : nullptr,
         .gates = row_of(gates, r),
         .state_before_grad = row_of(before, r)});
  });
  if (state.trains) sum_peepholes(call, gates, call.input_tensor(first + 3));
  if (sums_gates) sum_rows(gates, gates_grad);
  if (sums_state) sum_rows(before, c_grad);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kLstmCell, .types = DType::f32, .run = lstm_cell, .make_state = make_lstm},
    {.op = &kLstmCellGrad,
     .types = DType::f32,
     .run = lstm_cell_grad,
     .make_state = make_lstm_grad},
};

}  // namespace

extern const KernelTable kFusedCellsCpu{kEntries};

}  // namespace rill
