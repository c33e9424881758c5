"""Tensors whose rows have different lengths."""

import numpy as np

from rill import _rill, raw_ops
from rill._rill import functions
from rill.dtypes import int64


class RaggedTensorValue:
    """What a RaggedTensor is outside of a graph: fed to a run, or fetched by one."""

    _fields = ("values", "row_splits")

    def __init__(self, values, row_splits):
        if not (isinstance(row_splits, (np.ndarray, np.generic))
                and row_splits.dtype in (np.int64, np.int32) and row_splits.ndim == 1):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        self._values, self._row_splits = values, row_splits

    values = property(lambda self: self._values)
    row_splits = property(lambda self: self._row_splits)
    dtype = property(lambda self: self._values.dtype)

    @property
    def flat_values(self):
        """The innermost values."""
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensorValue) else inner

    @property
    def nested_row_splits(self):
        """The row splits of all ragged dimensions, the outermost first."""
        inner = self._values
        return (self._row_splits,
                *(inner.nested_row_splits if isinstance(inner, RaggedTensorValue) else ()))

    ragged_rank = property(lambda self: len(self.nested_row_splits))

    @property
    def shape(self):
        """The shape; None where rows differ."""
        inner = self._values.shape
        return (len(self._row_splits) - 1, None, *inner[1:])

    def to_list(self):
        """The rows as nested lists."""
        inner = self._values
        rows = inner.to_list() if isinstance(inner, RaggedTensorValue) else inner.tolist()
        return [rows[a:b] for a, b in zip(self._row_splits[:-1], self._row_splits[1:])]

    def __str__(self):
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self):
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"


def _converted(values):
    """The RaggedTensor of a RaggedTensorValue; other values as they are."""
    return functions.ragged_of_value(values) if isinstance(values, RaggedTensorValue) else values


def _maker(function, argument):
    """The factory method of rows that `argument` describes."""
    def make(cls, values, rows, name=None, validate=True):
        values = _converted(values)
        ragged = isinstance(values, RaggedTensor)
        return cls._of(function(values._parts if ragged else values, ragged, rows, name, validate))
    namespace, name = {"make": make}, f"from_{argument}"
    exec(f"def {name}(cls, values, {argument}, name=None, validate=True):\n"
         f"    return make(cls, values, {argument}, name, validate)", namespace)
    method = namespace[name]
    method.__doc__ = f"Rows of `values` by their {argument}."
    return classmethod(method)


