"""Meta graphs: what a program imports, restores and goes on with."""
import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.parts import initialized, ramp, step, variable, waves


def question(steps, prefix=None, **options):
    return {"kind": "meta_graph", "meta": "model.meta", "prefix": prefix, "steps": steps, **options}


def export(steps, **options):
    tf.train.export_meta_graph("model.meta")
    return question(steps, **options)


def saved(steps, saver=None, **options):
    (saver or tf.train.Saver()).save(initialized(), "model", write_state=False)
    return question(steps, "model", **options)


def placeholder(shape=(), name="x"):
    return tf.placeholder(tf.float32, shape, name=name)


def case_loop(folder):
    x = placeholder()
    loop = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * x + 1.0), [tf.constant(0), x])
    tf.identity(loop[1], name="y")
    return export([step(["y:0"], x=np.float32(1.5))], gradients=[("y:0", "x:0")])


def case_nested_loops(folder):
    x = placeholder()

    def inner(i, y):
        return tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, tf.sin(z) + x), [tf.constant(0), y])[1]
    loop = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, inner(i, y)), [tf.constant(1), x])
    tf.identity(loop[1], name="y")
    return export([step(["y:0"], x=np.float32(0.3))], gradients=[("y:0", "x:0")])


def case_branches(folder):
    x = placeholder()
    y = tf.cond(x > 1.0, lambda: tf.square(x), lambda: tf.cond(x < -1.0, lambda: -x, lambda: x * 3.0))
    tf.identity(y, name="y")
    return export([step(["y:0"], x=np.float32(v)) for v in (2.0, -4.0, 0.5)], gradients=[("y:0", "x:0")])


def case_branch_in_loop(folder):
    x = placeholder()

    def body(i, y):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: y * x, lambda: y + x)
    loop = tf.while_loop(lambda i, y: i < 5, body, [tf.constant(0), tf.constant(1.0)])
    tf.identity(loop[1], name="y")
    return export([step(["y:0"], x=np.float32(1.1))], gradients=[("y:0", "x:0")])


def case_arrays(folder):
    x = placeholder([None, 2])
    array = tf.TensorArray(tf.float32, size=tf.shape(x)[0]).unstack(x)
    sums = tf.TensorArray(tf.float32, size=tf.shape(x)[0])

    def body(i, total, out):
        total += array.read(i)
        return i + 1, total, out.write(i, total)
    loop = tf.while_loop(lambda i, *_: i < tf.shape(x)[0], body, [tf.constant(0), tf.zeros([2]), sums])
    tf.identity(loop[2].stack(), name="y")
    return export([step(["y:0"], x=waves(4, 2))], gradients=[("y:0", "x:0")])


def case_cells(folder):
    x = placeholder([2, 3, 4])
    cell = tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.constant_initializer(0.2))
    outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    tf.identity(outputs, name="y")
    tf.identity(state, name="state")
    return saved([step(["y:0", "state:0"], x=waves(2, 3, 4))], gradients=[("y:0", "x:0")],
                 collections=["trainable_variables"])


def case_training(folder):
    """A program goes on where it was left: variables, slots, step, train op."""
    w = variable("w", ramp(4, 1))
    x, y = placeholder([None, 4]), placeholder([None, 1], "y")
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y), name="loss")
    train = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_or_create_global_step(), name="train")
    tf.add_to_collection("train_op", train)
    fed = dict(x=waves(3, 4), y=ramp(3, 1))
    return saved([step(targets=["train"], **fed), step(["loss:0", "w:0", "global_step:0"], **fed)],
                 collections=["train_op", "variables", "trainable_variables", "global_step"])


def case_resources(folder):
    w = variable("w", ramp(4, 1), use_resource=True)
    tf.identity(w.assign_add(tf.ones([4, 1])), name="bumped")
    return saved([step(["bumped:0"]), step(["bumped:0"])], collections=["variables"])


def case_partitioned(folder):
    w = variable("w", waves(5, 2), partitioner=tf.fixed_size_partitioner(2))
    tf.nn.embedding_lookup(w, tf.constant([0, 4, 2]), partition_strategy="div", name="rows")
    tf.identity(tf.convert_to_tensor(w), name="whole")
    return saved([step(["whole:0"])], collections=["variables"])


def case_sharded(folder):
    with tf.device("/cpu:0"):
        a = variable("a", ramp(3))
    with tf.device("/cpu:1"):
        b = variable("b", waves(3))
    tf.add(a, b, name="sum")
    return saved([step(["sum:0"])], tf.train.Saver(sharded=True), clear_devices=True)


