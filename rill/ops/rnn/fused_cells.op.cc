#include "rill/graph/op_decl.h"
#include "rill/ops/rnn/cell_shapes.h"
#include "rill/ops/rnn/gate_cost.h"

namespace rill {
namespace {

struct Joined {
  std::int64_t rows = kUnknownDim, width = 0;
};

// Inputs [0, count) side by side.
Joined joined(const ShapeCtx& c, int count) {
  Joined all;
  for (int i = 0; i < count; ++i) {
    const PartialShape part = c.with_rank(i, 2);
    require(compatible(part[0], all.rows), "parts of ", all.rows, " and ", part[0], " rows");
    all.rows = merge_dim(all.rows, part[0]);
    all.width = all.width < 0 || part[1] < 0 ? kUnknownDim : all.width + part[1];
  }
  return all;
}

void check_product(const ShapeCtx& c, int weights, std::int64_t depth, std::int64_t width) {
  const PartialShape w = c.with_rank(weights, 2), bias = c.vector(weights + 1);
  require(compatible(w[0], depth), "rows of ", depth, " elements and weights of ", w[0], " rows");
  require(compatible(w[1], width) && compatible(bias[0], width), "weights of ", w[1],
          " columns and a bias of ", bias[0], " elements for ", width, " gates");
}

// One row is repeated, as a sum would do.
std::int64_t stretched(std::int64_t a, std::int64_t b) {
  if (a == 1) return b;
  if (b == 1) return a;
  require(compatible(a, b), "gates of ", a, " rows and states of ", b, " rows");
  return merge_dim(a, b);
}

Shapes lstm_cell_shape(const ShapeCtx& c) {
  const int parts = static_cast<int>(c.attr<std::int64_t>("P"));
  const Joined in = joined(c, parts);
  const PartialShape state = c.with_rank(parts, 2);
  check_product(c, parts + 1, in.width, dim_times(state[1], 4));
  const auto peepholes = c.attr<std::int64_t>("Q");
  require(peepholes == 0 || peepholes == 3, "a cell has no or three peepholes, not ", peepholes);
  for (int i = parts + 3; i < c.input_count(); ++i)
    require(compatible(c.vector(i)[0], state[1]), "a peephole of ", c.vector(i)[0],
            " elements for ", state[1], " cells");
  const PartialShape out{stretched(in.rows, state[0]), state[1]}, gate{in.rows, state[1]};
  const auto kept = c.attr<std::int64_t>("N");
  require(kept == 0 || kept == 5, "a cell gives out no gates or all, not ", kept);
  if (kept == 0) return {out, out};
  const PartialShape& seen = peepholes > 0 ? out : gate;  // what sees the state has its rows
  return {out, out, seen, gate, seen, seen, out};
}

// Gates of one row served all rows of the state, or the other way round. Those that see the state
// have its rows too.
Shapes lstm_cell_grad_shape(const ShapeCtx& c) {
  const auto peepholes = c.attr<std::int64_t>("Q"), sums = c.attr<std::int64_t>("G");
  const auto trains = c.attr<std::int64_t>("R");
  require((peepholes == 0 || peepholes == 3) && trains <= 1 && sums == trains * peepholes,
          "gradients of ", sums, " out of ", peepholes, " peepholes");
  const PartialShape state = c.with_rank(0, 2), candidate = c.with_rank(2, 2);
  const std::int64_t cells = merge_dim(state[1], candidate[1]);
  const PartialShape gate{candidate[0], cells}, out{stretched(candidate[0], state[0]), cells};
  require(compatible(state[1], cells), "states of ", state[1], " and gates of ", cells, " cells");
  for (const int i : {1, 2, 3, 4}) merge_shapes(c.input(i), i == 2 || peepholes == 0 ? gate : out);
  const int first = 7 + static_cast<int>(c.attr<std::int64_t>("S"));
  for (int i = 5; i < first; ++i) merge_shapes(c.input(i), out);
  for (int i = first; i < first + static_cast<int>(peepholes); ++i)
    require(compatible(c.vector(i)[0], cells), "a peephole of ", c.vector(i)[0], " elements for ",
            cells, " cells");
  if (trains > 0) merge_shapes(c.input(first + 3), out);
  Shapes shapes{{gate[0], dim_times(cells, 4)}, {state[0], cells}};
  shapes.resize(shapes.size() + static_cast<std::size_t>(sums), PartialShape{cells});
  return shapes;
}

Shapes gru_cell_shape(const ShapeCtx& c) {
  const Joined in = joined(c, 2);
  const PartialShape h = c.with_rank(1, 2);
  check_product(c, 2, in.width, dim_times(h[1], 2));
  check_product(c, 4, in.width, h[1]);
  if (c.attr<std::int64_t>("J") > 0) merge_shapes(c.input(6), {in.rows, in.width});
  const PartialShape out{in.rows, h[1]};
  const auto kept = c.attr<std::int64_t>("N");
  require(kept == 0 || kept == 3, "a cell gives out nothing or three values, not ", kept);
  if (kept == 0) return {out};
  return {out, {in.rows, dim_times(h[1], 2)}, out, {in.rows, in.width}};
}

Shapes gru_cell_grad_shape(const ShapeCtx& c) {
  PartialShape h = c.with_rank(2, 2);
  for (const int i : {1, 3}) h = merge_shapes(h, c.with_rank(i, 2));
  const PartialShape gates = merge_shapes(c.with_rank(0, 2), {h[0], dim_times(h[1], 2)});
  const PartialShape w = merge_shapes(c.with_rank(4, 2), {kUnknownDim, h[1]});
  require(w[0] < 0 || h[1] < 0 || w[0] >= h[1], "weights of ", w[0], " rows for ", h[1], " cells");
  Shapes shapes{gates, h, h};
  const auto wanted = c.attr<std::int64_t>("X");
  require(wanted <= 1, "a cell has one gradient of what goes in, not ", wanted);
  if (wanted > 0) shapes.push_back({h[0], w[0]});
  return shapes;
}

double state_rows(const TensorSize& matrix) { return last_dim(matrix.shape, 1); }

double lstm_cell_flops(const KernelWork& work) {
  if (work.outputs.empty()) return 0;
  return gate_flops(state_rows(work.outputs[0]), work.input(work.count("P") + 1)) +
         (kTranscendental + 4) * work.output_elements();
}
// Of the gates' columns six flops each, and of the states as many.
double lstm_cell_grad_flops(const KernelWork& work) { return 6 * 5 * work.input(0).elements(); }

double gru_cell_flops(const KernelWork& work) {
  if (work.outputs.empty()) return 0;
  const double n = state_rows(work.outputs[0]);
  return gate_flops(n, work.input(2)) + gate_flops(n, work.input(4)) + 5 * work.output_elements();
}
// The candidate's product back through its weights, and some flops for each of three values a cell.
double gru_cell_grad_flops(const KernelWork& work) {
  const TensorSize& h = work.input(2);
  return weight_flops(state_rows(h), work.input(4)) + 6 * 3 * h.elements();
}

}  // namespace

extern constexpr OpDecl kLstmCell{
    .name = "_LstmCell",
    .doc =
        "A step of an LSTM: the parts side by side are its input and its last output, c its last "
        "state. The gates are input, candidate, forget and output in w, and those that are given "
        "out with what the state is squashed to. Graph rewriting makes it.",
    .inputs = {"parts: P * T", "c: T", "w: T", "b: T", "peepholes: Q * T"},
    .outputs = {"h: T", "new_c: T", "gates: N * T"},
    .attrs = {"T: {float}", "P: int >= 1", "Q: int >= 0", "N: int >= 0",
              "forget_bias: float = 1.0"},
    .traits = kPure,
    .shape = lstm_cell_shape,
    .cost = lstm_cell_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kLstmCell));

