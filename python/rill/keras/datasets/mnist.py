"""tf.keras.datasets.mnist: hand-written digits, from mnist.npz."""

from rill import _surface
from rill.keras.datasets import _files


def load_data(path="mnist.npz"):
    """((images, digits) to train with, (images, digits) to test with)."""
    x, y, x_test, y_test = _files.arrays_of(path, "x_train", "y_train", "x_test", "y_test")
    return (x, y), (x_test, y_test)


__getattr__, __dir__ = _surface.members_of(__name__)
