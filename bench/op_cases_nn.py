"""Layers of networks, random numbers and optimizers' updates."""
from op_cases import Case, filters, floats, images, ints, state

FLOAT = 1


def row_op(name, graph, torch):
    return Case(name, {"x": floats(1024, 1000)}, graph, torch, 5)


def cross_entropy(r, x, y):
    return r.SoftmaxCrossEntropyWithLogits(features=x, labels=y)


def torch_cross_entropy(t, x, y):
    """Loss and gradient, as TensorFlow's op gives both."""
    logs = x.log_softmax(1)
    return -(y * logs).sum(1), logs.exp() - y


def torch_sparse_cross_entropy(t, x, y):
    logs = x.log_softmax(1)
    gradient = logs.exp()
    gradient[t.arange(len(y)), y] -= 1.0
    return -logs.gather(1, y[:, None]), gradient


class Conv:
    """One shape of convolution, forward and back."""

    def __init__(self, name, image, window, out, stride=1, nchw=False):
        self.name, self.nchw = name, nchw
        side, self.channels = image[1], image[3]
        result = (side + stride - 1) // stride
        self.image_shape = [image[0], self.channels, side, side] if nchw else list(image)
        self.filter_shape = [window, window, self.channels, out]
        shape = [image[0], out, result, result] if nchw else [image[0], result, result, out]
        make = floats if nchw else images
        self.image, self.result = make(*self.image_shape), make(*shape)
        self.filter = filters(*self.filter_shape, channels_last=not nchw)
        self.arguments = {"strides": [1, 1, stride, stride] if nchw else [1, stride, stride, 1],
                          "padding": "SAME", "data_format": "NCHW" if nchw else "NHWC"}
        self.stride = [stride, stride]
        # With stride 2 TensorFlow pads one more behind than in front; the work is the same.
        self.padding = [(window - 1) // 2] * 2

    def torch_back(self, t, x, w, dy, wanted):
        return t.ops.aten.convolution_backward(dy, x, w, None, self.stride, self.padding, [1, 1],
                                               False, [0, 0], 1, wanted)

    def forward(self, repeat=1):
        return Case(self.name, {"x": self.image, "w": self.filter},
                    lambda r, x, w: r.Conv2D(input=x, filter=w, **self.arguments),
                    lambda t, x, w: t.conv2d(x, w, None, self.stride, self.padding), repeat)

    def back_to_image(self):
        return Case(self.name + "_to_image", {"x": self.image, "w": self.filter, "dy": self.result},
                    lambda r, x, w, dy: r.Conv2DBackpropInput(
                        input_sizes=self.image_shape, filter=w, out_backprop=dy, **self.arguments),
                    lambda t, x, w, dy: self.torch_back(t, x, w, dy, [True, False, False]))

    def back_to_filter(self):
        return Case(self.name + "_to_filter",
                    {"x": self.image, "w": self.filter, "dy": self.result},
                    lambda r, x, w, dy: r.Conv2DBackpropFilter(
                        input=x, filter_sizes=self.filter_shape, out_backprop=dy,
                        **self.arguments),
                    lambda t, x, w, dy: self.torch_back(t, x, w, dy, [False, True, False]))


CONV_3X3 = Conv("conv_3x3", (8, 56, 56, 64), 3, 64)
CONV_1X1 = Conv("conv_1x1", (8, 56, 56, 64), 1, 256)
CONV_7X7 = Conv("conv_7x7_stride_2", (8, 224, 224, 3), 7, 64, stride=2)
CONV_NCHW = Conv("conv_3x3_nchw", (8, 56, 56, 64), 3, 64, nchw=True)

IMAGE, POOLED = (8, 56, 56, 64), (8, 28, 28, 64)
POOL = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}


def torch_max_grad(t, x, y, dy):
    """With the places found anew, as TensorFlow's op does."""
    _, places = t.ops.aten.max_pool2d_with_indices(x, [2, 2], [2, 2])
    return t.ops.aten.max_pool2d_with_indices_backward(
        dy, x, [2, 2], [2, 2], [0, 0], [1, 1], False, places)


def torch_avg_grad(t, x, dy):
    return t.ops.aten.avg_pool2d_backward(dy, x, [2, 2], [2, 2], [0, 0], False, True, None)


def torch_adam(t, v, m, s, g):
    m.mul_(0.9).add_(g, alpha=0.1)
    s.mul_(0.999).addcmul_(g, g, value=0.001)
    v.addcdiv_(m, s.sqrt().add_(1e-8), value=-0.001)


def torch_momentum(t, v, m, g):
    m.mul_(0.9).add_(g)
    v.add_(m, alpha=-0.001)


RECURRENT = {"x": floats(20, 32, 128), "state": floats(32, 128), "w": floats(256, 512, low=-0.1),
             "peephole": floats(128), "b": floats(512)}


