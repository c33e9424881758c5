"""Every op as a function with keyword arguments, made when first asked for."""

from rill import _rill


def __getattr__(name):
    function = _rill.raw_op(name)
    globals()[name] = function
    return function


def __dir__():
    return _rill.raw_op_names()
