"""Python functions as ops of a graph."""

import weakref as _weakref

from rill import _rill, raw_ops


_kept = []  # the eager graph never ends, but its object would


def _node(op, token, inp, Tout, name):
    as_list = isinstance(Tout, (list, tuple))
    graph = _rill.graph_of_values([value for value in inp if isinstance(value, _rill.Tensor)])
    if graph is _rill.get_default_graph():
        graph = _rill.outermost_graph()  # functions of a graph outlive their building
        if graph is _rill.eager_graph():
            _kept[:] = [graph]
    _weakref.finalize(graph, _rill.remove_py_func, token)
    result = op(input=inp, token=token, Tout=list(Tout) if as_list else [Tout], name=name)
    return result if as_list else result[0]


def _results(values, Tout):
    """What a function returned, as tensors of the stated types."""
    as_list = isinstance(Tout, (list, tuple))
    values = values if isinstance(values, (list, tuple)) else [values]
    tensors = [_rill.convert_to_tensor(value, dtype) for value, dtype in zip(values, Tout if as_list else [Tout])]
    return tensors if as_list else tensors[0] if tensors else None


def py_func(func, inp, Tout, stateful=True, name=None):
    """Calls `func` with arrays for the tensors `inp`; its results have the types `Tout`.

    An exception of `func` fails the step: the error is of TensorFlow's class for it, and the
    exception is its __cause__.
    """
    if _rill.executing_eagerly():
        return _results(func(*[_rill.convert_to_tensor(value).numpy() for value in inp]), Tout)
    op = raw_ops.PyFunc if stateful else raw_ops.PyFuncStateless
    return _node(op, _rill.add_py_func(func), inp, Tout, name)


def numpy_function(func, inp, Tout, name=None):
    """py_func for functions on NumPy arrays."""
    return py_func(func, inp, Tout, stateful=True, name=name)


def py_function(func, inp, Tout, name=None):
    """Calls `func` with tensors that have a value: numpy(), bool(), float() and loops work.

    The ops that it uses run while it is called; gradients flow through them.
    """
    if _rill.executing_eagerly():
        return _results(func(*[_rill.convert_to_tensor(value) for value in inp]), Tout)
    types = Tout if isinstance(Tout, (list, tuple)) else [Tout]
    return _node(raw_ops.EagerPyFunc, _rill.add_py_function(func, types), inp, Tout, name)
