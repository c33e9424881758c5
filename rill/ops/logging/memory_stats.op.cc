#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kBytesInUse{
    .name = "BytesInUse",
    .doc = "The bytes that are allocated on the node's device.",
    .outputs = {"out: int64"},
    .traits = kStateful | kNoAccess,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kBytesInUse));

extern constexpr OpDecl kBytesLimit{
    .name = "BytesLimit",
    .doc = "The bytes that may be allocated on the node's device; 0 without a limit.",
    .outputs = {"out: int64"},
    .traits = kStateful | kNoAccess,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kBytesLimit));

extern constexpr OpDecl kMaxBytesInUse{
    .name = "MaxBytesInUse",
    .doc = "The most bytes that were allocated at once on the node's device.",
    .outputs = {"out: int64"},
    .traits = kStateful | kNoAccess,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kMaxBytesInUse));

}  // namespace rill
