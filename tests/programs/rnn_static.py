"""static_rnn, static_state_saving_rnn and static_bidirectional_rnn."""
import numpy as np
import tensorflow as tf
from program import feeds

cells = tf.nn.rnn_cell
X = np.sin(np.arange(18)).reshape(3, 2, 3).astype(np.float32)


def uniform():
    return tf.random_uniform_initializer(-0.5, 0.5, seed=3)


def run(cell, x=None, **options):
    x = [tf.constant(row) for row in X] if x is None else x
    if "initial_state" not in options:
        options.setdefault("dtype", tf.float32)
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.static_rnn(cell, x, **options)
    return {"outputs": outputs, "state": state, "variables": [v.name for v in tf.global_variables()]}


def program_basic():
    return run(cells.BasicRNNCell(4))


def program_lstm():
    return run(cells.LSTMCell(4))


def program_gru_unstacked():
    x = tf.placeholder(tf.float32, [3, None, 3])
    return feeds({x: X}, **run(cells.GRUCell(4), tf.unstack(x)))


def program_sequence_length():
    return run(cells.BasicRNNCell(4), sequence_length=[1, 3])


def program_sequence_length_lstm():
    n = tf.placeholder(tf.int64, [2])
    return feeds({n: [0, 2]}, **run(cells.BasicLSTMCell(4), sequence_length=n))


def program_sequence_length_unknown_batch():
    x, n = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32, [None])
    return feeds({x: X[0], n: [1, 2]}, **run(cells.GRUCell(4), [x, x], sequence_length=n))


def program_initial_state():
    return run(cells.GRUCell(4), initial_state=tf.ones([2, 4]))


def program_initial_state_lengths():
    return run(cells.GRUCell(4), initial_state=tf.ones([2, 4]), sequence_length=tf.constant([2, 1]))


def program_multi():
    return run(cells.MultiRNNCell([cells.BasicRNNCell(4), cells.BasicRNNCell(4)]))


def program_multi_lengths():
    return run(cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.GRUCell(2)]), sequence_length=[3, 1])


def program_scope():
    return run(cells.BasicRNNCell(4), scope="mine")


def program_dropout():
    return run(cells.DropoutWrapper(cells.BasicRNNCell(4), output_keep_prob=0.5, seed=3))


def program_twice_reused():
    with tf.variable_scope("net", initializer=uniform()) as scope:
        a, _ = tf.nn.static_rnn(cells.BasicRNNCell(4), [tf.constant(X[0])], dtype=tf.float32)
        scope.reuse_variables()
        b, _ = tf.nn.static_rnn(cells.BasicRNNCell(4), [tf.constant(X[1])], dtype=tf.float32)
    return {"a": a, "b": b, "variables": [v.name for v in tf.global_variables()]}


def program_resource_variables():
    with tf.variable_scope("net", initializer=uniform(), use_resource=True):
        outputs, state = tf.nn.static_rnn(cells.BasicRNNCell(4), [tf.constant(r) for r in X], dtype=tf.float32)
    return {"outputs": outputs, "state": state}


def program_own_cell():
    class Adding(cells.RNNCell):
        state_size = property(lambda self: 3)
        output_size = property(lambda self: 3)

        def call(self, inputs, state):
            w = tf.get_variable("w", [3, 3])
            return state, tf.matmul(inputs, w) + state

    return run(Adding(), sequence_length=[2, 3])


class Saver:
    def __init__(self):
        self.saved = {}

    def state(self, name):
        return tf.fill([2, 4], 0.5 if name == "h" else 0.25)

    def save_state(self, name, value):
        self.saved[name] = tf.identity(value, name="saved_" + name)
        return self.saved[name]


def program_state_saving():
    saver = Saver()
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.static_state_saving_rnn(
            cells.BasicRNNCell(4), [tf.constant(row) for row in X], saver, "h")
    return {"outputs": outputs, "state": state, "saved": saver.saved}


def program_state_saving_lstm():
    saver = Saver()
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.static_state_saving_rnn(
            cells.LSTMCell(4), [tf.constant(row) for row in X], saver, ("c", "h"), sequence_length=[2, 3])
    return {"outputs": outputs, "state": state, "saved": saver.saved}


def bidirectional(**options):
    with tf.variable_scope("net", initializer=uniform()):
        outputs, forward, backward = tf.nn.static_bidirectional_rnn(
            cells.BasicLSTMCell(4), cells.GRUCell(2), [tf.constant(row) for row in X], dtype=tf.float32, **options)
    return {"outputs": outputs, "forward": forward, "backward": backward,
            "variables": [v.name for v in tf.global_variables()]}


def program_bidirectional():
    return bidirectional()


def program_bidirectional_lengths():
    return bidirectional(sequence_length=tf.constant([3, 1]))


def program_bidirectional_states():
    return bidirectional(initial_state_bw=tf.ones([2, 2]), scope="both")
