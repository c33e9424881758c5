"""tf.keras.datasets.fashion_mnist: clothes, from the four .gz files in ~/.keras/datasets/fashion-mnist."""

import gzip

import numpy as np

from rill import _surface
from rill.keras.datasets import _files


def _read(name, offset):
    with gzip.open(_files.path_of(name, "datasets/fashion-mnist"), "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=offset)


def load_data():
    """((images, kinds) to train with, (images, kinds) to test with)."""
    made = []
    for part in ("train", "t10k"):
        labels = _read(f"{part}-labels-idx1-ubyte.gz", 8)
        made.append((_read(f"{part}-images-idx3-ubyte.gz", 16).reshape(len(labels), 28, 28), labels))
    return tuple(made)


__getattr__, __dir__ = _surface.members_of(__name__)
