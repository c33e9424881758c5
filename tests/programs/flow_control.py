"""cond, case, while_loop, group, tuple: details beyond plain tensors."""
import collections

import tensorflow as tf
from program import feeds

State = collections.namedtuple("State", ["i", "x"])


def _slices(values=((1.0, 2.0),), indices=(0,), shape=None):
    return tf.IndexedSlices(tf.constant(values), tf.constant(indices),
                            None if shape is None else tf.constant(shape))


def program_cond_indexed_slices():
    p = tf.placeholder(tf.bool, [])
    s = _slices()
    r = tf.cond(p, lambda: s, lambda: tf.IndexedSlices(s.values * 2.0, s.indices))
    return [feeds({p: True}, v=r.values, i=r.indices), feeds({p: False}, v=r.values)]


def program_cond_indexed_slices_with_shape():
    p = tf.placeholder(tf.bool, [])
    s = _slices(shape=[4, 2])
    r = tf.cond(p, lambda: s, lambda: _slices([[3.0, 4.0]], [2], [4, 2]))
    return feeds({p: False}, v=r.values, i=r.indices, s=r.dense_shape)


def program_cond_structures():
    p = tf.placeholder(tf.bool, [])
    x = tf.constant(2.0)
    r = tf.cond(p, lambda: {"a": x, "b": [x * 2.0, State(1, x)]}, lambda: {"a": x + 1.0, "b": [x, State(2, x)]})
    return feeds({p: True}, a=r["a"], b=r["b"][0], i=r["b"][1].i)


def program_cond_strict():
    p = tf.placeholder(tf.bool, [])
    r = tf.cond(p, lambda: [tf.constant(1)], lambda: [tf.constant(2)], strict=True, name="s")
    u = tf.cond(p, lambda: [tf.constant(1)], lambda: [tf.constant(2)])
    return feeds({p: True}, r=r, u=u, kind=type(r).__name__)


def program_cond_operations():
    p = tf.placeholder(tf.bool, [])
    return feeds({p: True}, r=tf.cond(p, lambda: tf.no_op(name="yes"), lambda: tf.no_op(name="no")))


def program_cond_old_names():
    p = tf.placeholder(tf.bool, [])
    return feeds({p: False}, r=tf.cond(p, fn1=lambda: 1.0, fn2=lambda: 2.0))


def program_cond_nested():
    p, q = tf.placeholder(tf.bool, []), tf.placeholder(tf.bool, [])
    x = tf.constant(1.0)
    return feeds({p: True, q: False}, r=tf.cond(
        p, lambda: tf.cond(q, lambda: x, lambda: x * 10.0), lambda: tf.cond(q, lambda: -x, lambda: x * 3.0)))


def program_case_default():
    x = tf.placeholder(tf.int32, [])
    r = tf.case([(tf.less(x, 1), lambda: tf.constant("small")), (tf.less(x, 5), lambda: tf.constant("middle"))],
                default=lambda: tf.constant("large"))
    return [feeds({x: 0}, r=r), feeds({x: 3}, r=r), feeds({x: 9}, r=r)]


def program_case_exclusive():
    x = tf.placeholder(tf.int32, [])
    r = tf.case({tf.less(x, 1): lambda: 1, tf.greater(x, 5): lambda: 2}, default=lambda: 3, exclusive=True, name="c")
    return feeds({x: 7}, r=r)


def program_case_no_default():
    x = tf.placeholder(tf.int32, [])
    r = tf.case([(tf.less(x, 1), lambda: 1), (tf.greater_equal(x, 1), lambda: 2)])
    return feeds({x: 7}, r=r)


def program_case_slices():
    x = tf.placeholder(tf.int32, [])
    r = tf.case([(tf.less(x, 1), _slices)], default=lambda: _slices([[5.0, 6.0]], [3]))
    return feeds({x: 7}, r=[r.values, r.indices])


