#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes vocabulary_remapping_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  (void)c.scalar(1);
  return {PartialShape{c.attr<std::int64_t>("num_new_vocab")}, PartialShape(Shape{})};
}

Shapes matrix_shape(const ShapeCtx& c) {
  (void)c.vector(2);
  (void)c.vector(3);  // the values may come in any shape
  return {PartialShape{c.attr<std::int64_t>("num_rows"), c.attr<std::int64_t>("num_cols")}};
}

}  // namespace

extern constexpr OpDecl kGenerateVocabRemapping{
    .name = "GenerateVocabRemapping",
    .doc =
        "For words of a new vocabulary, where they were in an old one; -1 for those that are new.",
    .inputs = {"new_vocab_file: string", "old_vocab_file: string"},
    .outputs = {"remapping: int64", "num_present: int32"},
    .attrs = {"new_vocab_offset: int >= 0", "num_new_vocab: int >= 0",
              "old_vocab_size: int >= -1 = -1"},
    .traits = kReadsFiles,
    .shape = vocabulary_remapping_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kGenerateVocabRemapping));

extern constexpr OpDecl kLoadAndRemapMatrix{
    .name = "LoadAndRemapMatrix",
    .doc =
        "A matrix of a checkpoint with its rows and columns in another order; what it does not "
        "have comes from `initializing_values`.",
    .inputs = {"ckpt_path: string", "old_tensor_name: string", "row_remapping: int64",
               "col_remapping: int64", "initializing_values: float"},
    .outputs = {"output_matrix: float"},
    .attrs = {"num_rows: int >= 0", "num_cols: int >= 1", "max_rows_in_memory: int = -1"},
    .traits = kStateful | kReadsFiles,
    .shape = matrix_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kLoadAndRemapMatrix));

}  // namespace rill
