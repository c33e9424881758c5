"""tf.ragged: tensors whose rows have different lengths."""

import builtins

import numpy as np

from rill import _rill, _surface
from rill._ragged_tensor import RaggedTensor, RaggedTensorValue, _cast
from rill.dtypes import as_dtype, int64


def _depth(item):
    """How deep scalars lie, and how deep empty lists may hide some."""
    if not isinstance(item, (list, tuple)) and np.ndim(item) == 0:
        return 0, 0
    depths = [_depth(inner) for inner in item]
    scalars = {scalar + 1 for scalar, _ in depths if scalar is not None}
    if len(scalars) > 1:
        raise ValueError("all scalar values must have the same nesting depth")
    return (scalars.pop() if scalars else None), 1 + max((empty for _, empty in depths), default=0)


def _flatten(pylist, ragged_rank):
    """The values below `ragged_rank` lists, and the row splits of each of them."""
    nested = []
    for _ in builtins.range(ragged_rank):
        splits = [0]
        for row in pylist:
            splits.append(splits[-1] + len(row))
        nested.append(splits)
        pylist = [item for row in pylist for item in row]
    return pylist, nested


def _parts(pylist, dtype, ragged_rank, inner_shape):
    """The flat values as an array, and the nested row splits."""
    scalar_depth, max_depth = _depth(pylist)
    if not isinstance(pylist, (list, tuple, np.ndarray)):
        return np.array(pylist, dtype), []
    depth = max_depth if scalar_depth is None else scalar_depth
    if scalar_depth is not None and max_depth > scalar_depth:
        raise ValueError(f"Invalid pylist={pylist}: empty list nesting is greater than scalar value nesting")
    if ragged_rank is None:
        ragged_rank = max(1, depth - 1 - (0 if inner_shape is None else len(inner_shape)))
        if depth == 1 or (inner_shape is not None and depth - len(inner_shape) <= 1):
            ragged_rank = 0
    if ragged_rank >= depth and ragged_rank > 0:
        raise ValueError(f"Invalid pylist={pylist}: incompatible with ragged_rank={ragged_rank}")
    values, nested = _flatten(pylist, ragged_rank)
    if inner_shape is None:
        inner_shape = np.shape(values)[1:] if len(values) else (0,) * (depth - ragged_rank - 1)
    if dtype is None and scalar_depth is None:
        dtype = np.float32
    array = np.array(values, dtype)
    if array.dtype == np.float64 and dtype is None:
        array = array.astype(np.float32)
    if array.dtype == np.int64 and dtype is None:
        array = array.astype(np.int32)
    return array.reshape((len(values), *inner_shape)), nested


def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None, row_splits_dtype=int64):
    """A RaggedTensor of nested lists; a tensor where they are not ragged at all."""
    kind = None if dtype is None else as_dtype(dtype)
    numpy_type = None if kind is None else (object if kind.name == "string" else kind.as_numpy_dtype)
    with _rill_scope(name, "RaggedConstant"):
        values, nested = _parts(pylist, numpy_type, ragged_rank, inner_shape)
        result = _rill.constant(values.tolist() if values.dtype.kind in "OU" else values, kind, values.shape,
                                "values" if nested else "Const")
        for splits in reversed(nested):
            splits = _rill.constant(splits, row_splits_dtype, None, "row_splits")
            result = RaggedTensor.from_row_splits(result, splits, validate=False)
        return result


def _rill_scope(name, default):
    from rill import name_scope
    return name_scope(name, default)


def constant_value(pylist, dtype=None, ragged_rank=None, inner_shape=None, row_splits_dtype="int64"):
    """A RaggedTensorValue of nested lists."""
    values, nested = _parts(pylist, dtype, ragged_rank, inner_shape)
    if dtype is None and values.dtype == np.int32:
        values = values.astype(np.int64)
    kind = as_dtype(row_splits_dtype).as_numpy_dtype
    for splits in reversed(nested):
        values = RaggedTensorValue(values, np.array(splits, kind))
    return values


def placeholder(dtype, ragged_rank, value_shape=None, name=None):
    """A RaggedTensor that is fed."""
    from rill import placeholder as plain
    with _rill_scope(name, "RaggedPlaceholder"):
        result = plain(dtype, [None, *(value_shape or [])], "flat_values") if value_shape is not None or \
            ragged_rank == 0 else plain(dtype, None, "flat_values")
        for i in reversed(builtins.range(ragged_rank)):
            result = RaggedTensor(result, plain(int64, [None], f"row_splits_{i}"), internal=True)
        return result


def range(starts, limits=None, deltas=1, dtype=None, name=None, row_splits_dtype=int64):
    """A row of numbers for each start, limit and delta."""
    if limits is None:
        starts, limits = 0, starts
    if dtype is not None:
        starts, limits, deltas = (_rill.convert_to_tensor(x, dtype) for x in (starts, limits, deltas))
    return RaggedTensor._of(_rill.functions.ragged_range(starts, limits, deltas, name, row_splits_dtype))


def row_splits_to_segment_ids(splits, name=None, out_type=None):
    """The row of each value."""
    return _cast(_rill.functions.ragged_rowids(splits), out_type)


def segment_ids_to_row_splits(segment_ids, num_segments=None, out_type=None, name=None):
    """Where rows begin and end, by the row of each value."""
    return _cast(_rill.functions.ragged_splits(segment_ids, num_segments), out_type)


def map_flat_values(op, *args, **kwargs):
    """op of the innermost values of ragged arguments, in their rows."""
    ragged = [a for a in [*args, *kwargs.values()] if isinstance(a, RaggedTensor)]
    if not ragged:
        return op(*args, **kwargs)

    def flat(value):
        return value.flat_values if isinstance(value, RaggedTensor) else value

    return ragged[0].with_flat_values(op(*map(flat, args), **{k: flat(v) for k, v in kwargs.items()}))


__getattr__, __dir__ = _surface.members_of(__name__)
