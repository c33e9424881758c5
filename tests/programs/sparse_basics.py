"""Sparse tensors: made, changed, joined and multiplied."""
import numpy as np
import tensorflow as tf

from program import feeds


def matrix(dtype=tf.float32, shape=(3, 4)):
    return tf.SparseTensor([[0, 1], [1, 0], [2, 3]], tf.constant([1, 2, 3], dtype), list(shape))


def unknown():
    i, v = tf.placeholder(tf.int64, [None, 2], name="i"), tf.placeholder(tf.float32, [None], name="v")
    n = tf.placeholder(tf.int64, [2], name="n")
    return tf.SparseTensor(i, v, n), {i: [[0, 1], [1, 0]], v: [5.0, 6.0], n: [2, 3]}


def parts(sparse):
    return [sparse.indices, sparse.values, sparse.dense_shape]


def program_sparse_tensor():
    a, b = tf.SparseTensor([[0, 1]], [1.0], [2, 3]), matrix(tf.int64)
    c = tf.SparseTensor.from_value(tf.SparseTensorValue(np.array([[0]]), np.array(["x"]), np.array([2])))
    d = tf.SparseTensor(indices=np.zeros((0, 2), np.int64), values=tf.zeros([0]), dense_shape=[2, 2])
    return {"a": parts(a), "b": parts(b), "c": parts(c), "d": parts(d), "shape": a.get_shape().as_list()}


def program_operators():
    s, n = matrix(), matrix(tf.int32)
    dense = tf.constant([[1.0], [2.0], [3.0]])
    return {"a": parts(s * 2), "b": parts(s / dense), "c": parts(dense * s), "d": parts(n / 2), "e": parts(n * [1, 2, 3, 4])}


def program_to_dense():
    s, (u, fed) = matrix(), unknown()
    return feeds(fed, a=tf.sparse_tensor_to_dense(s), b=tf.sparse.to_dense(u, default_value=-1.0, name="d"),
                 c=tf.sparse_tensor_to_dense(s, 7, False), d=tf.sparse_to_dense([[0, 1], [1, 1]], [2, 2], 3),
                 e=tf.sparse_to_dense([1, 2], [4], ["a", "b"], "-", name="w"),
                 f=tf.sparse.to_dense(tf.SparseTensor([[0]], ["x"], [2])))


def program_from_dense():
    return {"a": parts(tf.sparse.from_dense([[0, 1], [2, 0]])), "b": parts(tf.sparse.from_dense(tf.constant([0.0, 3.0]), name="f")),
            "c": parts(tf.sparse.from_dense(["", "a"]))}


def program_reorder():
    s = tf.SparseTensor([[2, 0], [0, 1]], [1, 2], [3, 2])
    u, fed = unknown()
    return feeds(fed, a=parts(tf.sparse_reorder(s)), b=parts(tf.sparse.reorder(u, name="r")))


def program_reshape():
    s, (u, fed) = matrix(), unknown()
    return feeds(fed, a=parts(tf.sparse_reshape(s, [4, 3])), b=parts(tf.sparse.reshape(s, [2, -1], name="r")),
                 c=parts(tf.sparse.reshape(u, tf.constant([6], tf.int64))))


def program_transpose():
    s, (u, fed) = matrix(), unknown()
    return feeds(fed, a=parts(tf.sparse_transpose(s)), b=parts(tf.sparse.transpose(u)),
                 c=parts(tf.sparse.transpose(s, perm=[1, 0], name="t")))


def program_concat():
    a, b = matrix(), tf.SparseTensor([[0, 0]], [9.0], [3, 2])
    u, fed = unknown()
    return feeds(fed, **{"a": parts(tf.sparse_concat(1, [a, b])), "b": parts(tf.sparse.concat(axis=-1, sp_inputs=[a, b], name="c")),
            "c": parts(tf.sparse.concat(0, [u, a], expand_nonconcat_dim=True)), "d": parts(tf.sparse_concat(concat_dim=1, sp_inputs=[a, a], axis=None)),
            "e": parts(tf.sparse_concat(0, [a])), "f": parts(tf.sparse.concat(-1, [a, u], expand_nonconcat_dim=True))})


