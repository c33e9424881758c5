"""Functions for special mathematics and quantisation; see functions.py."""
import numpy as np

from functions import FEEDS, VALUES_ONLY, binary, function, place, unary

FEEDS.update({
    "b": np.array([[2.5, 0.5, 1.0], [3.25, 1.75, 0.5]], np.float32),
    "n": np.array([1.0, 2.0, 3.0], np.float32),
    "unit": np.array([[0.5, 0.1, 0.9], [0.25, 0.75, 0.3]], np.float32),
    "low": np.array([-1.0, -0.5, -2.0], np.float32),
    "high": np.array([1.0, 0.5, 1.5], np.float32),
})
VALUES_ONLY.update({
    "besseli0e": "2.15 opens a scope for the other function",
    "besseli1e": "2.15 selects last, with broadcasting",
    "betainc": "2.15 multiplies logarithms without NaN",
})

unary("digamma", "Digamma", "p")
unary("besseli0e", "BesselI0e", "x")
unary("besseli1e", "BesselI1e", "x")
binary("igamma", "Igamma", "p", "n", ("a", "x"))
binary("igammac", "Igammac", "p", "n", ("a", "x"))
binary("zeta", "Zeta", "n", "p", ("x", "q"))
binary("polygamma", "Polygamma", "n", "p", ("a", "x"))
binary("next_after", "NextAfter", "x", "row", ("x1", "x2"))
binary("cross", "Cross", "x", "y", ("a", "b"))


@function
def lgamma_twice(tf):
    p = place(tf, "p")
    return tf.gradients([tf.raw_ops.Lgamma(x=p)], [p], name="first"), [p]


@function
def betainc(tf):
    a, b, x = place(tf, "p"), place(tf, "b"), place(tf, "unit")
    return [tf.raw_ops.Betainc(a=a, b=b, x=x)], [a, b, x]


@function
def cumulative_logsumexp(tf):
    x = place(tf, "x")
    sums = tf.raw_ops.CumulativeLogsumexp(x=x, axis=1, exclusive=False, reverse=True)
    return [tf.raw_ops.Mul(x=sums, y=place(tf, "y"))], [x]


@function
def sparse_matmul(tf):
    x, w = place(tf, "x"), place(tf, "w")
    return [tf.raw_ops.SparseMatMul(a=x, b=w, a_is_sparse=True)], [x, w]


@function
def sparse_matmul_transposed(tf):
    x, y = place(tf, "x"), place(tf, "y")
    return [tf.raw_ops.SparseMatMul(a=x, b=y, transpose_a=True, a_is_sparse=True,
                                    b_is_sparse=True)], [x, y]


@function
def fake_quant_args(tf):
    x = place(tf, "x")
    return [tf.raw_ops.FakeQuantWithMinMaxArgs(inputs=x, min=-1, max=1, num_bits=4)], [x]


@function
def fake_quant_channels(tf):
    x, low, high = place(tf, "x"), place(tf, "low"), place(tf, "high")
    return [tf.raw_ops.FakeQuantWithMinMaxVarsPerChannel(inputs=x, min=low, max=high)], [
        x, low, high]


@function
def quantize_and_dequantize(tf):
    x = place(tf, "x")
    return [tf.raw_ops.QuantizeAndDequantizeV2(input=x, input_min=-1.0, input_max=1.0,
                                               range_given=True)], [x]
