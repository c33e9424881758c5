#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes ngrams_shape(const ShapeCtx& c) {
  (void)c.vector(0);
  return {PartialShape{kUnknownDim}, c.vector(1)};
}

}  // namespace

extern constexpr OpDecl kStringNGrams{
    .name = "StringNGrams",
    .doc =
        "The n-grams of each row of a ragged matrix of tokens, joined with `separator`; rows are "
        "seen with up to `pad_width` pads (-1: as many as fit) on either side.",
    .inputs = {"data: string", "data_splits: Tsplits"},
    .outputs = {"ngrams: string", "ngrams_splits: Tsplits"},
    .attrs = {"separator: string", "ngram_widths: list(int) >= 0", "left_pad: string",
              "right_pad: string", "pad_width: int", "preserve_short_sequences: bool",
              "Tsplits: {int32, int64} = DT_INT64"},
    .traits = kPure | kDataDependentShape,
    .shape = ngrams_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStringNGrams));

}  // namespace rill
