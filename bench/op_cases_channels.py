"""Normalisation, and convolutions that keep channels apart."""
from op_cases import Case, floats, images

IMAGE, CHANNELS = (8, 56, 56, 64), 64
NORM = {"x": images(*IMAGE), "scale": floats(CHANNELS), "offset": floats(CHANNELS)}
STATISTICS = {"mean": floats(CHANNELS), "variance": floats(CHANNELS, low=0.5, high=2.0)}


def batch_norm(r, x, scale, offset, mean=(), variance=()):
    return r.FusedBatchNormV3(x=x, scale=scale, offset=offset, mean=mean, variance=variance,
                              is_training=isinstance(mean, tuple))


def batch_norm_grad(r, dy, x, scale, mean, variance):
    return r.FusedBatchNormGradV3(y_backprop=dy, x=x, scale=scale, reserve_space_1=mean,
                                  reserve_space_2=variance, reserve_space_3=())


def torch_batch_norm(t, x, scale, offset, mean=None, variance=None):
    return t.ops.aten.native_batch_norm(x, scale, offset, mean, variance, mean is None, 0.0, 1e-4)


def torch_batch_norm_grad(t, dy, x, scale, mean, variance):
    return t.ops.aten.native_batch_norm_backward(dy, x, scale, None, None, mean, variance.rsqrt(),
                                                 True, 1e-4, [True, True, True])


DEPTHWISE = {"strides": [1, 1, 1, 1], "padding": "SAME"}
DEPTHWISE_INPUTS = {"x": images(*IMAGE), "w": floats(3, 3, CHANNELS, 1)}
TORCH_DEPTHWISE = ([1, 1], [1, 1], [1, 1])  # stride, padding, dilation


def torch_filter(w):
    return w.permute(2, 3, 0, 1)


def torch_depthwise_back(t, x, w, dy, wanted):
    return t.ops.aten.convolution_backward(dy, x, torch_filter(w), None, *TORCH_DEPTHWISE, False,
                                           [0, 0], CHANNELS, wanted)


CASES = [
    Case("batch_norm_training", NORM, batch_norm, torch_batch_norm, 3),
    Case("batch_norm_inference", NORM | STATISTICS, batch_norm, torch_batch_norm, 5),
    Case("batch_norm_grad", {"dy": images(*IMAGE), "x": NORM["x"], "scale": NORM["scale"]}
         | STATISTICS, batch_norm_grad, torch_batch_norm_grad, 3),
    Case("lrn", {"x": images(8, 27, 27, 96)},
         lambda r, x: r.LRN(input=x, alpha=1e-4, beta=0.75),
         lambda t, x: t.nn.functional.local_response_norm(x, 11, 11e-4, 0.75, 1.0), 2),
    Case("depthwise_3x3", DEPTHWISE_INPUTS,
         lambda r, x, w: r.DepthwiseConv2dNative(input=x, filter=w, **DEPTHWISE),
         lambda t, x, w: t.conv2d(x, torch_filter(w), None, *TORCH_DEPTHWISE, CHANNELS), 3),
    Case("depthwise_3x3_to_image", DEPTHWISE_INPUTS | {"dy": images(*IMAGE)},
         lambda r, x, w, dy: r.DepthwiseConv2dNativeBackpropInput(
             input_sizes=list(IMAGE), filter=w, out_backprop=dy, **DEPTHWISE),
         lambda t, x, w, dy: torch_depthwise_back(t, x, w, dy, [True, False, False]), 3),
    Case("depthwise_3x3_to_filter", DEPTHWISE_INPUTS | {"dy": images(*IMAGE)},
         lambda r, x, w, dy: r.DepthwiseConv2dNativeBackpropFilter(
             input=x, filter_sizes=[3, 3, CHANNELS, 1], out_backprop=dy, **DEPTHWISE),
         lambda t, x, w, dy: torch_depthwise_back(t, x, w, dy, [False, True, False]), 3),
]
