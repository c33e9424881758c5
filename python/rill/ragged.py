"""tf.ragged: tensors whose rows have different lengths."""

import builtins

import numpy as np

from rill import _nest, _rill, _surface
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


def _is_list(item):
    return isinstance(item, (list, tuple)) or np.ndim(item) != 0


def _flatten(pylist, ragged_rank):
    """The values below `ragged_rank` lists, and the row splits of each of them."""
    nested = []
    for _ in builtins.range(ragged_rank):
        if not all(_is_list(row) for row in pylist):
            raise ValueError(f"pylist has scalar values at depth {len(nested) + 1}, but ragged_rank={ragged_rank} "
                             f"requires scalar value depth greater than {ragged_rank}")
        splits = [0]
        for row in pylist:
            splits.append(splits[-1] + len(row))
        nested.append(splits)
        pylist = [item for row in pylist for item in row]
    return pylist, nested


def _shape_of(items):
    """The shape that all `items` have."""
    if not _is_list(items):
        return ()
    shapes = {_shape_of(item) for item in items}
    if len(shapes) > 1:
        raise ValueError("inner values have inconsistent shape")
    return (len(items), *(shapes.pop() if shapes else ()))


def _check(holds, pylist, what):
    if not holds:
        raise ValueError(f"Invalid pylist={pylist!r}: {what}")


def _parts(pylist, ragged_rank, inner_shape):
    """(values, their shape or None, nested row splits) of nested lists."""
    if isinstance(pylist, (RaggedTensor, RaggedTensorValue)):
        raise TypeError("pylist may not be a RaggedTensor or RaggedTensorValue.")
    inner_rank = 0 if inner_shape is None else len(inner_shape)
    if not _is_list(pylist):
        _check(not ragged_rank, pylist, f"incompatible with ragged_rank={ragged_rank}")
        _check(not inner_rank, pylist, f"incompatible with dim(inner_shape)={inner_rank}")
        return pylist, (), []
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank}: must be nonnegative")
    scalar_depth, depth = _depth(pylist)
    _check(scalar_depth is None or depth <= scalar_depth, pylist,
           "empty list nesting is greater than scalar value nesting")
    if inner_shape is not None and ragged_rank is not None:
        wanted = ragged_rank + inner_rank + 1
        _check(wanted >= depth if scalar_depth is None else wanted == scalar_depth, pylist,
               f"incompatible with ragged_rank={ragged_rank} and dim(inner_shape)={inner_rank}")
    if ragged_rank == 0 or (ragged_rank is None and depth - inner_rank < 2):
        return pylist, None if inner_shape is None else tuple(inner_shape), []
    is_given = ragged_rank is not None
    if not is_given:
        ragged_rank = max(1, depth - 1 - (0 if scalar_depth is None else inner_rank))
    values, nested = _flatten(pylist, ragged_rank)
    if inner_shape is None:
        inner_shape = _shape_of(values)[1:] if is_given else ()
    return values, (len(values), *inner_shape), nested


def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None, row_splits_dtype=int64):
    """A RaggedTensor of nested lists; a tensor where they are not ragged at all."""
    with _rill_scope(name, "RaggedConstant"):
        values, shape, nested = _parts(pylist, ragged_rank, inner_shape)
        result = _rill.constant(values, dtype, shape, "values" if nested else "Const")
        for splits in reversed(nested):
            splits = _rill.constant(splits, row_splits_dtype, None, "Const")
            result = RaggedTensor.from_row_splits(result, splits, validate=False)
        return result


def _rill_scope(name, default):
    from rill import name_scope
    return name_scope(name, default)


def constant_value(pylist, dtype=None, ragged_rank=None, inner_shape=None, row_splits_dtype="int64"):
    """A RaggedTensorValue of nested lists."""
    values, shape, nested = _parts(pylist, ragged_rank, inner_shape)
    values = np.array(values, dtype)
    values = values if shape is None else values.reshape(shape)
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
    arguments = [list(args), dict(kwargs)]
    leaves = _nest.flatten(arguments)
    ragged = [leaf for leaf in leaves if isinstance(leaf, (RaggedTensor, RaggedTensorValue))]
    if not ragged:
        return op(*args, **kwargs)
    flat, rows = _rill.functions.ragged_same_rows(ragged)
    flat = iter(flat)
    args, kwargs = _nest.pack_sequence_as(arguments, [
        next(flat) if isinstance(leaf, (RaggedTensor, RaggedTensorValue)) else leaf for leaf in leaves])
    result = op(*args, **kwargs)
    return RaggedTensor._of(rows).with_flat_values(result)


__getattr__, __dir__ = _surface.members_of(__name__)
