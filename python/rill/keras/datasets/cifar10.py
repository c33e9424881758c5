"""tf.keras.datasets.cifar10: small pictures of ten kinds, from ~/.keras/datasets/cifar-10-batches-py."""

import os

import numpy as np

from rill import _surface
from rill.keras.datasets import _files


def load_data():
    """((pictures, kinds) to train with, (pictures, kinds) to test with)."""
    folder = _files.path_of("cifar-10-batches-py", untar=True,
                             origin="https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz")
    parts = [_files.unpickled(os.path.join(folder, f"data_batch_{i}")) for i in range(1, 6)]
    test = _files.unpickled(os.path.join(folder, "test_batch"))
    x = np.concatenate([_files.images(part["data"]) for part in parts])
    y = np.concatenate([part["labels"] for part in parts]).astype("uint8").reshape(-1, 1)
    return (x, y), (_files.images(test["data"]), np.reshape(test["labels"], (-1, 1)))


__getattr__, __dir__ = _surface.members_of(__name__)
