#include <algorithm>

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// What is side by side in the weights of each kind of cell.
struct Blocks {
  const char* cell;
  int states;
  std::vector<std::int64_t> blocks;  // of each pair of weights and bias
};

Blocks blocks_of(const std::string& cell) {
  for (const Blocks& known :
       {Blocks{"lstm", 2, {4}}, Blocks{"gru", 1, {2, 1}}, Blocks{"rnn", 1, {1}}})
    if (cell == known.cell) return known;
  raise(Code::kInvalidArgument, "there is no cell ", cell);
}

// A first state of one row counts for all, in the first step.
bool stretches(const ShapeCtx& c, const PartialShape& state, std::int64_t steps) {
  std::int64_t bound = 0;
  return state[0] == 1 && c.attr<std::string>("cell") == "lstm" && c.attr<std::int64_t>("L") == 0 &&
         steps > 0 && c.int_value(1, &bound) && bound > 0;
}

Shapes checked_shapes(const ShapeCtx& c) {
  const Blocks blocks = blocks_of(c.attr<std::string>("cell"));
  const int lengths = static_cast<int>(c.attr<std::int64_t>("L"));
  const int states = static_cast<int>(c.attr<std::int64_t>("S"));
  const int first = 2 + lengths, weights = first + states;
  require(states == blocks.states && lengths <= 1 &&
              c.input_count() == weights + 2 * static_cast<int>(blocks.blocks.size()),
          "a layer of ", blocks.cell, " has not ", c.input_count(), " inputs");
  const PartialShape x = c.with_rank(0, 3);
  c.scalar(1);
  PartialShape state = c.with_rank(weights - 1, 2);  // h
  require(compatible(x[1], state[0]),
          "ConcatOp : Dimension 0 in both shapes must be equal: shape[0] = ",
          PartialShape{x[1], x[2]}, " vs. shape[1] = ", state);
  state = merge_shapes(state, {x[1], kUnknownDim});
  if (lengths > 0) state = merge_shapes(state, {c.vector(2)[0], kUnknownDim});
  for (int i = first; i < weights; ++i) {
    const PartialShape own = c.with_rank(i, 2);
    state = merge_shapes(state, stretches(c, own, x[0]) ? own.with_dim(0, kUnknownDim) : own);
  }
  for (std::size_t k = 0; k < blocks.blocks.size(); ++k) {
    const int i = weights + 2 * static_cast<int>(k);
    const std::int64_t depth = x[2] < 0 || state[1] < 0 ? kUnknownDim : x[2] + state[1];
    const std::int64_t width = state[1] < 0 ? kUnknownDim : blocks.blocks[k] * state[1];
    merge_shapes(c.with_rank(i, 2), {depth, width});
    merge_shapes(c.vector(i + 1), {width});
  }
  Shapes shapes;
  if (c.attr<std::int64_t>("Y") > 0) shapes.push_back({x[0], state[0], state[1]});
  shapes.resize(shapes.size() + static_cast<std::size_t>(states), state);
  return shapes;
}

// What does not fit is told of the node in the loop that would have found it.
Shapes layer_shape(const ShapeCtx& c) {
  try {
    return checked_shapes(c);
  } catch (const Error& error) {
    const auto& node = c.attr<std::string>("blamed");
    if (node.empty()) throw;
    throw error.with_node(node, str_cat("\n\t [[node ", node, "]]"));
  }
}

}  // namespace

extern constexpr OpDecl kRnnLayer{
    .name = "_RnnLayer",
    .doc =
        "What tf.nn.dynamic_rnn does with one cell (lstm, gru or rnn) of known arithmetic: goes "
        "through x, [time, batch, depth], for `bound` steps, leaves rows alone that are over, and "
        "gives out what the cell made in each step, if that is wanted, and its last states. Graph "
        "rewriting makes it.",
    .inputs = {"x: T", "bound: int32", "lengths: L * int32", "states: S * T", "weights: W * T"},
    .outputs = {"y: Y * T", "last: S * T"},
    .attrs = {"T: {float}", "cell: string", "L: int >= 0", "S: int >= 1", "W: int >= 1",
              "Y: int >= 0", "forget_bias: float = 1.0",
              "element_shape: shape = { unknown_rank: true }", "blamed: string = ''"},
    .traits = kPure,
    .shape = layer_shape,
};
static_assert(well_formed(kRnnLayer));

}  // namespace rill
