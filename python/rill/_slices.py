"""Rows of a tensor, and the choices that gradients take."""

import collections
import enum

IndexedSlicesValue = collections.namedtuple("IndexedSlicesValue", ["values", "indices", "dense_shape"])


class IndexedSlices:
    """Some rows of a tensor: values[i] belongs to row indices[i]."""

    _components = ("values", "indices", "dense_shape")
    _value_type = IndexedSlicesValue

    def __init__(self, values, indices, dense_shape=None):
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    values = property(lambda self: self._values)
    indices = property(lambda self: self._indices)
    dense_shape = property(lambda self: self._dense_shape)
    dtype = property(lambda self: self._values.dtype)
    name = property(lambda self: self._values.name)
    op = property(lambda self: self._values.op)
    device = property(lambda self: self._values.device)
    graph = property(lambda self: self._values.graph)

    @property
    def shape(self):
        """The shape of the whole tensor, as far as it is known."""
        from rill import _rill
        if self._dense_shape is None:
            return _rill.TensorShape(None)
        return _rill.constant_shape_value(self._dense_shape)

    def consumers(self):
        """The operations that read the values or the indices."""
        return self._values.consumers() + [op for op in self._indices.consumers()
                                           if op not in self._values.consumers()]

    def __str__(self):
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!s}"
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{shape})"

    def __neg__(self):
        return IndexedSlices(-self.values, self.indices, self.dense_shape)


class AggregationMethod:
    """How the gradients that meet at a tensor are added up."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class UnconnectedGradients(enum.Enum):
    """What the gradient of something that the result does not depend on is."""

    NONE = "none"
    ZERO = "zero"
