"""tf.contrib: what TensorFlow 1.x kept outside of its core. Modules are imported when they are asked for."""

import importlib as _importlib

from rill import _absent


def __getattr__(name):
    full = f"{__name__}.{name}"
    try:
        return _importlib.import_module(full)
    except ModuleNotFoundError as error:
        if error.name is None or not (full + ".").startswith(error.name + "."):
            raise
        raise _absent.error("tensorflow.contrib", f"contrib.{name}", True) from None
