"""Layers of tf.keras that work on single examples: dense ones, activations, shapes, noise, words."""

import sys
import types
import warnings

import numpy as np

from rill._input_spec import InputSpec
from rill._layers import KerasLayer
from rill.keras import _objects, backend, regularizers
from rill.keras._layer_base import Configured


class Dense(Configured):
    """activation(x * kernel + bias)"""

    _kind = "Dense"
    _weight_names = ("kernel", "bias")

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, **kwargs):
        if "input_shape" not in kwargs and "input_dim" in kwargs:
            kwargs["input_shape"] = (kwargs.pop("input_dim"),)
        self._set_up(locals())
        self.units = int(units)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)


class Activation(Configured):
    """A function of each element."""

    _kind = "Activation"

    def __init__(self, activation, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class Dropout(Configured):
    """While training, elements that become 0 at random."""

    _calls_quickly = False
    _kind = "Dropout"

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class Flatten(Configured):
    """All dimensions but the first as one."""

    _kind = "Flatten"

    def __init__(self, data_format=None, **kwargs):
        self._set_up(locals())
        self.data_format = (data_format or backend.image_data_format()).lower()
        self.input_spec = InputSpec(min_ndim=1)


class Reshape(Configured):
    """Examples in another shape."""

    _kind = "Reshape"

    def __init__(self, target_shape, **kwargs):
        self._set_up(locals())
        self.target_shape = tuple(target_shape)


class Permute(Configured):
    """Dimensions of examples in another order, counted from 1."""

    _kind = "Permute"

    def __init__(self, dims, **kwargs):
        self._set_up(locals())
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(f"Invalid permutation `dims` for Permute Layer: {dims}. The set of indices in "
                             "`dims` must be consecutive and start from 1.")
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)


class RepeatVector(Configured):
    """Each vector n times."""

    _kind = "RepeatVector"

    def __init__(self, n, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=2)


class Masking(Configured):
    """Hides the steps that hold nothing but a value."""

    _kind = "Masking"

    def __init__(self, mask_value=0.0, **kwargs):
        self._set_up(locals())
        self.supports_masking = True
        self._compute_output_and_mask_jointly = True


class ActivityRegularization(Configured):
    """Adds a loss of what comes by."""

    _kind = "ActivityRegularization"

    def __init__(self, l1=0.0, l2=0.0, **kwargs):
        self._set_up(dict(locals()), activity_regularizer=None)
        self.activity_regularizer = regularizers.L1L2(l1=l1, l2=l2)
        self.supports_masking = True


