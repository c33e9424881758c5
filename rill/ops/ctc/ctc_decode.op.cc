#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// How many sequences there are; throws unless the inputs fit each other.
std::int64_t batch_size(const ShapeCtx& c) {
  const std::int64_t batch = c.with_rank(0, 3).dim(1), lengths = c.vector(1).dim(0);
  require(compatible(batch, lengths),
          when_run("len(sequence_length) != batch_size.  len(sequence_length):  ", lengths,
                   " batch_size: ", batch),
          when_built("Dimensions must be equal, but are ", batch, " and ", lengths));
  return merge_dim(batch, lengths);
}

Shapes greedy_shape(const ShapeCtx& c) {
  return {{kUnknownDim, 2}, {kUnknownDim}, {2}, {batch_size(c), 1}};
}

Shapes beam_shape(const ShapeCtx& c) {
  const std::int64_t batch = batch_size(c), paths = c.attr<std::int64_t>("top_paths");
  Shapes shapes;
  for (const PartialShape& shape : Shapes{{kUnknownDim, 2}, {kUnknownDim}, {2}})
    shapes.insert(shapes.end(), static_cast<std::size_t>(paths), shape);
  shapes.push_back({batch, paths});
  return shapes;
}

}  // namespace

extern constexpr OpDecl kCTCGreedyDecoder{
    .name = "CTCGreedyDecoder",
    .doc =
        "For each sequence the labels of its most likely alignment, which takes the largest class "
        "of every frame, and minus the sum of those logits.",
    .inputs = {"inputs: T", "sequence_length: int32"},
    .outputs = {"decoded_indices: int64", "decoded_values: int64", "decoded_shape: int64",
                "log_probability: T"},
    .attrs = {"merge_repeated: bool = false", "T: {float, double} = DT_FLOAT"},
    .traits = kPure | kDataDependentShape,
    .shape = greedy_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kCTCGreedyDecoder));

extern constexpr OpDecl kCTCBeamSearchDecoder{
    .name = "CTCBeamSearchDecoder",
    .doc =
        "For each sequence the top_paths likeliest label sequences that a search finds which "
        "follows beam_width of them from frame to frame.",
    .inputs = {"inputs: T", "sequence_length: int32"},
    .outputs = {"decoded_indices: top_paths * int64", "decoded_values: top_paths * int64",
                "decoded_shape: top_paths * int64", "log_probability: T"},
    .attrs = {"beam_width: int >= 1", "top_paths: int >= 1", "merge_repeated: bool = true",
              "T: {float, double} = DT_FLOAT"},
    .traits = kPure | kDataDependentShape,
    .shape = beam_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kCTCBeamSearchDecoder));

}  // namespace rill
