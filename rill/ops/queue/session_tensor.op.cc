#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes tensor_of_handle(const ShapeCtx& c) {
  (void)c.scalar(0);
  return {PartialShape()};
}
Shapes nothing_of_handle(const ShapeCtx& c) {
  (void)c.scalar(0);
  return {};
}

}  // namespace

extern constexpr OpDecl kGetSessionHandle{
    .name = "GetSessionHandle",
    .doc = "Keeps a tensor in the session, under the name that is the output.",
    .inputs = {"value: T"},
    .outputs = {"handle: string"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kGetSessionHandle));

extern constexpr OpDecl kGetSessionHandleV2{
    .name = "GetSessionHandleV2",
    .doc = "Keeps a tensor in the session, under the name of the handle that is the output.",
    .inputs = {"value: T"},
    .outputs = {"handle: resource"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kGetSessionHandleV2));

extern constexpr OpDecl kGetSessionTensor{
    .name = "GetSessionTensor",
    .doc = "A tensor that GetSessionHandle has kept.",
    .inputs = {"handle: string"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type"},
    .traits = kStateful,
    .shape = tensor_of_handle,
    .grad = not_differentiable,
};
static_assert(well_formed(kGetSessionTensor));

extern constexpr OpDecl kDeleteSessionTensor{
    .name = "DeleteSessionTensor",
    .doc = "Gives up a tensor that GetSessionHandle has kept.",
    .inputs = {"handle: string"},
    .traits = kStateful,
    .shape = nothing_of_handle,
    .grad = not_differentiable,
};
static_assert(well_formed(kDeleteSessionTensor));

}  // namespace rill
