"""Variables made by tf.Variable: values, assignments, names, collections."""
import numpy as np
import tensorflow as tf


def names(variables):
    return " ".join(v.name for v in variables)


def program_scalar():
    v = tf.Variable(3.0)
    return {"v": v, "twice": v * 2.0, "name": v.name}


def program_named():
    v = tf.Variable([1, 2, 3], name="counts", dtype=tf.int64)
    return {"v": v, "read": v.read_value(), "value": v.value(), "op": v.op.name}


def program_two_of_one_name():
    a, b = tf.Variable(1.0, name="w"), tf.Variable(2.0, name="w")
    return {"sum": a + b, "names": names([a, b])}


def program_in_name_scope():
    with tf.name_scope("outer"):
        v = tf.Variable(np.ones([2, 2], np.float32), name="w")
        with tf.name_scope("inner"):
            u = tf.Variable(v.initialized_value() * 2.0, name="u")
    return {"v": v, "u": u, "names": names([v, u])}


def program_from_function():
    v = tf.Variable(lambda: tf.constant([1.0, 2.0]), name="lazy")
    return {"v": v}


def program_from_function_with_dtype():
    v = tf.Variable(lambda: [1, 2], name="lazy", dtype=tf.float64)
    return {"v": v}


def program_from_tensor():
    start = tf.constant([[1.0], [2.0]], name="start")
    return {"v": tf.Variable(start, trainable=False)}


def program_depends_on_another():
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable(a + 1.0, name="b")
    return {"a": a, "b": b}


def program_depends_through_function():
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable(lambda: a * 3.0, name="b")
    return {"b": b}


def program_collections():
    v = tf.Variable(1.0, name="v")
    w = tf.Variable(1.0, name="w", trainable=False)
    tf.Variable(1.0, name="l", collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
    tf.Variable(1.0, name="m", collections=["mine", tf.GraphKeys.GLOBAL_VARIABLES])
    graph = tf.get_default_graph()
    return {"sum": v + w, "global": names(tf.global_variables()),
            "trainable": names(tf.trainable_variables()), "local": names(tf.local_variables()),
            "mine": names(tf.get_collection("mine")), "keys": sorted(graph.get_all_collection_keys()),
            "filtered": names(tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="[vw]"))}


def program_collection_ref():
    tf.add_to_collection("numbers", 1)
    tf.get_collection_ref("numbers").append(2)
    tf.add_to_collections(["numbers", "others"], 3)
    tf.get_default_graph().clear_collection("others")
    return {"numbers": tf.get_collection("numbers"), "others": len(tf.get_collection("others")),
            "none": len(tf.get_collection("none"))}


def program_assign():
    v = tf.Variable([1.0, 2.0])
    a = v.assign([3.0, 4.0])
    b = tf.assign(v, [5.0, 6.0], name="second")
    c = tf.assign_add(v, [1.0, 1.0])
    d = v.assign_sub([0.5, 0.5], use_locking=True)
    return [{"a": a}, {"b": b}, {"c": c}, {"d": d}, {"v": v}]


def program_assign_without_reading():
    v = tf.Variable(1.0)
    op = v.assign(2.0, read_value=False)
    return [{"kind": op.type, "op": op}, {"v": v}]


def program_assign_other_shape():
    v = tf.Variable([1.0, 2.0], validate_shape=False)
    grow = tf.assign(v, [1.0, 2.0, 3.0], validate_shape=False)
    return [{"grow": grow}, {"v": v}]


def program_assign_chain():
    v = tf.Variable(1.0)
    w = tf.assign_add(tf.assign(v, 10.0), 5.0)
    return [{"w": w}, {"v": v}]


def program_scatter():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    rows = [[10.0, 10.0]]
    return [{"add": tf.scatter_add(v, [0], rows)}, {"sub": tf.scatter_sub(v, [1], rows)},
            {"mul": tf.scatter_mul(v, [2], rows)}, {"div": tf.scatter_div(v, [2], rows)},
            {"min": tf.scatter_min(v, [0], rows)}, {"max": tf.scatter_max(v, [1], rows)},
            {"update": tf.scatter_update(v, [1, 2], [[0.0, 0.0], [1.0, 1.0]])}]


def program_scatter_nd():
    v = tf.Variable([1, 2, 3, 4])
    return [{"add": tf.scatter_nd_add(v, [[0], [2]], [10, 20])},
            {"sub": tf.scatter_nd_sub(v, [[1]], [1])},
            {"update": tf.scatter_nd_update(v, [[3]], [9])}]


def program_scatter_methods():
    v = tf.Variable([1.0, 2.0, 3.0])
    rows = tf.IndexedSlices(tf.constant([5.0]), tf.constant([1]))
    return [{"add": v.scatter_add(rows)}, {"sub": v.scatter_sub(rows, name="down")},
            {"update": v.scatter_update(rows)}, {"nd": v.scatter_nd_add([[0]], [1.0])}]