def program_split_and_slice():
    s = matrix()
    two = tf.sparse_split(sp_input=s, num_split=2, axis=1)
    return {"a": [parts(p) for p in two], "b": parts(tf.sparse.split(sp_input=s, num_split=3, axis=0, name="sp")[2]),
            "c": parts(tf.sparse_slice(s, [0, 1], [2, 3])), "d": parts(tf.sparse.slice(s, tf.constant([1, 0], tf.int64), [2, 2], name="sl"))}


def program_add():
    a, b = matrix(), tf.SparseTensor([[0, 1], [0, 2]], [-1.0, 4.0], [3, 4])
    return {"a": parts(tf.sparse_add(a, b)), "b": parts(tf.sparse.add(a, b, 0.5)), "c": tf.sparse_add(a, tf.ones([3, 4])),
            "d": tf.sparse.add(tf.zeros([3, 4]), b, threshold=0.0), "e": parts(tf.sparse_add(a, b, thresh=1))}


def program_minimum_and_maximum():
    a, b = matrix(), tf.SparseTensor([[0, 1], [0, 2]], [-1.0, 4.0], [3, 4])
    return {"a": parts(tf.sparse_maximum(a, b)), "b": parts(tf.sparse.minimum(a, b, name="m"))}


def program_matmul():
    s, d = matrix(), tf.constant(np.arange(8).reshape(4, 2), tf.float32)
    return {"a": tf.sparse_tensor_dense_matmul(s, d), "b": tf.sparse.matmul(s, np.ones((3, 2), np.float32), adjoint_a=True),
            "c": tf.sparse.sparse_dense_matmul(s, tf.ones([2, 4]), adjoint_b=True, name="p")}


def program_reductions():
    s = matrix()
    return {"a": tf.sparse_reduce_sum(s), "b": tf.sparse.reduce_sum(s, 1), "c": tf.sparse_reduce_sum(s, axis=[0], keepdims=True),
            "d": tf.sparse_reduce_max(s, axis=-1), "e": tf.sparse_reduce_max(s, reduction_axes=[0, 1], keep_dims=True),
            "f": parts(tf.sparse_reduce_sum_sparse(s, 0)), "g": parts(tf.sparse.reduce_max_sparse(s, axis=1, keepdims=True))}


def program_retain_and_mask():
    s = matrix()
    sl = tf.IndexedSlices(tf.constant([[1.0], [2.0], [3.0]]), tf.constant([4, 2, 7]))
    masked = tf.sparse_mask(sl, [2, 7])
    return {"a": parts(tf.sparse_retain(s, [True, False, True])), "b": [masked.indices, masked.values],
            "c": parts(tf.sparse.retain(s, s.values > 1.5))}


def program_fill_empty_rows():
    s = tf.SparseTensor([[0, 1], [2, 0]], [1, 2], [4, 2])
    filled, empty = tf.sparse_fill_empty_rows(s, 9)
    other, _ = tf.sparse.fill_empty_rows(tf.SparseTensor([[1, 0]], ["a"], [2, 1]), "none", name="f")
    return {"a": parts(filled), "b": empty, "c": parts(other)}


def program_reset_shape():
    s, (u, fed) = matrix(), unknown()
    return feeds(fed, a=parts(tf.sparse_reset_shape(s)), b=parts(tf.sparse.reset_shape(s, [5, 6])),
                 c=parts(tf.sparse_reset_shape(u)))


def program_softmax():
    s = tf.SparseTensor([[0, 0, 0], [0, 0, 1], [0, 1, 2]], [1.0, 2.0, 3.0], [1, 2, 3])
    return {"a": parts(tf.sparse_softmax(s)), "b": parts(tf.sparse.softmax(s, name="s"))}


def program_to_indicator():
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([2, 0, 1], tf.int64), [2, 2])
    return {"a": tf.sparse_to_indicator(ids, 4), "b": tf.sparse.to_indicator(ids, 3, name="i")}


