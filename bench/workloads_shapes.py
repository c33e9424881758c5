"""Products and convolutions of the shapes that models have: groups matmul and conv."""
from op_cases import Case, brains, floats, images, levels
from op_cases_math import product
from op_cases_nn import Conv
from workloads_ops import as_workload

# Rows, inner, columns; which model has it.
PRODUCTS = {
    "bert_projection": (128, 768, 768), "bert_inner": (128, 768, 3072), "bert_outer": (128, 3072, 768),
    "bert_projection_batch_8": (1024, 768, 768), "bert_pooled": (1, 768, 768),
    "resnet_logits": (8, 2048, 1000), "mobilenet_logits": (1, 1024, 1000),
    "mlp_first": (128, 784, 256), "mlp_last": (128, 256, 10), "lenet_dense": (64, 3136, 512),
    "cube_32": (32, 32, 32), "cube_1024": (1024, 1024, 1024),
}
IN_BFLOAT16 = ("bert_projection", "bert_inner", "bert_outer", "bert_projection_batch_8", "bert_pooled", "cube_1024")
SMALL = 4e6  # a product of fewer flops is repeated

# Batch, side, channels, window, filters, stride.
CONVOLUTIONS = {
    "resnet_7x7_first": (8, 224, 3, 7, 64, 2), "resnet_1x1_56_64_to_256": (8, 56, 64, 1, 256, 1),
    "resnet_1x1_56_256_to_64": (8, 56, 256, 1, 64, 1), "resnet_3x3_56_64": (8, 56, 64, 3, 64, 1),
    "resnet_3x3_28_128": (8, 28, 128, 3, 128, 1), "resnet_1x1_half_56_256_to_512": (8, 56, 256, 1, 512, 2),
    "resnet_3x3_14_256": (8, 14, 256, 3, 256, 1), "resnet_1x1_14_1024_to_256": (8, 14, 1024, 1, 256, 1),
    "resnet_3x3_7_512": (8, 7, 512, 3, 512, 1), "resnet_1x1_7_512_to_2048": (8, 7, 512, 1, 2048, 1),
    "resnet_3x3_14_256_batch_1": (1, 14, 256, 3, 256, 1),
    "mobilenet_3x3_first": (8, 224, 3, 3, 32, 2), "mobilenet_1x1_112_32_to_64": (8, 112, 32, 1, 64, 1),
    "mobilenet_1x1_14_512": (8, 14, 512, 1, 512, 1),
}
WITH_GRADIENTS = ("resnet_3x3_28_128", "resnet_1x1_14_1024_to_256", "mobilenet_1x1_14_512")

IN_BYTES = ("resnet_3x3_28_128", "resnet_1x1_14_1024_to_256", "mobilenet_1x1_14_512")

# Batch, side, channels, stride.
DEPTHWISE = {"mobilenet_depthwise_112_32": (8, 112, 32, 1), "mobilenet_depthwise_112_64_half": (8, 112, 64, 2),
             "mobilenet_depthwise_28_256": (8, 28, 256, 1), "mobilenet_depthwise_14_512": (8, 14, 512, 1)}


def products():
    for name, (m, k, n) in PRODUCTS.items():
        flops = 2 * m * k * n
        yield as_workload(product(name, m, k, n, max(1, int(SMALL // flops))), flops)
    for name in IN_BFLOAT16:
        m, k, n = PRODUCTS[name]
        repeat = max(1, int(SMALL // (2 * m * k * n)))
        yield as_workload(product(name + "_bfloat16", m, k, n, repeat, numbers=brains), 0)


def heads():
    """The products of attention: 12 heads of 64."""
    shapes = {"bert_scores": ((12, 128, 64), (12, 64, 128)), "bert_context": ((12, 128, 128), (12, 128, 64))}
    for name, (x, y) in shapes.items():
        case = Case(name, {"x": floats(*x), "y": floats(*y)}, lambda r, x, y: r.BatchMatMulV2(x=x, y=y),
                    lambda t, x, y: t.bmm(x, y), 5)
        yield as_workload(case, 2 * x[0] * x[1] * x[2] * y[2])


BYTE_PRODUCTS = (("bytes_512x768x768", 512, 768, 768), ("bytes_1x1024x1024", 1, 1024, 1024))


def convolutions():
    for name, (batch, side, channels, window, filters, stride) in CONVOLUTIONS.items():
        made = Conv(name, (batch, side, side, channels), window, filters, stride)
        flops = 2 * batch * (side // stride) ** 2 * window ** 2 * channels * filters
        yield as_workload(made.forward(2), flops)
        if name in WITH_GRADIENTS:
            yield as_workload(made.back_to_image(), flops)
            yield as_workload(made.back_to_filter(), flops)


def quantized(name, batch, side, channels, window, filters, stride):
    """QuantizedConv2D; 32-bit sums."""
    def graph(r, x, w):
        x, w = (r.Bitcast(input=value, type="quint8") for value in (x, w))
        return r.QuantizedConv2D(input=x, filter=w, min_input=-1.0, max_input=1.5, min_filter=-0.75, max_filter=1.25,
                                 strides=[1, stride, stride, 1], padding="SAME")

    return Case(name + "_bytes", {"x": levels(batch, side, side, channels), "w": levels(window, window, channels, filters)},
                graph, None)


def byte_product(name, m, k, n):
    """QuantizedMatMul; 32-bit sums."""
    def graph(r, a, b):
        a, b = (r.Bitcast(input=value, type="quint8") for value in (a, b))
        return r.QuantizedMatMul(a=a, b=b, min_a=-1.0, max_a=1.5, min_b=-0.75, max_b=1.25)

    return Case(name, {"a": levels(m, k), "b": levels(k, n)}, graph, None)


def depthwise(name, batch, side, channels, stride):
    def graph(r, x, w):
        return r.DepthwiseConv2dNative(input=x, filter=w, strides=[1, stride, stride, 1], padding="SAME")

    def torch(t, x, w):
        return t.conv2d(x, w.permute(2, 3, 0, 1), None, [stride, stride], [1, 1], [1, 1], channels)

    return Case(name, {"x": images(batch, side, side, channels), "w": floats(3, 3, channels, 1)}, graph, torch, 3)


def workloads(group):
    if group == "matmul":
        return [*products(), *heads(), *(as_workload(byte_product(*row)) for row in BYTE_PRODUCTS)]
    return [*convolutions(), *(as_workload(quantized(name, *CONVOLUTIONS[name])) for name in IN_BYTES),
            *(as_workload(depthwise(name, *shape)) for name, shape in DEPTHWISE.items())]
