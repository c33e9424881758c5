"""Layers of tf.keras that work on space: convolutions, pooling, padding, cropping, growing."""

from rill._input_spec import InputSpec
from rill.keras._layer_base import Configured, as_sizes


class Conv1D(Configured):
    """A convolution over one dimension."""

    _kind = "Conv1D"
    _rank = 1
    _weight_names = ("kernel", "bias")

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last",
                 dilation_rate=1, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=3)


class Conv2D(Configured):
    """A convolution over two dimensions."""

    _kind = "Conv2D"
    _rank = 2
    _weight_names = ("kernel", "bias")

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
                 dilation_rate=(1, 1), activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=4)


class Conv3D(Configured):
    """A convolution over three dimensions."""

    _kind = "Conv3D"
    _rank = 3
    _weight_names = ("kernel", "bias")

    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid", data_format=None,
                 dilation_rate=(1, 1, 1), activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=5)


class Conv2DTranspose(Configured):
    """What a convolution over two dimensions would have been of."""

    _kind = "Conv2DTranspose"
    _rank = 2
    _weight_names = ("kernel", "bias")

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", output_padding=None,
                 data_format=None, dilation_rate=(1, 1), activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=4)


class Conv3DTranspose(Configured):
    """What a convolution over three dimensions would have been of."""

    _kind = "Conv3DTranspose"
    _rank = 3
    _weight_names = ("kernel", "bias")

    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid", output_padding=None,
                 data_format=None, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, **kwargs):
        self._set_up(locals())
        self.dilation_rate = (1, 1, 1)
        self.input_spec = InputSpec(ndim=5)


class SeparableConv1D(Configured):
    """A convolution of each channel, then one over channels."""

    _kind = "SeparableConv1D"
    _rank = 1
    _weight_names = ("depthwise_kernel", "pointwise_kernel", "bias")

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 dilation_rate=1, depth_multiplier=1, activation=None, use_bias=True,
                 depthwise_initializer="glorot_uniform", pointwise_initializer="glorot_uniform",
                 bias_initializer="zeros", depthwise_regularizer=None, pointwise_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
                 pointwise_constraint=None, bias_constraint=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=3)


class SeparableConv2D(Configured):
    """A convolution of each channel, then one over channels."""

    _kind = "SeparableConv2D"
    _rank = 2
    _weight_names = ("depthwise_kernel", "pointwise_kernel", "bias")

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
                 dilation_rate=(1, 1), depth_multiplier=1, activation=None, use_bias=True,
                 depthwise_initializer="glorot_uniform", pointwise_initializer="glorot_uniform",
                 bias_initializer="zeros", depthwise_regularizer=None, pointwise_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
                 pointwise_constraint=None, bias_constraint=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=4)


class DepthwiseConv2D(Configured):
    """A convolution of each channel by itself."""

    _kind = "DepthwiseConv2D"
    _rank = 2
    _weight_names = ("depthwise_kernel", "bias")

    def __init__(self, kernel_size, strides=(1, 1), padding="valid", depth_multiplier=1, data_format=None,
                 activation=None, use_bias=True, depthwise_initializer="glorot_uniform",
                 bias_initializer="zeros", depthwise_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, depthwise_constraint=None, bias_constraint=None, **kwargs):
        self._set_up(locals())
        self.dilation_rate = as_sizes(self.__dict__.get("dilation_rate", 1), 2, "dilation_rate")
        self.input_spec = InputSpec(ndim=4)


class LocallyConnected1D(Configured):
    """A convolution with other weights at each place."""

    _kind = "LocallyConnected"
    _rank = 1
    _weight_names = ("kernel", "bias")

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, implementation=1,
                 **kwargs):
        self._set_up(locals())
        if self.padding != "valid" and implementation == 1:
            raise ValueError(f"Invalid border mode for {type(self).__name__} (only \"valid\" is supported if "
                             f"implementation is 1): {padding}")
        self.input_spec = InputSpec(ndim=3)


class LocallyConnected2D(Configured):
    """A convolution with other weights at each place."""

    _kind = "LocallyConnected"
    _rank = 2
    _weight_names = ("kernel", "bias")

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
                 activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, implementation=1,
                 **kwargs):
        self._set_up(locals())
        if self.padding != "valid" and implementation == 1:
            raise ValueError(f"Invalid border mode for {type(self).__name__} (only \"valid\" is supported if "
                             f"implementation is 1): {padding}")
        self.input_spec = InputSpec(ndim=4)


class MaxPooling1D(Configured):
    """The largest element of each window over one dimension."""

    _kind = "MaxPooling1D"
    _rank = 1

    def __init__(self, pool_size=2, strides=None, padding="valid", data_format="channels_last", **kwargs):
        self._set_up(locals())
        if strides is None:
            self.strides = self.pool_size
        self.input_spec = InputSpec(ndim=3)


class MaxPooling2D(Configured):
    """The largest element of each window over two dimensions."""

    _kind = "MaxPooling2D"
    _rank = 2

    def __init__(self, pool_size=(2, 2), strides=None, padding="valid", data_format=None, **kwargs):
        self._set_up(locals())
        if strides is None:
            self.strides = self.pool_size
        self.input_spec = InputSpec(ndim=4)


