"""Sparse tensors through branches, loops, groups and tables."""
import tensorflow as tf
from program import feeds


def _sparse(value=1.0):
    return tf.SparseTensor([[0]], [value], [2])


def program_cond():
    p = tf.placeholder(tf.bool, [])
    st = _sparse()
    r = tf.cond(p, lambda: st, lambda: tf.SparseTensor([[1]], [2.0], [2]))
    return [feeds({p: True}, r=[r.indices, r.values, r.dense_shape]), feeds({p: False}, r=r.values)]


def program_cond_nested_structure():
    p = tf.placeholder(tf.bool, [])
    r = tf.cond(p, lambda: (_sparse(), [tf.constant(1.0)]), lambda: (_sparse(3.0), [tf.constant(2.0)]))
    return feeds({p: False}, r=r[0].values, d=r[1][0])


def program_case():
    x = tf.placeholder(tf.int32, [])
    r = tf.case([(tf.less(x, 1), lambda: _sparse(5.0))], default=lambda: _sparse(6.0))
    return feeds({x: 3}, r=r.values)


def program_while():
    _, r = tf.while_loop(lambda i, s: tf.less(i, 3),
                         lambda i, s: (i + 1, tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape)),
                         [tf.constant(0), _sparse()])
    return {"r": [r.indices, r.values, r.dense_shape]}


def program_while_invariants():
    def grow(i, s):
        return i + 1, tf.SparseTensor(tf.concat([s.indices, s.indices + 1], 0), tf.concat([s.values] * 2, 0),
                                      s.dense_shape)

    _, r = tf.while_loop(lambda i, s: tf.less(i, 1), grow, [tf.constant(0), _sparse()],
                         shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])
    return {"r": [r.indices, r.values], "shape": str(r.values.shape)}


def program_while_slices_invariants():
    def grow(i, s):
        return i + 1, tf.IndexedSlices(tf.concat([s.values, s.values], 0), tf.concat([s.indices, s.indices], 0))

    s = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    _, r = tf.while_loop(lambda i, s: tf.less(i, 2), grow, [tf.constant(0), s],
                         shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 1])])
    return {"r": [r.values, r.indices], "shape": str(r.values.shape)}


def program_group():
    st = _sparse()
    return {"g": tf.group(st, name="g")}


def program_table_lookup():
    t = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    words = tf.SparseTensor([[0, 0], [1, 1]], ["b", "z"], [2, 2])
    found = t.lookup(words)
    return [{"init": tf.tables_initializer()}, {"found": [found.indices, found.values, found.dense_shape]}]
