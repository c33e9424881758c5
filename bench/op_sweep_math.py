"""Element-wise ops, reductions, casts and products, of many types."""
import numpy as np

from op_cases import Case, Input

SIDE = (512, 512)
RANDOM = np.random.default_rng(7)
FLOAT, DOUBLE, INT, BYTE, LONG, BOOL, HALF = 1, 2, 3, 4, 9, 10, 19  # numbers of dtypes

ON_FEATURES = {"Relu", "Softplus", "Softsign", "Elu", "Selu", "LeakyRelu", "Relu6"}
UNARY = ("Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Atanh Erf Erfc Lgamma Digamma Expm1 Log1p Reciprocal Round Rint "
         "Floor Ceil Sign Square Sqrt Neg Abs Softplus Softsign Elu Selu LeakyRelu Relu6 IsNan IsFinite").split()
UNARY_DOUBLE = ("Sin Cos Tanh Exp Log Sqrt Square Erf Floor Sign Neg Softplus Elu Round Atan Sinh Sigmoid Rsqrt "
                "Relu").split()
UNARY_HALF = "Tanh Sigmoid Exp Log Rsqrt Relu".split()
BINARY = ("Pow Atan2 FloorDiv FloorMod Mod SquaredDifference Xdivy Xlogy DivNoNan Minimum Less GreaterEqual Equal "
          "NotEqual Sub TruncateMod").split()
BINARY_WHOLE = "FloorDiv FloorMod Less Equal Sub Minimum Pow".split()
GRADIENTS = {"TanhGrad": ("y", "dy"), "SigmoidGrad": ("y", "dy"), "SqrtGrad": ("y", "dy"), "RsqrtGrad": ("y", "dy"),
             "EluGrad": ("outputs", "gradients"), "SeluGrad": ("outputs", "gradients"),
             "SoftplusGrad": ("features", "gradients"), "SoftsignGrad": ("features", "gradients"),
             "Relu6Grad": ("features", "gradients"), "LeakyReluGrad": ("features", "gradients")}


def between(low, high, *shape, dtype=np.float32):
    return Input(RANDOM.uniform(low, high, shape).astype(dtype))


def whole(below, *shape, dtype=np.int32):
    return Input(RANDOM.integers(1, below, shape).astype(dtype))


def kind(name, *shape):
    """Elements of a type that a program would have there."""
    makers = {"float": lambda: between(-1, 1, *shape), "double": lambda: between(-1, 1, *shape, dtype=np.float64),
              "half": lambda: between(-1, 1, *shape, dtype=np.float16), "int": lambda: whole(99, *shape),
              "long": lambda: whole(99, *shape, dtype=np.int64), "byte": lambda: whole(256, *shape, dtype=np.uint8),
              "bool": lambda: Input(RANDOM.random(shape) > 0.5)}
    return makers[name]()


def unary(op, dtype=np.float32):
    argument = "features" if op in ON_FEATURES else "x"
    suffix = "" if dtype == np.float32 else f"_{np.dtype(dtype).name}"
    return Case(op + suffix, {"x": between(0.1, 1, *SIDE, dtype=dtype)},
                lambda r, x: getattr(r, op)(**{argument: x}), None, 5)


def binary(name, op, x, y, names=("x", "y")):
    return Case(name, {"x": x, "y": y}, lambda r, x, y: getattr(r, op)(**dict(zip(names, (x, y)))), None, 5)


def reduction(op, of, axes):
    return Case(f"{op}_{of}_{''.join(map(str, axes))}", {"x": kind(of, *SIDE)},
                lambda r, x: getattr(r, op)(input=x, axis=list(axes)), None, 5)


def cast(of, to):
    return Case(f"Cast_{of}_{to}", {"x": kind(of, *SIDE)}, lambda r, x: r.Cast(x=x, DstT=to), None, 5)


def complex_floats(*shape):
    return Input((RANDOM.uniform(-1, 1, shape) + 1j * RANDOM.uniform(-1, 1, shape)).astype(np.complex64))


def product(name, op, x, y, **how):
    names = ("x", "y") if op == "BatchMatMulV2" else ("a", "b")
    return Case(name, {"x": x, "y": y}, lambda r, x, y: getattr(r, op)(**dict(zip(names, (x, y))), **how), None, 5)


