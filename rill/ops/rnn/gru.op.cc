#include "rill/graph/op_decl.h"
#include "rill/ops/rnn/cell_shapes.h"
#include "rill/ops/rnn/side_by_side.h"

namespace rill {
namespace {

CellSizes gru_sizes(const ShapeCtx& c) {
  const PartialShape x = c.with_rank(0, 2), h = c.with_rank(1, 2);
  check_dim("h_prev.dims(0) != batch_size", h[0], x[0]);
  const CellSizes s{merge_dim(x[0], h[0]), x[1], h[1]};
  const PartialShape gates = c.with_rank(2, 2), candidate = c.with_rank(3, 2);
  const std::int64_t depth = dim_sum(s.input, s.cells);
  const std::int64_t two = dim_times(s.cells, 2);
  check_dim("w_ru.dim_size(0) != input_size + cell_size", gates[0], depth);
  check_dim("w_ru.dim_size(1) != cell_size * 2", gates[1], two);
  check_dim("w_c.dim_size(0) != input_size + cell_size", candidate[0], depth);
  check_dim("w_c.dim_size(1) != cell_size", candidate[1], s.cells);
  check_dim("b_ru.dim_size(0) != cell_size * 2", c.vector(4)[0], two);
  check_dim("b_c.dim_size(0) != cell_size", c.vector(5)[0], s.cells);
  return s;
}

Shapes gru_shape(const ShapeCtx& c) {
  const CellSizes s = gru_sizes(c);
  return Shapes(4, PartialShape{s.batch, s.cells});
}

Shapes gru_grad_shape(const ShapeCtx& c) {
  const CellSizes s = gru_sizes(c);
  const PartialShape state{s.batch, s.cells};
  for (int i = 6; i < 10; ++i) merge_shapes(c.input(i), state);
  return {{s.batch, s.input}, state, state, {s.batch, dim_times(s.cells, 2)}};
}

void gru_grad(GradCtx& g) {
  std::vector<InputArg> inputs;
  for (int i = 0; i < g.input_count(); ++i) inputs.emplace_back(g.input(i));
  for (int i = 0; i < 3; ++i) inputs.emplace_back(g.output(i));
  inputs.emplace_back(g.dy(3));
  Node& cell = g.scope().add("GRUBlockCellGrad", std::move(inputs));
  const Output candidate = cell.output(2), gates = cell.output(3);
  g.set(0, cell.output(0));
  g.set(1, cell.output(1));
  g.set(2, SideBySide(g, g.input(0), g.input(1)).kernel_gradient(gates));
  const Output reset = mul(g, g.input(1), g.output(0));
  g.set(3, SideBySide(g, g.input(0), reset).kernel_gradient(candidate));
  g.set(4, g.add("BiasAddGrad", {gates}));
  g.set(5, g.add("BiasAddGrad", {candidate}));
}

}  // namespace

extern constexpr OpDecl kGRUBlockCell{
    .name = "GRUBlockCell",
    .doc = "One step of a GRU: reset gate, update gate, candidate and the new state.",
    .inputs = {"x: T", "h_prev: T", "w_ru: T", "w_c: T", "b_ru: T", "b_c: T"},
    .outputs = {"r: T", "u: T", "c: T", "h: T"},
    .attrs = {"T: {float}"},
    .traits = kPure,
    .shape = gru_shape,
    .grad = gru_grad,
};
static_assert(well_formed(kGRUBlockCell));

extern constexpr OpDecl kGRUBlockCellGrad{
    .name = "GRUBlockCellGrad",
    .doc =
        "The gradients of GRUBlockCell's input, state, and candidate and gates before squashing.",
    .inputs = {"x: T", "h_prev: T", "w_ru: T", "w_c: T", "b_ru: T", "b_c: T", "r: T", "u: T",
               "c: T", "d_h: T"},
    .outputs = {"d_x: T", "d_h_prev: T", "d_c_bar: T", "d_r_bar_u_bar: T"},
    .attrs = {"T: {float}"},
    .traits = kPure,
    .shape = gru_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kGRUBlockCellGrad));

}  // namespace rill
