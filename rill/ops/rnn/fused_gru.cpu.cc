#include "rill/kernel/kernel_registry.h"
#include "rill/ops/rnn/cell_rows.h"

namespace rill {

extern const OpDecl kGruCell, kGruCellGrad;

namespace {

struct GruState final : KernelState {
  explicit GruState(const KernelNode& node)
      : is_joined(node.attr<std::int64_t>("J") > 0), keeps(node.attr<std::int64_t>("N") > 0) {}
  bool is_joined, keeps;  // has input and state side by side; gives out what gradients ask for
};

std::unique_ptr<KernelState> make_gru(const KernelNode& node) {
  return std::make_unique<GruState>(node);
}

// Both products read the input, once beside h and once beside the h that is let through.
void gru_cell(KernelCall& call) {
  const auto& state = call.state<GruState>();
  const Tensor &x = call.input_tensor(0), &h = call.input_tensor(1), &out = call.output_tensor(0);
  const std::int64_t rows = out.dim(0), cells = out.dim(1);
  if (out.element_count() == 0) return;  // and so is everything else: a cell has some width
  const Tensor in = state.is_joined ? call.input_tensor(6) : joined(call, 2);
  const std::int64_t depth = in.dim(1);
  const auto made = [&](int output, std::int64_t width) {
    return state.keeps ? call.output_tensor(output) : Tensor(DType::f32, {rows, width});
  };
  const Tensor gates = made(1, 2 * cells);
  // Nobody else reads what was put side by side here: h makes room.
  const bool is_own = !state.is_joined && !state.keeps;
  const Tensor second = is_own ? in : made(3, depth);
  multiply_for_cell(call, rows, 2 * cells, depth, in.data<float>(),
                    call.input_tensor(2).data<float>(), gates.data<float>());
  for_rows(call, rows, 2 * cells, [&](std::int64_t r) {
    float* const row = gates.data<float>() + r * 2 * cells;
    float* const beside = second.data<float>() + r * depth;
    if (!is_own) std::copy_n(x.data<float>() + r * (depth - cells), depth - cells, beside);
    recurrent_rows().gru_cell_gates({.size = at(cells),
                                     .gates = row,
                                     .bias = call.input_tensor(3).data<float>(),
                                     .h_before = h.data<float>() + r * cells,
                                     .update = row + cells,
                                     .reset_h = beside + depth - cells,
                                     .reset = row});
  });
  const Tensor candidate = made(2, cells);
  multiply_for_cell(call, rows, cells, depth, second.data<float>(),
                    call.input_tensor(4).data<float>(), candidate.data<float>());
  for_rows(call, rows, cells, [&](std::int64_t r) {
    float* const row = candidate.data<float>() + r * cells;
    recurrent_rows().gru_cell_state({.size = at(cells),
                                     .candidate = row,
                                     .bias = call.input_tensor(5).data<float>(),
                                     .update = gates.data<float>() + (2 * r + 1) * cells,
                                     .h_before = h.data<float>() + r * cells,
                                     .h = out.data<float>() + r * cells,
                                     .squashed = state.keeps ? row : nullptr});
  });
}

void gru_cell_grad(KernelCall& call) {
  static const MultiplyFn multiply = onednn_multiply(DType::f32);
  const Tensor &gates = call.input_tensor(0), &h = call.input_tensor(2), &w = call.input_tensor(4);
  const std::int64_t rows = h.dim(0), cells = h.dim(1);
  const bool wants_in = call.output_count() > 3;
  if (h.element_count() == 0) {
    if (wants_in)
      std::fill_n(call.output_tensor(3).data<float>(), call.output_tensor(3).element_count(), 0.0f);
    return;
  }
  // Of the product only the columns that belong to the state are needed, unless more are wanted.
  const std::int64_t depth = w.dim(0), width = wants_in ? depth : cells;
  const Tensor in_grad = wants_in ? call.output_tensor(3) : Tensor(DType::f32, {rows, width});
  const auto row_of = [&](std::int64_t r) {
    const float* const both = gates.data<float>() + r * 2 * cells;
    return GruGradRow{.size = at(cells),
                      .h_before = h.data<float>() + r * cells,
                      .reset = both,
                      .update = both + cells,
                      .candidate = call.input_tensor(1).data<float>() + r * cells,
                      .h_grad = call.input_tensor(3).data<float>() + r * cells,
                      .reset_h_grad = in_grad.data<float>() + (r + 1) * width - cells,
                      .candidate_bar = call.output_tensor(1).data<float>() + r * cells,
                      .reset_update_bar = call.output_tensor(0).data<float>() + r * 2 * cells,
                      .h_before_grad = call.output_tensor(2).data<float>() + r * cells};
  };
  for_rows(call, rows, cells,
           [&](std::int64_t r) { recurrent_rows().gru_candidate_back(row_of(r)); });
  multiply(call, {.m = rows,
                  .n = width,
                  .k = cells,
                  .a = call.output_tensor(1).data<float>(),
                  .b = w.data<float>() + (depth - width) * cells,
                  .c = in_grad.data<float>(),
                  .transpose_b = true});
  for_rows(call, rows, cells, [&](std::int64_t r) { recurrent_rows().gru_reset_back(row_of(r)); });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kGruCell, .types = DType::f32, .run = gru_cell, .make_state = make_gru},
    {.op = &kGruCellGrad, .types = DType::f32, .run = gru_cell_grad},
};

}  // namespace

extern const KernelTable kFusedGruCpu{kEntries};

}  // namespace rill
