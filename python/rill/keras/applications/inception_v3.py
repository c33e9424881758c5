"""Inception v3."""

from rill.keras.applications import imagenet_utils
from rill.keras.applications._models import model
from rill.keras.applications.imagenet_utils import decode_predictions  # noqa: F401


def InceptionV3(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None,
                classes=1000, **kwargs):
    """The model."""
    del kwargs  # modules of Keras, which there is one of
    return model("InceptionV3", include_top, weights, input_tensor, input_shape, pooling, classes, default_size=299, min_size=75)


def preprocess_input(x, data_format=None):
    """Images of 0 to 255 as the model wants them."""
    return imagenet_utils.preprocess_input(x, data_format, mode="tf")