class RaggedTensor:
    """A tensor whose rows have different lengths: values[row_splits[i]:row_splits[i + 1]] is row i."""

    _components = ("values", "row_splits")  # what sessions fetch and feed
    _value_type = RaggedTensorValue
    __array_priority__ = 100

    def __init__(self, values, row_splits, cached_row_lengths=None, cached_value_rowids=None,
                 cached_nrows=None, internal=False):
        if not internal:
            raise ValueError("RaggedTensor constructor is private; please use one of the factory methods "
                             "instead (e.g., RaggedTensor.from_row_lengths())")
        nested = values._parts if isinstance(values, RaggedTensor) else (values,)
        self._parts = (nested[0], row_splits, *nested[1:])

    @classmethod
    def _of(cls, parts):
        made = cls.__new__(cls)
        made._parts = tuple(parts)
        return made

    from_row_splits = _maker(functions.ragged_from_row_splits, "row_splits")
    from_row_lengths = _maker(functions.ragged_from_row_lengths, "row_lengths")
    from_row_limits = _maker(functions.ragged_from_row_limits, "row_limits")
    from_row_starts = _maker(functions.ragged_from_row_starts, "row_starts")

    @classmethod
    def from_value_rowids(cls, values, value_rowids, nrows=None, name=None, validate=True):
        """Rows of `values` by the row of each value."""
        values = _converted(values)
        ragged = isinstance(values, RaggedTensor)
        return cls._of(functions.ragged_from_value_rowids(
            values._parts if ragged else values, ragged, value_rowids, nrows, name, validate))

    @classmethod
    def _nested(cls, make, flat_values, rows, *more):
        if not isinstance(rows, (list, tuple)):
            raise TypeError("nested rows must be a list of tensors")
        result = flat_values
        for row in zip(reversed(rows), *(reversed(m) for m in more)):
            result = make(result, *row)
        return result

    @classmethod
    def from_nested_row_splits(cls, flat_values, nested_row_splits, name=None, validate=True):
        """Several ragged dimensions, the outermost first."""
        return cls._nested(lambda v, s: cls.from_row_splits(v, s, name, validate), flat_values, nested_row_splits)

    @classmethod
    def from_nested_row_lengths(cls, flat_values, nested_row_lengths, name=None, validate=True):
        """Several ragged dimensions, the outermost first."""
        return cls._nested(lambda v, s: cls.from_row_lengths(v, s, name, validate), flat_values,
                           nested_row_lengths)

    @classmethod
    def from_nested_value_rowids(cls, flat_values, nested_value_rowids, nested_nrows=None, name=None,
                                 validate=True):
        """Several ragged dimensions, the outermost first."""
        counts = [None] * len(nested_value_rowids) if nested_nrows is None else nested_nrows
        if len(counts) != len(nested_value_rowids):
            raise ValueError("nested_nrows must have the same length as nested_value_rowids")
        return cls._nested(lambda v, s, n: cls.from_value_rowids(v, s, n, name, validate), flat_values,
                           nested_value_rowids, counts)

    @classmethod
    def from_tensor(cls, tensor, lengths=None, padding=None, ragged_rank=1, name=None, row_splits_dtype=int64):
        """The rows of a tensor, without what lies behind `lengths` or is `padding`."""
        return cls._of(functions.ragged_from_tensor(tensor, lengths, padding, ragged_rank, name,
                                                    row_splits_dtype))

    @classmethod
    def from_sparse(cls, st_input, name=None, row_splits_dtype=int64):
        """The rows of a sparse matrix that are filled from the left."""
        return cls._of(functions.ragged_from_sparse(st_input, name, row_splits_dtype))

    _component_tensors = property(lambda self: self._parts)
    flat_values = property(lambda self: self._parts[0])
    row_splits = property(lambda self: self._parts[1])
    nested_row_splits = property(lambda self: self._parts[1:])
    ragged_rank = property(lambda self: len(self._parts) - 1)
    dtype = property(lambda self: self.flat_values.dtype)
    graph = property(lambda self: self.flat_values.graph)
    shape = property(lambda self: functions.ragged_shape(self._parts))

    @property
    def values(self):
        """All rows one after the other."""
        if len(self._parts) == 2:
            return self.flat_values
        return self._of((self.flat_values, *self._parts[2:]))

    def get_shape(self):
        """What is known of the shape."""
        return self.shape

    def consumers(self):
        """The operations that read a part of this."""
        return list(dict.fromkeys(op for part in self._parts for op in part.consumers()))

    def value_rowids(self, name=None):
        """The row of each value."""
        return functions.ragged_rowids(self.row_splits)

    def nested_value_rowids(self, name=None):
        """value_rowids of all ragged dimensions."""
        return tuple(functions.ragged_rowids(splits) for splits in self.nested_row_splits)

    def nrows(self, out_type=None, name=None):
        """The number of rows."""
        return _cast(functions.ragged_nrows(self._parts), out_type)

    def row_starts(self, name=None):
        """Where each row begins."""
        return self.row_splits[:-1]

    def row_limits(self, name=None):
        """Where each row ends."""
        return self.row_splits[1:]

    def row_lengths(self, axis=1, name=None):
        """The lengths of dimension `axis`, in the rows of those before it."""
        return functions.ragged_row_lengths(self._parts, axis)

    def nested_row_lengths(self, name=None):
        """row_lengths of all ragged dimensions."""
        return tuple(functions.ragged_row_lengths((self.flat_values, splits), 1)
                     for splits in self.nested_row_splits)

    def bounding_shape(self, axis=None, name=None, out_type=None):
        """The smallest shape that holds all rows."""
        box = _cast(functions.ragged_bounding_shape(self._parts, name), out_type)
        return box if axis is None else functions.gather(box, axis)

    def with_values(self, new_values):
        """The same rows with other values."""
        new_values = functions.ragged_of_value(new_values)
        return RaggedTensor(new_values, self.row_splits, internal=True)

    def with_flat_values(self, new_values):
        """The same rows with other innermost values."""
        return self._of((_rill.convert_to_tensor(new_values), *self._parts[1:]))

    def with_row_splits_dtype(self, dtype):
        """The same with row splits of another type."""
        return self._of((self.flat_values, *(_cast(splits, dtype) for splits in self.nested_row_splits)))

    def to_tensor(self, default_value=None, name=None):
        """A plain tensor, padded with `default_value`."""
        return functions.ragged_to_tensor(self._parts, default_value, name)

    def to_sparse(self, name=None):
        """A sparse tensor."""
        return functions.ragged_to_sparse(self._parts, name)

    def to_list(self):
        """The rows as nested lists; only where values can be looked at."""
        if not all(hasattr(part, "numpy") for part in self._parts):
            raise ValueError("RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate "
                             "the RaggedTensor first and then use RaggedTensorValue.to_list().")
        return self._value([part.numpy() for part in self._parts]).to_list()

    @staticmethod
    def _value(parts):
        """The RaggedTensorValue of fetched parts."""
        value = parts[0]
        for splits in reversed(parts[1:]):
            value = RaggedTensorValue(value, splits)
        return value

    def eval(self, feed_dict=None, session=None):
        """The RaggedTensorValue of this in a session."""
        session = session or _rill.get_default_session()
        return self._value(session.run(list(self._parts), feed_dict))

    def __iter__(self):
        if not _rill.executing_eagerly():
            raise TypeError("'RaggedTensor' object is not iterable: rows are known in eager execution")
        return (self[row] for row in range(int(self.nrows())))

    def __getitem__(self, key):
        return functions.ragged_item(self._parts, key)

    def __bool__(self):
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __str__(self):
        if isinstance(self.flat_values, _rill.EagerTensor):
            return f"<tf.RaggedTensor {self.to_list()}>"
        return f"tf.RaggedTensor(values={self.values}, row_splits={self.row_splits})"

    __repr__ = __str__