extern constexpr OpDecl kLstmCellGrad{
    .name = "_LstmCellGrad",
    .doc =
        "From the gradients of an LSTM cell's output and of its new state (any number are added) "
        "to those of its gates, side by side before they were squashed, and of the state before; "
        "from the new state also to those of peepholes. Graph rewriting makes it.",
    .inputs = {"c: T", "input: T", "candidate: T", "forget: T", "output: T", "squashed: T",
               "h_grad: T", "new_c_grads: S * T", "peepholes: Q * T", "new_c: R * T"},
    .outputs = {"gates_grad: T", "c_grad: T", "peephole_grads: G * T"},
    .attrs = {"T: {float}", "S: int >= 0", "Q: int >= 0", "R: int >= 0", "G: int >= 0"},
    .traits = kPure,
    .shape = lstm_cell_grad_shape,
    .cost = lstm_cell_grad_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kLstmCellGrad));

extern constexpr OpDecl kGruCell{
    .name = "_GruCell",
    .doc =
        "A step of a GRU from its input and last state; where something has them side by side "
        "already they are given so too. What gradients ask for is given out: the gates, the "
        "candidate, and the input beside the state that was let through. Graph rewriting makes it.",
    .inputs = {"x: T", "h: T", "w_gates: T", "b_gates: T", "w_candidate: T", "b_candidate: T",
               "joined: J * T"},
    .outputs = {"new_h: T", "kept: N * T"},
    .attrs = {"T: {float}", "J: int >= 0", "N: int >= 0"},
    .traits = kPure,
    .shape = gru_cell_shape,
    .cost = gru_cell_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kGruCell));

extern constexpr OpDecl kGruCellGrad{
    .name = "_GruCellGrad",
    .doc =
        "From the gradient of a GRU cell's new state to those of its gates and of its candidate "
        "before they were squashed, to the part of the last state's that comes not through the "
        "gates, and to that of what the candidate's product read, if that is wanted. Graph "
        "rewriting makes it.",
    .inputs = {"gates: T", "candidate: T", "h: T", "new_h_grad: T", "w_candidate: T"},
    .outputs = {"gates_grad: T", "candidate_grad: T", "h_grad: T", "in_grad: X * T"},
    .attrs = {"T: {float}", "X: int >= 0"},
    .traits = kPure,
    .shape = gru_cell_grad_shape,
    .cost = gru_cell_grad_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kGruCellGrad));

}  // namespace rill
