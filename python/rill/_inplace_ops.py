"""tensorflow.python.ops.inplace_ops: rows of a tensor that are changed where they lie."""

import rill
from rill import _rill


def _changed(op, x, i, v):
    """All of `x`, one row of it or several, by the op."""
    make = _rill.op_function(op)
    x, v = rill.convert_to_tensor(x), rill.convert_to_tensor(v, x.dtype if isinstance(x, _rill.Tensor) else None)
    if i is None:
        return rill.reshape(make(rill.reshape(x, [1, -1]), [0], rill.reshape(v, [1, -1])), rill.shape(x))
    i = rill.cast(rill.convert_to_tensor(i), rill.int32)
    if i.get_shape().ndims == 0:
        return make(x, rill.reshape(i, [1]), rill.expand_dims(v, 0))
    return make(x, i, v)


def alias_inplace_update(x, i, v):
    """x[i] = v, in place."""
    return _changed("InplaceUpdate", x, i, v)


def alias_inplace_add(x, i, v):
    """x[i] += v, in place."""
    return _changed("InplaceAdd", x, i, v)


def alias_inplace_sub(x, i, v):
    """x[i] -= v, in place."""
    return _changed("InplaceSub", x, i, v)


def _copied(x):
    return _rill.op_function("DeepCopy")(x)


def inplace_update(x, i, v):
    """A copy of x in which x[i] = v."""
    return alias_inplace_update(_copied(x), i, v)


def inplace_add(x, i, v):
    """A copy of x in which x[i] += v."""
    return alias_inplace_add(_copied(x), i, v)


def inplace_sub(x, i, v):
    """A copy of x in which x[i] -= v."""
    return alias_inplace_sub(_copied(x), i, v)


def empty(shape, dtype, init=False):
    """A tensor of any values, or of zeros."""
    return _rill.op_function("Empty")(rill.convert_to_tensor(shape, rill.int32), dtype=dtype, init=init)


def empty_like(x, init=None):
    """One of the shape and type of another."""
    x = rill.convert_to_tensor(x)
    return empty(rill.shape(x), x.dtype, bool(init))
