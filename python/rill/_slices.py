"""Rows of a tensor, and the choices that gradients take."""

import enum


class IndexedSlices:
    """Some rows of a tensor: values[i] belongs to row indices[i]."""

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

    def __str__(self):
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{shape})"


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
