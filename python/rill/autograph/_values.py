"""Values that converted functions handle besides those of the program."""

from rill import _nest, _rill
from rill._tensor_array import TensorArray


class _Undefined:
    """Stands for a name that has no value."""

    def __repr__(self):
        return "undefined"


UNDEFINED = _Undefined()


class _NoValueReturned(_Undefined):
    pass


NO_VALUE_RETURNED = _NoValueReturned()


def is_undefined(value):
    """Whether it stands for a name without a value; returning nothing so far is a value of its own kind."""
    return value is UNDEFINED


def returned(value):
    """What a function returns at its end."""
    return None if value is NO_VALUE_RETURNED else value


def state_of(reads):
    """The values of names and attributes, read one after the other."""
    return tuple(_value_or_undefined(read) for read in reads)


def _value_or_undefined(read):
    try:
        return read()
    except (NameError, AttributeError, LookupError):
        return UNDEFINED


def is_symbolic(value):
    """Whether it is a tensor without a value."""
    return isinstance(value, _rill.Tensor) and not isinstance(value, _rill.EagerTensor)


def as_test(value):
    """What stands in a condition: of a variable in a function its value there."""
    if isinstance(value, _rill.VariableBase) and not _rill.executing_eagerly():
        return _rill.convert_to_tensor(value)
    return value


def is_tensor(value):
    """Whether it is a tensor of any kind."""
    return isinstance(value, _rill.Tensor)


def has_symbolic(values):
    """Whether there is one in a structure."""
    return any(is_symbolic(leaf) for leaf in _nest.flatten(values))


def can_be_tensor(value):
    """Whether a value can be handed through a branch or a loop: a structure of tensors and numbers."""
    if isinstance(value, _Undefined) or value is None:
        return False
    leaves = _nest.flatten(value)
    return bool(leaves) and all(_is_plain(leaf) for leaf in leaves)


def _is_plain(leaf):
    if isinstance(leaf, (_rill.Tensor, TensorArray, bool, int, float, complex, str, bytes)):
        return True
    kind = type(leaf)
    return kind.__module__ == "numpy" or hasattr(kind, "_component_tensors") and not isinstance(
        leaf, _rill.VariableBase)
