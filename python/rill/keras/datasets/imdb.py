"""tf.keras.datasets.imdb: reviews of films as numbers of words, from imdb.npz and imdb_word_index.json."""

import json

import numpy as np

from rill import _surface
from rill.keras.datasets import _files


def load_data(path="imdb.npz", num_words=None, skip_top=0, maxlen=None, seed=113, start_char=1, oov_char=2,
              index_from=3, **kwargs):
    """((reviews, whether they are good) to train with, the same to test with)."""
    if kwargs:
        raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
    chance = np.random.RandomState(seed)
    arrays = _files.arrays_of(path, "x_train", "y_train", "x_test", "y_test")
    for i in (0, 2):
        order = np.arange(len(arrays[i]))
        chance.shuffle(order)
        arrays[i], arrays[i + 1] = arrays[i][order], arrays[i + 1][order]
    x, y, x_test, y_test = arrays
    sequences, labels = _files.words(np.concatenate([x, x_test]), np.concatenate([y, y_test]), start_char, oov_char,
                                     index_from, num_words, skip_top, maxlen)
    kept = len(x)
    return (_files.rows(sequences[:kept]), labels[:kept]), (_files.rows(sequences[kept:]), labels[kept:])


def get_word_index(path="imdb_word_index.json"):
    """{word: its number}."""
    with open(_files.path_of(path)) as file:
        return json.load(file)


__getattr__, __dir__ = _surface.members_of(__name__)
