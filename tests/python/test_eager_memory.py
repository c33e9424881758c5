"""Eager training lets go of what it has made: nothing grows with the number of steps."""
import ctypes
import gc
import sys

import numpy as np
import pytest
import tensorflow as tf
from rill import _rill
from tensorflow.python.eager import context


class Malloc(ctypes.Structure):
    """struct mallinfo2 of the C library."""
    _fields_ = [(name, ctypes.c_size_t) for name in
                "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]


def in_use():
    """(executed nodes, blocks of Python, bytes of malloc) that live."""
    gc.collect()
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = Malloc
    info = library.mallinfo2()
    return _rill.living_eager_nodes(), sys.getallocatedblocks(), info.uordblks + info.hblkhd


class Model:
    """Steps of a training as programs write them, with all that a step may make."""

    def __init__(self):
        self.layers = [tf.layers.Dense(8, activation=tf.nn.relu), tf.keras.layers.Dense(8), tf.layers.Dense(2)]
        self.optimizer, self.momentum = tf.train.AdamOptimizer(), tf.train.MomentumOptimizer(.01, .9)
        self.scale, self.mean = tf.Variable(1.), tf.keras.metrics.Mean()
        rows = np.random.RandomState(0).uniform(-1, 1, [64, 4]).astype(np.float32)
        labels = (rows.sum(1) > 0).astype(np.int64)
        data = tf.data.Dataset.from_tensor_slices((rows, labels)).repeat().batch(8).map(lambda x, y: (x * 2., y))
        self.batches = iter(data)

    def loss(self, x, y):
        """Of a batch."""
        for layer in self.layers:
            x = layer(x)
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x * self.scale))

    def step(self, number):
        """One of several kinds, by its number."""
        x, y = next(self.batches)
        with tf.GradientTape(persistent=number % 3 == 0) as tape:
            loss = self.loss(x, y)
        weights = [*self.layers[0].variables, *self.layers[1].variables, *self.layers[2].variables, self.scale]
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        self.mean(loss)
        if number % 5 == 0:
            self.momentum.minimize(lambda: self.loss(x, y) ** 2)
        if number % 7 == 0:
            with tf.GradientTape() as outer, tf.GradientTape() as inner:
                outer.watch(x), inner.watch(x)
                first = inner.gradient(tf.reduce_sum(x ** 3), x)
            outer.gradient(first, x)
        if number % 50 == 0:  # what makes variables anew
            tf.layers.dense(x, 2)
            tf.map_fn(lambda e: e * e, tf.constant([1., 2.]))
            tf.random.shuffle(x), tf.py_function(lambda e: e, [x], tf.float32)
            with pytest.raises(tf.errors.InvalidArgumentError):
                tf.matmul(x, x)


def assert_flat(steps):
    with context.eager_mode():
        model = Model()
        for number in range(400):
            model.step(number)
        before = in_use()
        for number in range(steps):
            model.step(number)
        after = in_use()
    nodes, blocks, size = (now - then for now, then in zip(after, before))
    assert nodes <= 8 and blocks < 400 and size < 200_000, (nodes, blocks, size)


def test_memory_of_datasets_that_are_made_anew():
    def walk():
        return sum(int(e) for e in tf.data.Dataset.range(3).map(lambda e: e + 1))
    with context.eager_mode():
        for _ in range(30):
            walk()
        before = in_use()
        for _ in range(60):
            walk()
        assert in_use()[2] - before[2] < 100_000


def test_memory_of_a_training():
    assert_flat(1_000)


@pytest.mark.long
def test_memory_of_a_long_training():
    assert_flat(100_000)
