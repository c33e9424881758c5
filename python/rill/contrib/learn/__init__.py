"""tf.contrib.learn: of the first estimators, what went on under the same names."""

import importlib as _importlib

from rill.estimator import RunConfig  # noqa: F401
from rill.contrib.learn.io import numpy_input_fn, pandas_input_fn  # noqa: F401


class ModeKeys:
    """What a model is built for."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"


def __getattr__(name):
    try:
        return _importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"module 'tensorflow.contrib.learn' has no attribute '{name}'") from None
