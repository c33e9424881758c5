"""tf.keras.preprocessing.image: pictures read, changed at random and normalised, in batches for training."""

import numpy as np

import rill
from rill import _rill
from rill.keras import backend
from rill.keras.preprocessing._image_batches import (DataFrameIterator, DirectoryIterator, Iterator,
                                                     NumpyArrayIterator)
from rill.keras.preprocessing._image_files import array_to_img, img_to_array, load_img, save_img

__all__ = ["DataFrameIterator", "DirectoryIterator", "ImageDataGenerator", "Iterator", "NumpyArrayIterator",
           "apply_affine_transform", "apply_brightness_shift", "apply_channel_shift", "array_to_img", "flip_axis",
           "img_to_array", "load_img", "random_brightness", "random_channel_shift", "random_rotation", "random_shear",
           "random_shift", "random_zoom", "save_img"]


def apply_affine_transform(x, theta=0, tx=0, ty=0, shear=0, zx=1, zy=1, row_axis=0, col_axis=1, channel_axis=2,
                           fill_mode="nearest", cval=0.0, order=1):
    """A picture turned and sheared by degrees, shifted by pixels and zoomed."""
    return _rill.keras_image_affine(_floats(x), theta, tx, ty, shear, zx, zy, row_axis, col_axis, channel_axis,
                                    fill_mode, cval, order)


def apply_channel_shift(x, intensity, channel_axis=0):
    """A picture with the same number added to all of its values, within their range."""
    return _rill.keras_image_channel_shift(_floats(x), intensity)


def apply_brightness_shift(x, brightness, scale=True):
    """A picture with its values, as eight bits, multiplied."""
    return _rill.keras_image_brightness(_floats(x), brightness, bool(scale))


def flip_axis(x, axis):
    """A picture with the order of rows or columns turned around."""
    return np.flip(np.asarray(x), axis)


def _floats(x):
    x = np.asarray(x)
    return x if x.dtype in (np.float32, np.float64) else x.astype(backend.floatx())


def random_rotation(x, rg, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
                    interpolation_order=1):
    """A picture turned by up to `rg` degrees."""
    return apply_affine_transform(x, theta=np.random.uniform(-rg, rg), row_axis=row_axis, col_axis=col_axis,
                                  channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order)


def random_shift(x, wrg, hrg, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
                 interpolation_order=1):
    """A picture shifted by up to a part of its width and of its height."""
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    return apply_affine_transform(x, tx=tx, ty=ty, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
                                  fill_mode=fill_mode, cval=cval, order=interpolation_order)


def random_shear(x, intensity, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
                 interpolation_order=1):
    """A picture sheared by up to `intensity` degrees."""
    return apply_affine_transform(x, shear=np.random.uniform(-intensity, intensity), row_axis=row_axis,
                                  col_axis=col_axis, channel_axis=channel_axis, fill_mode=fill_mode, cval=cval,
                                  order=interpolation_order)


def random_zoom(x, zoom_range, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
                interpolation_order=1):
    """A picture zoomed by two factors of a range."""
    if len(zoom_range) != 2:
        raise ValueError(f"`zoom_range` should be a tuple or list of two floats. Received: {zoom_range}")
    zx, zy = (1, 1) if tuple(zoom_range) == (1, 1) else np.random.uniform(zoom_range[0], zoom_range[1], 2)
    return apply_affine_transform(x, zx=zx, zy=zy, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
                                  fill_mode=fill_mode, cval=cval, order=interpolation_order)


def random_channel_shift(x, intensity_range, channel_axis=0):
    """A picture with a number of up to `intensity_range` added."""
    return apply_channel_shift(x, np.random.uniform(-intensity_range, intensity_range), channel_axis)


def random_brightness(x, brightness_range, scale=True):
    """A picture multiplied by a number of a range."""
    if len(brightness_range) != 2:
        raise ValueError(f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}")
    return apply_brightness_shift(x, np.random.uniform(brightness_range[0], brightness_range[1]), scale)


