"""Putting tensors together and taking them apart."""
import numpy as np
import tensorflow as tf

from program import feeds


def program_concat():
    x, y = tf.constant([[1, 2]]), tf.constant([[3, 4]])
    i = tf.placeholder(tf.int32, [], name="i")
    return feeds({i: 1}, a=tf.concat([x, y], 0), b=tf.concat([x, y], axis=-1, name="c"), c=tf.concat([x, y], i),
                 d=tf.concat([x, [[5, 6]]], 0), e=tf.concat([[1.0], [2.0, 3.0]], 0),
                 f=tf.concat(values=(x, y, x), axis=1))


def program_concat_of_one():
    x = tf.constant([[1, 2]])
    return {"a": tf.concat([x], 0), "b": tf.concat(x, 1, name="one"), "c": tf.concat([[[1.0]]], axis=0)}


def program_stack():
    x, y = tf.constant([1, 2]), tf.constant([3, 4])
    return {"a": tf.stack([x, y]), "b": tf.stack([x, y], axis=1, name="s"), "c": tf.stack([x, y], -1),
            "d": tf.stack([1, 2, 3]), "e": tf.stack([[1.0], [2.0]], axis=1), "f": tf.stack([x, [5, 6]]),
            "g": tf.stack(tf.constant([[1, 2]])), "h": tf.stack([x[0], 7])}


def program_unstack():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    y = tf.placeholder(tf.float32, None, name="y")
    return feeds({y: [1.0, 2.0]}, a=tf.unstack(x), b=tf.unstack(x, axis=1, name="u"), c=tf.unstack(x, 2, 0),
                 d=tf.unstack(y, num=2), e=tf.unstack([1, 2]))


def program_split_into_equal_parts():
    x = tf.constant([[1, 2, 3, 4], [5, 6, 7, 8]])
    i = tf.placeholder(tf.int32, [], name="i")
    return feeds({i: 1}, a=tf.split(x, 2), b=tf.split(x, 4, axis=1, name="s"), c=tf.split(x, 2, i),
                 d=tf.split(value=x, num_or_size_splits=2, axis=-1), e=tf.split([1, 2, 3], 3))


def program_split_into_sizes():
    x = tf.constant([[1, 2, 3, 4], [5, 6, 7, 8]])
    n = tf.placeholder(tf.int32, [2], name="n")
    return feeds({n: [3, 1]}, a=tf.split(x, [1, 3], 1), b=tf.split(x, [1, -1], 1, name="s"),
                 c=tf.split(x, n, 1), d=tf.split(x, n, 1, num=2), e=tf.split(x, np.array([2, 2]), axis=1))


def program_pad():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    p = tf.placeholder(tf.int32, [2, 2], name="p")
    y = tf.placeholder(tf.float32, [None, 3], name="y")
    return feeds({p: [[0, 1], [1, 0]], y: np.ones((2, 3))}, a=tf.pad(x, [[1, 1], [2, 0]]),
                 b=tf.pad(x, [[1, 1], [2, 0]], "REFLECT"), c=tf.pad(x, [[1, 1], [2, 0]], mode="symmetric", name="s"),
                 d=tf.pad(x, p), e=tf.pad(x, p, constant_values=9), f=tf.pad(y, [[0, 0], [1, 1]], constant_values=0.5),
                 g=tf.pad(y, tf.constant([[1, 0], [0, 0]])), h=tf.pad([1.0, 2.0], [[1, 2]], constant_values=tf.constant(3.0)))


def program_tile_and_reverse():
    x = tf.constant([[1, 2], [3, 4]])
    return {"a": tf.tile(x, [1, 2]), "b": tf.tile(x, multiples=tf.constant([2, 1]), name="t"), "c": tf.reverse(x, [0]),
            "d": tf.reverse_v2(x, axis=[-1], name="r"), "e": tf.manip.reverse(x, [0, 1]), "f": tf.roll(x, 1, 0),
            "g": tf.roll(x, shift=[1, -1], axis=[0, 1], name="roll"), "h": tf.manip.roll([1, 2, 3], 2, -1)}


def program_reverse_sequence():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    n = tf.constant([2, 3])
    return {"a": tf.reverse_sequence(x, n, seq_axis=1), "b": tf.reverse_sequence(x, n, 1, 0, name="r"),
            "c": tf.reverse_sequence(x, n, seq_dim=1, batch_dim=0),
            "d": tf.reverse_sequence(x, tf.constant([1, 2, 2], tf.int64), seq_axis=0, batch_axis=1)}