def products():
    """Few rows, few columns, transposed factors: what gradients of layers are."""
    for rows, depth, columns in ((256, 1000, 1000), (100, 3136, 512), (16, 784, 256), (2, 1000, 3), (40_000, 3, 1)):
        for turned_a in (False, True):
            for turned_b in (False, True):
                x = between(-1, 1, *((depth, rows) if turned_a else (rows, depth)))
                y = between(-1, 1, *((columns, depth) if turned_b else (depth, columns)))
                name = f"MatMul_{rows}x{depth}x{columns}{'_ta' * turned_a}{'_tb' * turned_b}"
                yield product(name, "MatMul", x, y, transpose_a=turned_a, transpose_b=turned_b)
    for of, size in (("double", 256), ("int", 128)):
        yield product(f"MatMul_{of}", "MatMul", kind(of, size, size), kind(of, size, size))
    yield product("MatMul_complex", "MatMul", complex_floats(128, 128), complex_floats(128, 128))
    yield product("BatchMatMul_small", "BatchMatMulV2", between(-1, 1, 5000, 4, 4), between(-1, 1, 5000, 4, 4))
    yield product("BatchMatMul_vector", "BatchMatMulV2", between(-1, 1, 512, 1, 64), between(-1, 1, 512, 64, 64))


def mixed():
    positive = between(0.1, 1, *SIDE)
    for op in BINARY_WHOLE:
        for of in ("int", "long"):
            few = whole(4, *SIDE, dtype=np.int32 if of == "int" else np.int64)
            yield binary(f"{op}_{of}", op, kind(of, *SIDE), few)
    for op in ("Add", "Mul", "Div"):
        for of in ("int", "long", "byte", "double", "half"):
            yield binary(f"{op}_{of}", op, kind(of, *SIDE), kind(of, *SIDE))
    for op, names in GRADIENTS.items():
        yield binary(op, op, positive, positive, names)
    for op in ("LogicalAnd", "LogicalOr"):
        yield binary(op, op, kind("bool", *SIDE), kind("bool", *SIDE))
    yield Case("LogicalNot", {"x": kind("bool", *SIDE)}, lambda r, x: r.LogicalNot(x=x), None, 5)
    yield binary("Mul_complex", "Mul", complex_floats(*SIDE), complex_floats(*SIDE))
    yield Case("ComplexAbs", {"x": complex_floats(*SIDE)}, lambda r, x: r.ComplexAbs(x=x), None, 5)
    yield binary("Add_broadcast_middle", "Add", between(-1, 1, 64, 1, 64), between(-1, 1, 1, 64, 64))
    yield binary("Mul_channels", "Mul", between(-1, 1, 8, 64, 64, 3), between(-1, 1, 3))
    for axis in (0, 1):
        for op in ("Cumsum", "Cumprod"):
            yield Case(f"{op}_{axis}", {"x": positive},
                       lambda r, x, op=op, axis=axis: getattr(r, op)(x=x, axis=axis), None, 5)
    for op in ("Igamma", "Zeta", "Polygamma"):
        names = {"Igamma": ("a", "x"), "Zeta": ("x", "q"), "Polygamma": ("a", "x")}[op]
        orders = Input(RANDOM.integers(2, 6, (256, 256)).astype(np.float32))
        yield binary(op, op, orders, between(1, 2, 256, 256), names)


CASES = [
    *map(unary, UNARY), *(unary(op, np.float64) for op in UNARY_DOUBLE), *(unary(op, np.float16) for op in UNARY_HALF),
    *(binary(op, op, between(0.1, 1, *SIDE), between(0.1, 1, *SIDE)) for op in BINARY), *mixed(),
    *(reduction(op, of, axes) for op in ("Sum", "Mean", "Max", "Min", "Prod")
      for of in ("float", "double", "int", "long") for axes in ((0, 1), (0,), (1,))),
    *(cast(of, to) for of in ("float", "double", "int", "long", "byte", "half", "bool")
      for to in (FLOAT, DOUBLE, INT, LONG, BYTE, HALF, BOOL)),
    *products(),
]
