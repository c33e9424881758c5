#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/conv/image_buffers.h"
#include "rill/ops/nn/depthwise/conv_depthwise.h"
#include "rill/ops/nn/depthwise/depthwise_shape.h"

namespace rill {

extern const OpDecl kDepthwiseConv2dNative, kDepthwiseConv2dNativeBackpropInput,
    kDepthwiseConv2dNativeBackpropFilter;

namespace {

template <class T>
void depthwise_forward(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &filter = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const ConvShapes shapes =
      depthwise_shapes(*call.node().op, call.node().attrs, images.shape(), filter.shape());
  const bool turns = !shapes.layout.channels_last;
  const Tensor x = prepared_images(call, images, shapes.layout), w = widened_tensor(call, filter);
  const Tensor y = result_buffer(call, out, turns);
  conv_depthwise<T>(call, shapes.problem(out.shape()), x.data<T>(), w.data<T>(), y.data<T>());
  finish_result(call, y, out, turns);
}

template <class T>
void depthwise_to_images(KernelCall& call) {
  const Tensor &filter = call.input_tensor(1), &gradient = call.input_tensor(2);
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const ConvShapes shapes =
      depthwise_shapes(*call.node().op, call.node().attrs, out.shape(), filter.shape());
  const bool turns = !shapes.layout.channels_last;
  const Tensor w = widened_tensor(call, filter);
  const Tensor dy = prepared_images(call, gradient, shapes.layout);
  const Tensor dx = result_buffer(call, out, turns);
  conv_depthwise_backprop_input<T>(call, shapes.problem(gradient.shape()), w.data<T>(),
                                   dy.data<T>(), dx.data<T>());
  finish_result(call, dx, out, turns);
}

template <class T>
void depthwise_to_filter(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &gradient = call.input_tensor(2);
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const ConvShapes shapes =
      depthwise_shapes(*call.node().op, call.node().attrs, images.shape(), out.shape());
  const Tensor x = prepared_images(call, images, shapes.layout);
  const Tensor dy = prepared_images(call, gradient, shapes.layout);
  const Tensor dw = result_buffer(call, out, false);
  conv_depthwise_backprop_filter<T>(call, shapes.problem(gradient.shape()), x.data<T>(),
                                    dy.data<T>(), dw.data<T>());
  finish_result(call, dw, out, false);
}

constexpr TypeSet kAsFloat = kFloatTypes - DType::f64;
constexpr KernelEntry kEntries[] = {
    {.op = &kDepthwiseConv2dNative, .types = kAsFloat, .run = depthwise_forward<float>},
    {.op = &kDepthwiseConv2dNative, .types = DType::f64, .run = depthwise_forward<double>},
    {.op = &kDepthwiseConv2dNativeBackpropInput,
     .types = kAsFloat,
     .run = depthwise_to_images<float>},
    {.op = &kDepthwiseConv2dNativeBackpropInput,
     .types = DType::f64,
     .run = depthwise_to_images<double>},
    {.op = &kDepthwiseConv2dNativeBackpropFilter,
     .types = kAsFloat,
     .run = depthwise_to_filter<float>},
    {.op = &kDepthwiseConv2dNativeBackpropFilter,
     .types = DType::f64,
     .run = depthwise_to_filter<double>},
};

}  // namespace

extern const KernelTable kDepthwiseConvCpu{kEntries};

}  // namespace rill
