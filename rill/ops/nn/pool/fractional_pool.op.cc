#include <cmath>

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

// Each dimension is divided by its ratio, and sequences have the ends of all windows.
Shapes fractional_pool_shape(const ShapeCtx& c) {
  const PartialShape images = c.with_rank(0, 4);
  const auto& ratios = c.attr<std::vector<float>>("pooling_ratio");
  require(ratios.size() == 4, "pooling_ratio field must specify 4 dimensions, not ", ratios.size());
  for (const float ratio : ratios)
    require(ratio >= 1, "pooling_ratio cannot be smaller than 1, got: ", ratio);
  if (ratios[0] != 1 || ratios[3] != 1)
    raise(Code::kUnimplemented, c.op().name,
          " is not yet supported on the batch nor channel dimension.");
  PartialShape results = PartialShape::of_rank(4);
  for (int d = 0; d < 4; ++d) {
    const float ratio = ratios[static_cast<std::size_t>(d)];
    if (images.dim(d) < 0) continue;
    const float size = static_cast<float>(images.dim(d));
    require(size >= ratio, "Pooling ratio is higher than input dimension size for dimension ", d,
            ". Input dim size: ", images.dim(d), " pooling ratio: ", ratio);
    results = results.with_dim(d, static_cast<std::int64_t>(std::floor(size / ratio)));
  }
  const auto ends = [&](int d) {
    return PartialShape{results.dim(d) < 0 ? kUnknownDim : results.dim(d) + 1};
  };
  return {results, ends(1), ends(2)};
}

// The gradient has a row for each window that the sequences describe.
PartialShape check_gradient(const ShapeCtx& c, const PartialShape& images, int gradient) {
  const PartialShape results = c.with_rank(gradient, 4);
  const PartialShape rows = c.vector(gradient + 1), columns = c.vector(gradient + 2);
  const auto fits = [](std::int64_t windows, std::int64_t ends) {
    return windows < 0 || ends < 0 || windows == ends - 1;
  };
  require(fits(results.dim(1), rows.dim(0)) && fits(results.dim(2), columns.dim(0)),
          "out_backprop has shape ", results, " where the pooling sequences have ", rows.dim(0),
          " and ", columns.dim(0), " ends");
  require(compatible(images.dim(0), results.dim(0)) && compatible(images.dim(3), results.dim(3)),
          "out_backprop has shape ", results, ", the images have shape ", images);
  return images;
}

Shapes fractional_max_pool_grad_shape(const ShapeCtx& c) {
  const PartialShape results = c.with_rank(1, 4);
  require(results.is_compatible(c.input(2)), "out_backprop has shape ", c.input(2),
          ", orig_output has shape ", results);
  return {check_gradient(c, c.with_rank(0, 4), 2)};
}

Shapes fractional_avg_pool_grad_shape(const ShapeCtx& c) {
  const PartialShape images = known_dims(c, 0);
  require(!images.has_rank() || images.rank() == 4,
          "original input tensor shape must be 1-dimensional and 4 elements, not ", images);
  return {check_gradient(c, images.has_rank() ? images : PartialShape::of_rank(4), 1)};
}

void fractional_max_pool_grad(GradCtx& g) {
  g.set(0,
        g.add("FractionalMaxPoolGrad", {g.input(0), g.output(0), g.dy(0), g.output(1), g.output(2)},
              {{"overlapping", g.attr<bool>("overlapping")}}));
}
void fractional_avg_pool_grad(GradCtx& g) {
  const Output shape = shape_of(g, g.input(0), DType::i64);
  g.set(0, g.add("FractionalAvgPoolGrad", {shape, g.dy(0), g.output(1), g.output(2)},
                 {{"overlapping", g.attr<bool>("overlapping")}}));
}

}  // namespace

extern constexpr OpDecl kFractionalMaxPool{
    .name = "FractionalMaxPool",
    .doc =
        "The largest element of each window, where the sizes of windows are drawn so that the "
        "image "
        "shrinks by pooling_ratio, which need not be whole.",
    .inputs = {"value: T"},
    .outputs = {"output: T", "row_pooling_sequence: int64", "col_pooling_sequence: int64"},
    .attrs = {"pooling_ratio: list(float) >= 4", "pseudo_random: bool = false",
              "overlapping: bool = false", "deterministic: bool = false", "seed: int = 0",
              "seed2: int = 0", "T: {float, double, int32, int64}"},
    .traits = kPure,
    .shape = fractional_pool_shape,
    .grad = fractional_max_pool_grad,
};
static_assert(well_formed(kFractionalMaxPool));

extern constexpr OpDecl kFractionalMaxPoolGrad{
    .name = "FractionalMaxPoolGrad",
    .doc = "The gradient of FractionalMaxPool: it goes to the first largest element of a window.",
    .inputs = {"orig_input: T", "orig_output: T", "out_backprop: T", "row_pooling_sequence: int64",
               "col_pooling_sequence: int64"},
    .outputs = {"output: T"},
    .attrs = {"overlapping: bool = false", "T: {float, double, int32, int64}"},
    .traits = kPure,
    .shape = fractional_max_pool_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kFractionalMaxPoolGrad));

extern constexpr OpDecl kFractionalAvgPool{
    .name = "FractionalAvgPool",
    .doc = "The mean of each window, with windows as FractionalMaxPool has them.",
    .inputs = {"value: T"},
    .outputs = {"output: T", "row_pooling_sequence: int64", "col_pooling_sequence: int64"},
    .attrs = {"pooling_ratio: list(float) >= 4", "pseudo_random: bool = false",
              "overlapping: bool = false", "deterministic: bool = false", "seed: int = 0",
              "seed2: int = 0", "T: {float, double, int32, int64}"},
    .traits = kPure,
    .shape = fractional_pool_shape,
    .grad = fractional_avg_pool_grad,
};
static_assert(well_formed(kFractionalAvgPool));

extern constexpr OpDecl kFractionalAvgPoolGrad{
    .name = "FractionalAvgPoolGrad",
    .doc = "The gradient of FractionalAvgPool: it is shared out over the window.",
    .inputs = {"orig_input_tensor_shape: int64", "out_backprop: T", "row_pooling_sequence: int64",
               "col_pooling_sequence: int64"},
    .outputs = {"output: T"},
    .attrs = {"overlapping: bool = false", "T: {float, double, int32, int64}"},
    .traits = kPure,
    .shape = fractional_avg_pool_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kFractionalAvgPoolGrad));

}  // namespace rill
