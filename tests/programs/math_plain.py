"""Functions that are one op each."""
import numpy as np
import tensorflow as tf

from program import feeds

X = [-0.75, -0.25, 0.0, 0.5, 0.875]
POSITIVE = [0.25, 1.0, 2.5, 7.0]


def program_circular():
    x = tf.constant(X)
    return dict(sin=tf.sin(x), cos=tf.math.cos(x), tan=tf.tan(x), asin=tf.asin(x), acos=tf.acos(x),
                atan=tf.atan(x), atan2=tf.atan2(x, [1.0, -1.0, 2.0, 3.0, -1.0]))


def program_hyperbolic():
    x = tf.constant(X)
    return dict(sinh=tf.sinh(x), cosh=tf.cosh(x), tanh=tf.tanh(x), asinh=tf.asinh(x),
                acosh=tf.acosh(tf.constant([1.0, 1.5, 30.0])), atanh=tf.atanh(x))


def program_logarithms():
    x = tf.constant(POSITIVE)
    return dict(exp=tf.exp(x), expm1=tf.math.expm1(x), log=tf.log(x), log1p=tf.log1p(x),
                sqrt=tf.sqrt(x), rsqrt=tf.math.rsqrt(x), square=tf.square(x),
                reciprocal=tf.reciprocal(x))


def program_rounding():
    x = tf.constant([-2.5, -1.5, -0.2, 0.5, 1.5, 2.7])
    return dict(floor=tf.floor(x), ceil=tf.ceil(x), rint=tf.rint(x), round=tf.round(x),
                sign=tf.sign(x), negative=tf.negative(x), math_ceil=tf.math.ceil(x, name="up"))


def program_round_of_integers_is_the_same():
    x = tf.constant([1, 2, 3])
    return dict(round=tf.round(x), same=tf.round(x) is x)


def program_special_functions():
    x = tf.constant(POSITIVE)
    return dict(lgamma=tf.lgamma(x), digamma=tf.digamma(x), erf=tf.erf(x), erfc=tf.erfc(x),
                igamma=tf.igamma(x, 1.5), igammac=tf.math.igammac(x, 1.5),
                zeta=tf.zeta(x + 1.5, 2.0), polygamma=tf.polygamma(1.0, x),
                betainc=tf.betainc(x, x, [0.1, 0.2, 0.5, 0.9]))


def program_bessel():
    x = tf.constant(X)
    return dict(i0e=tf.math.bessel_i0e(x), i1e=tf.math.bessel_i1e(x, name="one"))


def program_kinds_of_numbers():
    x = tf.constant([1.0, np.nan, np.inf, -np.inf])
    return dict(finite=tf.is_finite(x), inf=tf.math.is_inf(x), nan=tf.is_nan(x),
                debugging=tf.debugging.is_finite(x))


def program_two_arguments():
    x = tf.constant([1.0, -2.0, 3.5])
    y = tf.constant([2.0, -2.0, 0.5])
    return dict(maximum=tf.maximum(x, y), minimum=tf.minimum(x, 1), floormod=tf.floormod(x, y),
                mod=tf.mod(x, 2), difference=tf.squared_difference(x, y), xlogy=tf.math.xlogy(x * x, y * y),
                nextafter=tf.math.nextafter(x, y), realdiv=tf.realdiv(x, y),
                truncatediv=tf.truncatediv([7, -7], 2), truncatemod=tf.truncatemod([7, -7], [3, 3]),
                floor_div=tf.floor_div([7, -7], 2))


def program_comparisons():
    x = tf.constant([1, 2, 3], tf.int64)
    return dict(less=tf.less(x, 2), less_equal=tf.less_equal(x, [3, 2, 1]), greater=tf.greater(x, 2),
                greater_equal=tf.math.greater_equal(x, x))


def program_logic():
    x = tf.constant([True, True, False, False])
    y = tf.constant([True, False, True, False])
    return dict(both=tf.logical_and(x, y), either=tf.logical_or(x, y), no=tf.logical_not(x),
                different=tf.logical_xor(x, y), named=tf.math.logical_xor(x, True, name="flip"))


def program_bits():
    x = tf.constant([0, 5, 3, 14], tf.int32)
    y = tf.constant([5, 0, 7, 11], tf.int32)
    return dict(both=tf.bitwise.bitwise_and(x, y), either=tf.bitwise.bitwise_or(x, y),
                different=tf.bitwise.bitwise_xor(x, y), turned=tf.bitwise.invert(x),
                left=tf.bitwise.left_shift(x, 2), right=tf.bitwise.right_shift(y, [1, 1, 1, 1]))


def program_bits_of_bytes():
    x = tf.constant([0, 5, 3, 200], tf.uint8)
    return dict(turned=tf.bitwise.invert(x, name="not"), shifted=tf.bitwise.right_shift(x, 1))


def program_names_of_constants():
    with tf.name_scope("block"):
        a = tf.maximum(1.0, 2.0)
        b = tf.atan2(1.0, 2.0, name="angle")
    return dict(a=a, b=b, c=tf.sin(3.0))


def program_fed():
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.exp(tf.negative(x, name="minus"), name="power")
    return feeds({x: [[0.0, 1.0], [2.0, 3.0]]}, y=y, shape=str(y.shape))


def program_permutation():
    x = tf.constant([3, 4, 0, 2, 1])
    return dict(inverse=tf.invert_permutation(x), math=tf.math.invert_permutation(x, name="back"))


def program_argmax_of_old():
    x = tf.constant([[1.0, 5.0, 2.0], [7.0, 1.0, 0.0]])
    return dict(most=tf.arg_max(x, 1), least=tf.arg_min(x, dimension=0, output_type=tf.int32))


def program_gradients_of_plain_ops():
    x = tf.constant(POSITIVE)
    y = tf.lgamma(x) + tf.sin(x) * tf.tanh(x) + tf.erf(x) - tf.log1p(x)
    return dict(y=y, dx=tf.gradients(y, x))


def program_sparse_matmul():
    a = tf.constant([[1.0, 0.0], [0.0, 2.0]])
    return dict(c=tf.sparse_matmul(a, a, a_is_sparse=True))


def program_cross():
    a, b = tf.constant([1.0, 2.0, 3.0]), tf.constant([0.5, -1.0, 2.0])
    return dict(top=tf.cross(a, b), linalg=tf.linalg.cross(a, b, name="product"))


def program_complex():
    x = tf.constant([1 + 2j, -0.5j], tf.complex64)
    return dict(exp=tf.exp(x), sin=tf.sin(x), square=tf.square(x), negative=-x, reciprocal=tf.reciprocal(x))


def program_half():
    x = tf.constant([0.5, 1.5], tf.float16)
    return dict(exp=tf.exp(x), sqrt=tf.sqrt(x), tanh=tf.tanh(x), maximum=tf.maximum(x, 1.0))
