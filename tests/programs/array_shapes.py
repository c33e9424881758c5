"""Shapes: asking for them, changing them, filling them."""
import numpy as np
import tensorflow as tf

from program import feeds


def unknown(shape=None, dtype=tf.float32):
    return tf.placeholder(dtype, shape, name="x")


def program_shape_of_known():
    x = tf.constant([[1.0, 2.0, 3.0]], name="x")
    return {"a": tf.shape(x), "b": tf.shape(x, out_type=tf.int64), "c": tf.shape(x, name="s"),
            "d": tf.shape([[1, 2], [3, 4]])}


def program_shape_of_unknown():
    x = unknown([None, 3])
    return feeds({x: np.ones((2, 3))}, a=tf.shape(x), b=tf.shape(x, "named", tf.int64),
                 c=tf.size(x), d=tf.rank(x), e=tf.size(x, out_type=tf.int64))


def program_size_and_rank():
    x = tf.constant([[1.0, 2.0, 3.0]], name="x")
    return {"a": tf.size(x), "b": tf.size(x, name="n", out_type=tf.int64), "c": tf.rank(x),
            "d": tf.rank(5), "e": tf.rank([[1]], name="r")}


def program_rank_of_unknown():
    x = unknown()
    return feeds({x: np.ones((2, 3, 1))}, a=tf.rank(x), b=tf.shape(x), c=tf.size(x))


def program_shape_n():
    x, y = tf.constant([1.0, 2.0]), unknown([None])
    return feeds({y: [1.0]}, a=tf.shape_n([x, y]), b=tf.shape_n([x, x], out_type=tf.int64, name="n"))


def program_reshape():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    n = tf.placeholder(tf.int32, [], name="n")
    return feeds({n: 3}, a=tf.reshape(x, [3, 2]), b=tf.reshape(x, (-1,), name="flat"),
                 c=tf.reshape(x, [n, -1]), d=tf.reshape([1, 2, 3, 4], tf.stack([2, 2])),
                 e=tf.manip.reshape(x, tf.constant([6, 1], tf.int64)))


def program_zeros():
    n = tf.placeholder(tf.int32, [], name="n")
    return feeds({n: 2}, a=tf.zeros([2, 3]), b=tf.zeros((3,), tf.int64), c=tf.zeros([], tf.bool, name="z"),
                 d=tf.zeros([n, 2]), e=tf.zeros(tf.TensorShape([1, 2])), f=tf.zeros(4, tf.float16),
                 g=tf.zeros([2], tf.string), h=tf.zeros(tf.constant([2, 2])))


def program_zeros_large():
    return {"a": tf.reduce_sum(tf.zeros([40, 50], tf.int32)), "b": tf.zeros([999]), "c": tf.zeros([1000]),
            "d": tf.ones([1000], tf.float64), "e": tf.zeros([1001], name="many")}


def program_ones():
    n = tf.placeholder(tf.int32, [], name="n")
    return feeds({n: 2}, a=tf.ones([2, 3]), b=tf.ones((3,), tf.int64), c=tf.ones([], tf.bool, name="z"),
                 d=tf.ones([n, 2], tf.complex64), e=tf.ones(tf.TensorShape([1, 2])), h=tf.ones(tf.constant([2])))


def program_zeros_like():
    x, y = tf.constant([[1.0, 2.0]]), unknown([None, 2])
    return feeds({y: [[1.0, 2.0]]}, a=tf.zeros_like(x), b=tf.zeros_like(x, tf.int32), c=tf.zeros_like(y),
                 d=tf.zeros_like(y, dtype=tf.int64, name="z"), e=tf.zeros_like(x, optimize=False),
                 f=tf.zeros_like([1, 2]), g=tf.zeros_like(x, tf.float32, "like"),
                 h=tf.zeros_like(["a", "b"]))


def program_ones_like():
    x, y = tf.constant([[1.0, 2.0]]), unknown([None, 2])
    return feeds({y: [[1.0, 2.0]]}, a=tf.ones_like(x), b=tf.ones_like(x, tf.int32), c=tf.ones_like(y),
                 d=tf.ones_like(y, dtype=tf.bool, name="o"), e=tf.ones_like(x, optimize=False),
                 f=tf.ones_like([1, 2]))


def program_fill():
    n = tf.placeholder(tf.int32, [], name="n")
    return feeds({n: 2}, a=tf.fill([2, 3], 9), b=tf.fill([n], 1.5, name="f"),
                 c=tf.fill(tf.constant([1], tf.int64), "word"), d=tf.fill([2], tf.constant(True)))


