"""tf.keras.datasets.reuters: news as numbers of words, from reuters.npz and reuters_word_index.json."""

import json

import numpy as np

from rill import _surface
from rill.keras.datasets import _files


def load_data(path="reuters.npz", num_words=None, skip_top=0, maxlen=None, test_split=0.2, seed=113,
              start_char=1, oov_char=2, index_from=3, **kwargs):
    """((news, topics) to train with, the same to test with)."""
    if kwargs:
        raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
    x, y = _files.arrays_of(path, "x", "y")
    order = np.arange(len(x))
    np.random.RandomState(seed).shuffle(order)
    sequences, labels = _files.words(x[order], y[order], start_char, oov_char, index_from, num_words, skip_top, maxlen)
    kept = int(len(sequences) * (1 - test_split))
    return (_files.rows(sequences[:kept]), labels[:kept]), (_files.rows(sequences[kept:]), labels[kept:])


def get_word_index(path="reuters_word_index.json"):
    """{word: its number}."""
    with open(_files.path_of(path)) as file:
        return json.load(file)


__getattr__, __dir__ = _surface.members_of(__name__)
