"""Variables that are resources."""
import tensorflow as tf


def make(*args, **kwargs):
    return tf.Variable(*args, use_resource=True, **kwargs)


def program_reads():
    v = make([1.0, 2.0], name="v")
    return {"v": v, "value": v.value(), "read": v.read_value(), "sum": v + 1.0, "sparse": v.sparse_read([1])}


def program_from_function():
    v = make(lambda: tf.constant([1.0, 2.0]), name="v")
    return {"v": v}


def program_assign():
    v = make([1.0, 2.0], name="v")
    a = v.assign([3.0, 4.0])
    return [{"a": a}, {"b": v.assign_add([1.0, 1.0], name="more")}, {"c": v.assign_sub([1.0, 1.0])},
            {"d": a + 1.0}, {"e": tf.assign(v, [0.0, 0.0])}, {"f": tf.assign_add(v, [1.0, 2.0])}]


def program_assign_operation():
    v = make(1.0)
    op = v.assign(2.0, read_value=False)
    return [{"op": op, "kind": op.type}, {"v": v}]


def program_scatter():
    v = make([[1.0], [2.0], [3.0]], name="v")
    rows = tf.IndexedSlices(tf.constant([[10.0]]), tf.constant([1]))
    return [{"add": v.scatter_add(rows)}, {"sub": v.scatter_sub(rows)}, {"mul": v.scatter_mul(rows)},
            {"div": v.scatter_div(rows)}, {"min": v.scatter_min(rows)}, {"max": v.scatter_max(rows)},
            {"update": v.scatter_update(rows)}, {"f": tf.scatter_update(v, [0], [[9.0]])},
            {"g": tf.scatter_add(v, [0], [[1.0]])}]


def program_scatter_nd():
    v = make([1, 2, 3])
    return [{"add": v.scatter_nd_add([[0]], [10])}, {"sub": v.scatter_nd_sub([[1]], [1])},
            {"update": v.scatter_nd_update([[2]], [7])}, {"f": tf.scatter_nd_add(v, [[0]], [1])},
            {"gather": v.gather_nd([[0], [2]])}]


def program_slices():
    v = make([[1.0, 2.0], [3.0, 4.0]])
    return [{"row": v[0]}, {"set": v[0, 1].assign(9.0)}, {"v": v}]


def program_devices():
    with tf.device("/cpu:0"):
        v = make([1.0], name="v")
        y = v + 1.0
        z = v.assign([2.0])
    w = make([1.0], name="w", caching_device="/cpu:0")
    return {"y": y, "z": z, "w": w + 1.0}


def program_gradients():
    v = make([[1.0, 2.0]], name="v")
    return {"g": tf.gradients(tf.matmul(v, [[3.0], [4.0]]), [v])[0]}


def program_enabled():
    tf.enable_resource_variables()
    try:
        v = tf.Variable(1.0, name="v")
        w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    finally:
        tf.disable_resource_variables()
    return {"v": v, "w": w, "kinds": [v.op.type, w.op.type]}


def program_count_up_to():
    v = make(0)
    return [{"a": v.count_up_to(2)}, {"b": v.count_up_to(2)}]


def program_is_initialized():
    v = make(1.0)
    return {"is": tf.is_variable_initialized(v), "check": v.is_initialized()}


def program_mixed_types():
    d, n = make(1.0, dtype=tf.float64), make(3, dtype=tf.int64)
    return {"d": d * 2.0, "n": n + 1}


def program_get_variable():
    with tf.variable_scope("a", use_resource=True):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    return {"v": v, "name": v.name, "shape": v.shape.as_list()}


def program_inside_loop():
    v = make(2.0, name="v")
    return {"y": tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * v), [0, 1.0])}


def program_to_proto():
    v = make([1.0], name="v")
    return {"v": v, "proto": str(v.to_proto()).replace("\n", " ")}


def program_identity():
    v = make([1.0], name="v")
    return {"i": tf.identity(v), "c": tf.convert_to_tensor(v)}
