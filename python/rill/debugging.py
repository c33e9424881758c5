"""tf.debugging: checks."""

from rill import _rill, _surface

_log_device_placement = False


def assert_proper_iterable(values):
    """Raises TypeError unless `values` is a list, tuple or the like rather than a tensor or text."""
    kinds = (_rill.Tensor, str, bytes)
    if isinstance(values, kinds) or type(values).__name__ in ("SparseTensor", "ndarray"):
        raise TypeError('Expected argument "values" to be a "proper" iterable.  '
                        f"Found: {type(values)}")
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


def get_log_device_placement():
    """Whether set_log_device_placement asked for the devices of operations to be told."""
    return _log_device_placement


def set_log_device_placement(enabled):
    """Remembers whether the devices of operations that run at once are to be told."""
    global _log_device_placement
    _log_device_placement = bool(enabled)


__getattr__, __dir__ = _surface.members_of(__name__)
