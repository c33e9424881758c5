"""Functions on arrays in scopes, with other types, with shapes that are known late, and differentiated."""
import numpy as np
import tensorflow as tf

from program import feeds


def program_in_name_scopes():
    with tf.name_scope("outer"):
        x = tf.zeros([2, 2])
        with tf.name_scope("inner"):
            y = tf.boolean_mask(x, [True, False])
            z = tf.sequence_mask([1, 2])
        w = tf.one_hot(tf.constant([1]), 2)
    return {"y": y, "z": z, "w": w}


def program_under_control_dependencies():
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.control_dependencies([x]):
        y = tf.zeros([2])
        z = tf.concat([y, x], 0)
        w = tf.transpose([[1, 2]])
        s = tf.SparseTensor([[0]], [1.0], [1])
    return feeds({x: [1.0, 2.0]}, y=y, z=z, w=w, s=[s.indices, s.values])


def program_on_devices():
    with tf.device("/cpu:0"):
        x = tf.ones([2, 3])
        y = tf.stack([x, x], 2)
        a, b = tf.split(y, 2, 2)
    return {"y": y, "a": a, "b": b}


def program_small_types():
    out = {}
    for dtype in (tf.float16, tf.bfloat16, tf.int8, tf.uint8, tf.int16):
        x = tf.cast(tf.constant([[3, 1, 2]]), dtype)
        out[dtype.name] = [tf.cast(tf.reverse(x, [1]), tf.float32), tf.cast(tf.gather(x, [2], axis=1), tf.float32),
                           tf.cast(tf.pad(x, [[0, 0], [1, 0]]), tf.float32)]
    return out


def program_complex():
    z = tf.complex([1.0, 2.0], [3.0, -4.0])
    return {"a": tf.stack([z, tf.zeros_like(z)]), "b": tf.ones([2], tf.complex128), "c": tf.reverse(z, [0]),
            "d": tf.matrix_transpose([[1j, 2]], conjugate=True), "e": tf.where([True, False], z, -z)}


def program_strings_as_arrays():
    s = tf.constant([["a", "b"], ["c", "d"]])
    return {"a": tf.concat([s, [["e", "f"]]], 0), "b": tf.gather(s, [1, 0], axis=1), "c": tf.transpose(s), "d": tf.tile(s, [1, 2]),
            "e": tf.where([[True, False], [False, True]], s, tf.fill([2, 2], "-")), "f": tf.boolean_mask(s, [False, True]),
            "g": tf.unstack(s), "h": tf.expand_dims(s, 0)}


def program_booleans_as_arrays():
    b = tf.constant([[True, False], [False, False]])
    return {"a": tf.concat([b, b], 1), "b": tf.where(b), "c": tf.zeros_like(b), "d": tf.ones_like(b), "e": tf.pad(b, [[1, 0], [0, 0]], constant_values=True),
            "f": tf.reverse(b, [1]), "g": tf.stack([True, False])}


def program_shapes_known_late():
    x = tf.placeholder(tf.float32, [None, None], name="x")
    n = tf.shape(x)[0]
    flat = tf.reshape(x, [n * tf.shape(x)[1]])
    return feeds({x: np.arange(6).reshape(2, 3)}, flat=flat, zeros=tf.zeros([n, 4]), tiled=tf.tile(x, [1, n]), ones=tf.ones(tf.shape(x)),
                 filled=tf.fill([n], 7), eye=tf.one_hot(tf.range(n), n), ranked=tf.rank(flat))


def program_static_shapes():
    x = tf.placeholder(tf.float32, [None, 4, 2])
    shapes = [tf.transpose(x, [1, 0, 2]), tf.expand_dims(x, 1), tf.stack([x, x], 1), tf.concat([x, x], 2), tf.reshape(x, [-1, 8]),
              tf.split(x, 2, 1)[0], tf.squeeze(x[:1], 0), tf.gather(x, [0, 1], axis=1), tf.one_hot(tf.zeros([3], tf.int32), 5),
              tf.boolean_mask(x, tf.placeholder(tf.bool, [None, 4])), tf.pad(x, [[1, 1], [0, 0], [2, 2]]), tf.zeros_like(x), tf.where(x > 0)]
    known = [[-1 if d is None else d for d in t.shape.as_list()] for t in shapes]
    return {"known": known, "x": tf.constant(1)}


def program_deprecated_arguments():
    x = tf.constant([[[1.0], [2.0]]])
    return {"a": tf.expand_dims(x, dim=0), "b": tf.squeeze(x, squeeze_dims=[0]), "c": tf.reverse_sequence(x, tf.constant([1]), seq_dim=1, batch_dim=0)}


