"""tf.keras.preprocessing.sequence: lists of different lengths as arrays, pairs of words, windows of series."""

import json
import random

import numpy as np

from rill.keras.utils import Sequence


def pad_sequences(sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre", value=0.0):
    """Sequences as rows of one array: short ones are filled up, long ones are cut."""
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    for name, given in (("Padding", padding), ("Truncating", truncating)):
        if given not in ("pre", "post"):
            raise ValueError(f'{name} type "{given}" not understood')
    for item in sequences:
        if not hasattr(item, "__len__"):
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {item}")
    maxlen = max((len(item) for item in sequences), default=0) if maxlen is None else maxlen
    inner = next((np.asarray(item).shape[1:] for item in sequences if len(item)), ())
    made = np.full((len(sequences), maxlen) + inner, value, dtype=dtype)
    for i, item in enumerate(sequences):
        if not len(item) or not maxlen:
            continue
        kept = np.asarray(item[-maxlen:] if truncating == "pre" else item[:maxlen], dtype=dtype)
        if kept.shape[1:] != inner:
            raise ValueError(f"Shape of sample {kept.shape[1:]} of sequence at position {i} is different from expected "
                             f"shape {inner}")
        if padding == "post":
            made[i, :len(kept)] = kept
        else:
            made[i, -len(kept):] = kept
    return made


def make_sampling_table(size, sampling_factor=1e-05):
    """How probable words are to be kept, by their rank, where frequent ones are thinned out."""
    rank = np.arange(size)
    rank[0] = 1
    frequency = rank * (np.log(rank) + 0.577) + 0.5 - 1.0 / (12.0 * rank)
    kept = sampling_factor * frequency
    return np.minimum(1.0, kept / np.sqrt(kept))


def _neighbours(sequence, window_size, sampling_table):
    """Each word with those around it; 0 is no word."""
    for i, word in enumerate(sequence):
        if not word or sampling_table is not None and sampling_table[word] < random.random():
            continue
        around = range(max(0, i - window_size), min(len(sequence), i + window_size + 1))
        yield from ([word, sequence[j]] for j in around if j != i and sequence[j])


def skipgrams(sequence, vocabulary_size, window_size=4, negative_samples=1.0, shuffle=True, categorical=False,
              sampling_table=None, seed=None):
    """Pairs of words that stand near each other and, with the other label, of words that are put together by chance."""
    near, apart = ([0, 1], [1, 0]) if categorical else (1, 0)
    couples = list(_neighbours(sequence, window_size, sampling_table))
    labels = [near] * len(couples)
    if negative_samples > 0:
        count = int(len(couples) * negative_samples)
        words = [couple[0] for couple in couples]
        random.shuffle(words)
        couples += [[words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(count)]
        labels += [apart] * count
    if shuffle:
        seed = random.randint(0, 10**7) if seed is None else seed
        for together in (couples, labels):
            random.seed(seed)
            random.shuffle(together)
    return couples, labels


class TimeseriesGenerator(Sequence):
    """Batches of windows of a series, each with the target at its end."""

    def __init__(self, data, targets, length, sampling_rate=1, stride=1, start_index=0, end_index=None, shuffle=False,
                 reverse=False, batch_size=128):
        if len(data) != len(targets):
            raise ValueError("Data and targets have to be of same length. "
                             f"Data length is {len(data)} while target length is {len(targets)}")
        self.data, self.targets, self.length = data, targets, length
        self.sampling_rate, self.stride, self.batch_size = sampling_rate, stride, batch_size
        self.start_index, self.end_index = start_index + length, len(data) - 1 if end_index is None else end_index
        self.shuffle, self.reverse = shuffle, reverse
        if self.start_index > self.end_index:
            raise ValueError(f"`start_index+length={self.start_index} > end_index={self.end_index}` is disallowed, as no "
                             "part of the sequence would be left to be used as current step.")

    def __len__(self):
        step = self.batch_size * self.stride
        return (self.end_index - self.start_index + step) // step

    def __getitem__(self, index):
        step = self.batch_size * self.stride
        first = self.start_index + step * index
        rows = (np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size) if self.shuffle else
                np.arange(first, min(first + step, self.end_index + 1), self.stride))
        samples = np.array([self.data[row - self.length:row:self.sampling_rate] for row in rows])
        return samples[:, ::-1] if self.reverse else samples, np.array([self.targets[row] for row in rows])

    def get_config(self):
        """The arguments, the data and targets as JSON."""
        data, targets = (json.dumps(np.asarray(values).tolist()) for values in (self.data, self.targets))
        return {"data": data, "targets": targets, **{name: getattr(self, name) for name in (
            "length", "sampling_rate", "stride", "start_index", "end_index", "shuffle", "reverse", "batch_size")}}

    def to_json(self, **kwargs):
        """The generator as text."""
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **kwargs)
