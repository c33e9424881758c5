#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kParseTensor{
    .name = "ParseTensor",
    .doc = "The tensor in a serialized TensorProto.",
    .inputs = {"serialized: string"},
    .outputs = {"output: out_type"},
    .attrs = {"out_type: type"},
    .traits = kPure | kDataDependentShape,
    .shape = unknown_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kParseTensor));

extern constexpr OpDecl kSerializeTensor{
    .name = "SerializeTensor",
    .doc = "A tensor as a serialized TensorProto.",
    .inputs = {"tensor: T"},
    .outputs = {"serialized: string"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kSerializeTensor));

extern constexpr OpDecl kDecodeJSONExample{
    .name = "DecodeJSONExample",
    .doc = "Examples in JSON as serialized ones.",
    .inputs = {"json_examples: string"},
    .outputs = {"binary_examples: string"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodeJSONExample));

extern constexpr OpDecl kDecodeCompressed{
    .name = "DecodeCompressed",
    .doc = "What the strings unpack to: compression_type is ZLIB, GZIP or, for none, empty.",
    .inputs = {"bytes: string"},
    .outputs = {"output: string"},
    .attrs = {"compression_type: string = ''"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodeCompressed));

}  // namespace rill
