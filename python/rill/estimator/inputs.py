"""tf.estimator.inputs: input functions over arrays in memory."""

import numpy as np

from rill import _rill, _surface

_row_batch = _rill.functions._estimator.row_batch


def _check_shuffle(shuffle):
    if not isinstance(shuffle, bool):
        raise ValueError("shuffle must be provided and explicitly set as boolean (it is recommended to set it as "
                         f"True for training); got {shuffle}")


def _columns(data, lone):
    """The arrays of a dict in the order of its keys, or the only one, and the keys."""
    if not isinstance(data, dict):
        return [(lone, data)], None
    keys = sorted(data)
    return [(str(key), np.asarray(data[key])) for key in keys], keys


def _structure(keys, parts):
    return parts[0] if keys is None else dict(zip(keys, parts))


def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1):
    """An input function that gives batches of the rows of arrays: `x` are features, `y` labels."""
    _check_shuffle(shuffle)

    def input_fn():
        if not isinstance(x, (dict, np.ndarray)):
            raise TypeError(f"x must be a dict or array; got {type(x).__name__}")
        if len(x) == 0:
            raise ValueError(f"x cannot be an empty {'dict' if isinstance(x, dict) else 'array'}")
        if isinstance(y, dict) and not y:
            raise ValueError("y cannot be empty dict, use None instead.")
        features, feature_keys = _columns(x, "")
        labels, label_keys = ([], None) if y is None else _columns(y, "")
        parts = _row_batch(features, labels, batch_size, num_epochs, shuffle, queue_capacity, num_threads)
        batch = _structure(feature_keys, parts[:len(features)])
        return batch if y is None else (batch, _structure(label_keys, parts[len(features):]))

    return input_fn


def pandas_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1,
                    target_column="target"):
    """An input function that gives batches of the rows of a DataFrame."""
    try:
        import pandas
    except ImportError:
        raise TypeError("pandas_input_fn should not be called without pandas installed") from None
    _check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    frame, labels = x.copy(), None
    if y is not None:
        if target_column in frame:
            raise ValueError(f"Cannot use name {target_column} for target column: DataFrame already has a column "
                             f"with that name: {x.columns}")
        if not np.array_equal(x.index, y.index):
            raise ValueError("Index for x and y are mismatched.\n"
                             f"Index for x: {x.index}\nIndex for y: {y.index}\n")
        labels = y.copy()
    if queue_capacity is None:
        queue_capacity = len(x) * (4 if shuffle else 1)

    def columns(data):
        return [(str(name), data[name].values) for name in data.columns]

    def input_fn():
        if labels is None:
            targets = []
        elif isinstance(labels, pandas.DataFrame):
            targets = [("labels/" + name, column) for name, column in columns(labels)]
        else:
            targets = [(target_column, labels.values)]
        parts = _row_batch(columns(frame), targets, batch_size, num_epochs, shuffle, queue_capacity, num_threads,
                           min_after_dequeue=max(queue_capacity // 4, 1), labels=frame.index.values)
        features, rest = dict(zip(frame.columns, parts)), parts[len(frame.columns):]
        if labels is None:
            return features
        return features, dict(zip(labels.columns, rest)) if isinstance(labels, pandas.DataFrame) else rest[0]

    return input_fn


__getattr__, __dir__ = _surface.members_of(__name__)
