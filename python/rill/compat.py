"""tf.compat: one behaviour across versions of Python and TensorFlow."""

import datetime as _datetime
import numbers as _numbers
import os as _os
import sys as _sys

import numpy as _np

from rill import _surface

__path__ = []  # tf.compat.v1 is below it
integral_types = (_numbers.Integral, _np.integer)
real_types = (_numbers.Real, _np.integer, _np.floating)
complex_types = (_numbers.Complex, _np.number)
bytes_or_text_types = (bytes, str)

# What TensorFlow 1.15 was made to work with; graphs are made for that.
_HORIZON = _datetime.date(2019, 10, 4)


def as_bytes(bytes_or_text, encoding="utf-8"):
    """Text as bytes."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text, encoding="utf-8"):
    """Bytes as text."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value):
    """str(value); bytes are decoded."""
    return as_str(value) if isinstance(value, bytes) else str(value)


def path_to_str(path):
    """Paths as text, everything else as it is."""
    return as_str_any(_os.fspath(path)) if hasattr(path, "__fspath__") else path


def forward_compatible(year, month, day):
    """Whether readers of what a program writes know what came before this date."""
    return _HORIZON > _datetime.date(year, month, day)


class forward_compatibility_horizon:
    """Moves that date within a block."""

    def __init__(self, year, month, day):
        self._date = _datetime.date(year, month, day)

    def __enter__(self):
        global _HORIZON
        self._before, _HORIZON = _HORIZON, self._date

    def __exit__(self, *exception):
        global _HORIZON
        _HORIZON = self._before


def __getattr__(name):
    if name == "v1":
        import rill
        return _sys.modules.get("tensorflow", rill)
    return _members(name)


_members, __dir__ = _surface.members_of(__name__)
