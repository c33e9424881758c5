#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes encode_shape(const ShapeCtx& c) {
  (void)c.vector(0);
  const std::int64_t splits = c.vector(1).dim(0);
  require(splits != 0,
          "Input_splits should contain elements, but given input_values has 0 elements");
  return {PartialShape{splits < 0 ? kUnknownDim : splits - 1}};
}

}  // namespace

extern constexpr OpDecl kUnicodeEncode{
    .name = "UnicodeEncode",
    .doc = "A string for each row of a ragged matrix of characters.",
    .inputs = {"input_values: int32", "input_splits: Tsplits"},
    .outputs = {"output: string"},
    .attrs = {"errors: {'ignore', 'replace', 'strict'} = 'replace'",
              "output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}",
              "replacement_char: int = 65533", "Tsplits: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = encode_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUnicodeEncode));

extern constexpr OpDecl kUnicodeTranscode{
    .name = "UnicodeTranscode",
    .doc =
        "Each string in another encoding. What is not valid in `input_encoding` is replaced, left "
        "out or an error, as `errors` says.",
    .inputs = {"input: string"},
    .outputs = {"output: string"},
    .attrs = {"input_encoding: string", "output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}",
              "errors: {'strict', 'replace', 'ignore'} = 'replace'",
              "replacement_char: int = 65533", "replace_control_characters: bool = false"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kUnicodeTranscode));

extern constexpr OpDecl kUnicodeScript{
    .name = "UnicodeScript",
    .doc = "The script of each character as ICU numbers them; -1 for what is no character.",
    .inputs = {"input: int32"},
    .outputs = {"output: int32"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kUnicodeScript));

}  // namespace rill
