"""MobileNetV2: few operations, for small devices."""

from rill.keras.applications import imagenet_utils
from rill.keras.applications._models import model
from rill.keras.applications.imagenet_utils import decode_predictions  # noqa: F401


def MobileNetV2(input_shape=None, alpha=1.0,
                include_top=True, weights="imagenet", input_tensor=None, pooling=None, classes=1000, **kwargs):
    """The model, of a width that alpha says."""
    del kwargs  # modules of Keras, which there is one of
    size = input_shape[1] if input_shape and input_shape[1] in (96, 128, 160, 192, 224) else 224
    return model("MobileNetV2", include_top, weights, input_tensor, input_shape, pooling, classes,
                 default_size=size, alpha=alpha)


def preprocess_input(x, data_format=None):
    """Images of 0 to 255 as the model wants them."""
    return imagenet_utils.preprocess_input(x, data_format, mode="tf")
