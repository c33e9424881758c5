"""`import tensorflow` resolves to Rill when this folder is on the path."""

import sys as _sys
import types as _types

import rill as _rill
from rill import *  # noqa: F403
from rill import _compat_protos

__version__ = VERSION = "1.15.5"

_compat_protos.install()
_this = _sys.modules[__name__]


def disable_v2_behavior():
    """Rill has no other behaviour than TensorFlow 1's."""


disable_eager_execution = disable_v2_behavior


def executing_eagerly():
    """Graphs are built first and run later."""
    return False


def __getattr__(name):
    try:
        return getattr(_rill, name)
    except AttributeError:
        raise AttributeError(f"module 'tensorflow' has no attribute '{name}'") from None


compat = _types.ModuleType(__name__ + ".compat", "TensorFlow under the names of its versions.")
compat.v1 = _this
_sys.modules[compat.__name__] = compat
_sys.modules[compat.__name__ + ".v1"] = _this
