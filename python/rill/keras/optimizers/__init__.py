"""tf.keras.optimizers: how weights change along gradients. The work is done in C++."""

import sys

import numpy as np

from rill import _rill, _surface
from rill.errors import UnimplementedError
from rill.keras import _objects, backend
from rill.keras.optimizers import schedules


class Optimizer:
    """The base class of optimizers; their numbers are variables, so that programs can change them."""

    _kind = ""
    _hypers = ("learning_rate", "decay")

    def __init__(self, name, **kwargs):
        self._set_up({"name": name, "kwargs": kwargs})

    def _set_up(self, given):
        kwargs = given.pop("kwargs", {})
        settings = {key: value for key, value in given.items() if key not in ("self", "__class__")}
        for key in kwargs:
            if key not in ("clipnorm", "clipvalue", "lr", "decay", "schedule_decay"):
                raise TypeError(f"Unexpected keyword argument passed to optimizer: {key}")
            if kwargs[key] < 0:
                raise ValueError(f"Expected {key} >= 0, received: {kwargs[key]}")
        put = lambda key, value: object.__setattr__(self, key, value)  # noqa: E731
        if "lr" in kwargs:
            settings["learning_rate"] = kwargs["lr"]
        if "decay" in kwargs or "schedule_decay" in kwargs:
            settings["decay"] = kwargs.get("decay", kwargs.get("schedule_decay"))
        for key in ("clipnorm", "clipvalue"):
            if key in kwargs:
                settings[key] = kwargs[key]
                put(key, kwargs[key])
        put("_name", settings.get("name"))
        put("_settings", settings)
        if not self._kind:
            return
        put("_core", _rill.KerasOptimizer(self._kind, {
            key: _hyper(value) for key, value in settings.items()}))
        for key, value in settings.items():
            if key in ("epsilon", "nesterov", "centered", "amsgrad"):
                put(key, backend.epsilon() if key == "epsilon" and value is None else value)

    def _native(self):
        if "_core" not in self.__dict__:
            raise UnimplementedError(None, None, "optimizers of tf.keras that programs define themselves; tf.train's "
                                     "Optimizer can be derived from")
        return self._core

    def __getattr__(self, name):
        if name.startswith("__") or "_core" not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        name = "learning_rate" if name == "lr" else name
        if name not in self._core.hyper_names():
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        given = self._settings.get(name)
        if isinstance(given, schedules.LearningRateSchedule) or callable(given):
            return given
        self._core.create_hypers()
        return self._core.hyper_variable(name)

    def __setattr__(self, name, value):
        name = "learning_rate" if name == "lr" else name
        if "_core" not in self.__dict__ or name not in self._core.hyper_names():
            object.__setattr__(self, name, value)
            return
        variable = self._core.hyper_variable(name)
        self._settings[name] = value
        if variable is not None:
            backend.set_value(variable, value)
        else:
            self._core.set_hyper(name, _hyper(value))

    @property
    def iterations(self):
        """The number of steps taken."""
        return self._native().iterations()

    def get_gradients(self, loss, params):
        """The derivatives of a loss, clipped as asked for."""
        return self._native().get_gradients(loss, list(params))

    def apply_gradients(self, grads_and_vars, name=None):
        """An operation that changes variables along gradients."""
        return self._native().apply_gradients(list(grads_and_vars), name)

    def get_updates(self, loss, params):
        """Operations that make a loss smaller."""
        params = list(params)
        return [self.apply_gradients(zip(self.get_gradients(loss, params), params))]

    def minimize(self, loss, var_list, grad_loss=None, name=None):
        """An operation that makes a loss smaller."""
        if grad_loss is not None:
            raise UnimplementedError(None, None, "minimize of tf.keras's optimizers with grad_loss")
        if _rill.executing_eagerly() and callable(loss):
            return self._minimize_now(loss, var_list, name)
        loss = loss() if callable(loss) and not hasattr(loss, "op") else loss
        var_list = list(var_list() if callable(var_list) else var_list)
        return self.apply_gradients(zip(self.get_gradients(loss, var_list), var_list), name=name)

    def _minimize_now(self, loss, var_list, name):
        from rill import GradientTape
        with GradientTape() as tape:
            value = _rill.convert_to_tensor(loss())
        var_list = list(var_list() if callable(var_list) else var_list)
        return self.apply_gradients(zip(self._clipped(tape.gradient(value, var_list)), var_list), name=name)

    def _clipped(self, gradients):
        from rill import clip_by_norm, clip_by_value
        if "clipnorm" in self.__dict__:
            gradients = [None if g is None else clip_by_norm(g, self.clipnorm) for g in gradients]
        if "clipvalue" in self.__dict__:
            gradients = [None if g is None else clip_by_value(g, -self.clipvalue, self.clipvalue) for g in gradients]
        return gradients

    @property
    def weights(self):
        """The number of steps and the variables that belong to those trained."""
        return self._native().weights()

    def variables(self):
        """As weights."""
        return self.weights

    def get_weights(self):
        """The values of the variables."""
        return backend.batch_get_value(self.weights)

    def set_weights(self, weights):
        """Gives the variables values."""
        params = self.weights
        if len(params) != len(weights):
            raise ValueError(f"You called `set_weights(weights)` on optimizer {self._name} with a  weight list of "
                             f"length {len(weights)}, but the optimizer was expecting {len(params)} weights.")
        backend.batch_set_value(list(zip(params, weights)))

    def get_slot(self, var, slot_name):
        """A variable that belongs to one that is trained."""
        return self._native().get_slot(var, slot_name)

    def get_slot_names(self):
        """The names of such variables."""
        return self._native().slot_names()

    def add_slot(self, var, slot_name, initializer="zeros"):
        """For optimizers that programs define, which are not there."""
        raise UnimplementedError(None, None, "Optimizer.add_slot")

    def add_weight(self, name, shape, dtype=None, initializer="zeros", trainable=None, synchronization=None,
                   aggregation=None):
        """For optimizers that programs define, which are not there."""
        raise UnimplementedError(None, None, "Optimizer.add_weight")

    def _now(self, name, value):
        variable = self._core.hyper_variable(name) if "_core" in self.__dict__ else None
        if isinstance(value, schedules.LearningRateSchedule):
            return schedules.serialize(value)
        if variable is None or callable(value):
            return value() if callable(value) else value
        return np.float32(backend.get_value(variable))

    def get_config(self):
        """The arguments that make the same optimizer."""
        config = {"name": self._name}
        settings = {"learning_rate": None, "decay": 0.0, **self._settings}  # in Keras's order
        for key, value in settings.items():
            if key in ("name", "clipnorm", "clipvalue"):
                config[key] = value
            elif "_core" in self.__dict__ and key in self._core.hyper_names():
                config[key] = self._now(key, value)
            else:
                config[key] = value
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The optimizer that `get_config` describes."""
        config = dict(config)
        config = {key: value for key, value in config.items()
                  if _LATER.get(key, _LATER) != value and key not in ("jit_compile", "is_legacy_optimizer")}
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            config["learning_rate"] = schedules.deserialize(config["learning_rate"], custom_objects)
        return cls(**config)


def _hyper(value):
    """A number, or a function of the steps taken."""
    if isinstance(value, schedules.LearningRateSchedule):
        return value
    if callable(value) and not hasattr(value, "op"):
        return lambda step: value()
    if hasattr(value, "op"):
        return lambda step: value
    return value


class SGD(Optimizer):
    """A step along the gradient, with momentum where it is asked for."""

    _kind = "SGD"

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, name="SGD", **kwargs):
        self._set_up(locals())


class RMSprop(Optimizer):
    """Gradients divided by the root of their mean square."""

    _kind = "RMSprop"

    def __init__(self, learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-07, centered=False,
                 name="RMSprop", **kwargs):
        self._set_up(locals())


class Adagrad(Optimizer):
    """Gradients divided by the root of the sum of their squares."""

    _kind = "Adagrad"

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-07, name="Adagrad",
                 **kwargs):
        self._set_up(locals())


class Adadelta(Optimizer):
    """Gradients scaled by the size of earlier changes."""

    _kind = "Adadelta"

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-07, name="Adadelta", **kwargs):
        self._set_up(locals())


class Adam(Optimizer):
    """Mean gradients divided by the root of their mean square."""

    _kind = "Adam"

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-07, amsgrad=False,
                 name="Adam", **kwargs):
        self._set_up(locals())


class Adamax(Optimizer):
    """Mean gradients divided by their largest size."""

    _kind = "Adamax"

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-07, name="Adamax",
                 **kwargs):
        self._set_up(locals())


class Nadam(Optimizer):
    """Adam that looks one step ahead."""

    _kind = "Nadam"

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-07, name="Nadam",
                 **kwargs):
        self._set_up(locals())


class Ftrl(Optimizer):
    """Follows the regularized leader."""

    _kind = "Ftrl"

    def __init__(self, learning_rate=0.001, learning_rate_power=-0.5, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, name="Ftrl",
                 l2_shrinkage_regularization_strength=0.0, **kwargs):
        self._set_up(locals())


class TFOptimizer:
    """One of tf.train's optimizers in a model."""

    def __init__(self, optimizer):
        self.optimizer = optimizer
        with backend.name_scope("TFOptimizer"):
            self.iterations = backend.variable(0, dtype="int64", name="iterations")

    def get_updates(self, loss, params):
        """Operations that make a loss smaller."""
        gradients = self.optimizer.compute_gradients(loss, list(params))
        return [self.optimizer.apply_gradients(gradients, global_step=self.iterations)]

    def get_config(self):
        """tf.train's optimizers cannot be written down."""
        raise NotImplementedError("tf.train's optimizers have no config")

    @property
    def weights(self):
        """tf.train's optimizers keep their variables themselves."""
        raise NotImplementedError("tf.train's optimizers do not tell their weights")


