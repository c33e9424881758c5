"""get_variable, variable_scope, templates, partitioners."""
import tensorflow as tf


def names(variables):
    return " ".join(v.name for v in variables)


ONES, ZEROS = tf.ones_initializer(), tf.zeros_initializer()


def program_plain():
    v = tf.get_variable("v", [2, 3], initializer=ONES)
    return {"v": v, "name": v.name}


def program_shape_from_value():
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]))
    w = tf.get_variable("w", initializer=[1, 2, 3])
    return {"v": v, "w": w}


def program_function_without_arguments():
    v = tf.get_variable("v", initializer=lambda: tf.constant([1.0, 2.0]))
    return {"v": v}


def program_function_of_shape():
    def initializer(shape, dtype=None, partition_info=None):
        return tf.constant(2.0, dtype=dtype, shape=shape)

    return {"v": tf.get_variable("v", [2, 2], initializer=initializer)}


def program_nested():
    with tf.variable_scope("a"):
        with tf.variable_scope("b"):
            v = tf.get_variable("v", [1], initializer=ONES)
            x = tf.constant(1.0, name="x")
        with tf.variable_scope("b"):
            y = tf.constant(1.0, name="x")
    return {"v": v, "names": [v.name, x.name, y.name]}


def program_reuse():
    with tf.variable_scope("a"):
        v = tf.get_variable("v", [1], initializer=ONES)
    with tf.variable_scope("a", reuse=True):
        w = tf.get_variable("v", [1])
    with tf.variable_scope("a") as scope:
        scope.reuse_variables()
        x = tf.get_variable("v")
    return {"sum": v + w + x, "same": v is w and w is x, "count": len(tf.global_variables())}


def program_auto_reuse():
    def layer():
        with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
            return tf.get_variable("v", [1], initializer=ONES)

    a, b = layer(), layer()
    return {"sum": a + b, "same": a is b}


def program_scope_object_again():
    with tf.variable_scope("a") as scope:
        v = tf.get_variable("v", [1], initializer=ONES)
    with tf.variable_scope("other"):
        with tf.variable_scope(scope, reuse=True):
            w = tf.get_variable("v", [1])
            x = tf.constant(1.0, name="x")
        with tf.variable_scope(scope):
            u = tf.get_variable("u", [1], initializer=ONES)
    return {"sum": v + w + u, "names": [w.name, x.name, u.name],
            "scope": [scope.name, scope.original_name_scope]}


def program_scope_object_without_name_scope():
    with tf.variable_scope("a") as scope:
        pass
    with tf.variable_scope(scope, auxiliary_name_scope=False):
        with tf.name_scope(scope.original_name_scope):
            v = tf.get_variable("v", [1], initializer=ONES)
            x = tf.constant(1.0, name="x")
    return {"v": v, "x": x.name}


def program_default_names():
    found = []
    for _ in range(3):
        with tf.variable_scope(None, default_name="layer"):
            found.append(tf.get_variable("v", [1], initializer=ONES))
    return {"sum": found[0] + found[1] + found[2], "names": names(found)}


def program_default_names_inside():
    found = []
    for outer in ("a", "a"):
        with tf.variable_scope(outer, reuse=tf.AUTO_REUSE):
            with tf.variable_scope(None, default_name="layer"):
                found.append(tf.get_variable("v", [1], initializer=ONES))
    return {"names": names(found), "v": found}


def program_values_choose_the_graph():
    x = tf.constant(1.0)
    with tf.variable_scope(None, default_name="s", values=[x]):
        v = tf.get_variable("v", [], initializer=ONES)
    return {"y": v + x}


def program_inherited_initializer():
    with tf.variable_scope("a", initializer=tf.constant_initializer(3.0)):
        v = tf.get_variable("v", [2])
        with tf.variable_scope("b"):
            w = tf.get_variable("w", [2])
        with tf.variable_scope("c", initializer=ZEROS):
            u = tf.get_variable("u", [2])
            x = tf.get_variable("x", [2], initializer=ONES)
    return {"all": [v, w, u, x]}


