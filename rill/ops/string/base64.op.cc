#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kEncodeBase64{
    .name = "EncodeBase64",
    .doc =
        "Each string in web-safe base64 ('-' and '_' for '+' and '/'), filled up with '=' to a "
        "multiple of four characters if `pad`.",
    .inputs = {"input: string"},
    .outputs = {"output: string"},
    .attrs = {"pad: bool = false"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kEncodeBase64));

extern constexpr OpDecl kDecodeBase64{
    .name = "DecodeBase64",
    .doc = "The bytes that each string of web-safe base64, padded or not, stands for.",
    .inputs = {"input: string"},
    .outputs = {"output: string"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kDecodeBase64));

}  // namespace rill
