#include <algorithm>

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// What is left of `data` once the dimensions of `indices`, with which it must begin, are gone.
PartialShape rest_behind(const PartialShape& data, const PartialShape& indices) {
  if (!data.has_rank() || !indices.has_rank()) return {};
  require(data.rank() >= indices.rank(), "Shape must be at least rank ", indices.rank(),
          " but is rank ", data.rank());
  for (int d = 0; d < indices.rank(); ++d)
    require(compatible(data[d], indices[d]), "Dimensions must be equal, but are ", data[d], " and ",
            indices[d]);
  return PartialShape(data.dims().subspan(static_cast<std::size_t>(indices.rank())));
}

PartialShape with_first(std::int64_t first, const PartialShape& rest) {
  if (!rest.has_rank()) return {};
  PartialShape shape{first};
  for (const std::int64_t dim : rest.dims()) shape.add_dim(dim);
  return shape;
}

// The result is as long as the highest index tells, if all are known.
Shapes stitch_shape(const ShapeCtx& c) {
  const int count = c.input_count() / 2;
  PartialShape rest;
  std::int64_t highest = -1;
  bool all_known = true;
  for (int i = 0; i < count; ++i) {
    const Tensor* indices = c.value(i);
    all_known &= indices != nullptr;
    if (indices != nullptr)
      for (const std::int32_t index : indices->flat<std::int32_t>())
        highest = std::max<std::int64_t>(highest, index);
    rest = merge_shapes(rest, rest_behind(c.input(count + i), c.input(i)));
  }
  return {with_first(all_known ? highest + 1 : kUnknownDim, rest)};
}

Shapes partition_shape(const ShapeCtx& c) {
  const PartialShape rest = rest_behind(c.input(0), c.input(1));
  return Shapes(static_cast<std::size_t>(c.output_count()), with_first(kUnknownDim, rest));
}

void partition_grad(GradCtx& g) {
  const Output data = g.input(0), partitions = g.input(1);
  const int count = g.node().output_count();
  const Output prefix = shape_of(g, partitions);
  const Output rows = range(g, 0, prod_of_vector(g, prefix), 1);
  const Output places = reshape(g, rows, prefix);
  Node& parted = g.scope().add("DynamicPartition", {places, partitions},
                               {{"num_partitions", static_cast<std::int64_t>(count)}});
  std::vector<Input> indices, gradients;
  for (int i = 0; i < count; ++i) {
    indices.emplace_back(parted.output(i));
    gradients.emplace_back(g.dy(i));
  }
  const Output joined = g.add("DynamicStitch", {indices, gradients});
  g.set(0, reshape(g, joined, shape_of(g, data)));
}

void stitch_grad(GradCtx& g) {
  const int count = g.input_count() / 2;
  for (int i = 0; i < count; ++i) g.set(count + i, gather(g, g.dy(), g.input(i)));
}

}  // namespace

extern constexpr OpDecl kDynamicStitch{
    .name = "DynamicStitch",
    .doc =
        "Rows of `data`, each at the place that `indices` names; of two for one place the later.",
    .inputs = {"indices: N * int32", "data: N * T"},
    .outputs = {"merged: T"},
    .attrs = {"N: int >= 1", "T: type"},
    .traits = kPure | kDataDependentShape,
    .shape = stitch_shape,
    .grad = stitch_grad,
};
static_assert(well_formed(kDynamicStitch));

extern constexpr OpDecl kParallelDynamicStitch{
    .name = "ParallelDynamicStitch",
    .doc = "DynamicStitch for indices that are all different.",
    .inputs = {"indices: N * int32", "data: N * T"},
    .outputs = {"merged: T"},
    .attrs = {"N: int >= 1", "T: type"},
    .traits = kPure | kDataDependentShape,
    .shape = stitch_shape,
    .grad = stitch_grad,
};
static_assert(well_formed(kParallelDynamicStitch));

extern constexpr OpDecl kDynamicPartition{
    .name = "DynamicPartition",
    .doc = "Sends each row of `data` to the output that `partitions` names for it.",
    .inputs = {"data: T", "partitions: int32"},
    .outputs = {"outputs: num_partitions * T"},
    .attrs = {"num_partitions: int >= 1", "T: type"},
    .traits = kPure | kDataDependentShape,
    .shape = partition_shape,
    .grad = partition_grad,
};
static_assert(well_formed(kDynamicPartition));

}  // namespace rill
