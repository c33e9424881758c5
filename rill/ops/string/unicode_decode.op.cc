#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// How many characters there are is known only when the op runs.
Shapes decode_shape(const ShapeCtx& c) {
  const std::int64_t count = c.input(0).element_count();
  Shapes shapes{PartialShape{count < 0 ? kUnknownDim : count + 1}};
  while (shapes.size() < static_cast<std::size_t>(c.output_count()))
    shapes.push_back(PartialShape{kUnknownDim});
  return shapes;
}

}  // namespace

extern constexpr OpDecl kUnicodeDecode{
    .name = "UnicodeDecode",
    .doc =
        "The characters of all strings as numbers, and where each string begins among them. What "
        "is not valid in `input_encoding` is replaced, left out or an error, as `errors` says.",
    .inputs = {"input: string"},
    .outputs = {"row_splits: Tsplits", "char_values: int32"},
    .attrs = {"input_encoding: string", "errors: {'strict', 'replace', 'ignore'} = 'replace'",
              "replacement_char: int = 65533", "replace_control_characters: bool = false",
              "Tsplits: {int32, int64} = DT_INT64"},
    .traits = kPure | kDataDependentShape,
    .shape = decode_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUnicodeDecode));

extern constexpr OpDecl kUnicodeDecodeWithOffsets{
    .name = "UnicodeDecodeWithOffsets",
    .doc = "As UnicodeDecode, and the byte at which each character begins in its string.",
    .inputs = {"input: string"},
    .outputs = {"row_splits: Tsplits", "char_values: int32", "char_to_byte_starts: int64"},
    .attrs = {"input_encoding: string", "errors: {'strict', 'replace', 'ignore'} = 'replace'",
              "replacement_char: int = 65533", "replace_control_characters: bool = false",
              "Tsplits: {int32, int64} = DT_INT64"},
    .traits = kPure | kDataDependentShape,
    .shape = decode_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUnicodeDecodeWithOffsets));

}  // namespace rill