# Settings that later versions of Keras write, with the values that mean what this one does.
_LATER = {"weight_decay": None, "clipnorm": None, "clipvalue": None, "global_clipnorm": None, "use_ema": False,
          "ema_momentum": 0.99, "ema_overwrite_frequency": None}

_BY_NAME = {"sgd": SGD, "rmsprop": RMSprop, "adagrad": Adagrad, "adadelta": Adadelta, "adam": Adam,
            "adamax": Adamax, "nadam": Nadam, "ftrl": Ftrl}


def serialize(optimizer):
    """A dict of an optimizer."""
    return _objects.serialize_keras_object(optimizer)


def deserialize(config, custom_objects=None):
    """The optimizer that a dict describes."""
    name = config["class_name"].rpartition(">")[2].lower()  # later versions write "Custom>Adam"
    if name in _BY_NAME:
        config = {**config, "class_name": name}
    return _objects.deserialize_keras_object(config, _BY_NAME, custom_objects, "optimizer")


def get(identifier):
    """An optimizer by its name, its dict, or as it is."""
    if isinstance(identifier, (Optimizer, TFOptimizer)):
        return identifier
    if hasattr(identifier, "compute_gradients"):
        return TFOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")


__getattr__, __dir__ = _surface.members_of(__name__)
sys.modules[__name__].schedules = schedules
