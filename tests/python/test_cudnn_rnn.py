"""tf.contrib.cudnn_rnn's cells, against NumPy."""

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.contrib import cudnn_rnn

INPUTS = np.random.RandomState(0).randn(2, 3, 4).astype(np.float32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def run(cell):
    """The outputs of a network, and its variables by the last parts of their names."""
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.constant(INPUTS), dtype=tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i, v in enumerate(tf.global_variables()):
            v.load(np.random.RandomState(i).randn(*v.shape.as_list()) * 0.5, session)
        return session.run(outputs), {v.op.name: session.run(v) for v in tf.global_variables()}


def test_lstm():
    got, variables = run(cudnn_rnn.CudnnCompatibleLSTMCell(5))
    assert list(variables) == ["rnn/cudnn_compatible_lstm_cell/kernel", "rnn/cudnn_compatible_lstm_cell/bias"]
    kernel, bias = variables.values()
    h = c = np.zeros((2, 5))
    for t in range(3):
        i, j, f, o = np.split(np.concatenate([INPUTS[:, t], h], 1) @ kernel + bias, 4, 1)
        c = c * sigmoid(f) + sigmoid(i) * np.tanh(j)
        h = np.tanh(c) * sigmoid(o)
        np.testing.assert_allclose(got[:, t], h, rtol=1e-4, atol=1e-5)


def test_gru():
    got, variables = run(cudnn_rnn.CudnnCompatibleGRUCell(5))
    prefix = "rnn/cudnn_compatible_gru_cell/"
    v = {name.removeprefix(prefix): value for name, value in variables.items()}
    assert {name: value.shape for name, value in v.items()} == {
        "gates/kernel": (9, 10), "gates/bias": (10,), "candidate/input_projection/kernel": (4, 5),
        "candidate/hidden_projection/kernel": (5, 5), "candidate/input_projection/bias": (5,),
        "candidate/hidden_projection/bias": (5,)}
    h = np.zeros((2, 5))
    for t in range(3):
        x = INPUTS[:, t]
        r, u = np.split(sigmoid(np.concatenate([x, h], 1) @ v["gates/kernel"] + v["gates/bias"]), 2, 1)
        hidden = h @ v["candidate/hidden_projection/kernel"] + v["candidate/hidden_projection/bias"]
        inner = x @ v["candidate/input_projection/kernel"] + v["candidate/input_projection/bias"]
        h = (1 - u) * np.tanh(inner + r * hidden) + u * h
        np.testing.assert_allclose(got[:, t], h, rtol=1e-4, atol=1e-5)
