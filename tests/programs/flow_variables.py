"""Branches, loops, queues and checks that meet variables and nested scopes."""
import tensorflow as tf
from program import feeds


def program_cond_reads_variables():
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    w = tf.get_variable("w", initializer=3.0, use_resource=True)
    p = tf.placeholder(tf.bool, [])
    return feeds({p: True}, r=tf.cond(p, lambda: v * w, lambda: v - w))


def program_cond_returns_variables():
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    w = tf.get_variable("w", initializer=3.0, use_resource=True)
    p = tf.placeholder(tf.bool, [])
    return feeds({p: False}, r=tf.cond(p, lambda: v, lambda: w))


def program_cond_assigns():
    v = tf.get_variable("v", initializer=1.0)
    p = tf.placeholder(tf.bool, [])
    change = tf.cond(p, lambda: tf.assign(v, 5.0), lambda: tf.assign_add(v, 1.0))
    return [feeds({p: False}, r=change), feeds({p: True}, r=change), {"v": v}]


def program_while_reads_variables():
    v = tf.get_variable("v", initializer=2.0, use_resource=True)
    return {"r": tf.while_loop(lambda i, x: tf.less(i, 3), lambda i, x: (i + 1, x * v), [0, 1.0])}


def program_while_starts_at_variables():
    v = tf.get_variable("v", initializer=2.0)
    return {"r": tf.while_loop(lambda x: tf.less(x, 20.0), lambda x: x * x, [v])}


def program_map_with_variables():
    v = tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0]])
    scale = tf.get_variable("scale", initializer=10.0, use_resource=True)
    return {"r": tf.map_fn(lambda row: row * scale, v)}


def program_scan_with_variables():
    v = tf.get_variable("v", initializer=[1.0, 2.0, 3.0], use_resource=True)
    return {"r": tf.scan(lambda a, x: a + x, v, initializer=tf.constant(0.0))}


def program_fold_with_variable_start():
    v = tf.get_variable("v", initializer=100.0)
    return {"r": tf.foldl(lambda a, x: a - x, tf.constant([1.0, 2.0]), initializer=v)}


def program_asserts_on_variables():
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    w = tf.get_variable("w", initializer=[1.0, 2.0], use_resource=True)
    with tf.control_dependencies([tf.assert_positive(v), tf.assert_equal(w, [1.0, 2.0]), tf.assert_rank(w, 1)]):
        return {"r": tf.identity(v)}


def program_queue_of_variables():
    q = tf.FIFOQueue(3, tf.float32)
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    return [{"put": q.enqueue(v)}, {"got": q.dequeue()}]


def program_print_variables():
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    w = tf.get_variable("w", initializer=1.0, use_resource=True)
    return {"r": [tf.print("v", v), tf.print({"w": w}), tf.Print(v, [v, w])]}


def program_group_variables():
    v = tf.get_variable("v", initializer=1.0)
    return [{"r": tf.group(v.assign(2.0), tf.no_op())}, {"t": tf.tuple([v * 2.0, v + 1.0])}]


def program_devices_inside_branches():
    p = tf.placeholder(tf.bool, [])
    with tf.device("/device:CPU:0"):
        r = tf.cond(p, lambda: tf.constant(1.0), lambda: tf.constant(2.0))
        n = tf.while_loop(lambda i: tf.less(i, 3), lambda i: i + 1, [0])
    return feeds({p: True}, r=r, n=n)


def program_control_dependencies_inside_loops():
    before = tf.no_op(name="before")
    with tf.control_dependencies([before]):
        r = tf.while_loop(lambda i: tf.less(i, 3), lambda i: i + 1, [tf.constant(0)])
        m = tf.map_fn(lambda x: x + 1.0, tf.constant([1.0]))
    return {"r": r, "m": m}
