#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/rnn/cell_shapes.h"
#include "rill/ops/rnn/side_by_side.h"

namespace rill {
namespace {

// The inputs that all forms have, from the state before at `first` to the bias.
void check_state_and_weights(const ShapeCtx& c, int first, const CellSizes& s) {
  for (const int i : {first, first + 1}) {
    const PartialShape state = c.with_rank(i, 2);
    check_dim("the batch size of the states before", state[0], s.batch);
    check_dim("the cell size of the states before", state[1], s.cells);
  }
  const PartialShape w = c.with_rank(first + 2, 2);
  check_dim("w.dim_size(0) != input_size + cell_size", w[0], dim_sum(s.input, s.cells));
  check_dim("w.dim_size(1) != cell_size * 4", w[1], dim_times(s.cells, 4));
  for (const int i : {first + 3, first + 4, first + 5})
    check_dim("a peephole has not the cell size", c.vector(i)[0], s.cells);
  check_dim("b.dim_size(0) != cell_size * 4", c.vector(first + 6)[0], dim_times(s.cells, 4));
}

void check_all(const ShapeCtx& c, int begin, int end, const PartialShape& shape) {
  for (int i = begin; i < end; ++i) merge_shapes(c.input(i), shape);
}

CellSizes cell_sizes(const ShapeCtx& c) {
  const PartialShape x = c.with_rank(0, 2), state = c.with_rank(1, 2);
  const CellSizes s{merge_dim(x[0], state[0]), x[1], state[1]};
  check_dim("cs_prev.dims(0) != batch_size", state[0], x[0]);
  check_state_and_weights(c, 1, s);
  return s;
}

Shapes cell_shape(const ShapeCtx& c) {
  const CellSizes s = cell_sizes(c);
  return Shapes(7, PartialShape{s.batch, s.cells});
}

Shapes cell_grad_shape(const ShapeCtx& c) {
  const CellSizes s = cell_sizes(c);
  check_all(c, 8, 16, {s.batch, s.cells});
  const PartialShape peephole{s.cells};
  return {{s.batch, s.cells}, {s.batch, dim_times(s.cells, 4)}, peephole, peephole, peephole};
}

struct BlockSizes : CellSizes {
  std::int64_t steps;
};

BlockSizes block_sizes(const ShapeCtx& c) {
  c.scalar(0);
  const PartialShape x = c.with_rank(1, 3), b = c.vector(8);
  const std::int64_t cells = b[0] < 0 ? kUnknownDim : b[0] / 4;
  const BlockSizes s{{x[1], x[2], cells}, x[0]};
  check_state_and_weights(c, 2, s);
  std::int64_t used = 0;
  if (c.int_value(0, &used))
    require(used >= 0 && (s.steps < 0 || used <= s.steps), "seq_len_max must be in [0, ", s.steps,
            "], is ", used);
  return s;
}

Shapes block_shape(const ShapeCtx& c) {
  const BlockSizes s = block_sizes(c);
  return Shapes(7, PartialShape{s.steps, s.batch, s.cells});
}

Shapes block_grad_shape(const ShapeCtx& c) {
  const BlockSizes s = block_sizes(c);
  check_all(c, 9, 18, {s.steps, s.batch, s.cells});
  Shapes shapes;
  for (int i = 1; i <= 8; ++i) shapes.push_back(c.input(i));
  return shapes;
}

// Only the states and what goes out have gradients that arrive.
void differentiate_block(GradCtx& g, const char* op) {
  std::vector<InputArg> inputs;
  for (int i = 0; i < g.input_count(); ++i) inputs.emplace_back(g.input(i));
  for (int i = 0; i < g.node().output_count(); ++i) inputs.emplace_back(g.output(i));
  inputs.emplace_back(g.dy(1));
  inputs.emplace_back(g.dy(6));
  Node& node =
      g.scope().add(op, std::move(inputs), {{"use_peephole", g.attr<bool>("use_peephole")}});
  for (int i = 0; i < node.output_count(); ++i) g.set(i + 1, node.output(i));
}
// What arrives at the gates of one step gives the gradients of what was multiplied there.
void cell_grad(GradCtx& g) {
  std::vector<InputArg> inputs;
  for (int i = 0; i < g.input_count(); ++i) inputs.emplace_back(g.input(i));
  for (int i = 0; i < 6; ++i) inputs.emplace_back(g.output(i));
  inputs.emplace_back(g.dy(1));
  inputs.emplace_back(g.dy(6));
  Node& cell = g.scope().add("LSTMBlockCellGrad", std::move(inputs),
                             {{"use_peephole", g.attr<bool>("use_peephole")}});
  const Output gates = cell.output(1);
  g.set(1, cell.output(0));
  for (int i = 0; i < 3; ++i) g.set(4 + i, cell.output(2 + i));
  const SideBySide sides(g, g.input(0), g.input(2));
  const auto [x, h] = sides.gradients(gates, g.input(3));
  g.set(0, x);
  g.set(2, h);
  g.set(3, sides.kernel_gradient(gates));
  g.set(7, g.add("BiasAddGrad", {gates}));
}
void block_grad(GradCtx& g) { differentiate_block(g, "BlockLSTMGrad"); }
void block_v2_grad(GradCtx& g) { differentiate_block(g, "BlockLSTMGradV2"); }

// [time, batch, width] into four gates of cells, step by step.
double block_lstm_flops(const KernelWork& work) {
  const Shape& x = work.input(1).shape;
  const double steps = last_dim(x, 2) * last_dim(x, 1);
  return 2 * steps * work.input(4).elements();
}
double block_lstm_grad_flops(const KernelWork& work) { return 2 * block_lstm_flops(work); }

}  // namespace

extern constexpr OpDecl kLSTMBlockCell{
    .name = "LSTMBlockCell",
    .doc = "One step of an LSTM; the blocks of `w` are input gate, candidate, forget and output.",
    .inputs = {"x: T", "cs_prev: T", "h_prev: T", "w: T", "wci: T", "wcf: T", "wco: T", "b: T"},
    .outputs = {"i: T", "cs: T", "f: T", "o: T", "ci: T", "co: T", "h: T"},
    .attrs = {"forget_bias: float = 1.0", "cell_clip: float = 3.0", "use_peephole: bool = false",
              "T: {half, float}"},
    .traits = kPure,
    .shape = cell_shape,
    .grad = cell_grad,
};
static_assert(well_formed(kLSTMBlockCell));

extern constexpr OpDecl kLSTMBlockCellGrad{
    .name = "LSTMBlockCellGrad",
    .doc = "The gradients of LSTMBlockCell's state, gates before squashing, and peepholes.",
    .inputs = {"x: T", "cs_prev: T", "h_prev: T", "w: T", "wci: T", "wcf: T", "wco: T", "b: T",
               "i: T", "cs: T", "f: T", "o: T", "ci: T", "co: T", "cs_grad: T", "h_grad: T"},
    .outputs = {"cs_prev_grad: T", "dicfo: T", "wci_grad: T", "wcf_grad: T", "wco_grad: T"},
    .attrs = {"use_peephole: bool", "T: {half, float}"},
    .traits = kPure,
    .shape = cell_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kLSTMBlockCellGrad));

