"""Files of data sets."""

import pickle

import numpy as np

from rill.keras.utils import get_file

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"


def path_of(name, subdir="datasets", origin=None):
    """Where a file lies; UnimplementedError says where it belongs."""
    return get_file(name, (origin or _ORIGIN) + name, cache_subdir=subdir)


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