def _cast(tensor, dtype):
    if dtype is None or tensor.dtype.base_dtype == dtype:
        return tensor
    return raw_ops.Cast(x=tensor, DstT=dtype)


def _operators():
    """The operators, which are functions of the table: these know what ragged arguments are."""
    math = functions.math
    arithmetic = {"add": math.add, "sub": math.subtract, "mul": math.multiply, "truediv": math.truediv,
                  "div": math.divide, "floordiv": math.floordiv, "mod": math.floormod, "pow": math.pow,
                  "and": math.logical_and, "or": math.logical_or, "xor": math.logical_xor}
    for name, function in arithmetic.items():
        setattr(RaggedTensor, f"__{name}__", lambda self, other, f=function: f(self, other))
        setattr(RaggedTensor, f"__r{name}__", lambda self, other, f=function: f(other, self))
    comparisons = {"lt": math.less, "le": math.less_equal, "gt": math.greater, "ge": math.greater_equal}
    for name, function in comparisons.items():
        setattr(RaggedTensor, f"__{name}__", lambda self, other, f=function: f(self, other))
    for name, function in {"neg": math.negative, "abs": math.abs, "invert": math.logical_not}.items():
        setattr(RaggedTensor, f"__{name}__", lambda self, f=function: f(self))


_operators()
