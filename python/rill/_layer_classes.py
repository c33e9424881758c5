"""The classes of tf.layers: attributes as TensorFlow's have; the work is done in C++."""

import importlib

from rill import _rill
from rill._initializers import ones_initializer, zeros_initializer
from rill._layer_call import as_list, native
from rill._layers import Layer

_ZEROS, _ONES = zeros_initializer(), ones_initializer()


_KERAS = {"activation": "activations", "initializer": "initializers", "regularizer": "regularizers",
          "constraint": "constraints"}


def _meant(name, value):
    """What a name of Keras or its description in a dict stands for; others are what they are."""
    module = _KERAS.get(name.rpartition("_")[2])
    if module is None or not isinstance(value, (str, dict)):
        return value
    return importlib.import_module(f"rill.keras.{module}").get(value)


def keep(layer, values, names):
    """Makes some of the arguments of __init__ attributes."""
    for name in names.split():
        setattr(layer, name, _meant(name, values[name]))


class _Native(Layer):
    """A layer that C++ has, of one input."""

    _calls_quickly = True

    @native
    def call(self, inputs):
        """What the layer computes."""
        return self._core.own_call(as_list(inputs), None, None, [])


_WEIGHTS = ("{0}_initializer bias_initializer {0}_regularizer bias_regularizer {0}_constraint "
            "bias_constraint activation use_bias")


class Dense(_Native):
    """activation(x * kernel + bias), along the last dimension."""

    _kind, _weight_names = "Dense", ("kernel", "bias")

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=_ZEROS, kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 trainable=True, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer,
                         **kwargs)
        self.units = units if isinstance(units, int) else int(units)
        keep(self, locals(), _WEIGHTS.format("kernel"))
        self._core.own_check()
        self._show_specs()


class Dropout(Layer):
    """While training, elements that become 0 at random; the others grow by as much."""

    _kind = "Dropout"

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        keep(self, locals(), "rate noise_shape seed")
        self._core.own_check()

    @native
    def call(self, inputs, training=False):
        """What the layer computes."""
        return self._core.own_call(as_list(inputs), training, None, [])


class Flatten(_Native):
    """All dimensions but the first as one."""

    _kind = "Flatten"

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = _rill.layer_data_format(data_format or "channels_last")
        self._show_specs()


class _Conv(_Native):
    """A convolution over `_rank` dimensions of space."""

    _rank, _weight_names = None, ("kernel", "bias")

    def _set_up(self, values, weights):
        self.rank = self._rank
        self.filters = int(values["filters"]) if values["filters"] is not None else None
        self.kernel_size = _rill.layer_sizes(values["kernel_size"], self.rank, "kernel_size", 1)
        self.strides = _rill.layer_sizes(values["strides"], self.rank, "strides", 0)
        self.padding = _rill.layer_padding(values["padding"])
        self.data_format = _rill.layer_data_format(values["data_format"] or "channels_last")
        self.dilation_rate = _rill.layer_sizes(values.get("dilation_rate", 1), self.rank,
                                               "dilation_rate", 1)
        keep(self, values, weights)
        self._core.own_check()
        self._show_specs()


def _base_arguments(values):
    names = ("trainable", "name", "activity_regularizer")
    return {**{name: values[name] for name in names}, **values["kwargs"]}


class Conv1D(_Conv):
    """A convolution of sequences."""

    _kind, _rank = "Conv1D", 1

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last",
                 dilation_rate=1, activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=_ZEROS, kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 trainable=True, name=None, **kwargs):
        super().__init__(**_base_arguments(locals()))
        self._set_up(locals(), _WEIGHTS.format("kernel"))


class Conv2D(_Conv):
    """A convolution of images."""

    _kind, _rank = "Conv2D", 2

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid",
                 data_format="channels_last", dilation_rate=(1, 1), activation=None, use_bias=True,
                 kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(**_base_arguments(locals()))
        self._set_up(locals(), _WEIGHTS.format("kernel"))


class Conv3D(_Conv):
    """A convolution of volumes."""

    _kind, _rank = "Conv3D", 3

    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid",
                 data_format="channels_last", dilation_rate=(1, 1, 1), activation=None,
                 use_bias=True, kernel_initializer=None, bias_initializer=_ZEROS,
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(**_base_arguments(locals()))
        self._set_up(locals(), _WEIGHTS.format("kernel"))


class Conv2DTranspose(_Conv):
    """The transpose of a convolution of images."""

    _kind, _rank, output_padding = "Conv2DTranspose", 2, None

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid",
                 data_format="channels_last", activation=None, use_bias=True,
                 kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(**_base_arguments(locals()))
        self._set_up(locals(), _WEIGHTS.format("kernel"))


