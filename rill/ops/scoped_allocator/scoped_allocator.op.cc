#include "rill/base/error.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes stated_shape(const ShapeCtx& c) { return {c.attr<PartialShape>("shape")}; }

Shapes stated_shapes(const ShapeCtx& c) {
  const auto& shapes = c.attr<std::vector<PartialShape>>("shapes");
  require(shapes.size() == static_cast<std::size_t>(c.output_count()), "there are ",
          c.output_count(), " outputs but ", shapes.size(), " shapes");
  return shapes;
}

}  // namespace

extern constexpr OpDecl kScopedAllocator{
    .name = "_ScopedAllocator",
    .doc = "Room for tensors of `shapes`, as one tensor.",
    .outputs = {"output: T"},
    .attrs = {"shapes: list(shape)", "shape: shape", "T: type", "sa_name: string", "id: int",
              "expected_call_count: int"},
    .traits = kStateful,
    .shape = stated_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kScopedAllocator));

extern constexpr OpDecl kScopedAllocatorConcat{
    .name = "_ScopedAllocatorConcat",
    .doc = "The inputs, each in its place in a tensor like `backing`.",
    .inputs = {"backing: T", "inputs: N * T"},
    .outputs = {"output: T"},
    .attrs = {"shape: shape", "T: type", "reshape: bool = false", "sa_name: string", "id: int",
              "N: int >= 2"},
    .traits = kStateful,
    .shape = stated_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kScopedAllocatorConcat));

extern constexpr OpDecl kScopedAllocatorSplit{
    .name = "_ScopedAllocatorSplit",
    .doc = "The tensors that lie in `concat`; `split` are those that lay there before.",
    .inputs = {"concat: T", "split: N * T"},
    .outputs = {"output: N * T"},
    .attrs = {"T: type", "sa_name: string", "id: int", "N: int >= 2", "shapes: list(shape)"},
    .traits = kStateful,
    .shape = stated_shapes,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kScopedAllocatorSplit));

}  // namespace rill