def case_v1_checkpoint(folder):
    tf.identity(variable("w", ramp(3)), name="y")
    return saved([step(["y:0"])], tf.train.Saver(write_version=tf.train.SaverDef.V1))


def case_local_variables(folder):
    x = placeholder([None])
    mean, update = tf.metrics.mean(x)
    tf.identity(mean, name="mean_now")
    tf.identity(update, name="update")
    tf.group(tf.local_variables_initializer(), name="begin")
    return export([step(targets=["begin"]), step(["update:0"], x=ramp(3) + 2), step(["update:0"], x=ramp(5)),
                   step(["mean_now:0"])], collections=["local_variables", "metric_variables"])


def case_tables(folder):
    keys, values = tf.constant(["a", "b"]), tf.constant([10, 20], tf.int64)
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)
    found = table.lookup(tf.placeholder(tf.string, [None], name="x"))
    tf.identity(found, name="y")
    tf.group(tf.tables_initializer(), name="begin")
    return export([step(targets=["begin"]), step(["y:0"], x=np.array([b"b", b"z", b"a"], object))],
                  collections=["table_initializer"])


def case_collections(folder):
    """Values of every kind that a collection may hold."""
    tf.add_to_collection("tensors", tf.constant(1.0, name="one"))
    tf.add_to_collection("operations", tf.no_op(name="nothing"))
    tf.add_to_collection("numbers", 3)
    tf.add_to_collection("fractions", 0.5)
    tf.add_to_collection("texts", "text")
    tf.identity(tf.constant(2.0), name="y")
    return export([step(["y:0"])], collections=["tensors", "operations", "numbers", "fractions", "texts"])


def case_queues(folder):
    queue = tf.FIFOQueue(5, [tf.float32], [[]])
    queue.enqueue_many([tf.placeholder(tf.float32, [None], name="x")], name="put")
    tf.identity(queue.dequeue(), name="get")
    tf.identity(queue.size(), name="left")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue([1.0])]))
    return export([step(targets=["put"], x=ramp(3)), step(["get:0"]), step(["left:0"])])


def case_functions(folder):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32, func_name="twice_and_one")
    def twice(x):
        return x * 2.0 + 1.0
    tf.identity(twice(twice(placeholder())), name="y")
    return export([step(["y:0"], x=np.float32(3))])


def case_devices(folder):
    with tf.device("/job:worker/task:3/gpu:1"):
        x = placeholder([2])
        with tf.colocate_with(x.op):
            tf.multiply(x, 2.0, name="y")
    return export([step(["y:0"], x=ramp(2))], clear_devices=True)


def case_random(folder):
    """Seeds travel with the graph."""
    tf.random.set_random_seed(7)
    tf.identity(tf.random.uniform([3], seed=3), name="uniform")
    tf.identity(tf.random.normal([2, 2], seed=5), name="normal")
    tf.identity(tf.random.truncated_normal([2], seed=1), name="truncated")
    return export([step(["uniform:0", "normal:0", "truncated:0"])] * 2)


def case_gradients(folder):
    """A graph with the gradients of a loop in it."""
    x = placeholder([3])
    loop = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.reduce_sum(x)), [tf.constant(0), x])
    tf.identity(tf.gradients(loop[1], x)[0], name="gradient")
    return export([step(["gradient:0"], x=ramp(3) + 0.5)])


def case_defaults_stripped(folder):
    x = placeholder([1, 4, 4, 1])
    y = tf.nn.conv2d(x, tf.constant(waves(3, 3, 1, 2)), strides=[1, 1, 1, 1], padding="SAME")
    tf.nn.max_pool2d(y, 2, 2, "VALID", name="y")
    tf.train.export_meta_graph("model.meta", strip_default_attrs=True)
    return question([step(["y:0"], x=waves(1, 4, 4, 1))])


def case_scope(folder):
    """A part of a graph, cut out where it was joined to the rest."""
    outside = tf.constant(2.0, name="outside")
    with tf.name_scope("part"):
        tf.identity(tf.placeholder(tf.float32, [], name="x") * 3.0, name="y")
    tf.identity(outside)
    tf.train.export_meta_graph("model.meta", export_scope="part")
    return question([step(["y:0"], x=np.float32(5))])


def case_as_text(folder):
    tf.identity(placeholder() + 1.0, name="y")
    tf.train.export_meta_graph("model.meta", as_text=True)
    return question([step(["y:0"], x=np.float32(5))])
