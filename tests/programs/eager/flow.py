"""Branches, loops, arrays and functions of Python, called with values."""
import threading

import numpy as np
import tensorflow as tf

from program import raised

ONE = tf.constant(1)


def program_cond():
    return dict(true=tf.cond(ONE > 0, lambda: ONE, lambda: -ONE), false=tf.cond(ONE > 1, lambda: ONE, lambda: -ONE),
                several=tf.cond(ONE > 0, lambda: (ONE, [ONE]), lambda: (ONE, [ONE])), python=tf.cond(tf.constant(True), lambda: 1, lambda: 2))


def program_one_branch_runs():
    seen = []
    tf.cond(ONE > 0, lambda: seen.append("yes") or ONE, lambda: seen.append("no") or ONE)
    return dict(seen=seen)


def program_cond_refused():
    return dict(number=raised(lambda: tf.cond(ONE > 0, 1, lambda: 2)), both=raised(lambda: tf.cond(ONE > 0, lambda: 1, None)))


def program_case():
    pairs = [(ONE > 1, lambda: tf.constant("a")), (ONE > 0, lambda: tf.constant("b"))]
    return dict(found=tf.case(pairs), default=tf.case([(ONE > 1, lambda: ONE)], default=lambda: ONE * 7),
                none=raised(lambda: tf.case([(ONE > 1, lambda: ONE)])))


def program_case_exclusive():
    return dict(both=raised(lambda: tf.case([(ONE > 0, lambda: 1), (ONE > -1, lambda: 2)], exclusive=True)))


def program_switch_case():
    return {f"at{i}": tf.switch_case(tf.constant(i), [lambda: ONE, lambda: ONE * 2], default=lambda: ONE * 9) for i in (0, 1, 5)}


def program_while():
    return dict(one=tf.while_loop(lambda i: i < 5, lambda i: i + 1, [tf.constant(0)]),
                two=tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s + i), (tf.constant(0), tf.constant(0))),
                most=tf.while_loop(lambda i: True, lambda i: i + 1, [tf.constant(0)], maximum_iterations=3))


def program_while_with_structures():
    found = tf.while_loop(lambda s: s["i"] < 3, lambda s: [{"i": s["i"] + 1, "x": s["x"] * 2}], [{"i": tf.constant(0), "x": tf.constant(1.)}])
    found = found[0] if isinstance(found, list) else found
    return dict(i=found["i"], x=found["x"])


def program_while_that_grows():
    x = tf.while_loop(lambda x: tf.size(x) < 5, lambda x: tf.concat([x, [0]], 0), [tf.constant([1])], shape_invariants=[tf.TensorShape([None])])
    return dict(x=x)


def program_while_refused():
    return dict(empty=raised(lambda: tf.while_loop(lambda: True, lambda: [], [])), cond=raised(lambda: tf.while_loop(1, lambda i: i, [ONE])))


def program_map_fn():
    x = tf.constant([1, 2, 3])
    return dict(one=tf.map_fn(lambda e: e * e, x), two=tf.map_fn(lambda e: e[0] + e[1], (x, x), dtype=tf.int32),
                pair=tf.map_fn(lambda e: (e, tf.cast(e, tf.float32)), x, dtype=(tf.int32, tf.float32)),
                matrix=tf.map_fn(tf.reduce_sum, tf.ones([2, 3])))


def program_folds():
    x = tf.constant([1., 2., 3.])
    return dict(left=tf.foldl(lambda a, e: a - e, x), right=tf.foldr(lambda a, e: a - e, x), begin=tf.foldl(lambda a, e: a + e, x, tf.constant(10.)))


def program_scan():
    x = tf.constant([1, 2, 3])
    return dict(sums=tf.scan(lambda a, e: a + e, x), begin=tf.scan(lambda a, e: a * e, x, tf.constant(2)),
                reverse=tf.scan(lambda a, e: a + e, x, reverse=True), pair=tf.scan(lambda a, e: (a[0] + e, a[1] * e), x, (tf.constant(0), tf.constant(1))))


def program_python_flow():
    x = tf.constant(5)
    found = "large" if x > 3 else "small"
    count = 0
    while x > 0:
        x -= 2
        count += 1
    return dict(found=found, count=count, assertion=raised(lambda: exec("assert x == 3", {"x": tf.constant(False)})))


def program_tensor_arrays():
    ta = tf.TensorArray(tf.float32, size=2, dynamic_size=True)
    ta = ta.write(0, [1., 2.]).write(1, [3., 4.]).write(2, [5., 6.])
    return dict(stack=ta.stack(), read=ta.read(1), size=ta.size(), concat=ta.concat(), gather=ta.gather([2, 0]))


