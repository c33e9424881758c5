"""tf.keras.constraints: what weights become after each update."""

import sys

from rill import _rill, _surface
from rill.keras import _objects


class Constraint:
    """The base class of constraints."""

    def __call__(self, w):
        """The weights as they shall be."""
        return w

    def get_config(self):
        """The arguments that make the same constraint."""
        return {}

    @classmethod
    def from_config(cls, config):
        """The constraint that `get_config` describes."""
        return cls(**config)


class MaxNorm(Constraint):
    """Norms are at most `max_value`."""

    def __init__(self, max_value=2, axis=0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w):
        """The weights as they shall be."""
        return _rill.functions._keras.max_norm(w, self.max_value, self.axis)

    def get_config(self):
        """The arguments that make the same constraint."""
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    """No weight is negative."""

    def __call__(self, w):
        """The weights as they shall be."""
        return _rill.functions._keras.non_neg(w)


class UnitNorm(Constraint):
    """Norms are one."""

    def __init__(self, axis=0):
        self.axis = axis

    def __call__(self, w):
        """The weights as they shall be."""
        return _rill.functions._keras.unit_norm(w, self.axis)

    def get_config(self):
        """The arguments that make the same constraint."""
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    """Norms are drawn between two bounds."""

    def __init__(self, min_value=0.0, max_value=1.0, rate=1.0, axis=0):
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w):
        """The weights as they shall be."""
        return _rill.functions._keras.min_max_norm(w, self.min_value, self.max_value, self.rate, self.axis)

    def get_config(self):
        """The arguments that make the same constraint."""
        return {"min_value": self.min_value, "max_value": self.max_value, "rate": self.rate,
                "axis": self.axis}


class RadialConstraint(Constraint):
    """Filters hold equal values at equal distance from their middle."""

    def __call__(self, w):
        """The weights as they shall be."""
        return _rill.functions._keras.radial_constraint(w)


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm
radial_constraint = RadialConstraint


def serialize(constraint):
    """A dict of a constraint."""
    return _objects.serialize_keras_object(constraint)


def deserialize(config, custom_objects=None):
    """The constraint that a dict or a name describes."""
    return _objects.deserialize_keras_object(config, _objects.Names(sys.modules[__name__]), custom_objects,
                                             "constraint")


def get(identifier):
    """A constraint by its name, its dict, or as it is."""
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (dict, str)):
        return deserialize(identifier)
    raise ValueError(f"Could not interpret constraint identifier: {identifier}")


__getattr__, __dir__ = _surface.members_of(__name__)