class Lambda(KerasLayer):
    """A function of a program as a layer."""

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function, self.arguments = function, dict(arguments or {})
        self._output_shape, self.mask = output_shape, mask
        self.supports_masking = mask is not None

    def call(self, inputs, mask=None, training=None):
        """What the function makes of the inputs."""
        from rill._layer_call import call_arguments_of
        known, given = call_arguments_of(self.function), dict(self.arguments)
        if known.has("mask"):
            given["mask"] = mask
        if known.has("training"):
            given["training"] = training
        return self.function(inputs, **given)

    def compute_mask(self, inputs, mask=None):
        """The mask that was given, or what its function makes of the inputs."""
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape):
        """The shape that was given, or what its function makes of the input's."""
        if self._output_shape is None:
            return super().compute_output_shape(input_shape)
        if callable(self._output_shape):
            return self._output_shape(input_shape)
        return (tuple(input_shape)[0],) + tuple(self._output_shape)

    def get_config(self):
        """The arguments that make the same layer; functions with their code, so that they need not be known."""
        config = {**super().get_config(), **_described("function", "module", self.function),
                  **_described("output_shape", "output_shape_module", self._output_shape), "arguments": self.arguments}
        return config if self.mask is None else {**config, **_described("mask", "mask_module", self.mask)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The layer that `get_config` describes."""
        config = dict(config)
        for name, module in (("function", "module"), ("output_shape", "output_shape_module"), ("mask", "mask_module")):
            if name in config:
                config[name] = _found(config[name], config.pop(name + "_type", None), config.pop(module, None),
                                      custom_objects)
        arguments = {key: np.array(value["value"]) if isinstance(value, dict) and value.get("type") == "ndarray" else value
                     for key, value in (config.get("arguments") or {}).items()}
        return cls(**{**config, "arguments": arguments})


def _described(name, module, value):
    """How a function, or another value, stands in the dict of a Lambda layer."""
    if isinstance(value, types.FunctionType):
        return {name: _objects.func_dump(value), name + "_type": "lambda", module: value.__module__}
    if callable(value):
        return {name: value.__name__, name + "_type": "function", module: value.__module__}
    return {name: value, name + "_type": "raw", module: None}


def _found(value, kind, module, custom_objects):
    """What `_described` tells of; names in the code of a function are those of the module that had it."""
    if kind == "lambda":
        if module is not None and module not in sys.modules:
            warnings.warn(f"{module} is not loaded, but a Lambda layer uses it. It may cause errors.", UserWarning)
        names = {"__builtins__": __builtins__, "np": np, "K": backend}
        return _objects.func_load(value, globs={**names, **vars(sys.modules.get(module, types.ModuleType("unknown")))})
    if kind == "function" or (kind is None and isinstance(value, str)):
        return _objects.deserialize_keras_object(value, _objects.Names(sys.modules[module]) if module in sys.modules else None,
                                                 custom_objects, "function in Lambda layer")
    return value


class SpatialDropout1D(Configured):
    """While training, channels that become 0 at random."""

    _kind = "SpatialDropout"

    def __init__(self, rate, **kwargs):
        self._set_up(locals())
        self.supports_masking = True
        self.input_spec = InputSpec(ndim=3)


class SpatialDropout2D(Configured):
    """While training, channels that become 0 at random."""

    _kind = "SpatialDropout"
    _rank = 2

    def __init__(self, rate, data_format=None, **kwargs):
        self._set_up(locals())
        self.supports_masking = True
        self.input_spec = InputSpec(ndim=4)


class SpatialDropout3D(Configured):
    """While training, channels that become 0 at random."""

    _kind = "SpatialDropout"
    _rank = 3

    def __init__(self, rate, data_format=None, **kwargs):
        self._set_up(locals())
        self.supports_masking = True
        self.input_spec = InputSpec(ndim=5)


class GaussianNoise(Configured):
    """While training, normally distributed noise is added."""

    _kind = "GaussianNoise"

    def __init__(self, stddev, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class GaussianDropout(Configured):
    """While training, elements are multiplied by noise around one."""

    _kind = "GaussianDropout"

    def __init__(self, rate, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class AlphaDropout(Configured):
    """Dropout that keeps mean and spread, for selu."""

    _kind = "AlphaDropout"

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class LeakyReLU(Configured):
    """x, or alpha * x where it is negative."""

    _kind = "LeakyReLU"

    def __init__(self, alpha=0.3, **kwargs):
        self._set_up(locals())
        self.alpha = np.asarray(alpha, dtype="float32")
        self.supports_masking = True


class PReLU(Configured):
    """x, or alpha * x where it is negative, with alphas that are learnt."""

    _kind = "PReLU"
    _weight_names = ("alpha",)

    def __init__(self, alpha_initializer="zeros", alpha_regularizer=None, alpha_constraint=None,
                 shared_axes=None, **kwargs):
        self._set_up(locals())
        if shared_axes is not None and not isinstance(shared_axes, (list, tuple)):
            self.shared_axes = [shared_axes]
        self.supports_masking = True


class ELU(Configured):
    """x, or alpha * (exp(x) - 1) where it is negative."""

    _kind = "ELU"

    def __init__(self, alpha=1.0, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class ThresholdedReLU(Configured):
    """x where it is above theta, else 0."""

    _kind = "ThresholdedReLU"

    def __init__(self, theta=1.0, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class Softmax(Configured):
    """Positive numbers that add up to one along an axis."""

    _kind = "Softmax"

    def __init__(self, axis=-1, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class ReLU(Configured):
    """x above the threshold, at most max_value."""

    _kind = "ReLU"

    def __init__(self, max_value=None, negative_slope=0, threshold=0, **kwargs):
        if max_value is not None and max_value < 0.0:
            raise ValueError(f"max_value of a ReLU layer cannot be a negative value. Got: {max_value}")
        if negative_slope < 0.0:
            raise ValueError(f"negative_slope of a ReLU layer cannot be a negative value. Got: {negative_slope}")
        self._set_up(locals())
        self.supports_masking = True


class Embedding(Configured):
    """Whole numbers as vectors, which are learnt."""

    _kind = "Embedding"
    _weight_names = ("embeddings",)

    def __init__(self, input_dim, output_dim, embeddings_initializer="uniform", embeddings_regularizer=None,
                 activity_regularizer=None, embeddings_constraint=None, mask_zero=False, input_length=None,
                 **kwargs):
        if "input_shape" not in kwargs:
            length = input_length if isinstance(input_length, (list, tuple)) else (input_length,)
            kwargs["input_shape"] = tuple(length)
        kwargs["dtype"] = kwargs.get("dtype") or backend.floatx()
        self._set_up(locals())
        self.supports_masking = mask_zero


class LayerNormalization(Configured):
    """Examples brought to mean 0 and spread 1 along axes, then scaled and shifted."""

    _kind = "LayerNormalization"
    _weight_names = ("gamma", "beta")

    def __init__(self, axis=-1, epsilon=0.001, center=True, scale=True, beta_initializer="zeros",
                 gamma_initializer="ones", beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, trainable=True, name=None, **kwargs):
        self._set_up(locals())
        self.supports_masking = True


class BatchNormalization(Configured):
    """Batches brought to mean 0 and spread 1, then scaled and shifted."""

    _calls_quickly = False
    _kind = "BatchNormalization"
    _weight_names = ("gamma", "beta", "moving_mean", "moving_variance")

    def __init__(self, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True,
                 beta_initializer="zeros", gamma_initializer="ones", moving_mean_initializer="zeros",
                 moving_variance_initializer="ones", beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, renorm=False, renorm_clipping=None,
                 renorm_momentum=0.99, fused=None, trainable=True, virtual_batch_size=None,
                 adjustment=None, name=None, **kwargs):
        self._set_up(locals())
        self.supports_masking = True

    def get_config(self):
        """The arguments that make the same layer; those that Keras lacks only where they are used."""
        config = super().get_config()
        if not self.renorm:
            for name in ("renorm", "renorm_clipping", "renorm_momentum"):
                del config[name]
        if self.virtual_batch_size is None:
            del config["virtual_batch_size"]
        del config["fused"], config["adjustment"]
        return config


