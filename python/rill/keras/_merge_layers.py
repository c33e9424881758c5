"""Layers of tf.keras that take several inputs, and the functions that make and call them."""

import rill as tf
from rill._layer_call import native
from rill.keras._layer_base import Configured


class _Merging(Configured):
    """A layer of several inputs."""

    _calls_quickly = False

    def compute_output_shape(self, input_shape):
        """The shape of what a copy of the layer makes of such inputs, in a graph of its own."""
        if not isinstance(input_shape, list) or not all(isinstance(s, (list, tuple, tf.TensorShape)) for s in input_shape):
            raise ValueError(f"A `{type(self).__name__}` layer should be called on a list of inputs.")
        with tf.Graph().as_default():
            inputs = [tf.placeholder(self.dtype or tf.float32, shape) for shape in input_shape]
            return type(self).from_config(self.get_config())(inputs).shape


def _merging(name, doc):
    def __init__(self, **kwargs):
        self._set_up({"kwargs": kwargs})
        self.supports_masking = True
    return type(name, (_Merging,), {"_kind": name, "__init__": __init__, "__doc__": doc,
                                      "__module__": __name__})


Add = _merging("Add", "The sum of the inputs.")
Subtract = _merging("Subtract", "The first input without the second.")
Multiply = _merging("Multiply", "The product of the inputs.")
Average = _merging("Average", "The mean of the inputs.")
Maximum = _merging("Maximum", "The largest of the inputs, element by element.")
Minimum = _merging("Minimum", "The smallest of the inputs, element by element.")


class Concatenate(_Merging):
    """The inputs one after the other along an axis."""

    _kind = "Concatenate"

    def __init__(self, axis=-1, **kwargs):
        self._set_up(locals())
        self.supports_masking = True

    def build(self, input_shape):
        """Checks that the inputs fit together."""
        shapes = [list(shape) for shape in input_shape]
        axis = self.axis % len(shapes[0]) if shapes and shapes[0] else self.axis
        others = {tuple(str(size) for i, size in enumerate(shape) if i != axis) for shape in shapes
                  if all(size is not None for size in shape[1:])}
        if len(others) > 1:
            raise ValueError("A `Concatenate` layer requires inputs with matching shapes except for the concat "
                             f"axis. Got inputs shapes: {input_shape}")
        self.built = True


class Dot(_Merging):
    """Sums of products of two inputs over one axis of each."""

    _kind = "Dot"

    def __init__(self, axes, normalize=False, **kwargs):
        if not isinstance(axes, (int, list, tuple)):
            raise TypeError("Invalid type for `axes` - should be a list or an int.")
        self._set_up(locals())
        self.supports_masking = True


class Attention(_Merging):
    """What is found at the places that are most like a query."""

    _kind = "Attention"
    _weight_names = ("scale",)

    def __init__(self, use_scale=False, **kwargs):
        causal = kwargs.pop("causal", False)
        if causal:
            from rill.errors import UnimplementedError
            raise UnimplementedError(None, None, "Attention with causal=True is not there")
        self._set_up(locals())
        self.supports_masking = True

    @native
    def call(self, inputs, mask=None, training=None):
        """What is found."""
        return super().call(inputs, training=training, mask=mask)


class AdditiveAttention(Attention):
    """The same, with places compared by sums instead of products."""

    _kind = "AdditiveAttention"

    def __init__(self, use_scale=True, **kwargs):
        super().__init__(use_scale=use_scale, **kwargs)


def add(inputs, **kwargs):
    """The sum of the inputs."""
    return Add(**kwargs)(inputs)


def subtract(inputs, **kwargs):
    """The first input without the second."""
    return Subtract(**kwargs)(inputs)


def multiply(inputs, **kwargs):
    """The product of the inputs."""
    return Multiply(**kwargs)(inputs)


def average(inputs, **kwargs):
    """The mean of the inputs."""
    return Average(**kwargs)(inputs)


def maximum(inputs, **kwargs):
    """The largest of the inputs."""
    return Maximum(**kwargs)(inputs)


def minimum(inputs, **kwargs):
    """The smallest of the inputs."""
    return Minimum(**kwargs)(inputs)


def concatenate(inputs, axis=-1, **kwargs):
    """The inputs one after the other."""
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs, axes, normalize=False, **kwargs):
    """Sums of products of two inputs."""
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)
