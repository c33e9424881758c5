#include "rill/ops/rnn/float_call.h"
#include "rill/ops/rnn/recurrent_rows.h"

namespace rill {

extern const OpDecl kGRUBlockCell, kGRUBlockCellGrad;

namespace {

enum GruIn { kGruX, kGruHBefore, kGateWeights, kCandidateWeights, kGateBias, kCandidateBias };

struct GruSizes {
  std::int64_t batch, inputs, cells;
  std::size_t row(std::size_t b, std::size_t blocks = 1) const {
    return b * blocks * static_cast<std::size_t>(cells);
  }
  std::size_t width() const { return static_cast<std::size_t>(cells); }
};

GruSizes sizes_of(const FloatCall& data) {
  return {data.tensor(kGruX).dim(0), data.tensor(kGruX).dim(1), data.tensor(kGruHBefore).dim(1)};
}

// The two parts of [x, h] w, for weights of `blocks` blocks.
struct Gates {
  Tensor from_x, from_h;
};
Gates gates_from(const FloatCall& data, const GruSizes& s, GruIn weights, std::int64_t blocks,
                 const float* h) {
  const std::int64_t width = blocks * s.cells;
  Gates gates{Tensor(DType::f32, {s.batch, width}), Tensor(DType::f32, {s.batch, width})};
  data.multiply({.m = s.batch,
                 .n = width,
                 .k = s.inputs,
                 .a = data.in(kGruX),
                 .b = data.in(weights),
                 .c = gates.from_x.raw_data()});
  data.multiply({.m = s.batch,
                 .n = width,
                 .k = s.cells,
                 .a = h,
                 .b = data.in(weights) + s.inputs * width,
                 .c = gates.from_h.raw_data()});
  return gates;
}

void gru_block_cell(KernelCall& call) {
  FloatCall data(call);
  const GruSizes s = sizes_of(data);
  const RecurrentRows& rows = recurrent_rows();
  const Tensor reset_h(DType::f32, {s.batch, s.cells});
  const Gates gates = gates_from(data, s, kGateWeights, 2, data.in(kGruHBefore));
  data.for_rows(s.batch, 2 * s.width(), [&](std::size_t b) {
    rows.gru_gates({.size = s.width(),
                    .from_x = gates.from_x.data<float>() + s.row(b, 2),
                    .from_h = gates.from_h.data<float>() + s.row(b, 2),
                    .bias = data.in(kGateBias),
                    .h_before = data.in(kGruHBefore) + s.row(b),
                    .reset = data.out(0) + s.row(b),
                    .update = data.out(1) + s.row(b),
                    .reset_h = reset_h.data<float>() + s.row(b)});
  });
  const Gates candidate = gates_from(data, s, kCandidateWeights, 1, reset_h.data<float>());
  data.for_rows(s.batch, s.width(), [&](std::size_t b) {
    rows.gru_out({.size = s.width(),
                  .from_x = candidate.from_x.data<float>() + s.row(b),
                  .from_h = candidate.from_h.data<float>() + s.row(b),
                  .bias = data.in(kCandidateBias),
                  .update = data.out(1) + s.row(b),
                  .h_before = data.in(kGruHBefore) + s.row(b),
                  .candidate = data.out(2) + s.row(b),
                  .h = data.out(3) + s.row(b)});
  });
}

// gates w^T, once for the rows of w that belong to x and once for those that belong to h.
void multiply_back(const FloatCall& data, const GruSizes& s, const float* gates, GruIn weights,
                   std::int64_t blocks, float* to_x, float* to_h) {
  const std::int64_t width = blocks * s.cells;
  data.multiply({.m = s.batch,
                 .n = s.inputs,
                 .k = width,
                 .a = gates,
                 .b = data.in(weights),
                 .c = to_x,
                 .transpose_b = true});
  data.multiply({.m = s.batch,
                 .n = s.cells,
                 .k = width,
                 .a = gates,
                 .b = data.in(weights) + s.inputs * width,
                 .c = to_h,
                 .transpose_b = true});
}

void gru_block_cell_grad(KernelCall& call) {
  FloatCall data(call);
  const GruSizes s = sizes_of(data);
  const RecurrentRows& rows = recurrent_rows();
  const Tensor more_x(DType::f32, {s.batch, s.inputs}), more_h(DType::f32, {s.batch, s.cells});
  const auto row = [&](std::size_t b) {
    return GruGradRow{.size = s.width(),
                      .h_before = data.in(kGruHBefore) + s.row(b),
                      .reset = data.in(6) + s.row(b),
                      .update = data.in(7) + s.row(b),
                      .candidate = data.in(8) + s.row(b),
                      .h_grad = data.in(9) + s.row(b),
                      .reset_h_grad = more_h.data<float>() + s.row(b),
                      .candidate_bar = data.out(2) + s.row(b),
                      .reset_update_bar = data.out(3) + s.row(b, 2),
                      .h_before_grad = data.out(1) + s.row(b)};
  };
  data.for_rows(s.batch, s.width(), [&](std::size_t b) { rows.gru_candidate_back(row(b)); });
  multiply_back(data, s, data.out(2), kCandidateWeights, 1, data.out(0), more_h.data<float>());
  data.for_rows(s.batch, s.width(), [&](std::size_t b) { rows.gru_reset_back(row(b)); });
  multiply_back(data, s, data.out(3), kGateWeights, 2, more_x.data<float>(), more_h.data<float>());
  rows.add(data.out(0), more_x.data<float>(), static_cast<std::size_t>(s.batch * s.inputs));
  rows.add(data.out(1), more_h.data<float>(), static_cast<std::size_t>(s.batch * s.cells));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kGRUBlockCell, .types = DType::f32, .run = gru_block_cell},
    {.op = &kGRUBlockCellGrad, .types = DType::f32, .run = gru_block_cell_grad},
};

}  // namespace

extern const KernelTable kGruCpu{kEntries};

}  // namespace rill
