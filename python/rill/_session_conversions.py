"""What sessions make of values that are several tensors: which to fetch or feed, and what comes back.

IndexedSlices, SparseTensor and their like say their parts themselves (`_components`) and what class their values
have (`_value_type`); programs register others.
"""

from rill import _nest

_registered = []  # (class, fetch function, feed function, feed function for partial runs)


def register_session_run_conversion_functions(tensor_type, fetch_function, feed_function=None,
                                              feed_function_for_partial_run=None):
    """Lets sessions take objects of a class.

    fetch_function(object) gives the tensors to fetch and a function that makes the result of their values;
    feed_function(object, value) gives pairs of a tensor and what to feed it; the last one gives the tensors.
    """
    for known, *_ in _registered:
        if issubclass(known, tensor_type):
            raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    _registered.insert(0, (tensor_type, fetch_function, feed_function, feed_function_for_partial_run))


def _entry(value):
    for entry in _registered:
        if isinstance(value, entry[0]):
            return entry
    return None


def _parts(value):
    names = [name for name in type(value)._components if getattr(value, name) is not None]
    return names, [getattr(value, name) for name in names]


def fetch_expansion(value):
    """(what to fetch, a function of its values) for a value that stands for several; else None."""
    entry = _entry(value)
    if entry is not None:
        return entry[1](value)
    if not _nest.is_composite(value):
        return None
    names, parts = _parts(value)
    inner = [fetch_expansion(part) or ([part], _only) for part in parts]  # ragged values of ragged tensors

    def put_together(values):
        given = dict.fromkeys(type(value)._value_type._fields)
        values = iter(values)
        for name, (tensors, together) in zip(names, inner):
            given[name] = together([next(values) for _ in tensors])
        return type(value)._value_type(**given)

    return [tensor for tensors, _ in inner for tensor in tensors], put_together


def _only(values):
    return values[0]


def feed_expansion(key, value):
    """Pairs of a tensor and its value for a key that stands for several; else None."""
    entry = _entry(key)
    if entry is not None and entry[2] is not None:
        return entry[2](key, value)
    if not _nest.is_composite(key):
        return None
    names, parts = _parts(key)
    by_name = [getattr(value, name) for name in names] if hasattr(value, "_fields") else list(value)
    return [pair for part, fed in zip(parts, by_name) for pair in feed_expansion(part, fed) or [(part, fed)]]


def feed_targets(key):
    """The tensors that a partial run feeds for such a key; else None."""
    entry = _entry(key)
    if entry is not None and entry[3] is not None:
        return entry[3](key)
    if not _nest.is_composite(key):
        return None
    return [tensor for part in _parts(key)[1] for tensor in feed_targets(part) or [part]]
