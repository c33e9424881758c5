"""What users' notes on TensorFlow 1 show, as programs."""
import numpy as np
import tensorflow as tf

from program import feeds as fed


def program_placeholder():
    x = tf.placeholder(tf.float32, shape=(4, 4))
    return fed({x: np.arange(16.0).reshape(4, 4)}, y=tf.matmul(x, x))


def program_feed_into_the_middle():
    x = tf.placeholder(tf.float32, (), name="x")
    z = x + tf.constant(5.0)
    y = z * tf.constant(0.5)
    return [fed({x: 2}, y=y), fed({z: 5}, y=y), fed({y: 5}, y=y)]


def program_scope_reuse():
    with tf.variable_scope("a_variable_scope") as scope:
        initializer = tf.constant_initializer(value=3)
        var3 = tf.get_variable(name="var3", shape=[1], dtype=tf.float32, initializer=initializer)
        scope.reuse_variables()
        var3_reuse = tf.get_variable(name="var3")
        var4 = tf.Variable(name="var4", initial_value=[4], dtype=tf.float32)
        var4_reuse = tf.Variable(name="var4", initial_value=[4], dtype=tf.float32)
    every = [var3, var3_reuse, var4, var4_reuse]
    return {"values": every, "names": [v.name for v in every]}


def program_names_in_scopes():
    with tf.variable_scope("foo"):
        a = tf.get_variable("bar", [1], initializer=tf.zeros_initializer())
    with tf.variable_scope("bar"):
        b = tf.get_variable("bar", [1], initializer=tf.zeros_initializer())
    with tf.name_scope("a"):
        c = tf.Variable([1])
        d = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return {"names": [v.name for v in (a, b, c, d)]}


def program_scope_as_name():
    x, y = tf.constant(1.0), tf.constant(2.0)
    with tf.name_scope("abc"):
        z = tf.identity(x + y, name="z")
    with tf.name_scope("abc") as scope:
        w = tf.add(x, 3.0, name=scope)
    return {"z": z, "w": w, "names": [z.name, w.name]}


def program_edge_detector_weights():
    w = tf.get_variable("W", shape=[3, 3],
                        initializer=tf.constant_initializer([1, 1, 1, 1, -8, 1, 1, 1, 1]))
    return {"w": w}


def program_reshape_with_unknown():
    a = tf.constant([[1, 2], [3, 4], [5, 6]])
    return {"b": tf.reshape(a, [-1, 3, 1])}


def program_expand_dims():
    t, t2 = tf.zeros([2]), tf.zeros([2, 3, 5])
    return {"shapes": [tf.shape(tf.expand_dims(t, d)) for d in (0, 1, -1)],
            "shapes2": [tf.shape(tf.expand_dims(t2, d)) for d in (0, 2, 3)]}


def program_means():
    x = tf.constant([[1.0, 1.0], [2.0, 2.0]])
    return {"all": tf.reduce_mean(x), "columns": tf.reduce_mean(x, 0), "rows": tf.reduce_mean(x, 1)}


def program_printing_passes_values():
    a = tf.constant([1.0, 3.0])
    a = tf.Print(a, [a], message="This is a: ")
    return {"b": tf.add(a, a)}


def program_product():
    a, b = tf.constant(5.0), tf.constant(6.0)
    c = a * b
    with tf.Session():
        value = c.eval()
    session = tf.InteractiveSession()
    again = c.eval()
    session.close()
    return {"c": c, "value": value, "again": again}


def program_gather_columns():
    t = tf.Variable([[1, 1.1], [2, 2.2], [3, 3.3], [4, 4.4]])
    return {"first": tf.gather(t, axis=1, indices=0), "second": tf.gather(t, axis=1, indices=1)}


def program_join_pictures():
    img1 = tf.constant(value=[[[[1], [2], [3], [4]]] * 4], dtype=tf.float32)
    img2 = tf.constant(value=[[[[1], [1], [1], [1]]] * 4], dtype=tf.float32)
    img = tf.concat(values=[img1, img2], axis=3)
    filters = [tf.constant(value=v, shape=[3, 3, 1, 1], dtype=tf.float32) for v in range(4)]
    out1 = tf.concat(values=filters[:2], axis=2)
    out2 = tf.concat(values=filters[2:], axis=2)
    return {"img": img, "filter": tf.concat(values=[out1, out2], axis=3)}


def program_assignments():
    val_a = tf.Variable([1, 2, 4])
    init_value = val_a.initial_value
    new_val_a = tf.assign(val_a, [2, 2, 2])
    return [{"before": val_a}, {"new": new_val_a}, {"after": val_a},
            {"start": init_value, "again": val_a.initial_value}]


