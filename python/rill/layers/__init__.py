"""tf.layers: layers as classes, and as functions that make one and call it."""

from rill import _surface
from rill._initializers import ones_initializer as _ones, zeros_initializer as _zeros
from rill._input_spec import InputSpec
from rill._layer_classes import (AveragePooling1D, AveragePooling2D, AveragePooling3D,
                                 BatchNormalization, Conv1D, Conv2D, Conv2DTranspose, Conv3D,
                                 Conv3DTranspose, Dense, Dropout, Flatten, MaxPooling1D,
                                 MaxPooling2D, MaxPooling3D, SeparableConv1D, SeparableConv2D)
from rill._layers import Layer

_ZEROS, _ONES = _zeros(), _ones()


def _once(kind, arguments):
    """What a new layer makes of the inputs; its variable scope has the name that is given."""
    inputs, reuse, name = arguments.pop("inputs"), arguments.pop("reuse"), arguments["name"]
    return kind(**arguments, _scope=name, _reuse=reuse)(inputs)


def dense(inputs, units, activation=None, use_bias=True, kernel_initializer=None,
          bias_initializer=_ZEROS, kernel_regularizer=None, bias_regularizer=None,
          activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True,
          name=None, reuse=None):
    """activation(x * kernel + bias), along the last dimension."""
    return _once(Dense, locals())


def conv1d(inputs, filters, kernel_size, strides=1, padding="valid", data_format="channels_last",
           dilation_rate=1, activation=None, use_bias=True, kernel_initializer=None,
           bias_initializer=_ZEROS, kernel_regularizer=None, bias_regularizer=None,
           activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True,
           name=None, reuse=None):
    """A convolution of sequences."""
    return _once(Conv1D, locals())


def conv2d(inputs, filters, kernel_size, strides=(1, 1), padding="valid",
           data_format="channels_last", dilation_rate=(1, 1), activation=None, use_bias=True,
           kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
           bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
           bias_constraint=None, trainable=True, name=None, reuse=None):
    """A convolution of images."""
    return _once(Conv2D, locals())


def conv3d(inputs, filters, kernel_size, strides=(1, 1, 1), padding="valid",
           data_format="channels_last", dilation_rate=(1, 1, 1), activation=None, use_bias=True,
           kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
           bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
           bias_constraint=None, trainable=True, name=None, reuse=None):
    """A convolution of volumes."""
    return _once(Conv3D, locals())


def conv2d_transpose(inputs, filters, kernel_size, strides=(1, 1), padding="valid",
                     data_format="channels_last", activation=None, use_bias=True,
                     kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
                     bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                     bias_constraint=None, trainable=True, name=None, reuse=None):
    """The transpose of a convolution of images."""
    return _once(Conv2DTranspose, locals())


def conv3d_transpose(inputs, filters, kernel_size, strides=(1, 1, 1), padding="valid",
                     data_format="channels_last", activation=None, use_bias=True,
                     kernel_initializer=None, bias_initializer=_ZEROS, kernel_regularizer=None,
                     bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                     bias_constraint=None, trainable=True, name=None, reuse=None):
    """The transpose of a convolution of volumes."""
    return _once(Conv3DTranspose, locals())


def separable_conv1d(inputs, filters, kernel_size, strides=1, padding="valid",
                     data_format="channels_last", dilation_rate=1, depth_multiplier=1,
                     activation=None, use_bias=True, depthwise_initializer=None,
                     pointwise_initializer=None, bias_initializer=_ZEROS,
                     depthwise_regularizer=None, pointwise_regularizer=None, bias_regularizer=None,
                     activity_regularizer=None, depthwise_constraint=None,
                     pointwise_constraint=None, bias_constraint=None, trainable=True, name=None,
                     reuse=None):
    """Each channel of a sequence by itself, then a mixing of channels."""
    return _once(SeparableConv1D, locals())


def separable_conv2d(inputs, filters, kernel_size, strides=(1, 1), padding="valid",
                     data_format="channels_last", dilation_rate=(1, 1), depth_multiplier=1,
                     activation=None, use_bias=True, depthwise_initializer=None,
                     pointwise_initializer=None, bias_initializer=_ZEROS,
                     depthwise_regularizer=None, pointwise_regularizer=None, bias_regularizer=None,
                     activity_regularizer=None, depthwise_constraint=None,
                     pointwise_constraint=None, bias_constraint=None, trainable=True, name=None,
                     reuse=None):
    """Each channel of an image by itself, then a mixing of channels."""
    return _once(SeparableConv2D, locals())


def batch_normalization(inputs, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True,
                        beta_initializer=_ZEROS, gamma_initializer=_ONES,
                        moving_mean_initializer=_ZEROS, moving_variance_initializer=_ONES,
                        beta_regularizer=None, gamma_regularizer=None, beta_constraint=None,
                        gamma_constraint=None, training=False, trainable=True, name=None,
                        reuse=None, renorm=False, renorm_clipping=None, renorm_momentum=0.99,
                        fused=None, virtual_batch_size=None, adjustment=None):
    """Subtracts the mean and divides by the deviation; UPDATE_OPS has the updates of the averages."""
    arguments = locals()
    for own in ("inputs", "training", "reuse"):
        del arguments[own]
    return BatchNormalization(**arguments, _reuse=reuse, _scope=name)(inputs, training=training)


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    """While training, elements that become 0 at random; the others grow by as much."""
    return Dropout(rate, noise_shape=noise_shape, seed=seed, name=name)(inputs, training=training)


def flatten(inputs, name=None, data_format="channels_last"):
    """All dimensions but the first as one."""
    return Flatten(name=name, data_format=data_format)(inputs)


def _pooling(kind, name, doc):
    def pool(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
        return kind(pool_size=pool_size, strides=strides, padding=padding, data_format=data_format,
                    name=name)(inputs)
    pool.__name__ = pool.__qualname__ = name
    pool.__doc__ = doc
    return pool


for _kind in (MaxPooling1D, MaxPooling2D, MaxPooling3D, AveragePooling1D, AveragePooling2D,
              AveragePooling3D):
    _name = _kind.__name__.replace("Pooling", "_pooling").lower()
    globals()[_name] = _pooling(_kind, _name, _kind.__doc__)

__getattr__, __dir__ = _surface.members_of(__name__)