def program_while_indexed_slices():
    s = _slices()
    _, r = tf.while_loop(lambda i, s: tf.less(i, 3),
                         lambda i, s: (i + 1, tf.IndexedSlices(s.values * 2.0, s.indices)), [tf.constant(0), s])
    return {"r": [r.values, r.indices]}


def program_while_structures():
    r = tf.while_loop(lambda s, d: tf.less(s.i, 3), lambda s, d: (State(s.i + 1, s.x * 2.0), {"k": d["k"] - 1}),
                      [State(tf.constant(0), tf.constant(1.0)), {"k": tf.constant(9)}])
    return {"i": r[0].i, "x": r[0].x, "k": r[1]["k"]}


def program_while_maximum_iterations():
    limit = tf.placeholder(tf.int32, [])
    r = tf.while_loop(lambda x: tf.less(x, 100.0), lambda x: x * 2.0, [tf.constant(1.0)], maximum_iterations=limit)
    s = tf.while_loop(lambda x: tf.less(x, 100.0), lambda x: x * 2.0, (tf.constant(1.0),), maximum_iterations=3)
    return feeds({limit: 4}, r=r, s=s)


def program_while_return_same_structure():
    r = tf.while_loop(lambda i: tf.less(i, 3), lambda i: [i + 1], [tf.constant(0)], return_same_structure=True)
    s = tf.while_loop(lambda i: tf.less(i, 3), lambda i: i + 1, [tf.constant(0)])
    return {"r": r, "s": s, "kind": type(r).__name__}


def program_while_invariants():
    x = tf.constant([[1.0]])
    r = tf.while_loop(lambda i, x: tf.less(i, 2), lambda i, x: (i + 1, tf.raw_ops.ConcatV2(values=[x, x], axis=0)),
                      [tf.constant(0), x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 1])],
                      parallel_iterations=3, swap_memory=True, name="grow")
    return {"r": r, "shape": str(r[1].shape)}


def _doubled(x, times):
    return tf.while_loop(lambda i, y: tf.less(i, times), lambda i, y: (i + 1, y * 2.0), [0, x])[1]


def program_branch_returns_what_its_loop_made():
    """A loop around a branch around a loop, and a branch around these."""
    x, yes = tf.constant(1.5), tf.constant(True)

    def body(i, y):
        return i + 1, tf.cond(yes, lambda: _doubled(y, 3), lambda: y)

    def loop():
        return tf.while_loop(lambda i, y: tf.less(i, 2), body, [0, x])[1]
    return {"r": tf.cond(yes, loop, lambda: x)}


def program_while_back_prop_false():
    x = tf.constant(2.0)
    r = tf.while_loop(lambda i, y: tf.less(i, 3), lambda i, y: (i + 1, y * x), [0, 1.0], back_prop=False)
    return {"r": r}


def program_while_tensor_array():
    array = tf.TensorArray(tf.float32, size=3, element_shape=[])
    _, filled = tf.while_loop(lambda i, a: tf.less(i, 3), lambda i, a: (i + 1, a.write(i, tf.raw_ops.Cast(x=i, DstT=tf.float32))),
                              [tf.constant(0), array])
    return {"r": filled.stack()}


def program_tuple_and_group():
    s, x = _slices(), tf.constant(3.0)
    t = tf.tuple([x, None, s], control_inputs=[tf.no_op(name="first")])
    return {"x": t[0], "none": str(t[1]), "v": t[2].values, "i": t[2].indices,
            "g": tf.group(s, [x, [x]], name="all"), "empty": tf.group()}


def program_tuple_names():
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    return {"t": tf.tuple((a, b), name="both"), "u": tf.tuple([a])}


def program_group_devices():
    with tf.device("/device:CPU:0"):
        a = tf.constant(1.0)
    b = tf.constant(2.0)
    return {"g": tf.group(a, b, name="g"), "h": tf.group(a.op, b.op)}


def program_no_op():
    return {"a": tf.no_op(), "b": tf.no_op(name="named")}
