#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"
#include "rill/ops/nn/pool/pool_shape.h"

namespace rill {
namespace {

Shapes pool_shape(const ShapeCtx& c) {
  return {PoolWindows(c.op(), c.attrs(), c.input(0)).results(c.input(0))};
}

Shapes max_pool_shape(const ShapeCtx& c) {
  const std::int64_t channels = pooled_channels(c.attrs(), c.input(0));
  if (channels == 1) return pool_shape(c);
  const PartialShape& images = c.input(0);
  if (!images.has_rank()) return {PartialShape::of_rank(4)};
  const std::int64_t depth = images.dim(3);
  return {images.with_dim(3, depth == kUnknownDim ? kUnknownDim : depth / channels)};
}

Shapes pool_with_argmax_shape(const ShapeCtx& c) {
  const Shapes one = pool_shape(c);
  return {one[0], one[0]};
}

// Window sizes and strides are the last two inputs.
Shapes pool_v2_shape(const ShapeCtx& c) {
  const int n = c.input_count();
  const Tensor *sizes = c.value(n - 2), *strides = c.value(n - 1);
  (void)c.vector(n - 2);
  (void)c.vector(n - 1);
  if (sizes == nullptr || strides == nullptr) return {PartialShape::of_rank(4)};
  return {PoolWindows(c.op(), c.attrs(), c.input(0), sizes, strides).results(c.input(0))};
}

// A gradient has the shape of what went in, which is input 0.
Shapes pool_grad_shape(const ShapeCtx& c) {
  const PoolWindows windows(c.op(), c.attrs(), c.input(0));
  (void)merge_shapes(windows.results(c.input(0)), c.input(c.input_count() - 1));
  return {c.input(0)};
}
Shapes pool_grad_v2_shape(const ShapeCtx& c) { return {c.input(0)}; }
Shapes max_pool_grad_with_argmax_shape(const ShapeCtx& c) {
  (void)merge_shapes(c.input(1), c.input(2));
  return {c.input(0)};
}
// The second derivative has the shape of what came out, which is input 1.
Shapes pool_grad_grad_shape(const ShapeCtx& c) {
  (void)merge_shapes(c.input(0), c.input(2));
  return {c.input(1)};
}
Shapes avg_pool_grad_shape(const ShapeCtx& c) {
  const PartialShape images = known_dims(c, 0);
  const PoolWindows windows(c.op(), c.attrs(), images);
  (void)merge_shapes(windows.results(images), c.input(1));
  return {images.has_rank() ? images : PartialShape::of_rank(windows.layout.rank)};
}

AttrMap pool_attrs(GradCtx& g) {
  AttrMap attrs;
  for (const char* name : {"ksize", "strides", "padding", "data_format", "include_batch_in_index"})
    if (const auto it = g.node().attrs().find(name); it != g.node().attrs().end())
      attrs.emplace(name, it->second);
  return attrs;
}

struct Names {
  const char *forward, *grad, *grad_grad;
};
constexpr Names kMaxPlane{"MaxPool", "MaxPoolGrad", "MaxPoolGradGrad"};
constexpr Names kMaxPlaneV2{"MaxPoolV2", "MaxPoolGradV2", "MaxPoolGradGradV2"};
constexpr Names kMaxSpace{"MaxPool3D", "MaxPool3DGrad", "MaxPool3DGradGrad"};
constexpr Names kAvgPlane{"AvgPool", "AvgPoolGrad", ""};
constexpr Names kAvgSpace{"AvgPool3D", "AvgPool3DGrad", ""};

// The inputs that say how large windows are and how they move, where these are inputs.
void add_windows(GradCtx& g, int begin, std::vector<InputArg>& inputs) {
  for (int i = begin; i < g.input_count(); ++i) inputs.emplace_back(g.input(i));
}

template <const Names& names>
void max_pool_grad(GradCtx& g) {
  std::vector<InputArg> inputs{g.input(0), g.output(), g.dy()};
  add_windows(g, 1, inputs);
  g.set(0, g.add(names.grad, std::move(inputs), pool_attrs(g)));
}

// Neither the values nor the results matter but for where the largest are.
void max_pool_again_grad(GradCtx& g, const char* back) {
  g.set(0, zeros_like(g, g.input(0)));
  g.set(1, zeros_like(g, g.input(1)));
  std::vector<InputArg> inputs{g.input(0), g.input(1), g.dy()};
  add_windows(g, 3, inputs);
  g.set(2, g.add(back, std::move(inputs), pool_attrs(g)));
}
template <const Names& names>
void max_pool_grad_grad(GradCtx& g) {
  max_pool_again_grad(g, names.grad_grad);
}
template <const Names& names>
void max_pool_grad_grad_grad(GradCtx& g) {
  max_pool_again_grad(g, names.grad);
}

void max_pool_with_argmax_grad(GradCtx& g) {
  g.set(0, g.add("MaxPoolGradWithArgmax", {g.input(0), g.dy(0), g.output(1)}, pool_attrs(g)));
}

template <const Names& names>
void avg_pool_grad(GradCtx& g) {
  g.set(0, g.add(names.grad, {shape_of(g, g.input(0)), g.dy()}, pool_attrs(g)));
}
template <const Names& names>
void avg_pool_grad_grad(GradCtx& g) {
  g.set(1, g.add(names.forward, {g.dy()}, pool_attrs(g)));
}

double window_size(const KernelWork& work) {
  double size = 1;
  if (const auto* const sides = work.attr<std::vector<std::int64_t>>("ksize"))
    for (const std::int64_t side : *sides) size *= static_cast<double>(side);
  return size;
}
double pool_flops(const KernelWork& work) { return work.output_elements() * window_size(work); }
double pool_grad_flops(const KernelWork& work) {
  const TensorSize& dy = work.input(work.inputs.size() - 1);
  return work.largest_input() + dy.elements() * window_size(work);
}

}  // namespace

extern constexpr OpDecl kMaxPool{
    .name = "MaxPool",
    .doc = "The largest element of each window.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} "
              "= DT_FLOAT",
              "ksize: list(int) >= 4", "strides: list(int) >= 4", "padding: {'SAME', 'VALID'}",
              "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"},
    .traits = kPure,
    .shape = max_pool_shape,
    .cost = pool_flops,
    .grad = max_pool_grad<kMaxPlane>,
};
static_assert(well_formed(kMaxPool));

