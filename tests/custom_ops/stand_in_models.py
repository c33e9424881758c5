"""Trains small models on the CPU and then on the device of a library, argument 1: the losses and
variables must have the same bits."""
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import function

RANDOM = np.random.RandomState(7)


def images():
    x, labels = tf.placeholder(tf.float32, [None, 12, 12, 3]), tf.placeholder(tf.int32, [None])
    hidden = tf.layers.conv2d(x, 8, 3, activation=tf.nn.relu)
    hidden = tf.layers.batch_normalization(tf.layers.max_pooling2d(hidden, 2, 2), training=True)
    logits = tf.layers.dense(tf.nn.dropout(tf.layers.flatten(hidden), 0.7), 5)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)
    return tf.reduce_mean(losses), {x: RANDOM.rand(4, 12, 12, 3), labels: np.arange(4)}


def sequences():
    x, lengths = tf.placeholder(tf.float32, [None, 6, 4]), tf.placeholder(tf.int32, [None])
    outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(8), x, lengths, dtype=tf.float32)
    return (tf.reduce_mean(tf.square(state.h)) + 0.01 * tf.reduce_sum(outputs),
            {x: RANDOM.rand(3, 6, 4), lengths: [6, 2, 4]})


def words():
    ids = tf.placeholder(tf.int64, [None, 3])
    rows = tf.nn.embedding_lookup(tf.get_variable("table", [20, 4]), ids)
    rows = tf.cond(tf.reduce_sum(rows) > 0, lambda: rows * 2, lambda: rows * 3)
    return tf.reduce_mean(tf.square(rows - 1)), {ids: RANDOM.randint(0, 20, (5, 3))}


def loop():
    x, w = tf.placeholder(tf.float32, [3, 3]), tf.get_variable("w", [3, 3], use_resource=True)
    _, last = tf.while_loop(lambda i, _: i < 5, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w))),
                            [tf.constant(0), x])
    return tf.reduce_sum(last * last), {x: RANDOM.rand(3, 3)}


def pipeline():
    rows = tf.data.Dataset.from_tensor_slices(RANDOM.rand(64, 4).astype("f")).map(lambda row: 2 * row)
    x = rows.batch(4).repeat().make_one_shot_iterator().get_next()
    return tf.reduce_mean(tf.square(tf.matmul(x, tf.get_variable("w", [4, 2])) - 1)), {}


def both_devices():
    """Strings, Python functions and functions of the graph run on the CPU in between."""
    @function.Defun(tf.float32)
    def twice_tanh(a):
        return 2 * tf.tanh(a)

    x = tf.placeholder(tf.float32, [None, 4])
    hidden = twice_tanh(tf.matmul(x, tf.get_variable("w", [4, 4])))
    best, _ = tf.nn.top_k(hidden, 2)
    number = tf.string_to_number(tf.strings.as_string(tf.reduce_sum(best)))
    doubled = tf.py_func(lambda a: 2 * a, [best], tf.float32)
    return tf.reduce_sum(hidden) + tf.stop_gradient(number) + tf.reduce_sum(doubled), {x: RANDOM.rand(2, 4)}


def train(model):
    RANDOM.seed(7)
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True  # the same kernels on both
    with tf.Graph().as_default():
        tf.set_random_seed(5)
        loss, feed = model()
        step = tf.train.AdamOptimizer(0.01).minimize(loss)
        with tf.Session(config=config) as session:
            session.run(tf.global_variables_initializer())
            losses = [session.run([loss, step], feed)[0] for _ in range(3)]
            metadata = tf.RunMetadata()
            session.run(step, feed, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
            there = [device for device in metadata.step_stats.dev_stats if "STANDIN" in device.device]
            return [*losses, *session.run(tf.global_variables())], sum(len(d.node_stats) for d in there)


MODELS = (images, sequences, words, loop, pipeline, both_devices)
on_cpu = [train(model)[0] for model in MODELS]
tf.load_op_library(sys.argv[1])
for model, expected in zip(MODELS, on_cpu, strict=True):
    values, kernels = train(model)
    same = all(np.array_equal(a, b) for a, b in zip(values, expected, strict=True))
    print(model.__name__, same, kernels > 20)
