#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes region_shape(const ShapeCtx& c) {
  const auto& shape = c.attr<PartialShape>("shape");
  require(shape.is_full(), "shape must be fully known, but is ", shape);
  return {shape};
}

}  // namespace

extern constexpr OpDecl kImmutableConst{
    .name = "ImmutableConst",
    .doc = "A tensor whose elements are the bytes of the file memory_region_name, not copied.",
    .outputs = {"tensor: dtype"},
    .attrs = {"dtype: type", "shape: shape", "memory_region_name: string"},
    .traits = kPure | kReadsFiles,
    .shape = region_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kImmutableConst));

}  // namespace rill
