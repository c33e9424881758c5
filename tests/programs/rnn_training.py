"""Recurrent networks of every kind of cell, trained for some steps; and sequences without steps or rows."""
import numpy as np
import tensorflow as tf
from program import feeds

cells = tf.nn.rnn_cell
X = np.sin(np.arange(30)).reshape(2, 5, 3).astype(np.float32)


def uniform():
    return tf.random_uniform_initializer(-0.5, 0.5, seed=3)


def trained(cell, lengths=None, batch=None, steps=3, run=tf.nn.dynamic_rnn):
    """The loss before and after some steps."""
    x = tf.placeholder(tf.float32, [batch, 5, 3])
    with tf.variable_scope("net", initializer=uniform()):
        outputs, _ = run(cell, x, sequence_length=lengths, dtype=tf.float32)
        loss = tf.reduce_mean(tf.square(outputs - 0.5))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    fed = [feeds({x: X}, loss=loss)]
    for _ in range(steps):
        fed += [feeds({x: X}, train=train), feeds({x: X}, loss=loss)]
    return fed


def program_gru():
    return trained(cells.GRUCell(4))


def program_gru_of_known_batch():
    return trained(cells.GRUCell(4), [5, 0], batch=2)


def program_peepholes():
    return trained(cells.LSTMCell(4, use_peepholes=True), [4, 2])


def program_basic():
    return trained(cells.BasicRNNCell(4), batch=2)


def program_relu():
    return trained(cells.BasicRNNCell(4, activation=tf.nn.relu), [0, 3])


def program_layers():
    layers = [cells.GRUCell(3), cells.ResidualWrapper(cells.BasicLSTMCell(3)), cells.LSTMCell(4, use_peepholes=True)]
    return trained(cells.MultiRNNCell(layers), [5, 3])


def both_ways(cell, x, **options):
    outputs, state = tf.nn.bidirectional_dynamic_rnn(cell, cells.LSTMCell(3), x, **options)
    return tf.concat(outputs, 2), state


def program_both_ways():
    return trained(cells.GRUCell(3), [5, 2], run=both_ways)


def asked(make, x, lengths):
    """Outputs and last states of a batch with fed lengths."""
    place, n = tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.int32, [None])
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.dynamic_rnn(make(), place, sequence_length=n, dtype=tf.float32)
    return feeds({place: x, n: lengths}, outputs=outputs, state=state)


def layers_of_all():
    return cells.MultiRNNCell([cells.BasicRNNCell(2), cells.GRUCell(3), cells.LSTMCell(3)])


def program_lengths_of_all():
    return asked(layers_of_all, X, [2, 4])


def program_no_length():
    return asked(layers_of_all, X, [0, 5])


def program_lengths_of_nothing():
    return asked(lambda: cells.GRUCell(3), X, [0, 1])


def program_no_rows():
    return asked(lambda: cells.LSTMCell(3), X[:0], np.zeros([0], np.int32))
