#include "rill/ops/nn/norm/batch_norm_shape.h"

#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"

namespace rill {
namespace {

Shapes batch_norm_shape(const ShapeCtx& c) {
  BatchNormShapes shapes(c, 0);
  // Training computes mean and variance, whatever is given.
  const int vectors = c.flag("is_training") ? 2 : 4;
  for (int i = 1; i <= vectors; ++i) shapes.add_vector(i);
  for (int i = 5; i < c.input_count(); ++i) shapes.add_images(i);
  Shapes results(static_cast<std::size_t>(c.output_count()), shapes.vector());
  results[0] = shapes.images();
  if (c.output_count() == 6) results[5] = PartialShape::scalar();
  return results;
}

AttrMap batch_norm_attrs(GradCtx& g) {
  AttrMap attrs;
  for (const char* name : {"epsilon", "data_format", "is_training"})
    attrs.emplace(name, g.node().attrs().at(name));
  return attrs;
}

constexpr char kGrad[] = "FusedBatchNormGrad", kGradV2[] = "FusedBatchNormGradV2",
               kGradV3[] = "FusedBatchNormGradV3";

// Training goes back through the mean and the variance of the batch, which outputs 3 and 4 keep;
// otherwise they are inputs and constant.
template <const char* op>
void batch_norm_gradient(GradCtx& g) {
  const bool training = g.attr<bool>("is_training");
  std::vector<InputArg> inputs{g.dy(), g.input(0), g.input(1), training ? g.output(3) : g.input(3),
                               training ? g.output(4) : g.input(4)};
  if (g.node().output_count() == 6) inputs.emplace_back(g.output(5));
  Node& node = g.scope().add(op, std::move(inputs), batch_norm_attrs(g));
  for (int i = 0; i < 3; ++i) g.set(i, node.output(i));
}

}  // namespace

extern constexpr OpDecl kFusedBatchNorm{
    .name = "FusedBatchNorm",
    .doc =
        "Brings each channel of x to mean offset and deviation scale: by the mean and variance of "
        "the batch when training, else by those given. reserve_space_* are for the gradient.",
    .inputs = {"x: T", "scale: T", "offset: T", "mean: T", "variance: T"},
    .outputs = {"y: T", "batch_mean: T", "batch_variance: T", "reserve_space_1: T",
                "reserve_space_2: T"},
    .attrs = {"T: {float}", "epsilon: float = 0.0001", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "is_training: bool = true"},
    .traits = kPure | kInPlace,
    .shape = batch_norm_shape,
    .cost = per_input<6>,
    .grad = batch_norm_gradient<kGrad>,
};
static_assert(well_formed(kFusedBatchNorm));

extern constexpr OpDecl kFusedBatchNormV2{
    .name = "FusedBatchNormV2",
    .doc = "FusedBatchNorm of narrower types with statistics of float.",
    .inputs = {"x: T", "scale: U", "offset: U", "mean: U", "variance: U"},
    .outputs = {"y: T", "batch_mean: U", "batch_variance: U", "reserve_space_1: U",
                "reserve_space_2: U"},
    .attrs = {"T: {half, bfloat16, float}", "U: {float}", "epsilon: float = 0.0001",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'", "is_training: bool = true"},
    .traits = kPure | kInPlace,
    .shape = batch_norm_shape,
    .cost = per_input<6>,
    .grad = batch_norm_gradient<kGradV2>,
};
static_assert(well_formed(kFusedBatchNormV2));

extern constexpr OpDecl kFusedBatchNormV3{
    .name = "FusedBatchNormV3",
    .doc = "FusedBatchNormV2 with one more output for the gradient, which processors do not use.",
    .inputs = {"x: T", "scale: U", "offset: U", "mean: U", "variance: U"},
    .outputs = {"y: T", "batch_mean: U", "batch_variance: U", "reserve_space_1: U",
                "reserve_space_2: U", "reserve_space_3: U"},
    .attrs = {"T: {half, bfloat16, float}", "U: {float}", "epsilon: float = 0.0001",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'", "is_training: bool = true"},
    .traits = kPure | kInPlace,
    .shape = batch_norm_shape,
    .cost = per_input<6>,
    .grad = batch_norm_gradient<kGradV3>,
};
static_assert(well_formed(kFusedBatchNormV3));

extern constexpr OpDecl kFusedBatchNormEx{
    .name = "_FusedBatchNormEx",
    .doc =
        "FusedBatchNormV3 followed by the addition of side_input, if there is one, and by an "
        "activation, Identity, Relu or Relu6. Graph rewriting makes it.",
    .inputs = {"x: T", "scale: U", "offset: U", "mean: U", "variance: U",
               "side_input: num_side_inputs * T"},
    .outputs = {"y: T", "batch_mean: U", "batch_variance: U", "reserve_space_1: U",
                "reserve_space_2: U", "reserve_space_3: U"},
    .attrs = {"T: {half, float}", "U: {float}", "epsilon: float = 0.0001",
              "num_side_inputs: int >= 0 = 0", "activation_mode: string = 'Identity'",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'", "is_training: bool = true"},
    .traits = kPure,
    .shape = batch_norm_shape,
    .cost = per_input<7>,
    .grad = no_gradient,
};
static_assert(well_formed(kFusedBatchNormEx));

}  // namespace rill
