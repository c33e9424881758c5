"""Numbers too small for full precision: taken as zeros, and never made."""
import numpy as np
import tensorflow as tf

from program import feeds

TINY = np.float32(1e-40)


def program_operands():
    x = tf.placeholder(tf.float32, [None], name="x")
    return feeds({x: np.full(9, TINY)}, product=x * 2.0, sum=x + x, root=tf.sqrt(x), positive=x > 0, zero=tf.equal(x, 0.0),
                 wide=tf.cast(x, tf.float64) * 2.0, column=tf.matmul(x[None, :], tf.ones([9, 1])),
                 untouched=tf.identity(x)[:3], bits=tf.bitcast(x, tf.int32), negative=tf.negative(x))


def program_results():
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.placeholder(tf.float64, [], name="y")
    return feeds({x: np.full(9, 1e-20, np.float32), y: 1e-40}, product=x * x, fraction=x / 1e20, fade=tf.exp(x - 100.0),
                 narrow=tf.cast(y, tf.float32), power=tf.pow(x, 2.0), least=tf.constant(1e-38) * 0.5,
                 softmax=tf.nn.softmax(tf.stack([x[0], x[0] - 100.0])), difference=tf.constant(1.5e-38) - 1.2e-38)


def program_of_half_precision():
    # Those of float16 are ordinary numbers of float32, in which kernels compute, so they stay.
    x = tf.placeholder(tf.float16, [None], name="x")
    return feeds({x: np.full(9, 4e-5, np.float16)}, product=x * 0.5, sum=x + x, root=tf.sqrt(x), wide=tf.cast(x, tf.float32),
                 fraction=x / 0.25, positive=x > 0, total=tf.reduce_sum(x))


def program_adam_of_half_precision():
    v = tf.Variable(np.array([[1.0], [2.0]], np.float16))
    rows = tf.IndexedSlices(tf.constant([[0.1], [0.1]], tf.float16), tf.constant([1, 1]), tf.constant([2, 1]))
    train = tf.train.AdamOptimizer().apply_gradients([(rows, v)])
    return [{"train": train}, {"train": train}, {"train": train}, {"moved": v[1]}]


def program_on_all_threads():
    x = tf.fill([200000], tf.constant(1e-20))
    return {"sum": tf.reduce_sum(x * x), "largest": tf.reduce_max(x * 1e-19)}


def program_in_loops_and_functions():
    x = tf.constant([1e-20, 1.0])
    _, faded = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a * 1e-8), [0, x])
    return {"loop": faded, "mapped": tf.map_fn(lambda v: v * 1e-20, x), "branch": tf.cond(x[1] > 0, lambda: x * x, lambda: x)}
