"""tf.keras.datasets.cifar100: small pictures of a hundred kinds, from ~/.keras/datasets/cifar-100-python."""

import os

import numpy as np

from rill import _surface
from rill.keras.datasets import _files


def load_data(label_mode="fine"):
    """((pictures, kinds) to train with, (pictures, kinds) to test with)."""
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    folder = _files.path_of("cifar-100-python", untar=True,
                             origin="https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz")
    made = []
    for name in ("train", "test"):
        part = _files.unpickled(os.path.join(folder, name))
        made.append((_files.images(part["data"]), np.reshape(part[f"{label_mode}_labels"], (-1, 1))))
    return tuple(made)


__getattr__, __dir__ = _surface.members_of(__name__)
