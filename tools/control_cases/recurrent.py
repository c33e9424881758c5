"""Recurrent networks."""
import numpy as np
import tensorflow.compat.v1 as tf

from control_cases.common import case, feed, numbers, Step


def rnn_steps(cell, steps=4, lengths=None, gradients=True):
    x = feed(shape=[2, steps, 3])

    def small(shape, dtype=None, partition_info=None):
        count = int(np.prod(shape))
        return tf.constant(np.linspace(-0.5, 0.5, count).reshape(shape).astype(np.float32))

    with tf.variable_scope("rnn", initializer=small):
        outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)
    fetches = [outputs, *tf.nest.flatten(state)]
    if gradients:
        fetches += tf.gradients(tf.reduce_sum(outputs * outputs), [x, *tf.trainable_variables()])
    return [Step(targets=[tf.global_variables_initializer()]),
            Step(fetches, {x: numbers(2, steps, 3, start=-1, step=0.125)})]


@case
def rnn_basic():
    return rnn_steps(tf.nn.rnn_cell.BasicRNNCell(4))


@case
def rnn_lstm():
    return rnn_steps(tf.nn.rnn_cell.BasicLSTMCell(3))


@case
def rnn_gru():
    return rnn_steps(tf.nn.rnn_cell.GRUCell(3))


@case
def rnn_lengths():
    return rnn_steps(tf.nn.rnn_cell.BasicRNNCell(4), lengths=[2, 4], gradients=False)


@case
def rnn_lengths_gradient():
    return rnn_steps(tf.nn.rnn_cell.BasicRNNCell(4), lengths=[2, 4])
