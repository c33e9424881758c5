#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

std::int64_t tiled_dim(int d, std::int64_t dim, std::int64_t multiple) {
  require(multiple >= 0, when_run("Expected multiples[", d, "] >= 0, but got ", multiple),
          when_built_alone("Invalid value in tensor used for shape: ", multiple));
  if (multiple == 0) return 0;
  if (dim < 0) return kUnknownDim;
  std::int64_t tiled = 0;
  require(!__builtin_mul_overflow(dim, multiple, &tiled), "the tiled dimension ", d,
          " is too large");
  return tiled;
}

Shapes tile_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  const PartialShape list = c.vector(1);
  require(!input.has_rank() || compatible(list.dim(0), input.rank()),
          when_run("Expected multiples argument to be a vector of length ", input.rank(),
                   " but got length ", list.dim(0)),
          when_built("Shape must be rank ", input.rank(), " but is rank ", list.dim(0)));
  const std::int64_t rank = merge_dim(input.rank(), list.dim(0));
  if (rank < 0 || rank > kMaxRank) return {PartialShape()};
  std::vector<std::int64_t> multiples;
  const bool known = c.dim_values(1, &multiples);
  const PartialShape some = known ? PartialShape() : known_dims(c, 1);
  PartialShape out = PartialShape::scalar();
  for (int d = 0; d < rank; ++d) {
    const std::int64_t dim = input.has_rank() ? input.dim(d) : kUnknownDim;
    if (known)
      out.add_dim(tiled_dim(d, dim, multiples[static_cast<std::size_t>(d)]));
    else if (some.has_rank() && some.dim(d) >= 0)
      out.add_dim(tiled_dim(d, dim, some.dim(d)));
    else
      out.add_dim(kUnknownDim);
  }
  return {out};
}

// Every dimension was repeated a whole number of times.
Shapes tile_grad_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  const PartialShape list = c.vector(1);
  std::vector<std::int64_t> multiples;
  if (!input.has_rank() || !c.int_values(1, &multiples)) return {PartialShape()};
  require(compatible(list.dim(0), input.rank()), "Expected multiples argument to be a vector of ",
          "length ", input.rank(), " but got length ", list.dim(0));
  PartialShape out = PartialShape::scalar();
  for (int d = 0; d < input.rank(); ++d) {
    const std::int64_t dim = input.dim(d), multiple = multiples[static_cast<std::size_t>(d)];
    require(multiple > 0, "Expected multiples[", d, "] > 0, but got ", multiple);
    require(dim < 0 || dim % multiple == 0, "input_shape[", d, "] = ", dim,
            " is not a multiple of multiples[", d, "] = ", multiple);
    out.add_dim(dim < 0 ? kUnknownDim : dim / multiple);
  }
  return {out};
}

// [m0, d0, m1, d1, ...]: the repetitions and the dimensions apart, and summed over the former.
void tile_grad(GradCtx& g) {
  const Output multiples = g.input(1);
  const Output shape = shape_of(g, g.input(0), base_type(multiples.dtype()));
  const Output both = g.add("Pack", {std::vector<Input>{multiples, shape}}, {}, "stack");
  const Output pairs = transpose(g, both, int_vector(std::vector<std::int64_t>{1, 0}));
  const Output apart = reshape(g, pairs, Tensor::vector<std::int32_t>({-1}));
  const Output axes = range(g, 0, size_of(g, apart), 2);
  g.set(0, g.add("Sum", {reshape(g, g.dy(), apart), axes}));
}

}  // namespace

extern constexpr OpDecl kTile{
    .name = "Tile",
    .doc = "Repeats a tensor `multiples` times along each dimension.",
    .inputs = {"input: T", "multiples: Tmultiples"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tmultiples: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = tile_shape,
    .cost = no_flops,
    .grad = tile_grad,
};
static_assert(well_formed(kTile));

extern constexpr OpDecl kTileGrad{
    .name = "TileGrad",
    .doc = "The sums of what Tile made equal: the gradient of Tile.",
    .inputs = {"input: T", "multiples: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = tile_grad_shape,
    .grad = no_gradient,
    .deprecated = 3,
    .deprecated_why = "TileGrad has been replaced with reduce_sum",
};
static_assert(well_formed(kTileGrad));

}  // namespace rill