extern constexpr OpDecl kBlockLSTM{
    .name = "BlockLSTM",
    .doc =
        "LSTMBlockCell over the first `seq_len_max` steps of `x`, whose first dimension is time.",
    .inputs = {"seq_len_max: int64", "x: T", "cs_prev: T", "h_prev: T", "w: T", "wci: T", "wcf: T",
               "wco: T", "b: T"},
    .outputs = {"i: T", "cs: T", "f: T", "o: T", "ci: T", "co: T", "h: T"},
    .attrs = {"forget_bias: float = 1.0", "cell_clip: float = 3.0", "use_peephole: bool = false",
              "T: {half, float}"},
    .traits = kPure,
    .shape = block_shape,
    .cost = block_lstm_flops,
    .grad = block_grad,
};
static_assert(well_formed(kBlockLSTM));

extern constexpr OpDecl kBlockLSTMV2{
    .name = "BlockLSTMV2",
    .doc =
        "BlockLSTM without a bias of its own; the blocks of `w` are input gate, forget, candidate "
        "and output.",
    .inputs = {"seq_len_max: int64", "x: T", "cs_prev: T", "h_prev: T", "w: T", "wci: T", "wcf: T",
               "wco: T", "b: T"},
    .outputs = {"i: T", "cs: T", "f: T", "o: T", "ci: T", "co: T", "h: T"},
    .attrs = {"cell_clip: float = 0.0", "use_peephole: bool = false", "T: {half, float}"},
    .traits = kPure,
    .shape = block_shape,
    .grad = block_v2_grad,
};
static_assert(well_formed(kBlockLSTMV2));

extern constexpr OpDecl kBlockLSTMGrad{
    .name = "BlockLSTMGrad",
    .doc = "The gradients of BlockLSTM's inputs.",
    .inputs = {"seq_len_max: int64", "x: T", "cs_prev: T", "h_prev: T", "w: T", "wci: T", "wcf: T",
               "wco: T", "b: T", "i: T", "cs: T", "f: T", "o: T", "ci: T", "co: T", "h: T",
               "cs_grad: T", "h_grad: T"},
    .outputs = {"x_grad: T", "cs_prev_grad: T", "h_prev_grad: T", "w_grad: T", "wci_grad: T",
                "wcf_grad: T", "wco_grad: T", "b_grad: T"},
    .attrs = {"use_peephole: bool", "T: {half, float}"},
    .traits = kPure,
    .shape = block_grad_shape,
    .cost = block_lstm_grad_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kBlockLSTMGrad));

extern constexpr OpDecl kBlockLSTMGradV2{
    .name = "BlockLSTMGradV2",
    .doc = "The gradients of BlockLSTMV2's inputs.",
    .inputs = {"seq_len_max: int64", "x: T", "cs_prev: T", "h_prev: T", "w: T", "wci: T", "wcf: T",
               "wco: T", "b: T", "i: T", "cs: T", "f: T", "o: T", "ci: T", "co: T", "h: T",
               "cs_grad: T", "h_grad: T"},
    .outputs = {"x_grad: T", "cs_prev_grad: T", "h_prev_grad: T", "w_grad: T", "wci_grad: T",
                "wcf_grad: T", "wco_grad: T", "b_grad: T"},
    .attrs = {"use_peephole: bool", "T: {half, float}"},
    .traits = kPure,
    .shape = block_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBlockLSTMGradV2));

}  // namespace rill
