"""Element-wise ops, reductions and products."""
from op_cases import Case, flags, floats, halves, ints

FLOAT, HALF, INT = 1, 19, 3  # numbers of dtypes


def unary(name, graph, torch, repeat=10, **limits):
    return Case(name, {"x": floats(1024, 1024, **limits)}, graph, torch, repeat)


def binary(name, graph, torch, x=(1024, 1024), y=(1024, 1024), repeat=10):
    return Case(name, {"x": floats(*x), "y": floats(*y)}, graph, torch, repeat)


def gelu(r, x):
    """The usual approximation, op by op."""
    inner = r.Mul(x=r.AddV2(x=x, y=r.Mul(x=r.Mul(x=x, y=r.Square(x=x)), y=0.044715)), y=0.7978846)
    return r.Mul(x=r.Mul(x=x, y=0.5), y=r.AddV2(x=r.Tanh(x=inner), y=1.0))


def torch_gelu(t, x):
    inner = (x + x * x.square() * 0.044715) * 0.7978846
    return x * 0.5 * (inner.tanh() + 1.0)


def product(name, m, k, n, repeat, transpose_b=False, numbers=floats):
    shape = (n, k) if transpose_b else (k, n)
    return Case(name, {"x": numbers(m, k), "y": numbers(*shape)},
                lambda r, x, y: r.MatMul(a=x, b=y, transpose_b=transpose_b),
                lambda t, x, y: t.matmul(x, y.t() if transpose_b else y), repeat)


def reduction(name, op, torch, axis, shape=(1024, 1024), repeat=10):
    return Case(name, {"x": floats(*shape)},
                lambda r, x: getattr(r, op)(input=x, axis=axis), torch, repeat)


CASES = [
    binary("add_1m", lambda r, x, y: r.AddV2(x=x, y=y), lambda t, x, y: x + y),
    binary("add_16m", lambda r, x, y: r.AddV2(x=x, y=y), lambda t, x, y: x + y,
           (4096, 4096), (4096, 4096), 1),
    binary("mul_row", lambda r, x, y: r.Mul(x=x, y=y), lambda t, x, y: x * y, y=(1024,)),
    binary("add_column", lambda r, x, y: r.AddV2(x=x, y=y), lambda t, x, y: x + y, y=(1024, 1)),
    binary("maximum", lambda r, x, y: r.Maximum(x=x, y=y), lambda t, x, y: t.maximum(x, y)),
    binary("divide", lambda r, x, y: r.RealDiv(x=x, y=y), lambda t, x, y: x / y),
    binary("greater", lambda r, x, y: r.Greater(x=x, y=y), lambda t, x, y: x > y),
    unary("relu", lambda r, x: r.Relu(features=x), lambda t, x: t.relu(x)),
    unary("exp", lambda r, x: r.Exp(x=x), lambda t, x: x.exp()),
    unary("log", lambda r, x: r.Log(x=x), lambda t, x: x.log(), low=0.1),
    unary("rsqrt", lambda r, x: r.Rsqrt(x=x), lambda t, x: x.rsqrt(), low=0.1),
    unary("tanh", lambda r, x: r.Tanh(x=x), lambda t, x: x.tanh()),
    unary("sigmoid", lambda r, x: r.Sigmoid(x=x), lambda t, x: x.sigmoid()),
    unary("gelu_chain", gelu, torch_gelu, 2),
    unary("clip", lambda r, x: r.ClipByValue(t=x, clip_value_min=-0.5, clip_value_max=0.5),
          lambda t, x: x.clamp(-0.5, 0.5)),
    unary("cast_to_int", lambda r, x: r.Cast(x=x, DstT=INT), lambda t, x: x.int(), high=100.0),
    Case("cast_from_int", {"x": ints(1024, 1024, below=1000)},
         lambda r, x: r.Cast(x=x, DstT=FLOAT), lambda t, x: x.float(), 10),
    unary("cast_to_half", lambda r, x: r.Cast(x=x, DstT=HALF), lambda t, x: x.half()),
    Case("add_half", {"x": halves(1024, 1024), "y": halves(1024, 1024)},
         lambda r, x, y: r.AddV2(x=x, y=y), lambda t, x, y: x + y, 10),
    Case("select", {"c": flags(1024, 1024), "x": floats(1024, 1024), "y": floats(1024, 1024)},
         lambda r, c, x, y: r.SelectV2(condition=c, t=x, e=y),
         lambda t, c, x, y: t.where(c, x, y), 10),
    Case("add_n", {name: floats(1024, 1024) for name in "abcd"},
         lambda r, **x: r.AddN(inputs=list(x.values())),
         lambda t, a, b, c, d: a + b + c + d, 10),
    reduction("sum_all", "Sum", lambda t, x: x.sum(), [0, 1]),
    reduction("sum_all_16m", "Sum", lambda t, x: x.sum(), [0, 1], (4096, 4096), 2),
    reduction("sum_rows", "Sum", lambda t, x: x.sum(0), [0]),
    reduction("sum_columns", "Sum", lambda t, x: x.sum(1), [1]),
    reduction("sum_middle", "Sum", lambda t, x: x.sum(1), [1], (64, 128, 128)),
    reduction("mean_last", "Mean", lambda t, x: x.mean(2), [2], (64, 128, 128)),
    reduction("max_columns", "Max", lambda t, x: x.amax(1), [1]),
    Case("argmax_columns", {"x": floats(1024, 1024)},
         lambda r, x: r.ArgMax(input=x, dimension=1), lambda t, x: x.argmax(1), 10),
    Case("argmax_rows", {"x": floats(1024, 1024)},
         lambda r, x: r.ArgMax(input=x, dimension=0), lambda t, x: x.argmax(0), 10),
    unary("cumsum", lambda r, x: r.Cumsum(x=x, axis=1), lambda t, x: x.cumsum(1), 5),
    unary("l2_loss", lambda r, x: r.L2Loss(t=x), lambda t, x: x.square().sum() * 0.5),
    product("matmul_1024x1024x1024", 1024, 1024, 1024, 1),
    product("matmul_256x784x10", 256, 784, 10, 20),
    product("matmul_128x784x256", 128, 784, 256, 5),
    product("matmul_64x3136x1024", 64, 3136, 1024, 1),
    product("matmul_32x32x32", 32, 32, 32, 200),
    product("matmul_transposed", 128, 256, 784, 5, transpose_b=True),
    Case("batch_matmul", {"x": floats(64, 64, 64), "y": floats(64, 64, 64)},
         lambda r, x, y: r.BatchMatMulV2(x=x, y=y), lambda t, x, y: t.bmm(x, y), 5),
]