def program_inherited_dtype():
    with tf.variable_scope("a", dtype=tf.float64):
        v = tf.get_variable("v", [2], initializer=ONES)
        w = tf.get_variable("w", [2], dtype=tf.float32, initializer=ONES)
    return {"v": v, "w": w}


def program_default_initializers():
    v = tf.get_variable("v", [2], dtype=tf.int32)
    b = tf.get_variable("b", [2], dtype=tf.bool)
    tf.get_variable("w", [3, 4])
    return {"v": v, "b": b}


def program_regularizers():
    def square(v):
        return 0.5 * v * v

    with tf.variable_scope("a", regularizer=square):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.0))
        tf.get_variable("w", [], initializer=ONES, regularizer=tf.no_regularizer)
        with tf.variable_scope("b"):
            tf.get_variable("u", [], initializer=ONES, regularizer=lambda x: x * 10.0)
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    total = losses[0] + losses[1] * 2.0
    return {"v": v, "total": total, "names": names(losses)}


def program_custom_getter():
    seen = []

    def getter(getter, name, *args, **kwargs):
        seen.append(name)
        return getter(name, *args, **kwargs) * 2.0

    with tf.variable_scope("a", custom_getter=getter):
        v = tf.get_variable("v", [2], initializer=ONES)
    return {"v": v, "seen": seen}


def program_custom_getters_nest():
    def plus(n):
        def getter(getter, name, *args, **kwargs):
            return tf.identity(getter(name, *args, **kwargs), name=f"plus{n}")
        return getter

    with tf.variable_scope("a", custom_getter=plus(1)):
        with tf.variable_scope("b", custom_getter=plus(2)):
            v = tf.get_variable("v", [2], initializer=ONES)
    return {"v": v}


def program_custom_getter_changes_arguments():
    def getter(getter, name, shape=None, **kwargs):
        kwargs["trainable"] = False
        return getter(name + "_renamed", shape=[3], **kwargs)

    v = tf.get_variable("v", [2], initializer=ONES, custom_getter=getter)
    return {"v": v, "name": v.name, "trainable": len(tf.trainable_variables())}


def program_local_variables():
    v = tf.get_local_variable("v", [2], initializer=ONES)
    return {"v": v, "local": names(tf.local_variables()), "global": names(tf.global_variables())}


def program_scope_collections():
    with tf.variable_scope("a") as a:
        tf.get_variable("v", [1], initializer=ONES)
        tf.get_variable("w", [1], initializer=ONES, trainable=False)
    with tf.variable_scope("ab"):
        tf.get_variable("v", [1], initializer=ONES)
    return {"global": names(a.global_variables()), "trainable": names(a.trainable_variables()),
            "by_name": names(tf.trainable_variables(scope="a"))}


def program_set_scope_properties():
    with tf.variable_scope("a") as scope:
        scope.set_initializer(ONES)
        scope.set_dtype(tf.float64)
        v = tf.get_variable("v", [2])
    return {"v": v, "reuse": bool(scope.reuse), "dtype": scope.dtype.name}


def program_current_scope():
    with tf.variable_scope("a"):
        with tf.variable_scope("b"):
            inner = tf.get_variable_scope().name
    return {"inner": inner, "outer": tf.get_variable_scope().name}


def program_in_control_flow():
    x = tf.constant(1.0)
    y = tf.cond(x > 0.0, lambda: x * tf.get_variable("v", [], initializer=tf.constant_initializer(4.0)),
                lambda: x)
    return {"y": y}


def program_variable_op_scope():
    with tf.variable_op_scope([], "a", "default"):
        v = tf.get_variable("v", [1], initializer=ONES)
    return {"name": v.name, "v": v}


