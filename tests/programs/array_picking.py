"""Picking, masking, sorting and scattering elements."""
import numpy as np
import tensorflow as tf

from program import feeds


def program_gather():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    i = tf.placeholder(tf.int32, [None], name="i")
    return feeds({i: [1, 0]}, a=tf.gather(x, i), b=tf.gather(x, [2, 0], axis=1), c=tf.gather(x, 1, name="g"),
                 d=tf.gather([10.0, 20.0], [1, 1], validate_indices=True), e=tf.gather(x, i, axis=-1),
                 f=tf.gather(x, [[0], [2]], batch_dims=1), g=tf.gather(x, [[0], [2]], axis=1, batch_dims=-1),
                 h=tf.gather(x, i, axis=tf.constant(1)))


def program_gather_nd():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    p, i = tf.placeholder(tf.float32, [None, 2], name="p"), tf.placeholder(tf.int32, [None, 1], name="i")
    return feeds({p: [[1.0, 2.0], [3.0, 4.0]], i: [[0], [1]]}, a=tf.gather_nd(x, [[0, 1], [1, 2]]), b=tf.gather_nd(x, [[1]], name="g"),
                 c=tf.manip.gather_nd(x, tf.constant([[0, 0]], tf.int64)), d=tf.gather_nd(p, i, batch_dims=1))


def program_batch_gather():
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    return {"a": tf.batch_gather(x, [[2, 0], [1, 1]]), "b": tf.batch_gather(x, tf.constant([[0], [2]]), name="b"),
            "c": tf.batch_gather([[[1.0, 2.0]]], [[[1, 0]]])}


def program_where():
    c = tf.constant([True, False])
    return {"a": tf.where(c), "b": tf.where([[1, 0], [0, 2]], name="w"), "c": tf.where(c, [1, 2], [3, 4]),
            "d": tf.where(c, [[1.0], [2.0]], [[3.0], [4.0]], name="s"), "e": tf.where(True, 1, 2)}


def program_where_v2():
    c = tf.constant([True, False])
    return {"a": tf.where_v2(c), "b": tf.where_v2(c, 1, [3, 4]), "c": tf.where_v2(c, x=[[1.0], [2.0]], y=0.0, name="s")}


def program_boolean_mask():
    x = tf.constant([[1, 2], [3, 4], [5, 6]])
    y = tf.placeholder(tf.float32, [None, 2], name="y")
    m = tf.placeholder(tf.bool, [None], name="m")
    return feeds({y: np.ones((2, 2)), m: [True, False]}, a=tf.boolean_mask(x, [True, False, True]),
                 b=tf.boolean_mask(y, m), c=tf.boolean_mask(x, [[True, False]] * 3, name="b"),
                 d=tf.boolean_mask(x, np.array([False, True]), axis=1))


def program_one_hot():
    i = tf.constant([0, 2, -1])
    return {"a": tf.one_hot(i, 3), "b": tf.one_hot(i, 3, on_value=5, off_value=1, name="h"),
            "c": tf.one_hot(i, depth=3, axis=0, dtype=tf.int64), "d": tf.one_hot(tf.constant([1, 0]), 2, 1.0, 0.5),
            "e": tf.one_hot(i, tf.constant(2), on_value=True, off_value=False),
            "f": tf.one_hot(i, 3, on_value=2.0), "g": tf.one_hot(tf.constant(1), 3, True, False, dtype=tf.bool),
            "h": tf.one_hot(i, 2, tf.constant(3), tf.constant(4))}


def program_sequence_mask():
    n = tf.placeholder(tf.int32, [None], name="n")
    return feeds({n: [1, 2]}, a=tf.sequence_mask([1, 3, 2], 5), b=tf.sequence_mask(n),
                 c=tf.sequence_mask([[1, 3], [2, 0]], dtype=tf.float32, name="m"),
                 d=tf.sequence_mask(n, maxlen=tf.constant(4), dtype=tf.int32))


