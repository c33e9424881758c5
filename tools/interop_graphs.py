"""Graphs written by TensorFlow, with the steps to run: what tools/interop.py gives to Rill."""
import dataclasses

import numpy as np
import tensorflow.compat.v1 as tf


@dataclasses.dataclass
class Step:
    fetches: list = dataclasses.field(default_factory=list)  # "name:0"
    targets: list = dataclasses.field(default_factory=list)  # "name"
    feeds: dict = dataclasses.field(default_factory=dict)  # "name:0" to array


def perceptron():
    """Products, biases and an activation on fed rows."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.name_scope("layer"):
        w = tf.constant(np.linspace(-1, 1, 12).reshape(3, 4), tf.float32, name="w")
        h = tf.maximum(tf.matmul(x, w) + [0.1, 0.2, 0.3, 0.4], 0.0, name="h")
    tf.matmul(h, w, transpose_b=True, name="y")
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    return [Step(["layer/h:0", "y:0"], feeds={"x:0": rows}),
            Step(["y:0"], feeds={"x:0": rows[:1]})]


def broadcasting():
    """Arithmetic and comparisons of several types."""
    steps = []
    for dtype in (tf.float32, tf.float64, tf.int32, tf.int64):
        with tf.name_scope(dtype.name):
            a = tf.constant([[1], [2], [3]], dtype, name="a")
            b = tf.constant([4, 5], dtype, name="b")
            found = [a + b, a - b, a * b, tf.maximum(a, b), tf.minimum(a, b), a < b, a >= b,
                     -a, tf.square(b), tf.abs(a - b)]
            steps.append(Step([t.name for t in found]))
    return steps


def ref_variables():
    """The variables of TensorFlow 1, ordered by control dependencies."""
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]), use_resource=False)
    step = tf.get_variable("step", initializer=0, use_resource=False)
    init = tf.group(v.initializer, step.initializer, name="init")
    with tf.control_dependencies([tf.assign_add(step, 1)]):
        tf.assign_add(v, [0.5, 0.5], name="bump")
    assert init.name == "init"
    return [Step(targets=["init"]), Step(["bump:0"]), Step(["bump:0"]), Step(["v:0", "step:0"])]


def resource_variables():
    """The same with resource variables."""
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]), use_resource=True)
    tf.group(v.initializer, name="init")
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.control_dependencies([v.assign_sub(x)]):
        tf.identity(v.read_value(), name="after")
    x_value = np.array([0.25, 4], np.float32)
    return [Step(targets=["init"]), Step(["after:0"], feeds={"x:0": x_value}),
            Step(["after:0"], feeds={"x:0": x_value})]


def shapes():
    """Values that are shapes, and arrays cut and put together."""
    x = tf.placeholder(tf.int32, [None, None], name="x")
    found = [tf.shape(x), tf.size(x), tf.rank(x), tf.reshape(x, [-1]), tf.expand_dims(x, 1),
             tf.stack([x, x], axis=2), tf.concat([x, x], 1), tf.slice(x, [0, 1], [-1, 2]),
             tf.cast(x, tf.float32)]
    value = np.arange(12, dtype=np.int32).reshape(3, 4)
    return [Step([t.name for t in found], feeds={"x:0": value})]


def asserted():
    """An assertion that holds, and devices and colocations written down."""
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.device("/cpu:0"):
        limit = tf.constant(10.0)
    check = tf.raw_ops.Assert(condition=tf.less(tf.constant(1.0), limit), data=[x, limit])
    with tf.control_dependencies([check]), tf.colocate_with(limit):
        tf.identity(x, name="checked")
    return [Step(["checked:0"], feeds={"x:0": np.ones(2, np.float32)})]


ALL = (perceptron, broadcasting, ref_variables, resource_variables, shapes, asserted)
