#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes reverse_sequence_shape(const ShapeCtx& c) {
  const PartialShape lengths = c.vector(1);
  const PartialShape& input = c.input(0);
  if (!input.has_rank()) return {PartialShape()};
  const std::int64_t batch = c.attr<std::int64_t>("batch_dim"),
                     seq = c.attr<std::int64_t>("seq_dim");
  require(batch >= 0 && batch < input.rank(), "batch_dim must be < input rank: ", batch, " vs. ",
          input.rank());
  require(seq >= 0 && seq < input.rank(), "seq_dim must be < input rank: ", seq, " vs. ",
          input.rank());
  const int axis = static_cast<int>(batch);
  require(compatible(input.dim(axis), lengths.dim(0)), "len(seq_lens) != input.dims(", batch,
          "), (", lengths.dim(0), " vs. ", input.dim(axis), ")");
  return {input.with_dim(axis, merge_dim(input.dim(axis), lengths.dim(0)))};
}

void reverse_sequence_grad(GradCtx& g) {
  g.set(0, g.add("ReverseSequence", {g.dy(), g.input(1)},
                 {{"batch_dim", g.attr<std::int64_t>("batch_dim")},
                  {"seq_dim", g.attr<std::int64_t>("seq_dim")}}));
}

Shapes roll_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 1);
  for (const int i : {1, 2})
    require(!c.input(i).has_rank() || c.input(i).rank() <= 1,
            c.op().inputs[static_cast<std::size_t>(i)].name,
            " must be a scalar or a 1-D vector. Found: ", c.input(i));
  if (!c.input(1).is_compatible(c.input(2)))
    require(false,
            when_run("shift and axis must have the same size, but are ", c.input(1), " and ",
                     c.input(2)),
            when_built(merge_refusal(c.input(1), c.input(2))));
  return {input};
}

void roll_grad(GradCtx& g) {
  const Output back = neg(g, g.input(1));
  g.set(0, g.add("Roll", {g.dy(), back, g.input(2)}));
}

}  // namespace

extern constexpr OpDecl kReverseSequence{
    .name = "ReverseSequence",
    .doc = "Turns round the first seq_lengths[i] elements along seq_dim of part i along batch_dim.",
    .inputs = {"input: T", "seq_lengths: Tlen"},
    .outputs = {"output: T"},
    .attrs = {"seq_dim: int", "batch_dim: int = 0", "T: type", "Tlen: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = reverse_sequence_shape,
    .grad = reverse_sequence_grad,
};
static_assert(well_formed(kReverseSequence));

extern constexpr OpDecl kRoll{
    .name = "Roll",
    .doc = "Moves elements on by shift along axis; what leaves at one end comes in at the other.",
    .inputs = {"input: T", "shift: Tshift", "axis: Taxis"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tshift: {int32, int64}", "Taxis: {int32, int64}"},
    .traits = kPure,
    .shape = roll_shape,
    .grad = roll_grad,
};
static_assert(well_formed(kRoll));

}  // namespace rill