def program_tensor_arrays_from():
    ta = tf.TensorArray(tf.int32, 3).unstack([1, 2, 3])
    parts = tf.TensorArray(tf.float32, 2, infer_shape=False).split([1., 2., 3.], [1, 2])
    return dict(second=ta.read(1), last=parts.read(1), all=tf.TensorArray(tf.int32, 2).scatter([1, 0], [[1], [2]]).stack())


def program_tensor_arrays_refused():
    ta = tf.TensorArray(tf.float32, 1)
    return dict(read=raised(lambda: ta.read(0)) != "", far=raised(lambda: ta.write(5, 1.)) != "", dtype=raised(lambda: ta.write(0, 1)) != "")


def program_py_function():
    return dict(one=tf.py_function(lambda x: x.numpy() + 1, [ONE], tf.int32), several=tf.py_function(lambda x: (x, x * 2), [ONE], [tf.int32] * 2),
                none=tf.py_function(lambda x: None, [ONE], []), text=tf.py_function(lambda: "a", [], tf.string))


def program_py_func():
    return dict(one=tf.py_func(lambda x: x + 1, [np.float64(2)], tf.float64), numpy=tf.numpy_function(lambda a: a.sum(), [tf.constant([1., 2.])], tf.float32))


def program_py_function_errors():
    def fails(x):
        raise ValueError("bad")
    return dict(error=raised(lambda: tf.py_function(fails, [ONE], tf.int32)) != "")


def program_groups():
    v = tf.Variable(0)
    return dict(group=tf.group(v.assign_add(1), v.assign_add(2)) is None, tuple=tf.tuple([ONE, ONE * 2]), v=v,
                no_op=tf.no_op() is None, identity=tf.identity_n([ONE, ONE]))


def program_control_dependencies():
    v = tf.Variable(0)
    with tf.control_dependencies([v.assign(5)]):
        x = v.read_value()
    return dict(x=x)


def program_assertions():
    return dict(true=tf.debugging.Assert(True, [1]) is None, false=raised(lambda: tf.debugging.Assert(False, ["why"])),
                equal=raised(lambda: tf.debugging.assert_equal(1, 2)), less=raised(lambda: tf.debugging.assert_less([1, 5], [2, 3])),
                rank=raised(lambda: tf.debugging.assert_rank(ONE, 1)), fine=tf.debugging.assert_positive(ONE) is None,
                numerics=raised(lambda: tf.debugging.check_numerics(float("nan"), "x")))


def program_names_and_devices():
    with tf.name_scope("a"), tf.device("/cpu:0"):
        x = ONE + 1
    return dict(x=x, far=raised(lambda: _on("/gpu:7")))


def _on(device):
    with tf.device(device):
        return ONE + 1


def program_threads():
    found = [None] * 4

    def work(i):
        with tf.GradientTape() as tape:
            x = tf.constant(float(i))
            tape.watch(x)
            y = x ** 3
        found[i] = tape.gradient(y, x).numpy()
    threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return dict(found=found)


def program_tapes_are_a_threads_own():
    x, found = tf.constant(3.), []
    with tf.GradientTape() as tape:
        tape.watch(x)
        thread = threading.Thread(target=lambda: found.append(x * x))
        thread.start()
        thread.join()
    return dict(none=tape.gradient(found[0], x) is None)


def program_graphs_beside():
    with tf.Graph().as_default():
        eagerly = tf.executing_eagerly()
        y = tf.constant(2) * 3
        with tf.Session() as session:
            value = session.run(y)
    return dict(inside=eagerly, value=value, outside=tf.executing_eagerly())


def program_tensors_of_graphs():
    with tf.Graph().as_default():
        y = tf.constant(2)
    return dict(mixed=raised(lambda: y + ONE) != "", numpy=raised(lambda: y.numpy()))


def program_init_scope():
    with tf.init_scope():
        return dict(eagerly=tf.executing_eagerly(), x=ONE * 2)


def program_wrapped_functions():
    double = tf.make_template("double", lambda x: x * 2)
    return dict(x=double(ONE))


def program_templates_keep_variables():
    def scaled(x):
        return x * tf.get_variable("w", initializer=2.)
    template = tf.make_template("scaled", scaled)
    template(1.)
    template.variables[0].assign(5.)
    return dict(again=template(1.), count=len(template.variables))


def program_print():
    return dict(none=tf.print("x", ONE) is None, printed=tf.Print(ONE, [ONE], "p"))


def program_tables():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    return dict(found=table.lookup(tf.constant(["b", "c"])), size=table.size())


def program_mutable_tables():
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, default_value=-1, empty_key=-5, deleted_key=-6)
    keys = tf.constant([1, 2], tf.int64)
    table.insert(keys, keys * 10)
    table.erase(keys[:1])
    return dict(found=table.lookup(keys), size=table.size())
