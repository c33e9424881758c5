#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/parsing/output_shapes.h"

namespace rill {
namespace {

Shapes decode_raw_shape(const ShapeCtx& c) { return {with_last_dim(c.input(0), kUnknownDim)}; }

Shapes decode_padded_raw_shape(const ShapeCtx& c) {
  (void)c.scalar(1);
  std::int64_t bytes = 0;
  if (!c.int_value(1, &bytes)) return {with_last_dim(c.input(0), kUnknownDim)};
  require(bytes > 0, "fixed_length (", bytes, ") must be greater than zero.");
  const auto width = static_cast<std::int64_t>(element_size(c.attr<DType>("out_type")));
  require(bytes % width == 0, "fixed_length (", bytes,
          ") must be a multiple of the size of out_type (", width, ")");
  return {with_last_dim(c.input(0), bytes / width)};
}

}  // namespace

extern constexpr OpDecl kDecodeRaw{
    .name = "DecodeRaw",
    .doc = "The numbers whose bytes the strings are, all of one length.",
    .inputs = {"bytes: string"},
    .outputs = {"output: out_type"},
    .attrs = {"out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, "
              "complex64, complex128, bool}",
              "little_endian: bool = true"},
    .traits = kPure | kDataDependentShape,
    .shape = decode_raw_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kDecodeRaw));

extern constexpr OpDecl kDecodePaddedRaw{
    .name = "DecodePaddedRaw",
    .doc = "DecodeRaw of the first fixed_length bytes of each string; shorter ones end in zeros.",
    .inputs = {"input_bytes: string", "fixed_length: int32"},
    .outputs = {"output: out_type"},
    .attrs = {"out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64}",
              "little_endian: bool = true"},
    .traits = kPure,
    .shape = decode_padded_raw_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kDecodePaddedRaw));

}  // namespace rill
