"""Tensors of which only some elements are kept."""

import collections

from rill import _rill

SparseTensorValue = collections.namedtuple("SparseTensorValue",
                                           ["indices", "values", "dense_shape"])
SparseTensorValue.__doc__ = "What a SparseTensor is outside of a graph: fed to a run, or fetched by one."


class SparseTensor:
    """values[i] stands at indices[i] of a tensor of shape dense_shape; all other elements are zeros."""

    _components = ("indices", "values", "dense_shape")  # what sessions fetch and feed
    _value_type = SparseTensorValue
    __array_priority__ = 200  # NumPy leaves operators to this class

    def __init__(self, indices, values, dense_shape):
        self._parts = _rill.functions.sparse_tensor_parts(indices, values, dense_shape)

    _hint = None  # what is known of the shape beyond what dense_shape tells

    @classmethod
    def _of(cls, indices, values, dense_shape, hint):
        """Around tensors that C++ has put together."""
        made = cls.__new__(cls)
        made._parts, made._hint = (indices, values, dense_shape), hint
        return made

    @classmethod
    def from_value(cls, sparse_tensor_value):
        """A SparseTensor of a SparseTensorValue, or the SparseTensor itself."""
        if isinstance(sparse_tensor_value, cls):
            return sparse_tensor_value
        if not isinstance(sparse_tensor_value, SparseTensorValue):
            raise TypeError(f"Argument sparse_tensor_value={sparse_tensor_value} is neither a "
                            "SparseTensor nor SparseTensorValue.")
        return cls(*sparse_tensor_value)

    indices = property(lambda self: self._parts[0])
    values = property(lambda self: self._parts[1])
    dense_shape = property(lambda self: self._parts[2])
    dtype = property(lambda self: self.values.dtype)
    op = property(lambda self: self.values.op)
    graph = property(lambda self: self.values.graph)
    _component_tensors = property(lambda self: self._parts)

    @property
    def shape(self):
        """What is known of the shape of the whole."""
        known = _rill.constant_shape_value(self.dense_shape)
        return known if self._hint is None else known.merge_with(self._hint)

    def get_shape(self):
        """What is known of the shape of the whole."""
        return self.shape

    def consumers(self):
        """The operations that read a part of this."""
        found = [op for part in self._parts for op in part.consumers()]
        return list(dict.fromkeys(found))

    def eval(self, feed_dict=None, session=None):
        """The value of this in `session`, else in the default one."""
        session = session or _rill.get_default_session()
        if session is None:
            raise ValueError("Cannot evaluate tensor using `eval()`: No default session is registered. "
                             "Use `with sess.as_default()` or pass an explicit session to `eval(session=sess)`")
        return SparseTensorValue(*session.run(list(self._parts), feed_dict))

    def __str__(self):
        return "SparseTensor(indices={!s}, values={!s}, dense_shape={!s})".format(*self._parts)

    __repr__ = __str__

    def __mul__(self, dense):
        return _rill.functions.sparse_times_dense(self, dense)

    def __rmul__(self, dense):
        return self * dense if isinstance(dense, _rill.Tensor) else NotImplemented

    def __truediv__(self, dense):
        return _rill.functions.sparse_by_dense(self, dense)


def is_sparse(x):
    """Whether x is a SparseTensor or the value of one."""
    return isinstance(x, (SparseTensor, SparseTensorValue))