def block_lstm(r, x, state, w, peephole, b):
    """An LSTM of 20 steps, whose gates are weighed from input and state at once."""
    return r.BlockLSTM(seq_len_max=20, x=x, cs_prev=state, h_prev=state, w=w, wci=peephole,
                       wcf=peephole, wco=peephole, b=b)[6]


CASES = [
    row_op("softmax", lambda r, x: r.Softmax(logits=x), lambda t, x: x.softmax(1)),
    row_op("log_softmax", lambda r, x: r.LogSoftmax(logits=x), lambda t, x: x.log_softmax(1)),
    Case("cross_entropy", {"x": floats(1024, 1000), "y": floats(1024, 1000, low=0.0, high=0.002)},
         cross_entropy, torch_cross_entropy, 5),
    Case("sparse_cross_entropy", {"x": floats(1024, 1000), "y": ints(1024, below=1000)},
         lambda r, x, y: r.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=y),
         torch_sparse_cross_entropy, 5),
    Case("bias_add", {"x": images(*IMAGE), "b": floats(64)},
         lambda r, x, b: r.BiasAdd(value=x, bias=b), lambda t, x, b: x + b[:, None, None], 10),
    Case("bias_add_grad", {"dy": images(*IMAGE)},
         lambda r, dy: r.BiasAddGrad(out_backprop=dy), lambda t, dy: dy.sum([0, 2, 3]), 10),
    Case("relu_grad", {"dy": floats(1024, 1024), "x": floats(1024, 1024)},
         lambda r, dy, x: r.ReluGrad(gradients=dy, features=x),
         lambda t, dy, x: t.ops.aten.threshold_backward(dy, x, 0), 10),
    CONV_3X3.forward(),
    CONV_3X3.back_to_image(),
    CONV_3X3.back_to_filter(),
    CONV_1X1.forward(),
    CONV_1X1.back_to_image(),
    CONV_1X1.back_to_filter(),
    CONV_7X7.forward(),
    CONV_7X7.back_to_filter(),
    CONV_NCHW.forward(),
    Case("max_pool", {"x": images(*IMAGE)},
         lambda r, x: r.MaxPool(input=x, **POOL), lambda t, x: t.max_pool2d(x, 2), 5),
    Case("max_pool_grad", {"x": images(*IMAGE), "y": images(*POOLED), "dy": images(*POOLED)},
         lambda r, x, y, dy: r.MaxPoolGrad(orig_input=x, orig_output=y, grad=dy, **POOL),
         torch_max_grad, 2),
    Case("avg_pool", {"x": images(*IMAGE)}, lambda r, x: r.AvgPool(value=x, **POOL),
         lambda t, x: t.nn.functional.avg_pool2d(x, 2), 5),
    Case("avg_pool_grad", {"x": images(*IMAGE), "dy": images(*POOLED)},
         lambda r, x, dy: r.AvgPoolGrad(orig_input_shape=list(IMAGE), grad=dy, **POOL),
         torch_avg_grad, 5),
    # PyTorch's LSTM is a module with weights of its own, and keeps no gates.
    Case("block_lstm", RECURRENT, block_lstm, None),
    # PyTorch draws its numbers from another generator, so that only TensorFlow does the same work.
    Case("random_normal", {}, lambda r: r.RandomStandardNormal(shape=[1024, 1024], dtype=FLOAT),
         None, 2),
    Case("random_uniform", {}, lambda r: r.RandomUniform(shape=[1024, 1024], dtype=FLOAT), None, 2),
    Case("truncated_normal", {}, lambda r: r.TruncatedNormal(shape=[1024, 1024], dtype=FLOAT),
         None, 2),
    Case("gradient_descent", {"v": state(1024, 1024), "g": floats(1024, 1024)},
         lambda r, v, g: r.ResourceApplyGradientDescent(var=v, alpha=0.001, delta=g),
         lambda t, v, g: v.add_(g, alpha=-0.001), 10),
    Case("momentum", {"v": state(1024, 1024), "m": state(1024, 1024), "g": floats(1024, 1024)},
         lambda r, v, m, g: r.ResourceApplyMomentum(var=v, accum=m, lr=0.001, grad=g,
                                                    momentum=0.9),
         torch_momentum, 10),
    Case("adam", {"v": state(1024, 1024), "m": state(1024, 1024), "s": state(1024, 1024),
                  "g": floats(1024, 1024)},
         lambda r, v, m, s, g: r.ResourceApplyAdam(
             var=v, m=m, v=s, beta1_power=0.9, beta2_power=0.999, lr=0.001, beta1=0.9,
             beta2=0.999, epsilon=1e-8, grad=g),
         torch_adam, 10),
]
