"""Python's own functions where their arguments are tensors without values."""

import builtins

from rill import _nest, _rill, raw_ops
from rill.autograph._values import has_symbolic, is_symbolic


def _abs(x):
    from rill import math
    return math.abs(x) if is_symbolic(x) else abs(x)


def _float(x=0.0):
    if not is_symbolic(x):
        return float(x)
    if x.dtype == _rill.string:
        return raw_ops.StringToNumber(string_tensor=x, out_type=_rill.float32)
    return raw_ops.Cast(x=x, DstT=_rill.float32)


def _int(x=0, *base):
    if not is_symbolic(x):
        return int(x, *base)
    if x.dtype == _rill.string:
        return raw_ops.StringToNumber(string_tensor=x, out_type=_rill.int32)
    return raw_ops.Cast(x=x, DstT=_rill.int32)


def _len(x):
    if type(x).__name__ == "TensorArray":
        return x.size()
    if not is_symbolic(x):
        return len(x)
    if x.dtype == _rill.variant:
        return raw_ops.TensorListLength(input_handle=x)
    if x.shape.ndims == 0:
        raise ValueError("len requires a non-scalar tensor, got one of shape []")
    size = x.shape.as_list()[0] if x.shape.ndims is not None else None
    if size is not None:
        return size
    return raw_ops.StridedSlice(input=raw_ops.Shape(input=x), begin=[0], end=[1], strides=[1], shrink_axis_mask=1)


def _print(*objects, **kwargs):
    if not has_symbolic(objects) and not _rill.has_functional_flow():
        return print(*objects, **kwargs)
    if not has_symbolic(objects) and not any(isinstance(leaf, _rill.VariableBase) for leaf in _nest.flatten(objects)):
        return print(*objects, **kwargs)
    from rill import py_func
    tensors = [value for value in objects if _is_tensor_like(value)]

    def show(*values):
        given = iter(values)
        shown = [_shown(next(given)) if _is_tensor_like(value) else value for value in objects]
        print(*shown, **kwargs)

    return py_func(show, [_rill.convert_to_tensor(t) for t in tensors], [])


def _is_tensor_like(value):
    return isinstance(value, (_rill.Tensor, _rill.VariableBase))


def _shown(value):
    return value.decode() if isinstance(value, bytes) else value


def _range(start, *rest):
    if not has_symbolic([start, *rest]):
        return range(start, *rest)
    from rill import range as graph_range
    return graph_range(start, *rest)


def _enumerate(elements, start=0):
    from rill import data
    if isinstance(elements, data.Dataset):
        return elements.enumerate(start)
    if is_symbolic(elements):
        return _zip(_count_from(start, elements), elements)
    return enumerate(elements, start)


def _count_from(start, elements):
    from rill import range as graph_range
    return graph_range(start, start + _len(elements))


def _zip(*elements, **kwargs):
    from rill import data
    if elements and all(isinstance(part, data.Dataset) for part in elements):
        return data.Dataset.zip(elements)
    if elements and all(is_symbolic(part) for part in elements):
        return data.Dataset.zip(tuple(data.Dataset.from_tensor_slices(part) for part in elements))
    return zip(*elements, **kwargs)


def _map(function, *elements):
    from rill import data
    from rill.autograph import _api
    if len(elements) == 1 and isinstance(elements[0], data.Dataset):
        return elements[0].map(function)
    converted = _api.converted(function)
    return map(converted, *elements)


def _filter(function, elements):
    from rill import data
    from rill.autograph import _api
    if isinstance(elements, data.Dataset):
        return elements.filter(function)
    return filter(_api.converted(function) if function is not None else None, elements)


def _any(elements):
    from rill import math
    return math.reduce_any(elements) if is_symbolic(elements) else _joined(elements, math.logical_or, any)


def _all(elements):
    from rill import math
    return math.reduce_all(elements) if is_symbolic(elements) else _joined(elements, math.logical_and, all)


def _joined(elements, join, plain):
    values = list(elements)
    if not has_symbolic(values):
        return plain(values)
    made = values[0]
    for value in values[1:]:
        made = join(made, value)
    return made


def _reducer(plain, name):
    def reduce(*elements, **kwargs):
        from rill import math
        if len(elements) == 1 and not kwargs and is_symbolic(elements[0]):
            return getattr(math, name)(elements[0])
        if len(elements) > 1 and not kwargs and has_symbolic(elements) and name != "reduce_sum":
            made = elements[0]
            for value in elements[1:]:
                made = (math.maximum if name == "reduce_max" else math.minimum)(made, value)
            return made
        return plain(*elements, **kwargs)

    return reduce


def _sorted(elements, **kwargs):
    if not is_symbolic(elements):
        return sorted(elements, **kwargs)
    from rill import sort
    return sort(elements, direction="DESCENDING" if kwargs.get("reverse") else "ASCENDING")


def _next(iterator, *default):
    return next(iterator, *default)


_IN_PLACE = {builtins.abs: _abs, builtins.float: _float, builtins.int: _int, builtins.len: _len,
             builtins.print: _print, builtins.range: _range, builtins.enumerate: _enumerate, builtins.zip: _zip,
             builtins.map: _map, builtins.filter: _filter, builtins.any: _any, builtins.all: _all,
             builtins.max: _reducer(max, "reduce_max"), builtins.min: _reducer(min, "reduce_min"),
             builtins.sum: _reducer(sum, "reduce_sum"), builtins.sorted: _sorted, builtins.next: _next}


def in_place_of(function):
    """What a converted function calls in the place of one of these."""
    try:
        return _IN_PLACE.get(function, function)
    except TypeError:
        return function