class MaxPooling3D(Configured):
    """The largest element of each window over three dimensions."""

    _kind = "MaxPooling3D"
    _rank = 3

    def __init__(self, pool_size=(2, 2, 2), strides=None, padding="valid", data_format=None, **kwargs):
        self._set_up(locals())
        if strides is None:
            self.strides = self.pool_size
        self.input_spec = InputSpec(ndim=5)


class AveragePooling1D(Configured):
    """The mean element of each window over one dimension."""

    _kind = "AveragePooling1D"
    _rank = 1

    def __init__(self, pool_size=2, strides=None, padding="valid", data_format="channels_last", **kwargs):
        self._set_up(locals())
        if strides is None:
            self.strides = self.pool_size
        self.input_spec = InputSpec(ndim=3)


class AveragePooling2D(Configured):
    """The mean element of each window over two dimensions."""

    _kind = "AveragePooling2D"
    _rank = 2

    def __init__(self, pool_size=(2, 2), strides=None, padding="valid", data_format=None, **kwargs):
        self._set_up(locals())
        if strides is None:
            self.strides = self.pool_size
        self.input_spec = InputSpec(ndim=4)


class AveragePooling3D(Configured):
    """The mean element of each window over three dimensions."""

    _kind = "AveragePooling3D"
    _rank = 3

    def __init__(self, pool_size=(2, 2, 2), strides=None, padding="valid", data_format=None, **kwargs):
        self._set_up(locals())
        if strides is None:
            self.strides = self.pool_size
        self.input_spec = InputSpec(ndim=5)


class GlobalAveragePooling1D(Configured):
    """The mean of each channel."""

    _kind = "GlobalAveragePooling"
    _rank = 1

    def __init__(self, data_format="channels_last", **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=3)


class GlobalAveragePooling2D(Configured):
    """The mean of each channel."""

    _kind = "GlobalAveragePooling"
    _rank = 2

    def __init__(self, data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=4)


class GlobalAveragePooling3D(Configured):
    """The mean of each channel."""

    _kind = "GlobalAveragePooling"
    _rank = 3

    def __init__(self, data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=5)


class GlobalMaxPooling1D(Configured):
    """The largest element of each channel."""

    _kind = "GlobalMaxPooling"
    _rank = 1

    def __init__(self, data_format="channels_last", **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=3)


class GlobalMaxPooling2D(Configured):
    """The largest element of each channel."""

    _kind = "GlobalMaxPooling"
    _rank = 2

    def __init__(self, data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=4)


class GlobalMaxPooling3D(Configured):
    """The largest element of each channel."""

    _kind = "GlobalMaxPooling"
    _rank = 3

    def __init__(self, data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=5)


class ZeroPadding1D(Configured):
    """Zeros around each example."""

    _kind = "ZeroPadding"
    _rank = 1

    def __init__(self, padding=1, **kwargs):
        self._set_up(locals())
        self.data_format = "channels_last"
        self.input_spec = InputSpec(ndim=3)


class ZeroPadding2D(Configured):
    """Zeros around each example."""

    _kind = "ZeroPadding"
    _rank = 2

    def __init__(self, padding=(1, 1), data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=4)


class ZeroPadding3D(Configured):
    """Zeros around each example."""

    _kind = "ZeroPadding"
    _rank = 3

    def __init__(self, padding=(1, 1, 1), data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=5)


class Cropping1D(Configured):
    """Examples without their borders."""

    _kind = "Cropping"
    _rank = 1

    def __init__(self, cropping=(1, 1), **kwargs):
        self._set_up(locals())
        self.data_format = "channels_last"
        self.input_spec = InputSpec(ndim=3)


class Cropping2D(Configured):
    """Examples without their borders."""

    _kind = "Cropping"
    _rank = 2

    def __init__(self, cropping=((0, 0), (0, 0)), data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=4)


class Cropping3D(Configured):
    """Examples without their borders."""

    _kind = "Cropping"
    _rank = 3

    def __init__(self, cropping=((1, 1), (1, 1), (1, 1)), data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=5)


class UpSampling1D(Configured):
    """Each step several times."""

    _kind = "UpSampling"
    _rank = 1

    def __init__(self, size=2, **kwargs):
        self._set_up(locals())
        self.data_format = "channels_last"
        self.input_spec = InputSpec(ndim=3)


class UpSampling2D(Configured):
    """Images made larger."""

    _kind = "UpSampling"
    _rank = 2

    def __init__(self, size=(2, 2), data_format=None, interpolation="nearest", **kwargs):
        self._set_up(locals())
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError('`interpolation` argument should be one of `"nearest"` or `"bilinear"`.')
        self.input_spec = InputSpec(ndim=4)


class UpSampling3D(Configured):
    """Volumes made larger."""

    _kind = "UpSampling"
    _rank = 3

    def __init__(self, size=(2, 2, 2), data_format=None, **kwargs):
        self._set_up(locals())
        self.input_spec = InputSpec(ndim=5)


Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
Convolution2DTranspose, Convolution3DTranspose = Conv2DTranspose, Conv3DTranspose
SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
GlobalMaxPool1D, GlobalMaxPool2D, GlobalMaxPool3D = GlobalMaxPooling1D, GlobalMaxPooling2D, GlobalMaxPooling3D
GlobalAvgPool1D, GlobalAvgPool2D = GlobalAveragePooling1D, GlobalAveragePooling2D
GlobalAvgPool3D = GlobalAveragePooling3D
