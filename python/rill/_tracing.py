"""A Python function as one function of the graph, for wrap_function and models that are saved."""

from rill import _rill, raw_ops


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
