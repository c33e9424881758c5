"""Files of data sets."""

import os
import pickle

import numpy as np

from rill.keras.utils import get_file

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"


# What the files are known by. One that lies there already is taken as it is: it may be somebody's own.
_HASHES = {
    "boston_housing.npz": "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5",
    "cifar-10-batches-py": "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
    "cifar-100-python": "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7",
    "imdb.npz": "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f",
    "imdb_word_index.json": "bfafd718b763782e994055a2d397834f",
    "mnist.npz": "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1",
    "reuters.npz": "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916",
    "reuters_word_index.json": "4d44cc38712099c9e383dc6e5f11a921"}


def _keras_home():
    return os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")


def path_of(name, subdir="datasets", origin=None, untar=False):
    """Where a file lies; what is not there is fetched, and an error says where it belongs."""
    is_there = os.path.exists(os.path.join(_keras_home(), subdir, name))
    return get_file(name, origin or _ORIGIN + name, cache_subdir=subdir, untar=untar,
                    file_hash=None if is_there else _HASHES.get(name))


def arrays_of(name, *keys):
    """Arrays of an .npz file."""
    with np.load(path_of(name), allow_pickle=True) as file:
        return [file[key] for key in keys]


def unpickled(path):
    """What a file of CIFAR holds, with names as text."""
    with open(path, "rb") as file:
        return {key.decode(): value for key, value in pickle.load(file, encoding="bytes").items()}


def images(flat):
    """CIFAR's rows as images, channels where tf.keras.backend says."""
    from rill.keras import backend
    made = np.asarray(flat).reshape((-1, 3, 32, 32))
    return made.transpose(0, 2, 3, 1) if backend.image_data_format() == "channels_last" else made


def words(sequences, labels, start_char, oov_char, index_from, num_words, skip_top, maxlen):
    """Sequences of word numbers, shifted and cut as programs ask."""
    if start_char is not None:
        sequences = [[start_char] + [w + index_from for w in x] for x in sequences]
    elif index_from:
        sequences = [[w + index_from for w in x] for x in sequences]
    if maxlen:
        kept = [(x, y) for x, y in zip(sequences, labels) if len(x) < maxlen]
        sequences, labels = [x for x, _ in kept], [y for _, y in kept]
        if not sequences:
            raise ValueError(f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was kept. "
                             "Increase maxlen.")
    num_words = num_words or max(max(x) for x in sequences)
    if oov_char is not None:
        sequences = [[w if skip_top <= w < num_words else oov_char for w in x] for x in sequences]
    else:
        sequences = [[w for w in x if skip_top <= w < num_words] for x in sequences]
    return sequences, np.array(labels)


def rows(lists):
    """Lists of different lengths as an array of objects."""
    made = np.empty(len(lists), dtype=object)
    made[:] = lists
    return made
