#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"
#include "rill/ops/nn/conv/conv_cost.h"
#include "rill/ops/nn/conv/conv_grad.h"
#include "rill/ops/nn/conv/conv_shape.h"

namespace rill {
namespace {

Shapes conv_shape(const ShapeCtx& c) {
  return {ConvShapes(c.op(), c.attrs(), c.input(0), c.input(1)).results()};
}

// An argument that gives a shape: as numbers or, in the oldest ops, as a tensor of that shape.
PartialShape given_shape(const ShapeCtx& c, int i) {
  const Arg& arg = c.op().inputs[static_cast<std::size_t>(i)];
  return arg.name.ends_with("_sizes") ? known_dims(c, i) : c.input(i);
}

// [height, width] stands for the rest as well, which filter and results tell.
PartialShape whole_image(const PartialShape& given, const PartialShape& filter,
                         const PartialShape& results, const ImageLayout& layout) {
  if (given.rank() != layout.space_rank()) return given;
  const std::int64_t channels = filter.has_rank() ? filter.dim(layout.space_rank()) : kUnknownDim;
  const std::int64_t batch = results.has_rank() ? results.dim(0) : kUnknownDim;
  return image_shape(layout, batch, given.dims(), channels);
}

Shapes conv_back_to_images_shape(const ShapeCtx& c) {
  const PartialShape &filter = c.input(1), &results = c.input(2);
  const ImageLayout layout(c.attrs().contains("data_format")
                               ? std::string_view(c.attr<std::string>("data_format"))
                               : std::string_view("NDHWC"));
  const PartialShape images = whole_image(given_shape(c, 0), filter, results, layout);
  const ConvShapes shapes(c.op(), c.attrs(), images, filter);
  require(shapes.results().is_compatible(results), "out_backprop has shape ", results,
          ", but the convolution's results have shape ", shapes.results());
  return {images.has_rank() ? images : PartialShape::of_rank(layout.rank)};
}

Shapes conv_back_to_filter_shape(const ShapeCtx& c) {
  const PartialShape filter = given_shape(c, 1);
  const ConvShapes shapes(c.op(), c.attrs(), c.input(0), filter);
  require(shapes.results().is_compatible(c.input(2)), "out_backprop has shape ", c.input(2),
          ", but the convolution's results have shape ", shapes.results());
  return {filter.has_rank() ? filter : PartialShape::of_rank(shapes.layout.rank)};
}

// The ops of two and of three dimensions.
constexpr ConvNames kPlane{"Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"};
constexpr ConvNames kSpace{"Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"};

template <const ConvNames& names>
void conv_grad(GradCtx& g) {
  Node& shapes = g.scope().add("ShapeN", {std::vector<Input>{g.input(0), g.input(1)}});
  g.set(0, g.add(names.to_images, {shapes.output(0), g.input(1), g.dy()}, conv_attrs(g)));
  g.set(1, g.add(names.to_filter, {g.input(0), shapes.output(1), g.dy()}, conv_attrs(g)));
}

}  // namespace

extern constexpr OpDecl kConv2D{
    .name = "Conv2D",
    .doc =
        "Convolves images with a filter [height, width, in, out]: each element of the result is "
        "the product of a window with it.",
    .inputs = {"input: T", "filter: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int)",
              "use_cudnn_on_gpu: bool = true", "padding: {'SAME', 'VALID', 'EXPLICIT'}",
              "explicit_paddings: list(int) = []", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = conv_shape,
    .cost = conv_flops,
    .grad = conv_grad<kPlane>,
};
static_assert(well_formed(kConv2D));

extern constexpr OpDecl kConv2DBackpropInput{
    .name = "Conv2DBackpropInput",
    .doc = "The gradient of Conv2D with respect to its images, of shape input_sizes.",
    .inputs = {"input_sizes: int32", "filter: T", "out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int)",
              "use_cudnn_on_gpu: bool = true", "padding: {'SAME', 'VALID', 'EXPLICIT'}",
              "explicit_paddings: list(int) = []", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = conv_back_to_images_shape,
    .cost = conv_input_grad_flops,
    .grad = conv_back_to_images_grad<kPlane>,
};
static_assert(well_formed(kConv2DBackpropInput));

extern constexpr OpDecl kConv2DBackpropFilter{
    .name = "Conv2DBackpropFilter",
    .doc = "The gradient of Conv2D with respect to its filter, of shape filter_sizes.",
    .inputs = {"input: T", "filter_sizes: int32", "out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int)",
              "use_cudnn_on_gpu: bool = true", "padding: {'SAME', 'VALID', 'EXPLICIT'}",
              "explicit_paddings: list(int) = []", "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
              "dilations: list(int) = [1, 1, 1, 1]"},
    .traits = kPure,
    .shape = conv_back_to_filter_shape,
    .cost = conv_filter_grad_flops,
    .grad = conv_back_to_filter_grad<kPlane>,
};
static_assert(well_formed(kConv2DBackpropFilter));

extern constexpr OpDecl kConv3D{
    .name = "Conv3D",
    .doc = "Convolves volumes with a filter [depth, height, width, in, out].",
    .inputs = {"input: T", "filter: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int) >= 5",
              "padding: {'SAME', 'VALID'}", "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
              "dilations: list(int) = [1, 1, 1, 1, 1]"},
    .traits = kPure,
    .shape = conv_shape,
    .cost = conv_flops,
    .grad = conv_grad<kSpace>,
};
static_assert(well_formed(kConv3D));

extern constexpr OpDecl kConv3DBackpropInputV2{
    .name = "Conv3DBackpropInputV2",
    .doc = "The gradient of Conv3D with respect to its volumes, of shape input_sizes.",
    .inputs = {"input_sizes: Tshape", "filter: T", "out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int) >= 5",
              "padding: {'SAME', 'VALID'}", "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
              "dilations: list(int) = [1, 1, 1, 1, 1]", "Tshape: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = conv_back_to_images_shape,
    .cost = conv_input_grad_flops,
    .grad = conv_back_to_images_grad<kSpace>,
};
static_assert(well_formed(kConv3DBackpropInputV2));

extern constexpr OpDecl kConv3DBackpropFilterV2{
    .name = "Conv3DBackpropFilterV2",
    .doc = "The gradient of Conv3D with respect to its filter, of shape filter_sizes.",
    .inputs = {"input: T", "filter_sizes: int32", "out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "strides: list(int) >= 5",
              "padding: {'SAME', 'VALID'}", "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
              "dilations: list(int) = [1, 1, 1, 1, 1]"},
    .traits = kPure,
    .shape = conv_back_to_filter_shape,
    .cost = conv_filter_grad_flops,
    .grad = conv_back_to_filter_grad<kSpace>,
};
static_assert(well_formed(kConv3DBackpropFilterV2));

extern constexpr OpDecl kConv3DBackpropInput{
    .name = "Conv3DBackpropInput",
    .doc = "Conv3DBackpropInputV2 with a tensor in place of its shape.",
    .inputs = {"input: T", "filter: T", "out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float, double}", "strides: list(int) >= 5", "padding: {'SAME', 'VALID'}",
              "dilations: list(int) = [1, 1, 1, 1, 1]"},
    .traits = kPure,
    .shape = conv_back_to_images_shape,
    .grad = no_gradient,
    .deprecated = 10,
    .deprecated_why = "Use Conv3DBackpropInputV2",
};
static_assert(well_formed(kConv3DBackpropInput));

extern constexpr OpDecl kConv3DBackpropFilter{
    .name = "Conv3DBackpropFilter",
    .doc = "Conv3DBackpropFilterV2 with a tensor in place of its shape.",
    .inputs = {"input: T", "filter: T", "out_backprop: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {half, float, double}", "strides: list(int) >= 5", "padding: {'SAME', 'VALID'}",
              "dilations: list(int) = [1, 1, 1, 1, 1]"},
    .traits = kPure,
    .shape = conv_back_to_filter_shape,
    .grad = no_gradient,
    .deprecated = 10,
    .deprecated_why = "Use Conv3DBackpropFilterV2",
};
static_assert(well_formed(kConv3DBackpropFilter));

}  // namespace rill