class ImageDataGenerator:
    """Draws changed and normalised pictures; every batch of an epoch is drawn anew."""

    def __init__(self, featurewise_center=False, samplewise_center=False, featurewise_std_normalization=False,
                 samplewise_std_normalization=False, zca_whitening=False, zca_epsilon=1e-06, rotation_range=0,
                 width_shift_range=0.0, height_shift_range=0.0, brightness_range=None, shear_range=0.0, zoom_range=0.0,
                 channel_shift_range=0.0, fill_mode="nearest", cval=0.0, horizontal_flip=False, vertical_flip=False,
                 rescale=None, preprocessing_function=None, data_format=None, validation_split=0.0,
                 interpolation_order=1, dtype=None):
        data_format = data_format or backend.image_data_format()
        if data_format not in ("channels_last", "channels_first"):
            raise ValueError('`data_format` should be `"channels_last"` (channel after row and column) or '
                             f'`"channels_first"` (channel before row and column). Received: {data_format}')
        if validation_split and not 0 < validation_split < 1:
            raise ValueError(f"`validation_split` must be strictly between 0 and 1.  Received: {validation_split}")
        if brightness_range is not None and (not isinstance(brightness_range, (tuple, list)) or
                                             len(brightness_range) != 2):
            raise ValueError(f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}")
        self.featurewise_center = bool(featurewise_center or zca_whitening or featurewise_std_normalization)
        self.samplewise_center = bool(samplewise_center or samplewise_std_normalization)
        self.featurewise_std_normalization = bool(featurewise_std_normalization and not zca_whitening)
        self.samplewise_std_normalization = samplewise_std_normalization
        self.zca_whitening, self.zca_epsilon = zca_whitening, zca_epsilon
        self.rotation_range, self.shear_range = rotation_range, shear_range
        self.width_shift_range, self.height_shift_range = width_shift_range, height_shift_range
        self.brightness_range, self.channel_shift_range = brightness_range, channel_shift_range
        self.zoom_range = self._two_factors(zoom_range)
        self.fill_mode, self.cval, self.interpolation_order = fill_mode, cval, interpolation_order
        self.horizontal_flip, self.vertical_flip = horizontal_flip, vertical_flip
        self.rescale, self.preprocessing_function = rescale, preprocessing_function
        self.data_format, self._validation_split = data_format, validation_split
        self.dtype = dtype or backend.floatx()
        last = data_format == "channels_last"
        self.channel_axis, self.row_axis, self.col_axis = (3, 1, 2) if last else (1, 2, 3)
        self.mean = self.std = self.principal_components = None

    @staticmethod
    def _two_factors(zoom_range):
        if isinstance(zoom_range, (float, int)):
            return [1 - zoom_range, 1 + zoom_range]
        if len(zoom_range) == 2 and all(isinstance(value, (float, int)) for value in zoom_range):
            return [zoom_range[0], zoom_range[1]]
        raise ValueError(f"`zoom_range` should be a float or a tuple or list of two floats. Received: {zoom_range}")

    def flow(self, x, y=None, batch_size=32, shuffle=True, sample_weight=None, seed=None, save_to_dir=None,
             save_prefix="", save_format="png", subset=None):
        """Batches of arrays."""
        return NumpyArrayIterator(x, y, self, batch_size=batch_size, shuffle=shuffle, sample_weight=sample_weight,
                                  seed=seed, data_format=self.data_format, save_to_dir=save_to_dir,
                                  save_prefix=save_prefix, save_format=save_format, subset=subset)

    def flow_from_directory(self, directory, target_size=(256, 256), color_mode="rgb", classes=None,
                            class_mode="categorical", batch_size=32, shuffle=True, seed=None, save_to_dir=None,
                            save_prefix="", save_format="png", follow_links=False, subset=None,
                            interpolation="nearest"):
        """Batches of the pictures in a folder; its folders are the classes."""
        return DirectoryIterator(directory, self, target_size=target_size, color_mode=color_mode, classes=classes,
                                 class_mode=class_mode, data_format=self.data_format, batch_size=batch_size,
                                 shuffle=shuffle, seed=seed, save_to_dir=save_to_dir, save_prefix=save_prefix,
                                 save_format=save_format, follow_links=follow_links, subset=subset,
                                 interpolation=interpolation)

    def flow_from_dataframe(self, dataframe, directory=None, x_col="filename", y_col="class", weight_col=None,
                            target_size=(256, 256), color_mode="rgb", classes=None, class_mode="categorical",
                            batch_size=32, shuffle=True, seed=None, save_to_dir=None, save_prefix="",
                            save_format="png", subset=None, interpolation="nearest", validate_filenames=True):
        """Batches of the pictures that a table names."""
        return DataFrameIterator(dataframe, directory, self, x_col=x_col, y_col=y_col, weight_col=weight_col,
                                 target_size=target_size, color_mode=color_mode, classes=classes,
                                 class_mode=class_mode, data_format=self.data_format, batch_size=batch_size,
                                 shuffle=shuffle, seed=seed, save_to_dir=save_to_dir, save_prefix=save_prefix,
                                 save_format=save_format, subset=subset, interpolation=interpolation,
                                 validate_filenames=validate_filenames)

    @property
    def _flags(self):
        return (self.featurewise_center, bool(self.samplewise_center), self.featurewise_std_normalization,
                bool(self.samplewise_std_normalization), bool(self.zca_whitening))

    def standardize(self, x):
        """A picture, or a batch, normalised as the generator was told."""
        x = np.asarray(x) if self.preprocessing_function is None else self.preprocessing_function(x)
        for wanted, known, what in ((self.featurewise_center, self.mean, "featurewise_center"),
                                    (self.featurewise_std_normalization, self.std, "featurewise_std_normalization"),
                                    (self.zca_whitening, self.principal_components, "zca_whitening")):
            if wanted and known is None:
                rill.logging.warning("This ImageDataGenerator specifies `%s`, but it hasn't been fit on any training "
                                     "data. Fit it first by calling `.fit(numpy_data)`.", what)
        if not any(self._flags) and not self.rescale:
            return x
        return _rill.keras_image_standardize(_floats(x), self._flags, self.rescale or 0.0, self.channel_axis - 1,
                                             self.mean, self.std, self.principal_components)

    def _shift(self, ranges, size):
        if not np.any(ranges):
            return 0
        try:  # a list to choose from, or a whole number of pixels
            return np.random.choice(ranges) * np.random.choice([-1, 1])
        except ValueError:
            return np.random.uniform(-ranges, ranges) * (size if np.max(ranges) < 1 else 1)

    def get_random_transform(self, img_shape, seed=None):
        """What apply_transform is to do with one picture."""
        if seed is not None:
            np.random.seed(seed)
        theta = np.random.uniform(-self.rotation_range, self.rotation_range) if self.rotation_range else 0
        tx = self._shift(self.height_shift_range, img_shape[self.row_axis - 1])
        ty = self._shift(self.width_shift_range, img_shape[self.col_axis - 1])
        shear = np.random.uniform(-self.shear_range, self.shear_range) if self.shear_range else 0
        zx, zy = (1, 1) if self.zoom_range == [1, 1] else np.random.uniform(self.zoom_range[0], self.zoom_range[1], 2)
        flips = [(np.random.random() < 0.5) * wanted for wanted in (self.horizontal_flip, self.vertical_flip)]
        shift, brightness = None, None
        if self.channel_shift_range != 0:
            shift = np.random.uniform(-self.channel_shift_range, self.channel_shift_range)
        if self.brightness_range is not None:
            brightness = np.random.uniform(self.brightness_range[0], self.brightness_range[1])
        return {"theta": theta, "tx": tx, "ty": ty, "shear": shear, "zx": zx, "zy": zy, "flip_horizontal": flips[0],
                "flip_vertical": flips[1], "channel_shift_intensity": shift, "brightness": brightness}

    def apply_transform(self, x, transform_parameters):
        """A picture changed as a dict of get_random_transform's keys says."""
        how = transform_parameters
        row_axis, col_axis, channel_axis = self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        x = apply_affine_transform(x, how.get("theta", 0), how.get("tx", 0), how.get("ty", 0), how.get("shear", 0),
                                   how.get("zx", 1), how.get("zy", 1), row_axis, col_axis, channel_axis,
                                   self.fill_mode, self.cval, self.interpolation_order)
        if how.get("channel_shift_intensity") is not None:
            x = apply_channel_shift(x, how["channel_shift_intensity"], channel_axis)
        if how.get("flip_horizontal", False):
            x = flip_axis(x, col_axis)
        if how.get("flip_vertical", False):
            x = flip_axis(x, row_axis)
        if how.get("brightness") is not None:
            x = apply_brightness_shift(x, how["brightness"], False)
        return x

    def random_transform(self, x, seed=None):
        """A picture changed at random."""
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def fit(self, x, augment=False, rounds=1, seed=None):
        """Computes what featurewise statistics and whitening need."""
        x = np.asarray(x, dtype=self.dtype)
        if x.ndim != 4:
            raise ValueError(f"Input to `.fit()` should have rank 4. Got array with shape: {x.shape}")
        if seed is not None:
            np.random.seed(seed)
        if augment:
            x = np.stack([self.random_transform(one) for _ in range(rounds) for one in x]).astype(self.dtype)
        self.mean, self.std, self.principal_components = _rill.keras_image_statistics(
            _floats(x), self._flags, self.zca_epsilon, self.rescale or 0.0, self.channel_axis - 1)
