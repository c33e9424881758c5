"""Python functions as ops of a graph."""

import weakref as _weakref

import numpy as _np

from rill import _rill, dtypes, raw_ops


class _Value(_np.ndarray):
    """An array that can also be asked for itself, as an eager tensor can."""

    def numpy(self):
        plain = _np.asarray(self)
        return plain[()] if plain.ndim == 0 else plain


def _plain(result, types):
    """Results as arrays of the types asked for: arithmetic on scalars widens them."""
    several = isinstance(result, (list, tuple))
    values = list(result) if several else [result]
    for i, (value, dtype) in enumerate(zip(values, types)):
        if isinstance(value, (_np.ndarray, _np.generic, int, float)):
            wanted = dtypes.as_dtype(dtype).as_numpy_dtype
            values[i] = _np.asarray(value).astype(wanted, casting="same_kind")
    return values if several else values[0]


def _node(op, func, inp, Tout, name):
    as_list = isinstance(Tout, (list, tuple))
    graph = _rill.graph_of_values([value for value in inp if isinstance(value, _rill.Tensor)])
    token = _rill.add_py_func(func)
    _weakref.finalize(graph, _rill.remove_py_func, token)
    result = op(input=inp, token=token, Tout=list(Tout) if as_list else [Tout], name=name)
    return result if as_list else result[0]


def py_func(func, inp, Tout, stateful=True, name=None):
    """Calls `func` with arrays for the tensors `inp`; its results have the types `Tout`.

    An exception of `func` fails the step: the error is of TensorFlow's class for it, and the
    exception is its __cause__.
    """
    return _node(raw_ops.PyFunc if stateful else raw_ops.PyFuncStateless, func, inp, Tout, name)


def numpy_function(func, inp, Tout, name=None):
    """py_func for functions on NumPy arrays."""
    return py_func(func, inp, Tout, stateful=True, name=name)


def py_function(func, inp, Tout, name=None):
    """Calls `func` with values that have TensorFlow's `numpy()`; ops inside it are not run."""
    types = Tout if isinstance(Tout, (list, tuple)) else [Tout]

    def with_values(*arrays):
        return _plain(func(*[_np.asarray(array).view(_Value) for array in arrays]), types)

    return _node(raw_ops.EagerPyFunc, with_values, inp, Tout, name)
