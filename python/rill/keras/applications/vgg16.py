"""VGG with 16 layers."""

from rill.keras.applications import imagenet_utils
from rill.keras.applications._models import model
from rill.keras.applications.imagenet_utils import decode_predictions  # noqa: F401


def VGG16(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None,
          classes=1000, **kwargs):
    """The model."""
    del kwargs  # modules of Keras, which there is one of
    return model("VGG16", include_top, weights, input_tensor, input_shape, pooling, classes)


def preprocess_input(x, data_format=None):
    """Images of 0 to 255 as the model wants them."""
    return imagenet_utils.preprocess_input(x, data_format, mode="caffe")
