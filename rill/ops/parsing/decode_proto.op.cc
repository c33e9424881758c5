#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/parsing/output_shapes.h"

namespace rill {
namespace {

Shapes decode_proto_shape(const ShapeCtx& c) {
  const std::size_t fields = c.attr<std::vector<DType>>("output_types").size();
  Shapes shapes{with_last_dim(c.input(0), static_cast<std::int64_t>(fields))};
  shapes.insert(shapes.end(), fields, with_last_dim(c.input(0), kUnknownDim));
  return shapes;
}

Shapes encode_proto_shape(const ShapeCtx& c) {
  const auto without_last = [&](int i) {
    const PartialShape shape = c.with_rank_at_least(i, 2);
    if (!shape.has_rank()) return shape;
    return PartialShape(shape.dims().first(static_cast<std::size_t>(shape.rank() - 1)));
  };
  PartialShape batch = without_last(1);
  for (int i = 2; i < c.input_count(); ++i) batch = merge_shapes(batch, without_last(i));
  return {batch};
}

// Descriptors are those of this process, in the attribute itself, or in a file.
bool names_descriptor_file(std::string_view source) {
  return !source.empty() && source != "local://" && !source.starts_with("bytes://");
}

}  // namespace

extern constexpr OpDecl kDecodeProtoV2{
    .name = "DecodeProtoV2",
    .doc =
        "Fields of serialized messages: for each how often it occurs, and its values in rows, "
        "which "
        "are filled up with the field's default.",
    .inputs = {"bytes: string"},
    .outputs = {"sizes: int32", "values: output_types"},
    .attrs = {"message_type: string", "field_names: list(string)", "output_types: list(type) >= 0",
              "descriptor_source: string = 'local://'", "message_format: string = 'binary'",
              "sanitize: bool = false"},
    .traits = kPure | kDataDependentShape,
    .file_attr = {"descriptor_source", names_descriptor_file},
    .shape = decode_proto_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kDecodeProtoV2));

extern constexpr OpDecl kEncodeProto{
    .name = "EncodeProto",
    .doc =
        "Serialized messages from the values of their fields: of each row as many as `sizes` says.",
    .inputs = {"sizes: int32", "values: Tinput_types"},
    .outputs = {"bytes: string"},
    .attrs = {"field_names: list(string)", "message_type: string",
              "descriptor_source: string = 'local://'", "Tinput_types: list(type) >= 1"},
    .traits = kPure,
    .file_attr = {"descriptor_source", names_descriptor_file},
    .shape = encode_proto_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kEncodeProto));

}  // namespace rill
