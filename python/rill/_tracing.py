"""tf.function for graphs: a Python function becomes a function of the graph, made anew for each kind
of arguments."""

import inspect
import weakref

import numpy as np

from rill import _rill, raw_ops


def _is_tensor_like(value):
    return isinstance(value, (_rill.Tensor, np.ndarray, np.generic)) or hasattr(
        value, "_as_graph_element")


def _flatten(value, leaves):
    """Appends the tensors in nested lists, tuples and dicts; returns what rebuilds the nest."""
    if isinstance(value, dict):
        keys = sorted(value)
        parts = [_flatten(value[key], leaves) for key in keys]
        return lambda given: type(value)((k, part(given)) for k, part in zip(keys, parts))
    if isinstance(value, (list, tuple)):
        parts = [_flatten(item, leaves) for item in value]
        if hasattr(value, "_make"):
            return lambda given: value._make(part(given) for part in parts)
        return lambda given: type(value)(part(given) for part in parts)
    if value is None or isinstance(value, _rill.Operation):
        return lambda given: None
    leaves.append(value)
    return lambda given: next(given)


class _Trace:
    """The function for one kind of arguments."""

    def __init__(self, func, tensors, rebuild):
        builder = _rill.FunctionBuilder(_rill.get_default_graph())
        arguments = [builder.add_argument(t.dtype, f"arg{i}", t.shape)
                     for i, t in enumerate(tensors)]
        leaves = []
        with builder.graph.as_default():
            args, kwargs = rebuild(arguments)
            self._rebuild = _flatten(func(*args, **kwargs), leaves)
            results = [_rill.convert_to_tensor(leaf) for leaf in leaves]
        name = "__inference_" + getattr(func, "__name__", "function").strip("<>")
        self._function = builder.finish(results, "", name, [], {}, order_effects=True)
        self._captured = builder.captured
        self._types = [result.dtype.base_dtype for result in results]

    def call(self, tensors):
        graph = _rill.get_default_graph()
        self._function.add_to_graph(graph)
        stateful = self._function.definition.signature.is_stateful
        op = raw_ops.StatefulPartitionedCall if stateful else raw_ops.PartitionedCall
        results = op(args=[*tensors, *self._captured], Tout=self._types, f=self._function.name)
        return self._rebuild(iter(results if isinstance(results, list) else []))


class _Function:
    def __init__(self, func, input_signature):
        self.python_function = func
        self.input_signature = input_signature
        self._signature = inspect.signature(func)
        self._traces = weakref.WeakKeyDictionary()

    def __get__(self, instance, owner):
        if instance is None:
            return self
        bound = _Function(self.python_function.__get__(instance, owner), self.input_signature)
        setattr(instance, self.python_function.__name__, bound)
        return bound

    def __call__(self, *args, **kwargs):
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        if self.input_signature is not None:
            specs = list(self.input_signature)
            if len(specs) != len(bound.args):
                raise ValueError("Structure of Python function inputs does not match "
                                 f"input_signature: {bound.args} and {specs}")
            values = [_rill.convert_to_tensor(v, dtype=s.dtype)
                      for v, s in zip(bound.args, specs)]
            bound.arguments.update(zip(self._signature.parameters, values))
        leaves = []
        rebuild = _flatten((list(bound.args), dict(bound.kwargs)), leaves)
        tensors = [_rill.convert_to_tensor(leaf) for leaf in leaves if _is_tensor_like(leaf)]
        fixed = [None if _is_tensor_like(leaf) else leaf for leaf in leaves]

        def rebuilt(arguments):
            given = iter(arguments)
            return rebuild(next(given) if _is_tensor_like(leaf) else leaf for leaf in leaves)

        key = (repr(fixed), repr(rebuilt(["T"] * len(tensors))),
               tuple((t.dtype.name, str(t.shape)) for t in tensors))
        traces = self._traces.setdefault(_rill.get_default_graph(), {})
        if key not in traces:
            traces[key] = _Trace(self.python_function, tensors, rebuilt)
        return traces[key].call(tensors)


def function(func=None, input_signature=None, autograph=True,
             experimental_autograph_options=None, experimental_relax_shapes=False,
             experimental_compile=None):
    """Makes calls of `func` calls of a function of the graph. Its body is built once for each kind
    of arguments; its effects happen in the order in which they are written. Python's own control
    flow is followed while the body is built, never turned into ops."""
    del autograph, experimental_autograph_options, experimental_relax_shapes, experimental_compile
    if func is None:
        return lambda f: _Function(f, input_signature)
    return _Function(func, input_signature)