def program_identity():
    x = tf.constant([1.0, 2.0], name="x")
    return {"a": tf.identity(x), "b": tf.identity([1, 2], name="i"), "c": tf.identity_n([x, 3, "s"]),
            "d": tf.identity_n([x, x], name="n"), "e": tf.stop_gradient(x), "f": tf.guarantee_const(x)}


def program_expand_dims():
    x = tf.constant([[1.0, 2.0]])
    i = tf.placeholder(tf.int32, [], name="i")
    return feeds({i: 0}, a=tf.expand_dims(x, 0), b=tf.expand_dims(x, -1), c=tf.expand_dims(x, axis=1, name="e"),
                 d=tf.expand_dims(x, dim=2), e=tf.expand_dims([1, 2], i))


def program_squeeze():
    x = tf.constant([[[1.0], [2.0]]])
    y = unknown([None, None, 1])
    return feeds({y: np.ones((1, 3, 1))}, a=tf.squeeze(x), b=tf.squeeze(x, 0), c=tf.squeeze(x, [0, 2]),
                 d=tf.squeeze(x, axis=-1, name="s"), e=tf.squeeze(x, squeeze_dims=[2]), f=tf.squeeze(y, [2]),
                 g=tf.squeeze(y))


def program_transpose():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    z = tf.constant([[1 + 2j, 3 - 1j]])
    y = unknown()
    p = tf.placeholder(tf.int32, [2], name="p")
    return feeds({y: np.arange(6).reshape(1, 2, 3), p: [1, 0]}, a=tf.transpose(x), b=tf.transpose(x, [1, 0]),
                 c=tf.transpose(x, perm=p, name="t"), d=tf.transpose(z, conjugate=True), e=tf.transpose(y),
                 f=tf.transpose(x, conjugate=True), g=tf.transpose([[1.0, 2.0]]), h=tf.transpose(z, [1, 0]),
                 i=tf.transpose(tf.constant(3.0)))


def program_matrix_transpose():
    x = tf.constant([[[1, 2, 3], [4, 5, 6]]])
    z = tf.constant([[1 + 2j, 3 - 1j]])
    y = unknown()
    return feeds({y: np.arange(6).reshape(1, 2, 3)}, a=tf.matrix_transpose(x), b=tf.linalg.transpose(z),
                 c=tf.matrix_transpose(z, conjugate=True, name="m"), d=tf.matrix_transpose(y))


def program_broadcast():
    x = tf.constant([[1], [2]])
    a = tf.placeholder(tf.int32, [2], name="a")
    return feeds({a: [1, 3]}, a=tf.broadcast_to(x, [2, 3]), b=tf.broadcast_to(x, a * 2, name="b"),
                 c=tf.broadcast_dynamic_shape(a, [2, 1]), d=tf.broadcast_static_shape(
                     tf.TensorShape([2, 1]), tf.TensorShape([1, 5])).as_list())


def program_meshgrid():
    x, y = [1, 2, 3], tf.constant([4.0, 5.0])
    return {"a": tf.meshgrid(x, [4, 5]), "b": tf.meshgrid([1.0, 2.0], y, indexing="ij"),
            "c": tf.meshgrid([1, 2], [3], [4, 5], name="grid"), "d": tf.meshgrid([1, 2])}


def program_placeholders():
    x = tf.placeholder_with_default([1.0, 2.0], [None], name="d")
    y = tf.placeholder_with_default(tf.constant([[1]]), shape=None)
    z = tf.placeholder(tf.string, name="z")
    return [feeds({x: [5.0], z: b"w"}, x=x, y=y, z=z), {"x": x}]


def program_ensure_shape():
    x = unknown([None, 2])
    return feeds({x: [[1.0, 2.0]]}, a=tf.ensure_shape(x, [1, 2]), b=tf.ensure_shape(x, (None, None), name="e"))


def program_bitcast():
    x = tf.constant([1.0, -2.0])
    return {"a": tf.bitcast(x, tf.int32), "b": tf.bitcast(x, tf.uint8, name="bytes"),
            "c": tf.bitcast(tf.constant([[1, 0], [2, 1]], tf.int32), tf.int64)}


def program_gradients_of_shapes():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.reshape(tf.transpose(x), [-1]) * tf.cast(tf.size(x), tf.float32)
    z = tf.squeeze(tf.expand_dims(y, 0), [0]) + tf.zeros_like(y) + tf.ones_like(y)
    return feeds({x: [[1.0, 2.0], [3.0, 4.0]]}, y=z, g=tf.gradients(z, x))
