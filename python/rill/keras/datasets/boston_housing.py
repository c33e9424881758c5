"""tf.keras.datasets.boston_housing: prices of houses, from boston_housing.npz."""

import numpy as np

from rill import _surface
from rill.keras.datasets import _files


def load_data(path="boston_housing.npz", test_split=0.2, seed=113):
    """((features, prices) to train with, (features, prices) to test with)."""
    if not 0 <= test_split < 1:
        raise AssertionError("test_split must be in [0, 1)")
    x, y = _files.arrays_of(path, "x", "y")
    order = np.arange(len(x))
    np.random.RandomState(seed).shuffle(order)
    kept = int(len(x) * (1 - test_split))
    x, y = x[order], y[order]
    return (x[:kept], y[:kept]), (x[kept:], y[kept:])


__getattr__, __dir__ = _surface.members_of(__name__)