def program_template():
    def scale(x):
        return x * tf.get_variable("s", [], initializer=tf.constant_initializer(2.0))

    template = tf.make_template("scale", scale)
    a, b = template(tf.constant(1.0)), template(tf.constant(3.0))
    other = tf.make_template("scale", scale)(tf.constant(5.0))
    return {"a": a, "b": b, "other": other, "names": names(tf.global_variables())}


def program_template_with_arguments():
    template = tf.make_template("t", lambda x, n: x * n + tf.get_variable("b", [], initializer=ONES),
                                create_scope_now_=True, n=3.0)
    with tf.variable_scope("elsewhere"):
        a = template(tf.constant(2.0))
    return {"a": a, "names": names(tf.global_variables())}


def program_fixed_size_partitions():
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        v = tf.get_variable("v", [3, 2], initializer=ONES)
    return {"v": tf.convert_to_tensor(v), "names": names(v), "shape": v.get_shape().as_list(),
            "slices": [part._save_slice_info.spec for part in v], "parts": list(v)}


def program_partitions_along_columns():
    v = tf.get_variable("v", [2, 4], initializer=ONES,
                        partitioner=tf.fixed_size_partitioner(2, axis=1))
    return {"v": v.as_tensor(), "parts": len(v)}


def program_partitions_from_value():
    v = tf.get_variable("v", initializer=tf.constant([[1.0], [2.0], [3.0]]),
                        partitioner=tf.fixed_size_partitioner(3))
    return {"v": v.as_tensor(), "parts": list(v)}


def program_one_partition():
    v = tf.get_variable("v", [2], initializer=ONES, partitioner=tf.fixed_size_partitioner(1))
    return {"v": v.as_tensor(), "names": names(v)}


def program_partition_reuse():
    partitioner = tf.fixed_size_partitioner(2)
    with tf.variable_scope("a", partitioner=partitioner):
        v = tf.get_variable("v", [4], initializer=ONES)
    with tf.variable_scope("a", partitioner=partitioner, reuse=True):
        w = tf.get_variable("v", [4])
    return {"same": v is w, "v": v.as_tensor()}


def program_partitioners():
    size = tf.variable_axis_size_partitioner(64)
    bounded = tf.min_max_variable_partitioner(max_partitions=4, min_slice_size=16)
    shape = tf.TensorShape([10, 4])
    return {"axis": list(size(shape=shape, dtype=tf.float32)),
            "minmax": list(bounded(shape=shape, dtype=tf.float32)),
            "fixed": list(tf.fixed_size_partitioner(3)(shape=shape, dtype=tf.float32)),
            "limited": list(tf.variable_axis_size_partitioner(16, max_shards=3)(
                shape=shape, dtype=tf.float64))}


def program_same_names_in_two_scopes():
    found = []
    for scope in ("x", "y"):
        with tf.variable_scope(scope):
            found.append(tf.get_variable("v", [1], initializer=ONES))
    return {"names": names(found), "sum": found[0] + found[1]}


def program_slash_in_names():
    v = tf.get_variable("a/b/v", [1], initializer=ONES)
    with tf.variable_scope("a/b", reuse=True):
        w = tf.get_variable("v", [1])
    return {"same": v is w, "v": v}


def program_name_scope_is_ignored():
    with tf.name_scope("n"):
        v = tf.get_variable("v", [1], initializer=ONES)
        w = tf.Variable([1.0], name="w")
        y = v + w
    return {"y": y, "names": [v.name, w.name, y.name]}


def program_empty_scope_name():
    with tf.variable_scope(""):
        v = tf.get_variable("v", [1], initializer=ONES)
    return {"name": v.name, "v": v}


def program_constraints():
    v = tf.get_variable("v", [1], initializer=ONES, constraint=lambda x: x * 0.0)
    return {"v": v, "clipped": v.constraint(v)}


def program_create_partitioned_variables():
    parts = tf.create_partitioned_variables([4, 2], [2, 1], tf.ones_initializer())
    return {"parts": parts, "names": names(parts)}
