// What optimisers of graphs put in the place of many handles and many reads.
#include "rill/base/error.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes handles_shape(const ShapeCtx& c) {
  const auto& types = c.attr<std::vector<DType>>("dtypes");
  const auto& shapes = c.attr<std::vector<PartialShape>>("shapes");
  const auto count = static_cast<std::size_t>(c.output_count());
  for (const std::size_t size :
       {types.size(), shapes.size(), c.attr<std::vector<std::string>>("containers").size(),
        c.attr<std::vector<std::string>>("shared_names").size()})
    require(size == count, "there are ", count, " handles but ", size,
            " containers, shared_names, dtypes or shapes");
  for (std::size_t i = 0; i < count; ++i)
    c.set_output_handle(static_cast<int>(i), {types[i], shapes[i]});
  return Shapes(count, PartialShape::scalar());
}

Shapes reads_shape(const ShapeCtx& c) {
  const auto& types = c.attr<std::vector<DType>>("dtypes");
  require(types.size() == static_cast<std::size_t>(c.input_count()), "there are ", c.input_count(),
          " handles but ", types.size(), " dtypes");
  Shapes shapes(types.size());
  for (int i = 0; i < c.input_count(); ++i) {
    const HandleInfo* handle = c.handle(i);
    if (handle == nullptr || handle->dtype == DType::invalid) continue;
    const DType wanted = types[static_cast<std::size_t>(i)];
    require(handle->dtype == wanted, "Trying to read variable with wrong dtype. Expected ",
            handle->dtype, " got ", wanted);
    shapes[static_cast<std::size_t>(i)] = handle->shape;
  }
  return shapes;
}

}  // namespace

extern constexpr OpDecl kVarHandlesOp{
    .name = "_VarHandlesOp",
    .doc = "Several VarHandleOps in one.",
    .outputs = {"resources: N * resource"},
    .attrs = {"containers: list(string)", "shared_names: list(string)", "N: int >= 0",
              "dtypes: list(type)", "shapes: list(shape)"},
    .traits = kStateful,
    .shape = handles_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kVarHandlesOp));

extern constexpr OpDecl kReadVariablesOp{
    .name = "_ReadVariablesOp",
    .doc = "Several ReadVariableOps in one.",
    .inputs = {"resources: N * resource"},
    .outputs = {"values: dtypes"},
    .attrs = {"N: int >= 0", "dtypes: list(type) >= 1"},
    .traits = kStateful,
    .shape = reads_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kReadVariablesOp));

}  // namespace rill
