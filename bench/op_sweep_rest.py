"""Sparse matrices, updates, matrices, transforms and texts."""
import numpy as np

from op_cases import Case, Input
from op_sweep_array import below, one
from op_sweep_math import RANDOM, SIDE, between, complex_floats

TEXTS = Input(np.array([f"word{i} and more {i * 7}" for i in range(5000)], object))
NUMBERS = Input(np.array([f"{i * .37:.3f}" for i in range(10_000)], object))
SIDES = [1000, 1000]


def variable(*shape):
    return Input(RANDOM.uniform(0.1, 1, shape).astype(np.float32), is_state=True)


def sparse():
    places = np.unique(RANDOM.integers(0, 1000, (20_000, 2)), axis=0)
    given = {"i": Input(places), "v": between(-1, 1, len(places))}
    shuffled = {"i": Input(places[RANDOM.permutation(len(places))]), "v": given["v"]}
    yield Case("SparseTensorDenseMatMul", {**given, "y": between(-1, 1, 1000, 32)},
               lambda r, i, v, y: r.SparseTensorDenseMatMul(a_indices=i, a_values=v, a_shape=SIDES, b=y), None, 5)
    yield Case("SparseReorder", shuffled, lambda r, i, v: r.SparseReorder(
        input_indices=i, input_values=v, input_shape=SIDES), None, 5)
    yield Case("SparseAdd", given, lambda r, i, v: r.SparseAdd(
        a_indices=i, a_values=v, a_shape=SIDES, b_indices=i, b_values=v, b_shape=SIDES, thresh=0.0), None, 5)
    yield Case("SparseReduceSum", given, lambda r, i, v: r.SparseReduceSum(
        input_indices=i, input_values=v, input_shape=SIDES, reduction_axes=[1]), None, 5)
    yield Case("SparseToDense", given, lambda r, i, v: r.SparseToDense(
        sparse_indices=i, output_shape=SIDES, sparse_values=v, default_value=0.0), None, 5)
    yield Case("SparseFillEmptyRows", given, lambda r, i, v: r.SparseFillEmptyRows(
        indices=i, values=v, dense_shape=SIDES, default_value=0.0), None, 5)
    yield Case("SparseReshape", {"i": given["i"]}, lambda r, i: r.SparseReshape(
        input_indices=i, input_shape=SIDES, new_shape=[500, 2000]), None, 5)


def updates():
    gradient = between(-1, 1, *SIDE)
    yield Case("ApplyMomentum", {"v": variable(*SIDE), "m": variable(*SIDE), "g": gradient},
               lambda r, v, m, g: r.ResourceApplyMomentum(var=v, accum=m, lr=.001, grad=g, momentum=.9), None, 5)
    yield Case("ApplyFtrl", {"v": variable(*SIDE), "m": variable(*SIDE), "n": variable(*SIDE), "g": gradient},
               lambda r, v, m, n, g: r.ResourceApplyFtrl(
                   var=v, accum=m, linear=n, grad=g, lr=.1, l1=.01, l2=.01, lr_power=-.5), None, 5)
    rows = {"v": variable(10_000, 32), "m": variable(10_000, 32), "g": between(-1, 1, 2000, 32),
            "i": below(10_000, 2000)}
    yield Case("SparseApplyMomentum", rows, lambda r, v, m, g, i: r.ResourceSparseApplyMomentum(
        var=v, accum=m, lr=.001, grad=g, indices=i, momentum=.9), None, 5)
    yield Case("SparseApplyAdagrad", rows, lambda r, v, m, g, i: r.ResourceSparseApplyAdagrad(
        var=v, accum=m, lr=.001, grad=g, indices=i), None, 5)
    yield Case("ScatterUpdate", {"v": rows["v"], "g": rows["g"], "i": rows["i"]},
               lambda r, v, g, i: r.ResourceScatterUpdate(resource=v, indices=i, updates=g), None, 5)


def matrices():
    square = RANDOM.uniform(-1, 1, (64, 64)) + 8 * np.eye(64)
    many = Input(np.tile(square, (16, 1, 1)).astype(np.float32))
    definite = Input(np.tile(square @ square.T, (16, 1, 1)).astype(np.float32))
    yield one("Cholesky", definite, lambda r, x: r.Cholesky(input=x))
    yield one("MatrixInverse", many, lambda r, x: r.MatrixInverse(input=x))
    yield one("MatrixInverse_3x3", Input(np.tile(square[:3, :3], (5000, 1, 1)).astype(np.float32)),
              lambda r, x: r.MatrixInverse(input=x))
    yield one("MatrixSolve", many, lambda r, x: r.MatrixSolve(matrix=x, rhs=x))
    yield one("Qr_small", between(-1, 1, 200, 8, 6), lambda r, x: r.Qr(input=x))
    yield one("Svd_small", between(-1, 1, 200, 8, 6), lambda r, x: r.Svd(input=x))
    for op in ("FFT", "FFT2D", "FFT3D", "IFFT2D"):
        yield one(op, complex_floats(64, 32, 32), lambda r, x, op=op: getattr(r, op)(input=x))
        yield one(op + "_of_primes", complex_floats(16, 31, 37), lambda r, x, op=op: getattr(r, op)(input=x))
    yield one("RFFT", between(-1, 1, *SIDE), lambda r, x: r.RFFT(input=x, fft_length=[512]))


def texts():
    for op, argument, more in (
            ("StringLower", "input", {}), ("StringStrip", "input", {}), ("StringLength", "input", {}),
            ("Substr", "input", {"pos": 2, "len": 5}), ("StringSplitV2", "input", {"sep": " "}),
            ("StringToHashBucketFast", "input", {"num_buckets": 1000}), ("EncodeBase64", "input", {}),
            ("RegexReplace", "input", {"pattern": "[0-9]+", "rewrite": "#"}),
            ("UnicodeDecode", "input", {"input_encoding": "UTF-8"}), ("Unique", "x", {})):
        yield one(f"{op}_text", TEXTS, lambda r, x, op=op, argument=argument, more=more: getattr(r, op)(
            **{argument: x}, **more))
    yield one("StringToNumber", NUMBERS, lambda r, x: r.StringToNumber(string_tensor=x))
    yield one("AsString", between(-1, 1, 10_000), lambda r, x: r.AsString(input=x))


CASES = [*sparse(), *updates(), *matrices(), *texts()]
