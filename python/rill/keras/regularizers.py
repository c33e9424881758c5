"""tf.keras.regularizers: what large weights cost."""

import sys

from rill import _rill, _surface
from rill.keras import _objects, backend


class Regularizer:
    """The base class of regularizers."""

    def __call__(self, x):
        """The loss of a tensor."""
        return 0.0

    @classmethod
    def from_config(cls, config):
        """The regularizer that `get_config` describes."""
        return cls(**config)


class L1L2(Regularizer):
    """l1 * sum(|x|) + l2 * sum(x * x)"""

    def __init__(self, l1=0.0, l2=0.0):
        self.l1, self.l2 = backend.cast_to_floatx(l1), backend.cast_to_floatx(l2)

    def __call__(self, x):
        """The loss of a tensor."""
        return _rill.functions._keras.penalty(x, float(self.l1), float(self.l2))

    def get_config(self):
        """The arguments that make the same regularizer."""
        return {"l1": float(self.l1), "l2": float(self.l2)}


def l1(l=0.01):  # noqa: E741
    """l * sum(|x|)"""
    return L1L2(l1=l)


def l2(l=0.01):  # noqa: E741
    """l * sum(x * x)"""
    return L1L2(l2=l)


def l1_l2(l1=0.01, l2=0.01):
    """Both together."""
    return L1L2(l1=l1, l2=l2)


def serialize(regularizer):
    """A dict of a regularizer."""
    return _objects.serialize_keras_object(regularizer)


def deserialize(config, custom_objects=None):
    """The regularizer that a dict or a name describes."""
    if config == "l1_l2":
        return L1L2(l1=0.01, l2=0.01)
    if isinstance(config, dict) and config.get("class_name") in ("L1", "L2"):  # as later Keras names them
        config = {**config, "class_name": "L1L2"}
    return _objects.deserialize_keras_object(config, _objects.Names(sys.modules[__name__]), custom_objects,
                                             "regularizer")


def get(identifier):
    """A regularizer by its name, its dict, or as it is."""
    if identifier is None:
        return None
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        found = deserialize(identifier)
        return found() if found in (l1, l2, l1_l2) else found
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret regularizer identifier: {identifier}")


__getattr__, __dir__ = _surface.members_of(__name__)