extern constexpr OpDecl kMaxPoolV2{
    .name = "MaxPoolV2",
    .doc = "MaxPool with window sizes and strides as inputs.",
    .inputs = {"input: T", "ksize: int32", "strides: int32"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} "
              "= DT_FLOAT",
              "padding: {'SAME', 'VALID'}",
              "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"},
    .traits = kPure,
    .shape = pool_v2_shape,
    .grad = max_pool_grad<kMaxPlaneV2>,
};
static_assert(well_formed(kMaxPoolV2));

extern constexpr OpDecl kMaxPoolGrad{
    .name = "MaxPoolGrad",
    .doc = "The gradient of MaxPool: what arrives goes to the first largest element of the window.",
    .inputs = {"orig_input: T", "orig_output: T", "grad: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 4", "strides: list(int) >= 4", "padding: {'SAME', 'VALID'}",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64} = DT_FLOAT"},
    .traits = kPure,
    .shape = pool_grad_shape,
    .cost = pool_grad_flops,
    .grad = max_pool_grad_grad<kMaxPlane>,
};
static_assert(well_formed(kMaxPoolGrad));

extern constexpr OpDecl kMaxPoolGradV2{
    .name = "MaxPoolGradV2",
    .doc = "MaxPoolGrad with window sizes and strides as inputs.",
    .inputs = {"orig_input: T", "orig_output: T", "grad: T", "ksize: int32", "strides: int32"},
    .outputs = {"output: T"},
    .attrs = {"padding: {'SAME', 'VALID'}", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64} = DT_FLOAT"},
    .traits = kPure,
    .shape = pool_grad_v2_shape,
    .grad = max_pool_grad_grad<kMaxPlaneV2>,
};
static_assert(well_formed(kMaxPoolGradV2));

