"""Eager execution on the device of a library that is called GPU: argument 1. What runs there has the CPU's
bits, lies in the device's memory, and fails with errors that name the op."""
import ctypes
import sys

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.load_op_library(sys.argv[1])
kernels_run = ctypes.CDLL(sys.argv[1]).stand_in_kernels_run
print("gpus", tf.contrib.eager.num_gpus(), tf.test.is_gpu_available())


def where(*tensors):
    return [(t.device[-5:], t.backing_device[-5:]) for t in tensors]


with tf.device("/gpu:0"):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    count = tf.constant([1, 2])
    y = tf.matmul(x, x)
    text = tf.as_string(x)
with tf.device("/cpu:0"):
    c = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    z = c * 2
print("placed", where(x, count, y, text, c, z, c + c))
print("values", y.numpy().tolist(), text.numpy().tolist(), float(tf.reduce_sum(y)), (y + c).numpy().tolist())
print("copies", where(y.cpu(), c.gpu(), c.gpu(1), z.cpu()), y.cpu().numpy().tolist(), c.gpu(1).numpy().tolist())
with tf.device("/gpu:1"):
    other = tf.tanh(y)
print("other", where(other), np.array_equal(other, np.tanh(y.numpy())))
try:
    c.gpu(7)
except RuntimeError as error:
    print("refused", type(error).__name__, error)


def train(device):
    """Three steps of a small network, with a loop, a branch and a dataset."""
    random = np.random.RandomState(3)
    with tf.device(device):
        w = tf.Variable(random.rand(4, 8).astype("f"), name="w")
        b = tf.Variable(tf.zeros([8]), name="b")
        table = tf.Variable(random.rand(10, 8).astype("f"), name="table")
        optimizer = tf.train.AdamOptimizer(0.1)

        @tf.contrib.eager.defun
        def squeeze(h):
            return tf.cond(tf.reduce_sum(h) > 0, lambda: tf.tanh(h) * 0.9, lambda: -h)

        @tf.contrib.eager.defun
        def repeated(h):
            return tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, tf.tanh(a) + b), [0, h])[1]

        data = tf.data.Dataset.from_tensor_slices(random.rand(12, 4).astype("f")).batch(4)
        losses = []
        for step, rows in enumerate(data):
            with tf.GradientTape() as tape:
                h = squeeze(tf.matmul(rows, w) + b)
                h += tf.nn.embedding_lookup(table, [step, 3, step + 5, 1])
                loss = tf.reduce_mean(tf.square(h - 1))
            variables = [w, b, table]
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            losses.extend([loss.numpy(), repeated(h).numpy()])
        w.assign_add(tf.ones([4, 8]))
        return [*losses, w.numpy(), b.numpy(), table.numpy()], where(loss, w.read_value())


before = kernels_run()
on_cpu, _ = train("/cpu:0")
print("cpu", kernels_run() - before)
there, places = train("/gpu:0")
print("training", all(np.array_equal(a, b) for a, b in zip(on_cpu, there)), places, kernels_run() - before > 100)

with tf.device("/gpu:0"):
    wrong = tf.gather(x, tf.constant([7], tf.int64), name="wrong")
    after = tf.exp(wrong)
for late in (after, wrong, after):
    try:
        late.numpy()
    except tf.errors.InvalidArgumentError as error:
        print("late", "[Op:Gather" in str(error), "GPU:0" in str(error))
print("goes on", tf.exp(x).numpy().shape, where(tf.exp(x)))

# A variable decides where what uses it runs.
with tf.device("/gpu:1"):
    v = tf.Variable([1.0, 2.0])
with tf.device("/cpu:0"):
    read = tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.float32)
    print("variable", where(read, v + 1.0), (v + 1.0).numpy().tolist())
tf.config.set_soft_device_placement(False)
try:
    with tf.device("/gpu:0"):
        tf.as_string(x)
except (tf.errors.NotFoundError, tf.errors.InvalidArgumentError) as error:
    print("strict", "AsString" in str(error), "GPU" in str(error))
