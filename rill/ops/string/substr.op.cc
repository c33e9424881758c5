#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes substr_shape(const ShapeCtx& c) {
  const PartialShape &pos = c.input(1), &len = c.input(2);
  require(pos.is_compatible(len), "pos and len should have the same shape, got: ", pos, " vs. ",
          len);
  return {broadcast(c.input(0), pos.merged(len))};
}

}  // namespace

extern constexpr OpDecl kSubstr{
    .name = "Substr",
    .doc =
        "From each string `len` bytes or UTF-8 characters, or as many as there are, that begin "
        "at `pos`, which counts from the end where negative.",
    .inputs = {"input: string", "pos: T", "len: T"},
    .outputs = {"output: string"},
    .attrs = {"T: {int32, int64}", "unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'"},
    .traits = kPure,
    .shape = substr_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSubstr));

extern constexpr OpDecl kStringLength{
    .name = "StringLength",
    .doc = "How many bytes or UTF-8 characters each string has.",
    .inputs = {"input: string"},
    .outputs = {"output: int32"},
    .attrs = {"unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kStringLength));

}  // namespace rill