def program_wait_for_an_assignment():
    v = tf.get_variable("v", shape=(), initializer=tf.zeros_initializer())
    assignment = v.assign_add(1)
    with tf.control_dependencies([assignment]):
        w = v.read_value()
    return {"w": w}


def program_accuracy():
    real, predicted = tf.constant([1, 2, 3, 4]), tf.constant([1, 2, 0, 4])
    loss = tf.cast(tf.equal(real, predicted), tf.float32)
    return {"cost": tf.reduce_mean(loss)}


def program_mean_absolute_error():
    real, predicted = tf.constant([1.0, 2.0]), tf.constant([1.5, 4.0])
    loss = tf.abs(tf.subtract(real, predicted))
    return {"cost": tf.reduce_mean(loss, axis=None, keep_dims=False, name=None, reduction_indices=None)}


def program_exponential_loss():
    real, predicted = tf.constant([1.0, -1.0]), tf.constant([0.5, 2.0])
    return {"cost": tf.reduce_mean(tf.exp(tf.multiply(-real, predicted)))}


def program_hinge_loss():
    real, predicted = tf.constant([1.0, -1.0]), tf.constant([0.5, 2.0])
    loss = tf.maximum(0.0, 1.0 - tf.multiply(real, predicted))
    return {"cost": tf.reduce_mean(loss)}


def program_all_operations():
    tf.constant(1.0, name="a") + tf.constant(2.0, name="b")
    graph = tf.get_default_graph()
    return {"names": [n.name for n in graph.as_graph_def().node],
            "values": [op.values()[0].name for op in graph.get_operations()],
            "found": graph.get_tensor_by_name("add:0"),
            "op": graph.get_operation_by_name("add").type}


def program_gradient_descent():
    x = tf.Variable(3.0, name="x")
    loss = tf.square(x - 1.0)
    step = tf.train.GradientDescentOptimizer(0.02).minimize(loss)
    return [{"step": step}, {"x": x}, {"step": step}, {"x": x}]


def program_only_some_variables():
    with tf.variable_scope("body"):
        a = tf.get_variable("a", [], initializer=tf.ones_initializer())
    with tf.variable_scope("output"):
        b = tf.get_variable("b", [], initializer=tf.ones_initializer())
    chosen = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="output")
    step = tf.train.GradientDescentOptimizer(0.5).minimize(a * b, var_list=chosen)
    return [{"step": step}, {"a": a, "b": b}]


def program_clipped_gradients():
    x = tf.Variable([3.0, -4.0])
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    grads_and_vars = optimizer.compute_gradients(tf.reduce_sum(tf.square(x)))
    clipped = [(tf.clip_by_norm(g, 5.0), v) for g, v in grads_and_vars]
    return [{"gradient": clipped[0][0], "step": optimizer.apply_gradients(clipped)}, {"x": x}]


def program_learning_rate_decay():
    step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(0.1, step, 10, 0.96, staircase=True)
    more = step.assign_add(7)
    return [{"rate": rate}, {"more": more}, {"rate": rate}, {"more": more}, {"rate": rate}]


def program_global_step():
    step = tf.train.get_or_create_global_step()
    same = tf.train.get_global_step()
    x = tf.Variable(1.0)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(x * x, global_step=step)
    return [{"train": train}, {"step": step, "same": step is same}]


def program_stop_gradient():
    x = tf.Variable(3.0)
    y = x * tf.stop_gradient(x)
    return {"g": tf.gradients(y, [x])}


def program_seed_of_an_op():
    return {"a": tf.random_normal([3], seed=7), "b": tf.truncated_normal([3], seed=7)}


def program_collections_of_my_own():
    a = tf.constant(1.0)
    tf.add_to_collection("losses", a)
    tf.add_to_collection("losses", a * 2.0)
    return {"total": tf.add_n(tf.get_collection("losses"))}


def program_selecting():
    c = tf.constant([True, False, True])
    return {"chosen": tf.where(c, [1, 2, 3], [10, 20, 30]), "indices": tf.where(c),
            "masked": tf.boolean_mask([1, 2, 3], c), "tiled": tf.tile([1, 2], [2]),
            "squeezed": tf.squeeze([[[1], [2]]])}


def program_tensordot():
    a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0, 0.0], [0.0, 1.0]])
    return {"dot": tf.tensordot(a, b, axes=1), "div": tf.truediv(a, 2.0), "best": tf.argmax(a, 1)}
