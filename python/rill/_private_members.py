"""Members of tensors and graphs that programs call though they are private, or of Python 2."""

from rill import _rill


def _div(x, y):
    from rill import math
    return math.divide(x, y) if x.dtype.is_floating or x.dtype.is_complex else math.floordiv(x, y)


def _rdiv(y, x):
    from rill import convert_to_tensor
    return _div(convert_to_tensor(x, y.dtype.base_dtype), y)


_rill.Tensor.__div__, _rill.Tensor.__rdiv__ = _div, _rdiv
_rill.Tensor.__nonzero__ = _rill.Tensor.__bool__
_rill.Graph._nodes_by_name = property(lambda graph: {op.name: op for op in graph.get_operations()})
_rill.Graph._nodes_by_id = property(lambda graph: {op._id: op for op in graph.get_operations()})
_rill.Session._graph = property(lambda session: session.graph)
