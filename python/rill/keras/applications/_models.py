"""Models of tf.keras.applications: C++ says which layers they have, here they are made."""

import os

from rill import _rill
from rill.keras import backend, layers, models, utils


def _shape(given, default_size, min_size, include_top, weights):
    """The shape of one image, checked."""
    first = backend.image_data_format() == "channels_first"

    def image(channels, size):
        return (channels, size, size) if first else (size, size, channels)

    channels = 3
    if weights != "imagenet" and given and len(given) == 3:
        channels = given[0] if first else given[-1]
    default = image(channels, default_size)
    if weights == "imagenet" and include_top:
        if given is not None and tuple(given) != default:
            raise ValueError("When setting `include_top=True` and loading `imagenet` weights, `input_shape` "
                             f"should be {default}.")
        return default
    if not given:
        return default if include_top else image(3, None)
    given = tuple(given)
    if len(given) != 3:
        raise ValueError("`input_shape` must be a tuple of three integers.")
    if (given[0] if first else given[-1]) != 3 and weights == "imagenet":
        raise ValueError(f"The input must have 3 channels; got `input_shape={given}`")
    sizes = given[1:] if first else given[:-1]
    if any(size is not None and size < min_size for size in sizes):
        raise ValueError(f"Input size must be at least {min_size}x{min_size}; got `input_shape={given}`")
    if include_top and None in given:
        raise ValueError("If `include_top` is True, you should specify a static `input_shape`. "
                         f"Got `input_shape={given}`")
    return given


def _input(input_tensor, shape):
    if input_tensor is None:
        return layers.Input(shape=shape)
    if not backend.is_keras_tensor(input_tensor):
        return layers.Input(tensor=input_tensor, shape=shape)
    return input_tensor


def model(function, include_top, weights, input_tensor, input_shape, pooling, classes, default_size=224,
          min_size=32, **settings):
    """The model of that function, with weights of a file where one is named."""
    if not (weights in ("imagenet", None) or os.path.exists(weights)):
        raise ValueError("The `weights` argument should be either `None` (random initialization), `imagenet` "
                         "(pre-training on ImageNet), or the path to the weights file to be loaded.")
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError('If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be 1000')
    shape = _shape(input_shape, default_size, min_size, include_top, weights)
    if weights == "imagenet":
        raise NotImplementedError("Rill downloads nothing: name the file of the weights, or None")
    start = _input(input_tensor, shape)
    first = backend.image_data_format() == "channels_first"
    rows, columns = (shape[1:] if first else shape[:-1])
    options = {"alpha": 1.0, "depth_multiplier": 1, "dropout": 1e-3, **settings,
               "include_top": bool(include_top), "pooling": pooling or "", "classes": classes,
               "channels_first": first, "rows": -1 if rows is None else rows,
               "columns": -1 if columns is None else columns}
    name, described = _rill.keras_application(function, options)
    made = []
    for kind, layer_name, arguments, inputs in described:
        tensors = [start if i < 0 else made[i] for i in inputs]
        layer = getattr(layers, kind)(name=layer_name, **arguments)
        made.append(layer(tensors[0] if len(tensors) == 1 else tensors))
    inputs = start if input_tensor is None else utils.get_source_inputs(start)
    whole = models.Model(inputs, made[-1], name=name)
    if weights is not None:
        whole.load_weights(weights)
    return whole
