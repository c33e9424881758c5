"""What the models of tf.keras.applications want of images, and what they say of them."""

import numpy as np

from rill import _rill

_CAFFE_MEAN = (103.939, 116.779, 123.68)
_TORCH_MEAN, _TORCH_DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def _beside(values, images, data_format):
    """Numbers for each channel, so that they stand beside images."""
    values = np.array(values, np.float32)
    first = data_format == "channels_first"
    return values.reshape((-1, 1, 1)) if first and len(images.shape) in (3, 4) else values


def preprocess_input(x, data_format=None, mode="caffe"):
    """Images of 0 to 255 as a model wants them: "tf" -1 to 1, "torch" and "caffe" without the mean of ImageNet."""
    from rill.keras import backend
    data_format = data_format or backend.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format {data_format}")
    if isinstance(x, np.ndarray) and not issubclass(x.dtype.type, np.floating):
        x = x.astype(backend.floatx())
    if mode == "tf":
        return x / 127.5 - 1.0
    if mode == "torch":
        return (x / 255.0 - _beside(_TORCH_MEAN, x, data_format)) / _beside(_TORCH_DEVIATION, x, data_format)
    axis = len(x.shape) - 3 if data_format == "channels_first" else len(x.shape) - 1
    if isinstance(x, np.ndarray):
        turned = np.flip(x, axis)
    else:
        turned = _rill.functions.reverse(x, [axis])
    return turned - _beside(_CAFFE_MEAN, x, data_format)


def decode_predictions(preds, top=5, class_index=None):
    """The best classes of each row: (id, name, share). `class_index` is the file with their names, of JSON."""
    import json
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError("`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape "
                         f"(samples, 1000)). Found array with shape: {preds.shape}")
    if class_index is None:
        raise NotImplementedError("Rill downloads nothing: name the file of the classes as class_index")
    with open(class_index) as file:
        names = json.load(file)
    best = np.argsort(-preds, axis=1, kind="stable")[:, :top]
    return [[(*names[str(i)], row[i]) for i in order] for row, order in zip(preds, best)]