extern constexpr OpDecl kMaxPoolGradGrad{
    .name = "MaxPoolGradGrad",
    .doc =
        "The second derivative of MaxPool: from each window, what is at the place of its largest "
        "element.",
    .inputs = {"orig_input: T", "orig_output: T", "grad: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 4", "strides: list(int) >= 4", "padding: {'SAME', 'VALID'}",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure,
    .shape = pool_grad_grad_shape,
    .grad = max_pool_grad_grad_grad<kMaxPlane>,
};
static_assert(well_formed(kMaxPoolGradGrad));

extern constexpr OpDecl kMaxPoolGradGradV2{
    .name = "MaxPoolGradGradV2",
    .doc = "MaxPoolGradGrad with window sizes and strides as inputs.",
    .inputs = {"orig_input: T", "orig_output: T", "grad: T", "ksize: int32", "strides: int32"},
    .outputs = {"output: T"},
    .attrs = {"padding: {'SAME', 'VALID'}", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure,
    .shape = pool_grad_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kMaxPoolGradGradV2));

extern constexpr OpDecl kMaxPoolWithArgmax{
    .name = "MaxPoolWithArgmax",
    .doc = "The largest element of each window, and its place in the image.",
    .inputs = {"input: T"},
    .outputs = {"output: T", "argmax: Targmax"},
    .attrs = {"ksize: list(int) >= 4", "strides: list(int) >= 4",
              "Targmax: {int32, int64} = DT_INT64", "padding: {'SAME', 'VALID'}",
              "include_batch_in_index: bool = false",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure,
    .shape = pool_with_argmax_shape,
    .grad = max_pool_with_argmax_grad,
};
static_assert(well_formed(kMaxPoolWithArgmax));

extern constexpr OpDecl kMaxPoolGradWithArgmax{
    .name = "MaxPoolGradWithArgmax",
    .doc = "The gradient of MaxPoolWithArgmax: what arrives goes to the places named.",
    .inputs = {"input: T", "grad: T", "argmax: Targmax"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 4", "strides: list(int) >= 4", "padding: {'SAME', 'VALID'}",
              "include_batch_in_index: bool = false", "Targmax: {int32, int64}",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure,
    .shape = max_pool_grad_with_argmax_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kMaxPoolGradWithArgmax));

extern constexpr OpDecl kAvgPool{
    .name = "AvgPool",
    .doc = "The mean of each window; what lies outside of the image does not count.",
    .inputs = {"value: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 4", "strides: list(int) >= 4", "padding: {'SAME', 'VALID'}",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'", "T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = pool_shape,
    .cost = pool_flops,
    .grad = avg_pool_grad<kAvgPlane>,
};
static_assert(well_formed(kAvgPool));

extern constexpr OpDecl kAvgPoolGrad{
    .name = "AvgPoolGrad",
    .doc = "The gradient of AvgPool: what arrives is shared out over the window.",
    .inputs = {"orig_input_shape: int32", "grad: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 4", "strides: list(int) >= 4", "padding: {'SAME', 'VALID'}",
              "data_format: {'NHWC', 'NCHW'} = 'NHWC'", "T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = avg_pool_grad_shape,
    .cost = pool_grad_flops,
    .grad = avg_pool_grad_grad<kAvgPlane>,
};
static_assert(well_formed(kAvgPoolGrad));

extern constexpr OpDecl kMaxPool3D{
    .name = "MaxPool3D",
    .doc = "MaxPool over volumes.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 5", "strides: list(int) >= 5", "padding: {'SAME', 'VALID'}",
              "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'", "T: {half, bfloat16, float}"},
    .traits = kPure,
    .shape = pool_shape,
    .cost = pool_flops,
    .grad = max_pool_grad<kMaxSpace>,
};
static_assert(well_formed(kMaxPool3D));

extern constexpr OpDecl kMaxPool3DGrad{
    .name = "MaxPool3DGrad",
    .doc = "The gradient of MaxPool3D.",
    .inputs = {"orig_input: TInput", "orig_output: TInput", "grad: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 5", "strides: list(int) >= 5", "padding: {'SAME', 'VALID'}",
              "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'", "T: {half, bfloat16, float} = DT_FLOAT",
              "TInput: {half, bfloat16, float} = DT_FLOAT"},
    .traits = kPure,
    .shape = pool_grad_shape,
    .grad = max_pool_grad_grad<kMaxSpace>,
};
static_assert(well_formed(kMaxPool3DGrad));

extern constexpr OpDecl kMaxPool3DGradGrad{
    .name = "MaxPool3DGradGrad",
    .doc = "The second derivative of MaxPool3D.",
    .inputs = {"orig_input: T", "orig_output: T", "grad: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 5", "strides: list(int) >= 5", "padding: {'SAME', 'VALID'}",
              "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kPure,
    .shape = pool_grad_grad_shape,
    .grad = max_pool_grad_grad_grad<kMaxSpace>,
};
static_assert(well_formed(kMaxPool3DGradGrad));

extern constexpr OpDecl kAvgPool3D{
    .name = "AvgPool3D",
    .doc = "AvgPool over volumes.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 5", "strides: list(int) >= 5", "padding: {'SAME', 'VALID'}",
              "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'", "T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = pool_shape,
    .cost = pool_flops,
    .grad = avg_pool_grad<kAvgSpace>,
};
static_assert(well_formed(kAvgPool3D));

extern constexpr OpDecl kAvgPool3DGrad{
    .name = "AvgPool3DGrad",
    .doc = "The gradient of AvgPool3D.",
    .inputs = {"orig_input_shape: int32", "grad: T"},
    .outputs = {"output: T"},
    .attrs = {"ksize: list(int) >= 5", "strides: list(int) >= 5", "padding: {'SAME', 'VALID'}",
              "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'", "T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = avg_pool_grad_shape,
    .grad = avg_pool_grad_grad<kAvgSpace>,
};
static_assert(well_formed(kAvgPool3DGrad));

}  // namespace rill
