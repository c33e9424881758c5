#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/rnn/gate_cost.h"

namespace rill {
namespace {

// What is side by side in the weights of each kind of cell.
struct Blocks {
  const char* cell;
  int states;
  std::vector<std::int64_t> blocks;  // of each pair of weights and bias
  int peepholes = 0;                 // behind them
};

Blocks blocks_of(const std::string& cell) {
  for (const Blocks& known :
       {Blocks{"lstm", 2, {4}}, Blocks{"lstm_peepholes", 2, {4}, 3}, Blocks{"gru", 1, {2, 1}},
        Blocks{"rnn", 1, {1}}, Blocks{"rnn_relu", 1, {1}}})
    if (cell == known.cell) return known;
  raise(Code::kInvalidArgument, "there is no cell ", cell);
}

// One cell: its first state and weights among the inputs.
struct CellInputs {
  Blocks blocks;
  int state, weights;
  bool adds_x;
};

std::vector<CellInputs> parts_of(const ShapeCtx& c) {
  const auto& cells = c.attr<std::vector<std::string>>("cells");
  const auto& adds_x = c.attr<std::vector<bool>>("adds_x");
  const auto lengths = c.attr<std::int64_t>("L"), states = c.attr<std::int64_t>("S");
  require(!cells.empty() && lengths <= 1 && adds_x.size() == cells.size() &&
              c.attr<std::vector<float>>("forget_biases").size() == cells.size(),
          "a layer of ", cells.size(), " cells has not as many of each attribute");
  std::vector<CellInputs> parts;
  int state = 2 + static_cast<int>(lengths), weights = state + static_cast<int>(states);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    parts.push_back({blocks_of(cells[k]), state, weights, adds_x[k]});
    state += parts.back().blocks.states;
    weights +=
        2 * static_cast<int>(parts.back().blocks.blocks.size()) + parts.back().blocks.peepholes;
  }
  require(state == parts.front().weights && weights == c.input_count(), "layers of ", cells.size(),
          " cells have not ", c.input_count(), " inputs");
  return parts;
}

// A first state of one row counts for all, in the first step.
bool stretches(const ShapeCtx& c, const CellInputs& part, const PartialShape& state,
               std::int64_t steps) {
  std::int64_t bound = 0;
  return state[0] == 1 && part.blocks.states == 2 && c.attr<std::int64_t>("L") == 0 && steps > 0 &&
         c.int_value(1, &bound) && bound > 0;
}

// The shape of a cell's states, from that of what it reads.
PartialShape state_shape(const ShapeCtx& c, const CellInputs& part, const PartialShape& x) {
  PartialShape state = c.with_rank(part.state + part.blocks.states - 1, 2);  // h
  require(compatible(x[1], state[0]),
          "ConcatOp : Dimension 0 in both shapes must be equal: shape[0] = ",
          PartialShape{x[1], x[2]}, " vs. shape[1] = ", state);
  state = merge_shapes(state, {x[1], kUnknownDim});
  if (c.attr<std::int64_t>("L") > 0) state = merge_shapes(state, {c.vector(2)[0], kUnknownDim});
  for (int i = part.state; i < part.state + part.blocks.states; ++i) {
    const PartialShape own = c.with_rank(i, 2);
    state = merge_shapes(state, stretches(c, part, own, x[0]) ? own.with_dim(0, kUnknownDim) : own);
  }
  for (std::size_t k = 0; k < part.blocks.blocks.size(); ++k) {
    const int i = part.weights + 2 * static_cast<int>(k);
    const std::int64_t depth = x[2] < 0 || state[1] < 0 ? kUnknownDim : x[2] + state[1];
    const std::int64_t width = state[1] < 0 ? kUnknownDim : part.blocks.blocks[k] * state[1];
    merge_shapes(c.with_rank(i, 2), {depth, width});
    merge_shapes(c.vector(i + 1), {width});
  }
  for (int k = 0; k < part.blocks.peepholes; ++k)
    merge_shapes(c.vector(part.weights + 2 + k), {state[1]});
  require(!part.adds_x || compatible(x[2], state[1]), "inputs of ", x[2], " elements are added to ",
          state[1], " cells");
  return state;
}

// What does not fit is told of the node in the loop that would have found it.
Shapes layer_shape(const ShapeCtx& c) {
  const auto& blamed = c.attr<std::vector<std::string>>("blamed");
  const std::vector<CellInputs> parts = parts_of(c);
  PartialShape x = c.with_rank(0, 3);
  c.scalar(1);
  Shapes states;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    PartialShape state;
    try {
      state = state_shape(c, parts[k], x);
    } catch (const Error& error) {
      if (k >= blamed.size() || blamed[k].empty()) throw;
      throw error.with_node(blamed[k], str_cat("\n\t [[node ", blamed[k], "]]"));
    }
    states.resize(states.size() + static_cast<std::size_t>(parts[k].blocks.states), state);
    x = {x[0], state[0], state[1]};
  }
  const auto y_count = c.attr<std::int64_t>("Y");
  require(y_count <= 1, "Y is 0 or 1, not ", y_count);
  if (y_count == 1) states.insert(states.begin(), x);
  return states;
}

// [time, batch, depth] step by step; vectors among the weights are only added.
double rnn_layer_flops(const KernelWork& work) {
  const Shape& x = work.input(0).shape;
  const double steps = last_dim(x, 2) * last_dim(x, 1);
  double flops = 0;
  for (std::size_t i = 2 + work.count("L") + work.count("S"); i < work.inputs.size(); ++i)
    if (work.inputs[i].shape.rank() == 2) flops += gate_flops(steps, work.inputs[i]);
  return flops;
}

}  // namespace

extern constexpr OpDecl kRnnLayer{
    .name = "_RnnLayer",
    .doc =
        "What tf.nn.dynamic_rnn does with cells (lstm, lstm_peepholes, gru, rnn or rnn_relu) of "
        "known arithmetic of which each reads what the one before it made: goes through x, [time, "
        "batch, depth], "
        "for `bound` steps, leaves rows alone that are over, and gives out what the last cell made "
        "in each step, if that is wanted, and the last states of all. A cell may add its input to "
        "what it makes. Graph rewriting makes it.",
    .inputs = {"x: T", "bound: int32", "lengths: L * int32", "states: S * T", "weights: W * T"},
    .outputs = {"y: Y * T", "last: S * T"},
    .attrs = {"T: {float}", "cells: list(string)", "L: int >= 0", "S: int >= 1", "W: int >= 1",
              "Y: int >= 0", "forget_biases: list(float)", "adds_x: list(bool)",
              "element_shape: shape = { unknown_rank: true }", "blamed: list(string) = []"},
    .traits = kPure,
    .shape = layer_shape,
    .cost = rnn_layer_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kRnnLayer));

}  // namespace rill
