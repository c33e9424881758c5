"""tf.layers.experimental."""

from rill._layers import keras_style_scope, set_keras_style

__all__ = ["keras_style_scope", "set_keras_style"]
