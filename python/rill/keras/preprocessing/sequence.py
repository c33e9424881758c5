"""tf.keras.preprocessing.sequence: lists of different lengths as arrays."""

import numpy as np


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
