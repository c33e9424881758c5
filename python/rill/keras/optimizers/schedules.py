"""tf.keras.optimizers.schedules: learning rates that change with the number of steps."""

import sys

from rill import _surface
from rill._rill.functions import train as _train
from rill.keras import _objects


class LearningRateSchedule:
    """A learning rate for each step."""

    def __call__(self, step):
        """The learning rate after so many steps."""
        raise NotImplementedError("Learning rate schedule must override __call__")

    def get_config(self):
        """The arguments that make the same schedule."""
        raise NotImplementedError("Learning rate schedule must override get_config")

    @classmethod
    def from_config(cls, config):
        """The schedule that `get_config` describes."""
        return cls(**config)


class _Decay(LearningRateSchedule):
    _function = None

    def _set_up(self, given):
        self._settings = {key: value for key, value in given.items() if key not in ("self", "__class__")}
        for key, value in self._settings.items():
            setattr(self, key, value)

    def _arguments(self):
        settings = dict(self._settings)
        return {"learning_rate": settings.pop("initial_learning_rate"), **settings}

    def __call__(self, step):
        """The learning rate after so many steps."""
        return self._function(global_step=step, **self._arguments())

    def get_config(self):
        """The arguments that make the same schedule."""
        return dict(self._settings)


class ExponentialDecay(_Decay):
    """rate * decay_rate ** (step / decay_steps)"""

    _function = staticmethod(_train.exponential_decay)

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        self._set_up(locals())


class InverseTimeDecay(_Decay):
    """rate / (1 + decay_rate * step / decay_steps)"""

    _function = staticmethod(_train.inverse_time_decay)

    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        self._set_up(locals())


class PolynomialDecay(_Decay):
    """From the first rate to the last along a power of the steps."""

    _function = staticmethod(_train.polynomial_decay)

    def __init__(self, initial_learning_rate, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False,
                 name=None):
        self._set_up(locals())


class PiecewiseConstantDecay(_Decay):
    """One of several rates, by bounds of the steps."""

    def __init__(self, boundaries, values, name=None):
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        self._set_up(locals())

    def __call__(self, step):
        """The learning rate after so many steps."""
        boundaries = [float(b) if step.dtype.is_floating else b for b in self.boundaries]
        return _train.piecewise_constant(step, boundaries, self.values, self.name)


class CosineDecay(_Decay):
    """Half a cosine from the rate to a part of it."""

    _function = staticmethod(_train.cosine_decay)

    def __init__(self, initial_learning_rate, decay_steps, alpha=0.0, name=None):
        self._set_up(locals())


class CosineDecayRestarts(_Decay):
    """Half cosines one after the other, each longer and lower."""

    _function = staticmethod(_train.cosine_decay_restarts)

    def __init__(self, initial_learning_rate, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None):
        self._set_up(locals())


class LinearCosineDecay(_Decay):
    """A line times a cosine."""

    _function = staticmethod(_train.linear_cosine_decay)

    def __init__(self, initial_learning_rate, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
        self._set_up(locals())


class NoisyLinearCosineDecay(_Decay):
    """A line times a cosine, with noise."""

    _function = staticmethod(_train.noisy_linear_cosine_decay)

    def __init__(self, initial_learning_rate, decay_steps, initial_variance=1.0, variance_decay=0.55,
                 num_periods=0.5, alpha=0.0, beta=0.001, name=None):
        self._set_up(locals())


def serialize(learning_rate_schedule):
    """A dict of a schedule."""
    return _objects.serialize_keras_object(learning_rate_schedule)


def deserialize(config, custom_objects=None):
    """The schedule that a dict describes."""
    return _objects.deserialize_keras_object(config, _objects.Names(sys.modules[__name__]), custom_objects,
                                             "decay")


__getattr__, __dir__ = _surface.members_of(__name__)