def program_unique():
    x = tf.constant([1, 1, 2, 4, 4, 4, 7])
    return {"a": tuple(tf.unique(x)), "b": tuple(tf.unique_with_counts(x)), "c": tf.unique(x, out_idx=tf.int64, name="u").idx,
            "d": tf.unique_with_counts(["a", "b", "a"], tf.int64).count, "e": tuple(tf.setdiff1d([1, 2, 3, 4], [2, 4])),
            "f": tf.setdiff1d([1, 2, 3], [2], index_dtype=tf.int64, name="s").idx}


def program_sort():
    x = tf.constant([[3.0, 1.0, 2.0], [1.5, 9.0, -1.0]])
    y = tf.placeholder(tf.int32, None, name="y")
    return feeds({y: [[3, 1], [2, 5]]}, a=tf.sort(x), b=tf.sort(x, axis=0), c=tf.sort(x, direction="DESCENDING", name="s"),
                 d=tf.sort(x, 0, "DESCENDING"), e=tf.sort(y), f=tf.sort(y, axis=0))


def program_argsort():
    x = tf.constant([[3.0, 1.0, 2.0], [1.5, 9.0, -1.0]])
    return {"a": tf.argsort(x), "b": tf.argsort(x, axis=0), "c": tf.argsort(x, direction="DESCENDING", name="s"),
            "d": tf.argsort(tf.constant([3, 1, 2]), stable=True), "e": tf.argsort(x, 0, "DESCENDING")}


def program_searchsorted():
    return {"a": tf.searchsorted([1, 3, 5], [0, 3, 6]), "b": tf.searchsorted([1.0, 3.0], [3.0], side="right", name="s"),
            "c": tf.searchsorted([[1, 3], [2, 4]], [[2], [4]], out_type=tf.int64)}


def program_scatter():
    x = tf.constant([1, 2, 3, 4])
    i, u = tf.constant([[1], [3]]), tf.constant([10, 20])
    return {"a": tf.scatter_nd(i, u, [5]), "b": tf.manip.scatter_nd(i, u, tf.constant([4]), name="s"),
            "c": tf.tensor_scatter_update(x, i, u), "d": tf.tensor_scatter_nd_add(x, i, u, name="t"),
            "e": tf.tensor_scatter_sub(x, [[0]], [5]), "f": tf.tensor_scatter_nd_update(x, i, u)}


def program_unravel_index():
    return {"a": tf.unravel_index([2, 5], [3, 3]), "b": tf.unravel_index(7, [2, 4], name="u"),
            "c": tf.invert_permutation([2, 0, 1])}


def program_diagonals():
    m = tf.constant([[1, 2], [3, 4]])
    return {"a": tf.diag([1, 2]), "b": tf.diag_part(m, name="d"), "c": tf.matrix_band_part(m, tf.constant(0), tf.constant(-1)),
            "d": tf.linalg.tensor_diag([1.0, 2.0]), "e": tf.linalg.band_part(m, tf.constant(-1), tf.constant(0), name="low"),
            "f": tf.linalg.tensor_diag_part(m)}


def program_matrix_diagonals():
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return {"a": tf.matrix_diag([1.0, 2.0]), "b": tf.matrix_diag_part(m), "c": tf.matrix_set_diag(m, [9.0, 8.0]),
            "d": tf.linalg.diag([[1, 2], [3, 4]], name="d"), "e": tf.linalg.diag_part(m, name="p", k=1),
            "f": tf.linalg.set_diag(m, [7.0], k=-1), "g": tf.linalg.diag([1.0], k=1, padding_value=5.0)}


def program_edit_distance():
    h = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "c"], [2, 2])
    t = tf.SparseTensor([[0, 0], [1, 0]], ["a", "c"], [2, 1])
    return {"a": tf.edit_distance(h, t), "b": tf.edit_distance(h, t, normalize=False, name="e")}


def program_gradients_of_picking():
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    y = (tf.gather_nd(x, [[0, 0], [2, 1]]), tf.boolean_mask(x, [True, False, True]), tf.gather(x, [0, 0], axis=1),
         tf.where(x > 2, x, -x), tf.sort(x, axis=0))
    total = tf.add_n([tf.reduce_sum(part * part) for part in y])
    return feeds({x: [[1.0, 2.0], [3.0, 4.0], [0.5, 6.0]]}, y=total, g=tf.gradients(total, x))
