"""Convolutions, pools, normalisation and images of shapes that models have besides the usual ones."""
import numpy as np

from op_cases import Case, Input
from op_sweep_math import RANDOM, between, kind

IMAGES = (8, 56, 56, 32)
# Images, filter, stride, padding.
CONVOLUTIONS = {
    "5x5_half_3": ((16, 64, 64, 3), (5, 5, 3, 64), 2, "SAME"),
    "5x5_half_64": ((16, 32, 32, 64), (5, 5, 64, 128), 2, "SAME"),
    "4x4_half_64": ((16, 32, 32, 64), (4, 4, 64, 128), 2, "SAME"),
    "1x1_small": ((64, 8, 8, 16), (1, 1, 16, 16), 1, "SAME"),
    "1x7": ((8, 17, 17, 64), (1, 7, 64, 64), 1, "SAME"),
    "7x1": ((8, 17, 17, 64), (7, 1, 64, 64), 1, "SAME"),
    "3x3_valid": ((8, 30, 30, 32), (3, 3, 32, 64), 1, "VALID"),
    "3x3_half_64": ((8, 56, 56, 64), (3, 3, 64, 128), 2, "SAME"),
    "9x9_gray": ((8, 28, 28, 1), (9, 9, 1, 64), 1, "VALID"),
    "8x8_quarter_4": ((32, 84, 84, 4), (8, 8, 4, 32), 4, "VALID"),
    "3x3_to_one": ((8, 64, 64, 32), (3, 3, 32, 1), 1, "SAME"),
    "5x5_to_three": ((8, 64, 64, 32), (5, 5, 32, 3), 1, "SAME"),
}
# Channels and results for each.
DEPTHWISE = ((32, 1), (32, 2), (3, 1), (8, 1), (24, 1))


def one(name, given, graph):
    return Case(name, {"x": given}, graph, None, 5)


def with_gradients(name, images, filters, stride, padding):
    how = {"strides": [1, stride, stride, 1], "padding": padding}
    windows = [side if padding == "SAME" else side - window + 1 for side, window in zip(images[1:3], filters)]
    x, w = between(-1, 1, *images), between(-1, 1, *filters)
    g = between(-1, 1, images[0], *(-(-count // stride) for count in windows), filters[3])
    yield Case(name, {"x": x, "w": w}, lambda r, x, w: r.Conv2D(input=x, filter=w, **how), None, 5)
    yield Case(name + "_to_image", {"w": w, "g": g}, lambda r, w, g: r.Conv2DBackpropInput(
        input_sizes=list(images), filter=w, out_backprop=g, **how), None, 5)
    yield Case(name + "_to_filter", {"x": x, "g": g}, lambda r, x, g: r.Conv2DBackpropFilter(
        input=x, filter_sizes=list(filters), out_backprop=g, **how), None, 5)


def convolutions():
    for name, shapes in CONVOLUTIONS.items():
        yield from with_gradients(name, *shapes)
    for rate in (2, 4):
        yield Case(f"3x3_dilated_{rate}", {"x": between(-1, 1, 4, 32, 32, 32), "w": between(-1, 1, 3, 3, 32, 32)},
                   lambda r, x, w, rate=rate: r.Conv2D(input=x, filter=w, strides=[1, 1, 1, 1], padding="SAME",
                                                       dilations=[1, rate, rate, 1]), None, 5)
    for channels, times in DEPTHWISE:
        given = {"x": between(-1, 1, 8, 28, 28, channels), "w": between(-1, 1, 5, 5, channels, times)}
        yield Case(f"depthwise_{channels}_{times}", given, lambda r, x, w: r.DepthwiseConv2dNative(
            input=x, filter=w, strides=[1, 1, 1, 1], padding="SAME"), None, 5)


def pools():
    for op, argument in (("AvgPool", "value"), ("MaxPool", "input")):
        for window, stride in ((2, 2), (3, 2), (3, 1), (7, 7)):
            yield one(f"{op}_{window}_{stride}", between(-1, 1, *IMAGES),
                      lambda r, x, op=op, argument=argument, window=window, stride=stride: getattr(r, op)(
                          **{argument: x}, ksize=[1, window, window, 1], strides=[1, stride, stride, 1],
                          padding="SAME"))
    yield one("MaxPoolWithArgmax", between(-1, 1, *IMAGES), lambda r, x: r.MaxPoolWithArgmax(
        input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME"))
    for op in ("MaxPool3D", "AvgPool3D"):
        yield one(op, between(-1, 1, 2, 16, 32, 32, 16), lambda r, x, op=op: getattr(r, op)(
            input=x, ksize=[1, 2, 2, 2, 1], strides=[1, 2, 2, 2, 1], padding="SAME"))
    yield one("LRN", between(-1, 1, *IMAGES), lambda r, x: r.LRN(input=x))
    yield one("Softmax_small", between(-1, 1, 20_000, 10), lambda r, x: r.Softmax(logits=x))
    yield one("LogSoftmax", between(-1, 1, 512, 512), lambda r, x: r.LogSoftmax(logits=x))
    yield one("BiasAddGrad", between(-1, 1, *IMAGES), lambda r, x: r.BiasAddGrad(out_backprop=x))
    yield Case("FusedBatchNorm", {"x": between(-1, 1, *IMAGES), "s": between(0.1, 1, 32)},
               lambda r, x, s: r.FusedBatchNormV3(x=x, scale=s, offset=s, mean=s, variance=s, is_training=False),
               None, 5)


def pictures():
    for op in ("ResizeBicubic", "ResizeArea", "ResizeNearestNeighbor", "ResizeBilinear"):
        yield one(op + "_larger", between(0, 1, 4, 64, 64, 3),
                  lambda r, x, op=op: getattr(r, op)(images=x, size=[128, 128]))
        yield one(op + "_smaller", kind("byte", 2, 256, 256, 3),
                  lambda r, x, op=op: getattr(r, op)(images=x, size=[100, 100]))
    boxes = Input(np.sort(RANDOM.random((64, 2, 2)), 1).reshape(64, 4).astype(np.float32))
    image_of = Input(RANDOM.integers(0, 4, 64).astype(np.int32))
    yield Case("CropAndResize", {"x": between(-1, 1, 4, 56, 56, 64), "b": boxes, "i": image_of},
               lambda r, x, b, i: r.CropAndResize(image=x, boxes=b, box_ind=i, crop_size=[14, 14]), None, 5)
    yield one("ExtractGlimpse", between(-1, 1, 32, 64, 64, 3), lambda r, x: r.ExtractGlimpse(
        input=x, size=[24, 24], offsets=[[0.1, 0.2]] * 32))
    for op, more in (("AdjustHue", {"delta": 0.2}), ("AdjustSaturation", {"scale": 0.7}),
                     ("AdjustContrastv2", {"contrast_factor": 0.7}), ("RGBToHSV", {}), ("HSVToRGB", {})):
        yield one(op, between(0, 1, 4, 100, 100, 3), lambda r, x, op=op, more=more: getattr(r, op)(images=x, **more))


CASES = [*convolutions(), *pools(), *pictures()]
