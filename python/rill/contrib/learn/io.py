"""tf.contrib.learn.io: input functions over arrays."""

from rill.estimator.inputs import numpy_input_fn as _numpy_input_fn
from rill.estimator.inputs import pandas_input_fn as _pandas_input_fn


def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=True, queue_capacity=1000, num_threads=1):
    """tf.estimator.inputs.numpy_input_fn; shuffles unless it is told not to."""
    return _numpy_input_fn(x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads)


def pandas_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=True, queue_capacity=1000, num_threads=1,
                    target_column="target"):
    """tf.estimator.inputs.pandas_input_fn; shuffles unless it is told not to."""
    return _pandas_input_fn(x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column)
