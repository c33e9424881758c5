"""Linear regression by gradient descent, written with raw ops and resource variables."""
import numpy as np
import tensorflow as tf

raw = tf.raw_ops
rng = np.random.RandomState(0)
inputs = rng.uniform(-1, 1, (64, 3)).astype(np.float32)
targets = inputs @ np.float32([[1.0], [-2.0], [3.0]]) + np.float32(0.5)

x = tf.placeholder(tf.float32, [None, 3], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")


def variable(name, value):
    handle = raw.VarHandleOp(dtype=tf.float32, shape=list(value.shape), shared_name=name, name=name)
    start = raw.AssignVariableOp(resource=handle, value=value, name=name + "/Assign")
    read = raw.ReadVariableOp(resource=handle, dtype=tf.float32, name=name + "/Read")
    return handle, start, read


w_handle, w_init, w = variable("w", np.zeros((3, 1), np.float32))
b_handle, b_init, b = variable("b", np.zeros((1,), np.float32))
with tf.control_dependencies([w_init, b_init]):
    init = tf.no_op(name="init")

with tf.name_scope("loss"):
    error = tf.matmul(x, w) + b - y
    loss = raw.Mean(input=error * error, axis=[0, 1], name="mean")
with tf.name_scope("train"):
    count = raw.Cast(x=raw.Size(input=error), DstT=tf.float32)
    slope = error * 2.0 / count
    step_w = raw.ResourceApplyGradientDescent(
        var=w_handle, alpha=0.5, delta=tf.matmul(x, slope, transpose_a=True))
    step_b = raw.ResourceApplyGradientDescent(var=b_handle, alpha=0.5,
                                              delta=raw.Sum(input=slope, axis=[0]))

with tf.Session() as sess:
    sess.run(init)
    losses = []
    for _ in range(20):
        value, _, _ = sess.run([loss, step_w, step_b], {x: inputs, y: targets})
        losses.append(value)
    OUTPUTS = {"losses": np.array(losses), "w": sess.run(w), "b": sess.run(b)}