class Conv3DTranspose(_Conv):
    """The transpose of a convolution of volumes."""

    _kind, _rank, output_padding = "Conv3DTranspose", 3, None

    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid",
                 data_format="channels_last", activation=None, use_bias=True,
                 kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(**_base_arguments(locals()))
        self._set_up(locals(), _WEIGHTS.format("kernel"))


class _SeparableConv(_Conv):
    """Each channel by itself, then a mixing of channels."""

    _weight_names = ("depthwise_kernel", "pointwise_kernel", "bias")
    _settings = (_WEIGHTS.format("depthwise") + " pointwise_initializer pointwise_regularizer "
                 "pointwise_constraint depth_multiplier")


class SeparableConv1D(_SeparableConv):
    """Each channel of a sequence by itself, then a mixing of channels."""

    _kind, _rank = "SeparableConv1D", 1

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last",
                 dilation_rate=1, depth_multiplier=1, activation=None, use_bias=True,
                 depthwise_initializer=None, pointwise_initializer=None, bias_initializer=_ZEROS,
                 depthwise_regularizer=None, pointwise_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, depthwise_constraint=None, pointwise_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(**_base_arguments(locals()))
        self._set_up(locals(), self._settings)


class SeparableConv2D(_SeparableConv):
    """Each channel of an image by itself, then a mixing of channels."""

    _kind, _rank = "SeparableConv2D", 2

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid",
                 data_format="channels_last", dilation_rate=(1, 1), depth_multiplier=1,
                 activation=None, use_bias=True, depthwise_initializer=None,
                 pointwise_initializer=None, bias_initializer=_ZEROS, depthwise_regularizer=None,
                 pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None,
                 trainable=True, name=None, **kwargs):
        super().__init__(**_base_arguments(locals()))
        self._set_up(locals(), self._settings)


class _Pooling(_Native):
    """The largest element, or the mean, of each window."""

    _rank = None

    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        super().__init__(name=name, **kwargs)
        self.pool_size = _rill.layer_sizes(pool_size, self._rank, "pool_size", 1)
        self.strides = _rill.layer_sizes(strides, self._rank, "strides", 0)
        self.padding = _rill.layer_padding(padding)
        self.data_format = _rill.layer_data_format(data_format or "channels_last")
        self._show_specs()


def _pooling(kind, rank, doc):
    return type(kind, (_Pooling,), {"__doc__": doc, "__module__": __name__, "_kind": kind,
                                    "_rank": rank})


MaxPooling1D = _pooling("MaxPooling1D", 1, "The largest element of each window of a sequence.")
MaxPooling2D = _pooling("MaxPooling2D", 2, "The largest element of each window of an image.")
MaxPooling3D = _pooling("MaxPooling3D", 3, "The largest element of each window of a volume.")
AveragePooling1D = _pooling("AveragePooling1D", 1, "The mean of each window of a sequence.")
AveragePooling2D = _pooling("AveragePooling2D", 2, "The mean of each window of an image.")
AveragePooling3D = _pooling("AveragePooling3D", 3, "The mean of each window of a volume.")


class BatchNormalization(Layer):
    """Subtracts the mean and divides by the deviation, of the batch or of its moving averages."""

    _kind = "BatchNormalization"
    _weight_names = ("gamma", "beta", "moving_mean", "moving_variance", "moving_stddev",
                     "renorm_mean", "renorm_stddev")

    def __init__(self, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True,
                 beta_initializer=_ZEROS, gamma_initializer=_ONES, moving_mean_initializer=_ZEROS,
                 moving_variance_initializer=_ONES, beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, renorm=False, renorm_clipping=None,
                 renorm_momentum=0.99, fused=None, trainable=True, virtual_batch_size=None,
                 adjustment=None, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise TypeError("Expected an int or a list/tuple of ints for the argument 'axis', but "
                            f"received: {axis!r}")
        self.axis = axis if isinstance(axis, int) else list(axis)
        unknown = set(renorm_clipping or {}) - {"rmax", "rmin", "dmax"}
        if renorm and unknown:
            raise ValueError("Received invalid keys for `renorm_clipping` argument: "
                             f"{renorm_clipping}. Supported values: ['rmax', 'rmin', 'dmax'].")
        keep(self, locals(), "momentum epsilon center scale beta_initializer gamma_initializer "
             "moving_mean_initializer moving_variance_initializer beta_regularizer "
             "gamma_regularizer beta_constraint gamma_constraint renorm renorm_clipping "
             "renorm_momentum fused virtual_batch_size adjustment")

    @native
    def build(self, input_shape):
        """Makes the variables."""
        super().build(input_shape)
        self.axis, self.fused = _rill.normalization_state(self)

    @native
    def call(self, inputs, training=False, mask=None):
        """What the layer computes."""
        masks = None if mask is None else as_list(mask)
        return self._core.own_call(as_list(inputs), training, masks, [])
