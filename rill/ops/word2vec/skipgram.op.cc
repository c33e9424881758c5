#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kSkipgram{
    .name = "Skipgram",
    .doc =
        "Pairs of words that stand near each other in a text file, without end, and the file's "
        "vocabulary.",
    .outputs = {"vocab_word: string", "vocab_freq: int32", "words_per_epoch: int64",
                "current_epoch: int32", "total_words_processed: int64", "examples: int32",
                "labels: int32"},
    .attrs = {"filename: string", "batch_size: int", "window_size: int = 5", "min_count: int = 5",
              "subsample: float = 0.001"},
    .traits = kStateful | kReadsFiles,
    .shape = unknown_outputs,
    .grad = not_differentiable,
    .deprecated = 19,
    .deprecated_why =
        "Moving word2vec into tensorflow_models/tutorials and deprecating its ops here as a "
        "result",
};
static_assert(well_formed(kSkipgram));

}  // namespace rill
