"""What counts as a tensor, and what becomes one."""

from rill import _nest, _rill
from rill._slices import IndexedSlices


def is_tensor(x):
    """Whether `x` is a tensor, a sparse or ragged one, rows of one, or a variable."""
    return isinstance(x, (_rill.Tensor, IndexedSlices)) or _nest.is_composite(x) or (
        hasattr(x, "_as_graph_element") and not isinstance(x, _rill.Operation))


def _sparse_classes():
    try:
        from rill import _sparse_tensor
    except ImportError:
        return ()
    return _sparse_tensor.SparseTensor, _sparse_tensor.SparseTensorValue


def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    """convert_to_tensor, but IndexedSlices and sparse tensors stay what they are."""
    if isinstance(value, (_rill.Tensor, IndexedSlices)) or _nest.is_composite(value):
        if dtype is not None and not _rill.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(f"Tensor conversion requested dtype {_rill.as_dtype(dtype).name} for Tensor with "
                             f"dtype {value.dtype.name}: {str(value)!r}")
        return value
    return _rill.convert_to_tensor(value, dtype, name)


def convert_to_tensor_or_sparse_tensor(value, dtype=None, name=None):
    """convert_to_tensor, but sparse tensors stay sparse."""
    classes = _sparse_classes()
    if classes and isinstance(value, classes[1]):
        value = classes[0].from_value(value)
    if classes and isinstance(value, classes[0]):
        if dtype is not None and not _rill.as_dtype(dtype).is_compatible_with(value.dtype):
            raise RuntimeError(f"Sparse dtype: requested = {_rill.as_dtype(dtype).name}, actual = "
                               f"{value.dtype.name}")
        return value
    return _rill.convert_to_tensor(value, dtype, name)
