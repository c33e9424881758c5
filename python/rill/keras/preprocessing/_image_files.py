"""Pictures in files and as arrays."""

import os

import numpy as np

import rill
from rill.keras import backend

EXTENSIONS = ("png", "jpg", "jpeg", "bmp", "gif")
_CHANNELS = {"grayscale": 1, "rgb": 3, "rgba": 4}


def _pillow(function):
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(f"Could not import PIL.Image. The use of `{function}` requires PIL.") from None
    return Image


def _checked_format(data_format):
    data_format = data_format or backend.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Invalid data_format: {data_format}")
    return data_format


def img_to_array(img, data_format=None, dtype=None):
    """A picture as floats, with channels."""
    data_format = _checked_format(data_format)
    x = np.asarray(img, dtype=dtype or backend.floatx())
    if x.ndim not in (2, 3):
        raise ValueError(f"Unsupported image shape: {x.shape}")
    if x.ndim == 2:
        return x.reshape((1,) + x.shape if data_format == "channels_first" else x.shape + (1,))
    return x.transpose(2, 0, 1) if data_format == "channels_first" else x


def as_bytes(x, data_format=None, scale=True):
    """An array as eight bits of [rows, columns, channels]; `scale` spreads its values over their range."""
    x = np.asarray(x, dtype=backend.floatx())
    if x.ndim != 3:
        raise ValueError(f"Expected image array to have rank 3 (single image). Got array with shape: {x.shape}")
    if _checked_format(data_format) == "channels_first":
        x = x.transpose(1, 2, 0)
    if scale:
        x = x - np.min(x)
        x = x / (np.max(x) or 1.0) * 255
    if x.shape[2] not in (1, 3, 4):
        raise ValueError(f"Unsupported channel number: {x.shape[2]}")
    return x.astype("uint8")


def array_to_img(x, data_format=None, scale=True, dtype=None):
    """An array as a picture of Pillow's."""
    image = _pillow("array_to_img")
    x = as_bytes(x, data_format, scale)
    return image.fromarray(x[:, :, 0] if x.shape[2] == 1 else x)


def load_img(path, grayscale=False, color_mode="rgb", target_size=None, interpolation="nearest"):
    """A file as a picture of Pillow's."""
    image = _pillow("load_img")
    color_mode = "grayscale" if grayscale else color_mode
    if color_mode not in _CHANNELS:
        raise ValueError('color_mode must be "grayscale", "rgb", or "rgba"')
    img = image.open(path).convert({"grayscale": "L", "rgb": "RGB", "rgba": "RGBA"}[color_mode])
    if target_size is not None and img.size != (target_size[1], target_size[0]):
        img = img.resize((target_size[1], target_size[0]), _resampling(image, interpolation))
    return img


def _resampling(image, interpolation):
    methods = {name: getattr(image, name.upper()) for name in
               ("nearest", "bilinear", "bicubic", "hamming", "box", "lanczos")}
    if interpolation not in methods:
        raise ValueError(f"Invalid interpolation method {interpolation} specified. Supported methods are "
                         f"{', '.join(methods)}")
    return methods[interpolation]


def save_img(path, x, data_format=None, file_format=None, scale=True, **kwargs):
    """Writes an array as a PNG or JPEG file."""
    if kwargs:
        raise NotImplementedError(f"Rill does not write pictures with {', '.join(sorted(kwargs))} yet.")
    kind = (file_format or os.path.splitext(os.fspath(path))[1].lstrip(".")).lower()
    if kind not in ("png", "jpg", "jpeg"):
        raise ValueError(f"unknown file extension: {kind!r}")
    encode = rill.image.encode_png if kind == "png" else rill.image.encode_jpeg
    with rill.Graph().as_default(), rill.Session() as session:
        data = session.run(encode(as_bytes(x, data_format, scale)))
    with open(path, "wb") as file:
        file.write(data)


class Reader:
    """Reads files as arrays of one size, by the decoders of tf.image."""

    def __init__(self, target_size, color_mode, interpolation, data_format):
        if color_mode not in _CHANNELS:
            raise ValueError(f'Invalid color mode: {color_mode}; expected "rgb", "rgba", or "grayscale".')
        self.size, self.interpolation, self.data_format = tuple(target_size), interpolation, data_format
        self.color_mode, self.shape = color_mode, self.size + (_CHANNELS[color_mode],)
        if data_format == "channels_first":
            self.shape = self.shape[2:] + self.shape[:2]
        with rill.Graph().as_default() as graph:
            data = rill.placeholder(rill.string, [])
            gray = color_mode == "grayscale"
            image = rill.image.decode_image(data, 0 if gray else _CHANNELS[color_mode])
            session = rill.Session(graph=graph)
            self._decode = session.make_callable(image, [data])

    def read(self, path):
        """The picture of a file, as floats."""
        if self.interpolation != "nearest":  # as Pillow averages
            return img_to_array(load_img(path, color_mode=self.color_mode, target_size=self.size,
                                         interpolation=self.interpolation), self.data_format)
        with open(path, "rb") as file:
            x = self._decode(file.read())
        x = x[0] if x.ndim == 4 else x
        if self.color_mode == "grayscale" and x.shape[2] > 1:  # as Pillow weighs colours
            x = (x[:, :, :3] @ np.array([19595, 38470, 7471]) + 0x8000 >> 16).astype(np.uint8)[:, :, None]
        rows, cols = (((np.arange(n) + 0.5) * have / n).astype(int) for n, have in zip(self.size, x.shape))
        return img_to_array(x[rows][:, cols, :1] if self.color_mode == "grayscale" else x[rows][:, cols],
                            self.data_format)