def program_count_up_to():
    v = tf.Variable(0)
    count = v.count_up_to(3)
    again = tf.count_up_to(v, 3)
    return [{"first": count}, {"second": again}, {"third": count}]


def program_slices():
    v = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return [{"row": v[0], "column": v[:, 1], "last": v[-1, ::2]}, {"set": v[0, 1].assign(20.0)},
            {"set2": v[:, 2].assign([7.0, 8.0])}, {"v": v}]


def program_operators():
    v = tf.Variable([4.0, 9.0])
    n = tf.Variable([4, 9])
    return {"all": [v + 1.0, 1.0 - v, v * v, 3.0 / v, v ** 2.0, -v, abs(-v), v > 5.0, v <= 4.0],
            "ints": [n // 2, n % 4, 10 // n]}


def program_initializer_ops():
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    init = tf.variables_initializer([b], name="only_b")
    every = tf.global_variables_initializer()
    return {"init": init, "every": every.name, "set": a.initializer.name, "value": b.initial_value}


def program_no_variables():
    return {"init": tf.global_variables_initializer(), "local": tf.local_variables_initializer()}


def program_is_initialized():
    v = tf.Variable(1.0)
    return {"is": tf.is_variable_initialized(v)}


def program_references_by_name():
    tf.get_variable("v", initializer=1)
    ref = tf.get_default_graph().get_tensor_by_name("v:0")
    return [{"is": tf.is_variable_initialized(ref)}, {"count": tf.count_up_to(ref, 3)}]


def program_assert_initialized():
    tf.Variable(1.0), tf.Variable([1.0])
    return {"ranks": tf.assert_variables_initialized()}


def program_initialized_value():
    v = tf.Variable(5.0, name="v")
    return {"v": v.initialized_value()}


def program_control_dependencies():
    v = tf.Variable(1.0)
    step = tf.Variable(0, trainable=False)
    with tf.control_dependencies([v.assign_add(1.0)]):
        later = step.assign_add(1)
        w = tf.Variable(7.0, name="unaffected")
    return [{"later": later}, {"v": v, "w": w}]


def program_devices():
    with tf.device("/cpu:0"):
        v = tf.Variable([1.0], name="v")
        u = tf.Variable(lambda: tf.constant([1.0]), name="u")
    w = tf.Variable([1.0], name="w", caching_device="/cpu:0")
    return {"sum": v + u + w, "device": v.device}


def program_colocated():
    v = tf.Variable([1.0], name="v")
    with tf.colocate_with(v):
        w = tf.Variable([2.0], name="w")
        x = tf.constant(1.0, name="x")
    return {"w": w, "x": x}


def program_gradients():
    v = tf.Variable([[1.0, 2.0]], name="v")
    y = tf.matmul(v, [[3.0], [4.0]])
    return {"g": tf.gradients(y, [v])[0]}


def program_gradients_of_two():
    a, b = tf.Variable(2.0, name="a"), tf.Variable(3.0, name="b")
    return {"g": tf.gradients(a * b + a, [a, b])}


def program_inside_cond():
    v = tf.Variable(1.0, name="v")
    y = tf.cond(tf.constant(True), lambda: v.assign(3.0), lambda: v + 1.0)
    return [{"y": y}, {"v": v}]


def program_inside_loop():
    v = tf.Variable(2.0, name="v")
    return {"y": tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * v), [0, 1.0])}


def program_strings():
    v = tf.Variable(["a", "bc"], name="words")
    return [{"v": v}, {"set": v.assign(["x", "yz"])}]


def program_bools():
    v = tf.Variable([True, False])
    return [{"v": v}, {"is": v.assign([False, False])}]


def program_to_proto():
    v = tf.Variable([1.0], name="v")
    w = tf.Variable([1.0], name="w", trainable=False)
    return {"v": v, "protos": [str(x.to_proto()).replace("\n", " ") for x in (v, w)]}


def program_repr():
    v = tf.Variable([[1.0, 2.0]], name="v")
    return {"v": v, "repr": repr(v), "shape": str(v.shape), "dtype": v.dtype.name,
            "static": v.get_shape().as_list(), "trainable": v.trainable}


def program_report_uninitialized():
    tf.Variable(1.0, name="a"), tf.Variable([1.0], name="b", use_resource=True)
    return {"missing": tf.report_uninitialized_variables()}


def program_report_without_variables():
    return {"missing": tf.report_uninitialized_variables()}


def program_batch_scatter_update():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v")
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w", use_resource=True)
    return {"v": tf.batch_scatter_update(v, [[0], [1]], [[9.0], [8.0]]),
            "w": tf.batch_scatter_update(w, [[0], [1]], [[9.0], [8.0]])}