def program_slice():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    n = tf.placeholder(tf.int32, [], name="n")
    return feeds({n: 1}, a=tf.slice(x, [0, 1], [2, 2]), b=tf.slice(x, [n, 0], [-1, -1], name="s"),
                 c=tf.slice(x, begin=tf.constant([0, 0]), size=[1, 3]), d=x[n], e=x[:, 1:], f=x[..., tf.newaxis, -1])


def program_strided_slice():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    return {"a": tf.strided_slice(x, [0, 0], [2, 3]), "b": tf.strided_slice(x, [0, 0], [2, 3], [1, 2]),
            "c": tf.strided_slice(x, [1, -1], [0, -4], [-1, -1], name="s"),
            "d": tf.strided_slice(x, [0, 1], [1, 2], begin_mask=1, end_mask=3, shrink_axis_mask=0),
            "e": tf.strided_slice(x, [0], [1], shrink_axis_mask=1, new_axis_mask=0)}


def program_parallel_stack():
    return {"a": tf.parallel_stack([tf.constant([1, 2]), tf.constant([3, 4])]),
            "b": tf.parallel_stack([[1.0], [2.0]], name="p")}


def program_repeat():
    x = tf.constant([[1, 2], [3, 4]])
    n = tf.placeholder(tf.int32, [2], name="n")
    return feeds({n: [2, 0]}, a=tf.repeat(x, 2), b=tf.repeat(x, n, axis=0), c=tf.repeat(x, repeats=3, axis=1, name="r"),
                 d=tf.repeat(["a", "b"], n, axis=0))


def program_dynamic_partition_and_stitch():
    parts = tf.dynamic_partition([10.0, 20.0, 30.0], [1, 0, 1], 2)
    where = tf.dynamic_partition(tf.range(3), [1, 0, 1], 2, name="where")
    return {"parts": parts, "whole": tf.dynamic_stitch(where, parts, name="whole"),
            "parallel": tf.dynamic_stitch([[0, 2], [1]], [[1, 3], [2]])}


def program_space_to_batch():
    x = tf.constant(np.arange(16).reshape(1, 4, 4, 1), tf.float32)
    a = tf.space_to_batch(x, [[0, 0], [0, 0]], 2)
    b = tf.space_to_batch_nd(x, [2, 2], [[0, 0], [0, 0]], name="nd")
    return {"a": a, "b": b, "c": tf.batch_to_space(a, [[0, 0], [0, 0]], 2),
            "d": tf.batch_to_space_nd(b, [2, 2], [[0, 0], [0, 1]]), "e": tf.nn.space_to_batch(x, tf.constant([[0, 0], [2, 2]]), block_size=2, name="s"),
            "f": tf.manip.space_to_batch_nd(x, tf.constant([4]), [[0, 0]])}


def program_required_space_to_batch_paddings():
    n = tf.placeholder(tf.int32, [2], name="n")
    one = tf.required_space_to_batch_paddings([5, 6], [2, 4])
    two = tf.required_space_to_batch_paddings([5, 6], [2, 4], [[1, 0], [0, 1]], name="p")
    three = tf.required_space_to_batch_paddings(n, [2, 4])
    return feeds({n: [3, 3]}, one=list(one), two=list(two), three=list(three))


def program_depth_to_space():
    x = tf.constant(np.arange(16).reshape(1, 2, 2, 4), tf.float32)
    return {"a": tf.depth_to_space(x, 2), "b": tf.space_to_depth(x, 2, name="s"),
            "c": tf.nn.depth_to_space(x, block_size=2, data_format="NHWC", name="d")}


def program_extract_patches():
    x = tf.constant(np.arange(16).reshape(1, 4, 4, 1), tf.float32)
    v = tf.constant(np.arange(8).reshape(1, 2, 2, 2, 1), tf.float32)
    return {"a": tf.extract_image_patches(x, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
            "b": tf.image.extract_image_patches(x, sizes=[1, 3, 3, 1], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1],
                                                padding="SAME", name="p"),
            "c": tf.extract_volume_patches(v, [1, 2, 2, 1, 1], [1, 1, 1, 1, 1], "VALID")}


def program_gradients_of_joining():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    a, b = tf.split(tf.concat([x, 2 * x], 1), 2, axis=1)
    y = tf.stack([a, b], axis=1)
    c, d = tf.unstack(y, axis=1)
    z = tf.pad(c, [[0, 0], [1, 1]])[:, 1:3] * d + tf.tile(x, [1, 1])
    return feeds({x: [[1.0, 2.0], [3.0, 4.0]]}, z=z, g=tf.gradients(z, x))
