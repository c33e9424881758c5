#include "rill/ops/nn/norm/batch_norm_shape.h"

#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/nn/window/window.h"

namespace rill {
namespace {

Shapes batch_norm_grad_shape(const ShapeCtx& c) {
  BatchNormShapes shapes(c, 1);
  shapes.add_images(0);
  for (int i = 2; i <= 4; ++i) shapes.add_vector(i);
  return {shapes.images(), shapes.vector(), shapes.vector(), {0}, {0}};
}

// The gradient of a gradient of batch normalisation, in float. With r = 1/sqrt(variance + epsilon),
// h = (x - mean) r, and `grad_dx`, `grad_scale`, `grad_offset` arriving at the three results:
//
//   dx = scale r P(dy)    P(v) = v - mean(v) - h mean(v h) when training, else v
//
// P is its own adjoint, and r P is the derivative of h by x.
class SecondGradient {
 public:
  explicit SecondGradient(GradCtx& g)
      : g_(g),
        channels_last_(ImageLayout(g.attr<std::string>("data_format")).channels_last),
        training_(g.attr<bool>("is_training")),
        axes_(g.scope().constant(Tensor::vector<std::int32_t>(
            channels_last_ ? std::initializer_list<std::int32_t>{0, 1, 2}
                           : std::initializer_list<std::int32_t>{0, 2, 3}))),
        dy_(wide(g.input(0))),
        x_(wide(g.input(1))),
        scale_(over_images(g.input(2))),
        grad_dx_(wide(g.dy(0))),
        grad_scale_(over_images(g.dy(1))),
        grad_offset_(over_images(g.dy(2))) {
    const Output mean = training_ ? mean_of(x_) : over_images(g.input(3));
    const Output centered = sub(g, x_, mean);
    const Output variance = training_ ? mean_of(square(g, centered)) : over_images(g.input(4));
    const Output epsilon =
        number(g, static_cast<double>(g.attr<float>("epsilon")), DType::f32, "epsilon");
    r_ = g.add("Rsqrt", {add(g, variance, epsilon)});
    h_ = mul(g, centered, r_);
    scale_r_ = mul(g, scale_, r_);
  }

  void build() {
    const Output back = mul(g_, scale_r_, project(grad_dx_));
    set_images(0, add(g_, add(g_, back, mul(g_, grad_scale_, h_)), grad_offset_));
    const Output product = mul(g_, grad_dx_, project(dy_));
    set_images(1, mul(g_, r_, training_ ? to_x_in_training(product) : mul(g_, grad_scale_, dy_)));
    const Output by_scale = mul(g_, r_, g_.add("Sum", {product, axes_}, {{"keep_dims", true}}));
    g_.set(2, flat(by_scale));
  }

 private:
  Output wide(Output v) { return cast(g_, v, DType::f32); }
  Output mean_of(Output v) { return g_.add("Mean", {v, axes_}, {{"keep_dims", true}}); }
  Output flat(Output v) { return reshape(g_, v, Tensor::vector<std::int32_t>({-1})); }
  // A vector of channels so that it broadcasts against images.
  Output over_images(Output v) {
    return channels_last_ ? v : reshape(g_, v, Tensor::vector<std::int32_t>({1, -1, 1, 1}));
  }
  Output project(Output v) {
    if (!training_) return v;
    const Output along = mul(g_, h_, mean_of(mul(g_, v, h_)));
    return sub(g_, sub(g_, v, mean_of(v)), along);
  }
  // The gradient by x, but for the factor r: through h in both results, and through r in dx.
  Output to_x_in_training(Output product) {
    const Output through_dx = add(g_, mul(g_, mean_of(mul(g_, dy_, h_)), grad_dx_),
                                  mul(g_, mean_of(mul(g_, grad_dx_, h_)), dy_));
    const Output through_h =
        project(sub(g_, mul(g_, grad_scale_, dy_), mul(g_, scale_r_, through_dx)));
    return sub(g_, through_h, mul(g_, mul(g_, scale_r_, mean_of(product)), h_));
  }
  void set_images(int i, Output v) { g_.set(i, cast(g_, v, base_type(g_.input(i).dtype()))); }

  GradCtx& g_;
  bool channels_last_, training_;
  Output axes_, dy_, x_, scale_, grad_dx_, grad_scale_, grad_offset_, r_, h_, scale_r_;
};

void batch_norm_grad_gradient(GradCtx& g) { SecondGradient(g).build(); }

}  // namespace

extern constexpr OpDecl kFusedBatchNormGrad{
    .name = "FusedBatchNormGrad",
    .doc = "The gradient of FusedBatchNorm, given mean and variance of what it normalised by.",
    .inputs = {"y_backprop: T", "x: T", "scale: T", "reserve_space_1: T", "reserve_space_2: T"},
    .outputs = {"x_backprop: T", "scale_backprop: T", "offset_backprop: T", "reserve_space_3: T",
                "reserve_space_4: T"},
    .attrs = {"T: {float}", "epsilon: float = 0.0001", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "is_training: bool = true"},
    .traits = kPure | kInPlace,
    .shape = batch_norm_grad_shape,
    .cost = per_input<11>,
    .grad = batch_norm_grad_gradient,
};
static_assert(well_formed(kFusedBatchNormGrad));

extern constexpr OpDecl kFusedBatchNormGradV2{
    .name = "FusedBatchNormGradV2",
    .doc = "The gradient of FusedBatchNormV2.",
    .inputs = {"y_backprop: T", "x: T", "scale: float", "reserve_space_1: U", "reserve_space_2: U"},
    .outputs = {"x_backprop: T", "scale_backprop: U", "offset_backprop: U", "reserve_space_3: U",
                "reserve_space_4: U"},
    .attrs = {"T: {half, bfloat16, float}", "U: {float}", "epsilon: float = 0.0001",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'", "is_training: bool = true"},
    .traits = kPure | kInPlace,
    .shape = batch_norm_grad_shape,
    .cost = per_input<11>,
    .grad = batch_norm_grad_gradient,
};
static_assert(well_formed(kFusedBatchNormGradV2));

extern constexpr OpDecl kFusedBatchNormGradV3{
    .name = "FusedBatchNormGradV3",
    .doc = "The gradient of FusedBatchNormV3.",
    .inputs = {"y_backprop: T", "x: T", "scale: float", "reserve_space_1: U", "reserve_space_2: U",
               "reserve_space_3: U"},
    .outputs = {"x_backprop: T", "scale_backprop: U", "offset_backprop: U", "reserve_space_4: U",
                "reserve_space_5: U"},
    .attrs = {"T: {half, bfloat16, float}", "U: {float}", "epsilon: float = 0.0001",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'", "is_training: bool = true"},
    .traits = kPure | kInPlace,
    .shape = batch_norm_grad_shape,
    .cost = per_input<11>,
    .grad = batch_norm_grad_gradient,
};
static_assert(well_formed(kFusedBatchNormGradV3));

}  // namespace rill
