"""Descriptions of what is made of several tensors."""

import abc

import numpy as np

from rill import _rill
from rill._ragged_tensor import RaggedTensor, RaggedTensorValue
from rill._slices import IndexedSlices
from rill._sparse_tensor import SparseTensor, SparseTensorValue
from rill._tensor_array import TensorArray
from rill._type_spec import TensorSpec, TypeSpec


class CompositeTensor(abc.ABC):  # noqa: B024
    """What is made of several tensors. Classes of programs inherit from it."""


for _kind in (SparseTensor, RaggedTensor, IndexedSlices):
    CompositeTensor.register(_kind)


class SparseTensorSpec(TypeSpec):
    """A SparseTensor of this shape and type."""

    __slots__ = ["_shape", "_dtype"]

    def __init__(self, shape=None, dtype=_rill.float32):
        self._shape, self._dtype = _rill.as_shape(shape), _rill.as_dtype(dtype)

    dtype = property(lambda self: self._dtype, doc="The type of the elements.")
    shape = property(lambda self: self._shape, doc="The shape of the whole.")

    @property
    def value_type(self):
        return SparseTensor

    @classmethod
    def from_value(cls, value):
        """What describes a SparseTensor or SparseTensorValue."""
        if isinstance(value, SparseTensor):
            return cls(value.shape, value.dtype)
        if isinstance(value, SparseTensorValue):
            return cls(value.dense_shape, value.values.dtype)
        raise TypeError("Expected SparseTensor or SparseTensorValue")

    def _serialize(self):
        return self._shape, self._dtype

    @property
    def _component_specs(self):
        rank = self._shape.ndims
        return [TensorSpec([None, rank], _rill.int64), TensorSpec([None], self._dtype),
                TensorSpec([rank], _rill.int64)]

    def _to_components(self, value):
        value = SparseTensor.from_value(value) if isinstance(value, SparseTensorValue) else value
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, tensor_list):
        kind = SparseTensorValue if all(isinstance(part, np.ndarray) for part in tensor_list) else SparseTensor
        return kind(*tensor_list)


class RaggedTensorSpec(TypeSpec):
    """A RaggedTensor of this shape and type, with so many ragged dimensions."""

    __slots__ = ["_shape", "_dtype", "_ragged_rank", "_row_splits_dtype"]

    def __init__(self, shape=None, dtype=_rill.float32, ragged_rank=None, row_splits_dtype=_rill.int64):
        self._shape, self._dtype = _rill.as_shape(shape), _rill.as_dtype(dtype)
        self._row_splits_dtype = _rill.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(f"ragged_rank must be an int, got {ragged_rank!r}")
        if rank is not None and ragged_rank >= rank:
            raise ValueError("ragged_rank must be less than rank.")
        self._ragged_rank = ragged_rank

    @property
    def value_type(self):
        return RaggedTensor if self._ragged_rank > 0 else _rill.Tensor

    @classmethod
    def from_value(cls, value):
        """What describes a RaggedTensor or RaggedTensorValue."""
        return cls(shape=value.shape, dtype=value.values.dtype, ragged_rank=value.ragged_rank,
                   row_splits_dtype=value.row_splits.dtype)

    def _serialize(self):
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def _component_specs(self):
        if self._ragged_rank == 0:
            return [TensorSpec(self._shape, self._dtype)]
        is_known = self._shape.ndims is not None
        inner = _rill.TensorShape([None]).concatenate(self._shape[self._ragged_rank + 1:]) if is_known else None
        rows = self._shape.as_list()[0] if is_known else None
        return [TensorSpec(inner, self._dtype), TensorSpec([None if rows is None else rows + 1], self._row_splits_dtype),
                *(TensorSpec([None], self._row_splits_dtype) for _ in range(self._ragged_rank - 1))]

    def _to_components(self, value):
        return [value.flat_values, *value.nested_row_splits] if self._ragged_rank else [value]

    def _from_components(self, tensor_list):
        return RaggedTensor.from_nested_row_splits(tensor_list[0], tensor_list[1:]) if self._ragged_rank \
            else tensor_list[0]


class TensorArraySpec(TypeSpec):
    """A TensorArray whose elements have this shape and type."""

    __slots__ = ["_element_shape", "_dtype", "_dynamic_size", "_infer_shape"]

    def __init__(self, element_shape=None, dtype=_rill.float32, dynamic_size=False, infer_shape=True):
        self._element_shape, self._dtype = _rill.as_shape(element_shape), _rill.as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    @property
    def value_type(self):
        return TensorArray

    @staticmethod
    def from_value(value):
        """What describes a TensorArray."""
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but got: {type(value)}.")
        return TensorArraySpec(dtype=value.dtype, element_shape=value.element_shape,
                               dynamic_size=value.dynamic_size)

    def is_compatible_with(self, other):
        """Whether type, size and shape of the elements fit."""
        if not isinstance(other, TypeSpec):
            other = self.from_value(other) if isinstance(other, TensorArray) else None
        return (isinstance(other, TensorArraySpec) and self._dtype.is_compatible_with(other._dtype)
                and self._element_shape.is_compatible_with(other._element_shape)
                and self._dynamic_size == other._dynamic_size)

    def most_specific_compatible_type(self, other):
        """The narrowest description that both fit."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Incompatible type: {other}")
        shape = self._element_shape.most_specific_compatible_shape(other._element_shape)
        return TensorArraySpec(shape, self._dtype, self._dynamic_size, self._infer_shape and other._infer_shape)

    def _serialize(self):
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape


class OptionalSpec(TypeSpec):
    """Something of this structure, or nothing."""

    __slots__ = ["_value_structure"]

    def __init__(self, value_structure):
        self._value_structure = value_structure

    @property
    def value_type(self):
        from rill import data
        return data.experimental.Optional

    @staticmethod
    def from_value(value):
        """What describes an Optional."""
        return OptionalSpec(value.value_structure)

    def is_compatible_with(self, spec_or_value):
        """Whether what may be inside fits."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else self.from_value(spec_or_value)
        return isinstance(other, OptionalSpec) and self._value_structure.is_compatible_with(other._value_structure)

    def most_specific_compatible_type(self, other):
        """The narrowest description that both fit."""
        if not isinstance(other, OptionalSpec):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return OptionalSpec(self._value_structure.most_specific_compatible_type(other._value_structure))

    def _serialize(self):
        return (self._value_structure,)


# What type_spec_from_value asks values for.
SparseTensor._type_spec = property(SparseTensorSpec.from_value)
SparseTensorValue._type_spec = property(SparseTensorSpec.from_value)
RaggedTensor._type_spec = property(RaggedTensorSpec.from_value)
RaggedTensorValue._type_spec = property(RaggedTensorSpec.from_value)
TensorArray._type_spec = property(TensorArraySpec.from_value)
