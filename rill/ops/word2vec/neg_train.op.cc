#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kNegTrain{
    .name = "NegTrain",
    .doc =
        "Draws the vectors of pairs of words together, and those of each example and of words "
        "drawn at random apart.",
    .inputs = {"w_in: Ref(float)", "w_out: Ref(float)", "examples: int32", "labels: int32",
               "lr: float"},
    .attrs = {"vocab_count: list(int)", "num_negative_samples: int"},
    .traits = kStateful,
    .shape = no_outputs,
    .grad = not_differentiable,
    .deprecated = 19,
    .deprecated_why =
        "Moving word2vec into tensorflow_models/tutorials and deprecating its ops here as a "
        "result",
};
static_assert(well_formed(kNegTrain));

}  // namespace rill