def program_gradients_of_gather_and_scatter():
    x = tf.placeholder(tf.float32, [4, 2], name="x")
    y = tf.gather_nd(x, [[0, 0], [2, 1], [0, 0]]) * [1.0, 2.0, 3.0]
    z = tf.scatter_nd([[1], [3]], x[:2], [5, 2])
    return feeds({x: np.arange(8).reshape(4, 2)}, y=y, z=z, gy=tf.gradients(y, x), gz=tf.gradients(z * z, x))


def program_gradients_of_padding():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    w = tf.constant(np.arange(20).reshape(4, 5), tf.float32)
    a, b, c = (tf.pad(x, [[1, 1], [1, 1]], mode) * w for mode in ("CONSTANT", "REFLECT", "SYMMETRIC"))
    return feeds({x: np.ones((2, 3))}, a=tf.gradients(a, x), b=tf.gradients(b, x), c=tf.gradients(c, x))


def program_gradients_of_slices():
    x = tf.placeholder(tf.float32, [3, 4], name="x")
    y = tf.slice(x, [0, 1], [2, 2]) * 2 + tf.strided_slice(x, [0, 0], [3, 4], [2, 2]) * 3
    return feeds({x: np.ones((3, 4))}, y=y, g=tf.gradients(y, x))


def program_gradients_of_where_and_mask():
    x = tf.placeholder(tf.float32, [3], name="x")
    y = tf.where(x > 1, x * x, tf.zeros_like(x)) + tf.cast(tf.sequence_mask(2, 3), tf.float32) * x
    return feeds({x: [0.5, 2.0, 3.0]}, y=y, g=tf.gradients(y, x))


def program_gradients_of_diagonals():
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    y = tf.matrix_band_part(x, tf.constant(0), tf.constant(-1)) * 2 + tf.diag(tf.diag_part(x))
    return feeds({x: [[1.0, 2.0], [3.0, 4.0]]}, y=y, g=tf.gradients(y, x))


def program_gradients_of_space_to_batch():
    x = tf.placeholder(tf.float32, [1, 2, 2, 1], name="x")
    y = tf.space_to_batch_nd(x, [2, 2], [[0, 0], [0, 0]]) * [[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]
    z = tf.depth_to_space(tf.space_to_depth(x, 2), 2) * 5
    return feeds({x: np.ones((1, 2, 2, 1))}, gy=tf.gradients(y, x), gz=tf.gradients(z, x))


def program_in_a_condition():
    p = tf.placeholder(tf.bool, [], name="p")
    x = tf.constant([1.0, 2.0])
    y = tf.cond(p, lambda: tf.concat([x, tf.zeros([1])], 0), lambda: tf.ones([3]))
    return [feeds({p: True}, y=y), feeds({p: False}, y=y)]


def program_in_a_loop():
    i, x = tf.while_loop(lambda i, x: i < 3, lambda i, x: [i + 1, tf.concat([x, tf.expand_dims(tf.cast(i, tf.float32), 0)], 0)],
                         [tf.constant(0), tf.zeros([1])], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])
    return {"i": i, "x": x}


def program_numpy_values():
    x = np.array([[1, 2], [3, 4]])
    return {"a": tf.concat([x, x], 0), "b": tf.reshape(x.astype(np.float32), [4]), "c": tf.gather(x, [1, 0]),
            "d": tf.stack([np.float32(1), np.float32(2)]), "e": tf.pad(x, np.array([[1, 0], [0, 0]], np.int32)), "f": tf.fill([2], np.int64(3)),
            "g": tf.zeros(np.array([2, 1])), "h": tf.split(x, np.array([1, 1]), 0)}


def program_fingerprint_and_unravel():
    return {"a": tf.unravel_index(tf.constant([5, 7], tf.int64), tf.constant([3, 3], tf.int64)), "b": tf.searchsorted([[1.0, 2.0, 3.0]], [[2.5]]),
            "c": tf.unique_with_counts([3, 3, 1])[2], "d": tf.setdiff1d(["a", "b"], ["a"])[0]}


def program_lists_of_variables():
    v, w = tf.get_variable("v", initializer=[1.0, 2.0]), tf.get_variable("w", initializer=[3.0, 4.0], use_resource=True)
    return {"a": tf.stack([v, v]), "b": tf.concat([v, w], 0), "c": tf.stack([w, [5.0, 6.0]]), "d": tf.gather(v, [1]), "e": tf.gather(w, [0])}
