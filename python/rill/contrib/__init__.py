"""tf.contrib: what TensorFlow 1.x kept outside of its core. Modules are imported when they are asked for."""

import importlib as _importlib


def __getattr__(name):
    try:
        return _importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"module 'tensorflow.contrib' has no attribute '{name}'") from None
