"""The name under which TensorFlow 1.15 loads its own package; it is the same module."""

import sys as _sys

import tensorflow as _tensorflow

_sys.modules[__name__] = _tensorflow
