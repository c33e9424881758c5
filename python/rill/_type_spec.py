"""Descriptions of tensors: shape and element type, without a value."""

import numpy as np

from rill import _rill
from rill._slices import IndexedSlices


class TypeSpec:
    """What values of a kind have in common."""

    @property
    def value_type(self):
        """The class of the values."""
        raise NotImplementedError(f"{type(self).__name__}.value_type")

    def _serialize(self):
        raise NotImplementedError(f"{type(self).__name__}._serialize")

    # Of values that are made of several tensors: what describes these, and how they become one and the other.

    @property
    def _component_specs(self):
        raise NotImplementedError(f"{type(self).__name__}._component_specs")

    def _to_components(self, value):
        raise NotImplementedError(f"{type(self).__name__}._to_components")

    def _from_components(self, components):
        raise NotImplementedError(f"{type(self).__name__}._from_components")

    def _parts(self):
        return type(self), self._serialize()

    def is_compatible_with(self, spec_or_value):
        """Whether a value, or all values of a description, fit this one."""
        spec = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        if type(self) is not type(spec):
            return False
        return all(_fits(a, b) for a, b in zip(self._serialize(), spec._serialize()))

    def most_specific_compatible_type(self, other):
        """The narrowest description that both fit."""
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return type(self)(*(_common(a, b, self, other)
                            for a, b in zip(self._serialize(), other._serialize())))

    def __eq__(self, other):
        return type(other) is type(self) and all(
            str(a) == str(b) for a, b in zip(self._serialize(), other._serialize()))

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((type(self), tuple(map(str, self._serialize()))))

    def __repr__(self):
        return f"{type(self).__name__}{self._serialize()}"

    def __reduce__(self):
        return type(self), self._serialize()


class BatchableTypeSpec(TypeSpec):
    """What describes values of which several can be one, with a dimension more."""

    def _batch(self, batch_size):
        raise NotImplementedError(f"{type(self).__name__}._batch")

    def _unbatch(self):
        raise NotImplementedError(f"{type(self).__name__}._unbatch")


def _fits(a, b):
    if isinstance(a, _rill.TensorShape):
        return a.is_compatible_with(b)
    if isinstance(a, _rill.DType):
        return a.is_compatible_with(b)
    return a == b


def _common(a, b, first, second):
    if isinstance(a, _rill.TensorShape):
        return a.most_specific_compatible_shape(b)
    if a == b:
        return a
    raise ValueError(f"No TypeSpec is compatible with both {first} and {second}")


class TensorSpec(TypeSpec):
    """A tensor of this shape, type and name."""

    __slots__ = ["_shape", "_dtype", "_name"]

    def __init__(self, shape, dtype=_rill.float32, name=None):
        self._shape = _rill.TensorShape(shape)
        self._dtype = _rill.as_dtype(dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec, name=None):
        """The same with another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        """What describes a tensor."""
        return cls(tensor.shape, tensor.dtype, name or tensor.op.name)

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)

    @property
    def value_type(self):
        return _rill.Tensor

    def is_compatible_with(self, spec_or_tensor):
        """Whether shape and type fit; the name does not matter."""
        other = spec_or_tensor
        if not hasattr(other, "dtype") or not hasattr(other, "shape"):
            other = np.asarray(other)
        return self._dtype.is_compatible_with(_rill.as_dtype(other.dtype)) and \
            self._shape.is_compatible_with(other.shape)

    def most_specific_compatible_type(self, other):
        if not isinstance(other, TensorSpec) or self.dtype != other.dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        name = self.name if self.name == other.name else None
        return TensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype, name)

    def _serialize(self):
        return self._shape, self._dtype, self._name

    @property
    def _component_specs(self):
        return self

    def _to_components(self, value):
        return _rill.convert_to_tensor(value, self._dtype)

    def _from_components(self, components):
        return components

    def __repr__(self):
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


class IndexedSlicesSpec(TypeSpec):
    """Some rows of a tensor of this shape and type."""

    __slots__ = ["_shape", "_values_dtype", "_indices_dtype", "_dense_shape_dtype", "_indices_shape"]

    def __init__(self, shape=None, dtype=_rill.float32, indices_dtype=_rill.int64, dense_shape_dtype=None,
                 indices_shape=None):
        self._shape = _rill.as_shape(shape)
        self._values_dtype = _rill.as_dtype(dtype)
        self._indices_dtype = _rill.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else _rill.as_dtype(dense_shape_dtype)
        self._indices_shape = _rill.as_shape(indices_shape).with_rank(1)

    @property
    def value_type(self):
        return IndexedSlices

    def _serialize(self):
        return (self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype,
                self._indices_shape)

    @property
    def _component_specs(self):
        rows = TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype)
        specs = [rows, TensorSpec(self._indices_shape, self._indices_dtype)]
        if self._dense_shape_dtype is not None:
            specs.append(TensorSpec([self._shape.ndims], self._dense_shape_dtype))
        return tuple(specs)

    def _to_components(self, value):
        parts = (value.values, value.indices, value.dense_shape)
        return parts[:2] if value.dense_shape is None else parts

    def _from_components(self, tensor_list):
        return IndexedSlices(*tensor_list)


def type_spec_from_value(value):
    """The description of a tensor, of several in one, or of what becomes a tensor."""
    if isinstance(value, _rill.Tensor):
        return TensorSpec(value.shape, value.dtype)
    if hasattr(value, "_type_spec"):
        return value._type_spec
    if isinstance(value, IndexedSlices):
        shape_dtype = None if value.dense_shape is None else value.dense_shape.dtype
        return IndexedSlicesSpec(value.shape, value.values.dtype, value.indices.dtype, shape_dtype,
                                 value.indices.shape)
    array = np.asarray(value)
    return TensorSpec(array.shape, _rill.as_dtype(array.dtype))
