"""Cells around cells: dropout, residual connections, devices."""
import numpy as np
import tensorflow as tf
from program import feeds

cells = tf.nn.rnn_cell
X = np.linspace(-1, 1, 8).reshape(2, 4).astype(np.float32)
H = np.linspace(-0.5, 0.5, 8).reshape(2, 4).astype(np.float32)


def uniform():
    return tf.random_uniform_initializer(-0.5, 0.5, seed=3)


def step(cell, state=None):
    with tf.variable_scope("net", initializer=uniform()):
        state = cell.zero_state(2, tf.float32) if state is None else state
        output, new_state = cell(tf.constant(X), state)
    return {"output": output, "state": new_state, "variables": [v.name for v in tf.global_variables()]}


def program_dropout_none():
    return step(cells.DropoutWrapper(cells.BasicRNNCell(4)))


def program_dropout_input():
    return step(cells.DropoutWrapper(cells.BasicRNNCell(4), input_keep_prob=0.5, seed=7))


def program_dropout_output():
    return step(cells.DropoutWrapper(cells.BasicRNNCell(4), output_keep_prob=0.5, seed=7))


def program_dropout_state():
    return step(cells.DropoutWrapper(cells.BasicRNNCell(4), state_keep_prob=0.5, seed=7))


def program_dropout_all():
    return step(cells.DropoutWrapper(cells.GRUCell(4), 0.9, 0.8, 0.7, seed=11), tf.constant(H))


def program_dropout_lstm_state():
    return step(cells.DropoutWrapper(cells.BasicLSTMCell(4), state_keep_prob=0.5, seed=7))


def program_dropout_filter():
    cell = cells.DropoutWrapper(cells.BasicLSTMCell(4), state_keep_prob=0.5, seed=7,
                                dropout_state_filter_visitor=lambda s: True)
    return step(cell, cells.LSTMStateTuple(tf.constant(H), tf.constant(H)))


def program_dropout_filter_multi():
    inner = cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.BasicRNNCell(4)])
    return step(cells.DropoutWrapper(inner, state_keep_prob=0.5, seed=7))


def program_dropout_fed():
    keep = tf.placeholder(tf.float32, [])
    return feeds({keep: 1.0}, **step(cells.DropoutWrapper(cells.BasicRNNCell(4), output_keep_prob=keep, seed=7)))


def program_dropout_fed_all():
    keep = tf.placeholder_with_default(np.float32(0.5), [])
    return step(cells.DropoutWrapper(cells.BasicLSTMCell(4), keep, keep, keep, seed=2))


def program_dropout_constant():
    return step(cells.DropoutWrapper(cells.BasicRNNCell(4), output_keep_prob=tf.constant(0.5), seed=7))


def program_dropout_variational():
    cell = cells.DropoutWrapper(cells.BasicRNNCell(4), 0.5, 0.5, 0.5, variational_recurrent=True,
                                input_size=4, dtype=tf.float32, seed=7)
    return step(cell, tf.constant(H))


def program_dropout_variational_lstm():
    cell = cells.DropoutWrapper(cells.BasicLSTMCell(4), output_keep_prob=0.5, state_keep_prob=0.9,
                                variational_recurrent=True, dtype=tf.float32, seed=7)
    return step(cell)


def program_dropout_variational_fed():
    keep = tf.placeholder_with_default(np.float32(0.5), [])
    cell = cells.DropoutWrapper(cells.BasicRNNCell(4), keep, variational_recurrent=True,
                                input_size=tf.TensorShape([4]), dtype=tf.float32, seed=7)
    return step(cell)


def program_dropout_sizes():
    cell = cells.DropoutWrapper(cells.LSTMCell(4, num_proj=3), output_keep_prob=0.5, seed=7)
    return {"sizes": [list(cell.state_size), cell.output_size], "zero": cell.zero_state(2, tf.float32),
            "wrapped": cell.wrapped_cell is cell.cell}


def program_residual():
    return step(cells.ResidualWrapper(cells.BasicRNNCell(4)))


def program_residual_function():
    return step(cells.ResidualWrapper(cells.GRUCell(4), residual_fn=lambda i, o: i * 2.0 + o))


def program_residual_stack():
    stack = [cells.ResidualWrapper(cells.BasicLSTMCell(4)) for _ in range(2)]
    return step(cells.MultiRNNCell(stack))


def program_device():
    return step(cells.DeviceWrapper(cells.BasicRNNCell(4), "/cpu:0"))


def program_device_stack():
    stack = [cells.DeviceWrapper(cells.ResidualWrapper(cells.BasicLSTMCell(4)), "/device:CPU:0"), cells.GRUCell(2)]
    return step(cells.MultiRNNCell(stack))


def program_device_function():
    return step(cells.DeviceWrapper(cells.BasicRNNCell(4), lambda op: "/cpu:0" if op.type == "MatMul" else ""))


def program_dropout_stack():
    stack = [cells.DropoutWrapper(cells.BasicLSTMCell(4), output_keep_prob=0.5, seed=i + 1) for i in range(2)]
    return step(cells.MultiRNNCell(stack))


def program_wrapper_scope():
    cell = cells.DropoutWrapper(cells.BasicRNNCell(4), output_keep_prob=0.5, seed=3)
    with tf.variable_scope("net", initializer=uniform()):
        output, state = cell(tf.constant(X), tf.constant(H), scope="inner")
    return {"output": output, "variables": [v.name for v in tf.global_variables()]}


def program_wrapper_weights():
    cell = cells.ResidualWrapper(cells.BasicRNNCell(4))
    result = step(cell)
    return {**result, "inner": [v.name for v in cell._cell.weights] if hasattr(cell, "_cell") else
            [v.name for v in cell.cell.weights]}
