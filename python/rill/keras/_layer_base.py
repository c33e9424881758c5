"""What the classes of tf.keras.layers share: their settings are the arguments of their constructors."""

import inspect
import re

from rill import _nest
from rill._layer_call import native
from rill._layers import KerasLayer
from rill.keras import activations, backend, constraints, initializers, regularizers

_BASE = ("name", "trainable", "dtype", "activity_regularizer")
_TRAINED_OTHERWISE = ("Dropout", "BatchNormalization")  # whose C++ classes do not ask for the learning phase
_OF_RAGGED = ("Embedding", "Activation", "ReLU", "LeakyReLU", "ELU", "Dropout")  # what they do to each value alone
_OPTIONAL = ("strides", "output_padding")  # None: as the pool size, as small as it can be
_PER_DIMENSION = ("kernel_size", "strides", "pool_size", "dilation_rate", "size", "output_padding")


def as_sizes(value, rank, name):
    """A tuple of one whole number for each dimension."""
    if value is None and name in _OPTIONAL or isinstance(value, tuple) and len(value) == rank:
        return value
    if isinstance(value, int):
        return (value,) * rank
    try:
        sizes = tuple(int(part) for part in value)
    except (TypeError, ValueError):
        sizes = ()
    if len(sizes) != rank:
        raise ValueError(f"The `{name}` argument must be a tuple of {rank} integers. Received: {value}")
    return sizes


def as_margins(value, rank, name):
    """A pair of numbers for each dimension, of one number, one for each dimension, or pairs."""
    if isinstance(value, int):
        return ((value, value),) * rank
    if rank == 1 and isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return (tuple(value),)
    if not isinstance(value, (list, tuple)) or len(value) != rank:
        pairs = f"a tuple of {rank} ints, or a tuple of {rank} tuples of 2 ints" if rank > 1 else "a tuple of 2 integers"
        raise ValueError(f"`{name}` should be either an int, {pairs} and have {rank} elements. Found: {value}")
    return tuple((part, part) if isinstance(part, int) else tuple(part) for part in value)


def _settled(layer, name, value):
    """A setting in the form that the layer keeps it in."""
    if name in ("activation", "recurrent_activation"):
        return activations.get(value)
    for ending, module in (("_initializer", initializers), ("_regularizer", regularizers),
                           ("_constraint", constraints)):
        if name.endswith(ending):
            return module.get(value)
    if name in _PER_DIMENSION and layer._rank:
        sizes = as_sizes(value, layer._rank, name)
        if sizes is not None and min(sizes) < (0 if name == "output_padding" else 1):
            raise ValueError(f"The `{name}` argument must be a tuple of {layer._rank} positive integers. "
                             f"Received: {value}")
        return sizes
    if name == "data_format" and layer._rank:
        return (value or backend.image_data_format()).lower()
    if name in ("padding", "cropping"):
        return value.lower() if isinstance(value, str) else as_margins(value, layer._rank, name)
    return value


def serialized(name, value):
    """A setting as get_config tells it."""
    if name in ("activation", "recurrent_activation"):
        return activations.serialize(value)
    for ending, module in (("_initializer", initializers), ("_regularizer", regularizers),
                           ("_constraint", constraints)):
        if name.endswith(ending):
            return None if value is None else module.serialize(value)
    return value


class Configured(KerasLayer):
    """A layer of tf.keras that C++ computes."""

    _rank = 0  # dimensions of space
    _weight_names = ()
    _calls_quickly = True

    def _set_up(self, given, **more):
        """Keeps the arguments of the constructor, as locals() gives them."""
        kwargs = given.pop("kwargs", {})
        given = {key: value for key, value in given.items() if key not in ("self", "__class__")}
        base = {key: given.pop(key) for key in list(given) if key in _BASE}
        base = {key: value for key, value in base.items() if value is not None}
        if "activity_regularizer" in base:
            base["activity_regularizer"] = regularizers.get(base["activity_regularizer"])
        KerasLayer.__init__(self, **{**base, **kwargs})
        for name, value in {**given, **more}.items():
            object.__setattr__(self, name, _settled(self, name, value))

    @native
    def build(self, input_shape):
        """Makes the variables."""
        super().build(input_shape)
        made = {}
        for variable in self._core.weights():
            name = variable.name.split("/")[-1].split(":")[0]  # "kernel_1" where another layer has "kernel"
            made[name if name in self._weight_names else re.sub(r"_\d+$", "", name)] = variable
        for name in self._weight_names:
            object.__setattr__(self, name, made.get(name))
        self._core.settings_changed()

    @native
    def call(self, inputs, training=None, mask=None):
        """What the layer computes."""
        if self._kind in _OF_RAGGED and _nest.is_ragged(inputs):
            return inputs.with_flat_values(self.call(inputs.flat_values, training))
        if training is None and self._kind in _TRAINED_OTHERWISE:
            training = backend.learning_phase()
        masks = None if mask is None else _nest.flatten(mask) if isinstance(mask, (list, tuple)) else [mask]
        return self._core.own_call(_nest.flatten(inputs), training, masks, [])

    def get_config(self):
        """The arguments that make the same layer."""
        config = super().get_config()
        for name in inspect.signature(type(self).__init__).parameters:
            if name in ("self", "kwargs", "args") or name in config:
                continue
            if name == "activity_regularizer":
                config[name] = regularizers.serialize(self.activity_regularizer)
            elif hasattr(self, name):
                value = getattr(self, name)
                if self._rank == 1 and name in ("padding", "cropping", "size") and isinstance(value, tuple):
                    value = value[0]  # what is told of the only dimension
                config[name] = serialized(name, value)
        return config


Configured.build._is_native = Configured.call._is_native = True
