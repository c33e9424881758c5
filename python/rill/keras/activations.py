"""tf.keras.activations: functions that layers apply to their results."""

import sys

from rill import _surface
from rill.keras import _objects


def serialize(activation):
    """The name of an activation function."""
    return _objects.serialize_keras_object(activation)


def deserialize(name, custom_objects=None):
    """The activation function of that name."""
    return _objects.deserialize_keras_object(name, _objects.Names(sys.modules[__name__]), custom_objects,
                                             "activation function")


def get(identifier):
    """An activation function by its name, or as it is; None is the linear one."""
    if identifier is None:
        return sys.modules[__name__].linear
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")


__getattr__, __dir__ = _surface.members_of(__name__)
