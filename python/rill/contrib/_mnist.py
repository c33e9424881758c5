"""MNIST's digits, as TensorFlow's tutorials read them: from files, handed out in batches."""

import collections
import os

import numpy as np

from rill import _rill
from rill.dtypes import as_dtype, float32, uint8

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])
DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"
_FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
          "t10k-labels-idx1-ubyte")


def _read(directory, name, source_url):
    for path in (os.path.join(directory, name + ".gz"), os.path.join(directory, name)):
        if os.path.exists(path):
            return _rill.read_idx(path)
    from rill.keras.utils import get_file
    return _rill.read_idx(get_file(name + ".gz", source_url + name + ".gz", cache_dir=os.path.abspath(directory),
                                   cache_subdir=""))


def dense_to_one_hot(labels_dense, num_classes):
    """Rows of zeros with one 1 for each label."""
    rows = np.zeros((labels_dense.shape[0], num_classes))
    rows[np.arange(labels_dense.shape[0]), labels_dense.ravel()] = 1
    return rows


class DataSet:
    """Images with their labels, handed out in batches."""

    def __init__(self, images, labels, fake_data=False, one_hot=False, dtype=float32, reshape=True,
                 seed=None):
        from rill.random import get_seed
        graph_seed, op_seed = get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = as_dtype(dtype).base_dtype
        if dtype not in (uint8, float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self._fake, self.one_hot = fake_data, one_hot
        self._num_examples = 10000 if fake_data else images.shape[0]
        if not fake_data:
            assert images.shape[0] == labels.shape[0], \
                f"images.shape: {images.shape} labels.shape: {labels.shape}"
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype == float32:
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._epochs_completed = self._index_in_epoch = 0

    images = property(lambda self: self._images, doc="All images.")
    labels = property(lambda self: self._labels, doc="Their labels.")
    num_examples = property(lambda self: self._num_examples, doc="How many there are.")
    epochs_completed = property(lambda self: self._epochs_completed,
                                doc="How often all have been handed out.")

    def _shuffle(self):
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def _fake_batch(self, batch_size):
        label = [1] + [0] * 9 if self.one_hot else 0
        return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """The next images and labels; in a new order each time all have been handed out."""
        if fake_data or self._fake:
            return self._fake_batch(batch_size)
        start = self._index_in_epoch
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        end = start + batch_size
        if end <= self._num_examples:
            self._index_in_epoch = end
            return self._images[start:end], self._labels[start:end]
        self._epochs_completed += 1
        images, labels = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._index_in_epoch = end = end - self._num_examples
        return (np.concatenate((images, self._images[:end])),
                np.concatenate((labels, self._labels[:end])))


def read_data_sets(train_dir, fake_data=False, one_hot=False, dtype=float32, reshape=True,
                   validation_size=5000, seed=None, source_url=DEFAULT_SOURCE_URL):
    """The sets to train, validate and test with, from the files of a directory."""
    options = {"one_hot": one_hot, "dtype": dtype, "seed": seed}
    if fake_data:
        return Datasets(*(DataSet([], [], fake_data=True, **options) for _ in range(3)))
    images, labels, test_images, test_labels = (_read(train_dir, name, source_url) for name in _FILES)
    if one_hot:
        labels, test_labels = dense_to_one_hot(labels, 10), dense_to_one_hot(test_labels, 10)
    if not 0 <= validation_size <= len(images):
        raise ValueError(f"Validation size should be between 0 and {len(images)}. Received: "
                         f"{validation_size}.")

    def data_set(pictures, their_labels):
        return DataSet(pictures[..., np.newaxis], their_labels, reshape=reshape, **options)
    return Datasets(train=data_set(images[validation_size:], labels[validation_size:]),
                    validation=data_set(images[:validation_size], labels[:validation_size]),
                    test=data_set(test_images, test_labels))


def load_mnist(train_dir="MNIST-data"):
    """The same from its usual directory."""
    return read_data_sets(train_dir)
