"""Gradients through recurrent networks, and training."""
import numpy as np
import tensorflow as tf
from program import feeds

cells = tf.nn.rnn_cell
X = np.sin(np.arange(30)).reshape(2, 5, 3).astype(np.float32)


def uniform():
    return tf.random_uniform_initializer(-0.5, 0.5, seed=3)


def differentiated(outputs, *others):
    loss = tf.reduce_sum(tf.square(outputs))
    variables = tf.trainable_variables()
    return {"loss": loss, "gradients": tf.gradients(loss, variables + list(others))}


def dynamic(cell, x=None, **options):
    x = tf.constant(X) if x is None else x
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, **options)
    return differentiated(outputs, x)


def static(cell, **options):
    x = [tf.constant(X[:, i]) for i in range(3)]
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.static_rnn(cell, x, dtype=tf.float32, **options)
    return differentiated(tf.stack(outputs), *x)


def program_dynamic_basic():
    return dynamic(cells.BasicRNNCell(4))


def program_dynamic_lstm():
    return dynamic(cells.LSTMCell(4))


def program_dynamic_basic_lstm_lengths():
    return dynamic(cells.BasicLSTMCell(4), sequence_length=[2, 4])


def program_dynamic_gru_fed():
    x, n = tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.int32, [None])
    return feeds({x: X, n: [5, 1]}, **dynamic(cells.GRUCell(4), x, sequence_length=n))


def program_dynamic_peepholes():
    return dynamic(cells.LSTMCell(4, use_peepholes=True, num_proj=2, cell_clip=1.0))


def program_dynamic_multi():
    return dynamic(cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.GRUCell(4)]), sequence_length=[3, 5])


def program_dynamic_dropout():
    cell = cells.DropoutWrapper(cells.BasicRNNCell(4), output_keep_prob=0.5, variational_recurrent=True,
                                dtype=tf.float32, seed=3)
    return dynamic(cell)


def program_dynamic_swap():
    return dynamic(cells.BasicRNNCell(4), swap_memory=True, parallel_iterations=2)


def program_dynamic_last_state():
    with tf.variable_scope("net", initializer=uniform()):
        _, state = tf.nn.dynamic_rnn(cells.BasicLSTMCell(4), tf.constant(X), [1, 5], dtype=tf.float32)
    return differentiated(state.h)


def program_dynamic_initial_state():
    first = tf.ones([2, 4])
    with tf.variable_scope("net", initializer=uniform()):
        outputs, _ = tf.nn.dynamic_rnn(cells.GRUCell(4), tf.constant(X), [1, 5], initial_state=first)
    return differentiated(outputs, first)


def program_bidirectional():
    with tf.variable_scope("net", initializer=uniform()):
        outputs, _ = tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(2), cells.BasicLSTMCell(2), tf.constant(X), [4, 2],
                                                     dtype=tf.float32)
    return differentiated(tf.concat(outputs, 2))


def program_static_basic():
    return static(cells.BasicRNNCell(4))


def program_static_lengths():
    return static(cells.BasicLSTMCell(4), sequence_length=[1, 3])


def program_static_gru_lengths():
    return static(cells.GRUCell(4), sequence_length=tf.constant([2, 2]))


def trained(optimizer, cell):
    with tf.variable_scope("net", initializer=uniform()):
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32)
        loss = tf.reduce_mean(tf.square(outputs - 0.5))
    train = optimizer.minimize(loss)
    return [{"loss": loss}, {"train": train}, {"train": train}, {"loss": loss}]


def program_trained_adam():
    return trained(tf.train.AdamOptimizer(0.1), cells.BasicLSTMCell(4))


def program_trained_descent():
    return trained(tf.train.GradientDescentOptimizer(0.5), cells.GRUCell(4))


def program_trained_clipped():
    with tf.variable_scope("net", initializer=uniform()):
        outputs, _ = tf.nn.dynamic_rnn(cells.LSTMCell(4), tf.constant(X), [5, 3], dtype=tf.float32)
    loss = tf.reduce_sum(tf.square(outputs))
    variables = tf.trainable_variables()
    clipped, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 0.1)
    train = tf.train.GradientDescentOptimizer(1.0).apply_gradients(zip(clipped, variables))
    return [{"loss": loss, "norm": norm}, {"train": train}, {"loss": loss}]