def program_merge():
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([2, 0, 1], tf.int64), [2, 2])
    values = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.0, 2.0, 3.0], [2, 2])
    more = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 1, 0], tf.int32), [2, 2])
    return {"a": parts(tf.sparse_merge(ids, values, 5)), "b": parts(tf.sparse.merge([ids, more], values, [4, 3], name="m")),
            "c": parts(tf.sparse_merge(ids, values, vocab_size=6, already_sorted=True))}


def program_expand_dims_and_eye():
    s = matrix()
    return {"a": parts(tf.sparse.expand_dims(s, 0)), "b": parts(tf.sparse.expand_dims(s)), "c": parts(tf.sparse.expand_dims(s, axis=1, name="e")),
            "d": parts(tf.sparse.eye(3)), "e": parts(tf.sparse.eye(2, 3, tf.int32, name="eye"))}


def program_cross():
    a = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "c"], [2, 2])
    b = tf.SparseTensor([[0, 0], [1, 0]], ["d", "e"], [2, 1])
    dense = tf.constant([["f"], ["g"]])
    return {"a": parts(tf.sparse.cross_hashed([a, b])), "b": parts(tf.sparse.cross_hashed([a, dense], num_buckets=10)),
            "d": parts(tf.sparse.cross_hashed([a, tf.constant([[1], [2]])], hash_key=7, name="h"))}


def program_placeholder():
    s = tf.sparse_placeholder(tf.float32)
    t = tf.sparse.placeholder(tf.int32, shape=[2, 3], name="t")
    u = tf.sparse_placeholder(tf.float32, shape=[None, 2])
    return feeds({s.indices: [[0, 1]], s.values: [1.0], s.dense_shape: [2, 2], t.indices: [[1, 2]], t.values: [7],
                  u.indices: [[0, 0]], u.values: [2.0], u.dense_shape: [1, 2]}, a=parts(s), b=tf.sparse.to_dense(t), c=tf.sparse.to_dense(u))


def program_segments():
    x, i, s = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), [0, 2, 1], [0, 0, 1]
    return {"a": tf.sparse_segment_sum(x, i, s), "b": tf.sparse.segment_mean(x, i, s, name="m"), "c": tf.sparse_segment_sqrt_n(x, i, s),
            "d": tf.sparse.segment_sum(x, i, [0, 0, 2], num_segments=4), "e": tf.sparse_segment_mean(x, i, s, num_segments=3),
            "f": tf.sparse.segment_sqrt_n(x, i, s, num_segments=3, name="q")}


def program_serialize():
    s = matrix()
    one, many = tf.serialize_sparse(s), tf.serialize_many_sparse(s)
    return {"a": tf.shape(one), "b": parts(tf.deserialize_many_sparse(many, tf.float32)),
            "c": parts(tf.io.deserialize_many_sparse([tf.io.serialize_sparse(s, name="s")], tf.float32, rank=3, name="d"))}


def program_gradients():
    s = tf.SparseTensor([[0, 1], [1, 0], [2, 3]], tf.placeholder_with_default([1.0, 2.0, 3.0], [3], name="v"), [3, 4])
    d = tf.constant(np.arange(8).reshape(4, 2), tf.float32)
    y = tf.reduce_sum(tf.sparse_tensor_dense_matmul(s, d)) + tf.reduce_sum(tf.sparse.to_dense(s * tf.fill([3, 4], 3.0)) ** 2)
    y += tf.sparse_reduce_sum(tf.sparse_add(s, s))
    return {"y": y, "g": tf.gradients(y, [s.values, d])}


def program_sets():
    a, b = tf.constant([[1, 2, 3], [4, 4, 5]]), tf.constant([[2, 3, 9], [7, 8, 4]])
    return {"a": parts(tf.sets.intersection(a, b)), "b": parts(tf.sets.set_union(a, b)), "c": parts(tf.sets.difference(a, b)),
            "d": parts(tf.sets.set_difference(a, b, aminusb=False)),
            "e": tf.sets.size(tf.sparse.from_dense(a)), "f": parts(tf.sets.set_intersection(tf.sparse.from_dense(a), tf.sparse.from_dense(b), validate_indices=False)),
            "g": tf.sets.set_size(tf.sparse.from_dense(b), validate_indices=False), "h": parts(tf.sets.union(a, tf.sparse.from_dense(b)))}
