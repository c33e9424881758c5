"""Batches of pictures out of arrays, folders and tables."""

import os
import threading

import numpy as np

from rill.keras import backend
from rill.keras.preprocessing._image_files import EXTENSIONS, Reader, save_img
from rill.keras.utils import Sequence


class Iterator(Sequence):
    """Batches of n examples, in an order that changes after each epoch. What an example is, a subclass says."""

    def __init__(self, n, batch_size, shuffle, seed):
        self.n, self.batch_size, self.shuffle, self.seed = n, batch_size, shuffle, seed
        self.batch_index = self.total_batches_seen = 0
        self.lock = threading.Lock()
        self.index_array = None
        self.index_generator = self._flow_index()

    def _set_index_array(self):
        self.index_array = np.random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def _seed(self):
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)

    def __getitem__(self, idx):
        if idx >= len(self):
            raise ValueError(f"Asked to retrieve element {idx}, but the Sequence has length {len(self)}")
        self._seed()
        self.total_batches_seen += 1
        if self.index_array is None:
            self._set_index_array()
        return self._get_batches_of_transformed_samples(
            self.index_array[self.batch_size * idx:self.batch_size * (idx + 1)])

    def __len__(self):
        return (self.n + self.batch_size - 1) // self.batch_size

    def on_epoch_end(self):
        """Draws another order."""
        self._set_index_array()

    def reset(self):
        """Begins again with the first batch."""
        self.batch_index = 0

    def _flow_index(self):
        self.reset()
        while True:
            self._seed()
            if self.batch_index == 0:
                self._set_index_array()
            at = self.batch_index * self.batch_size % self.n if self.n else 0
            self.batch_index = self.batch_index + 1 if self.n > at + self.batch_size else 0
            self.total_batches_seen += 1
            yield self.index_array[at:at + self.batch_size]

    def __iter__(self):
        return self

    def __next__(self):
        with self.lock:
            index_array = next(self.index_generator)
        return self._get_batches_of_transformed_samples(index_array)

    def next(self):
        """The next batch."""
        return next(self)

    def _get_batches_of_transformed_samples(self, index_array):
        raise NotImplementedError

    def _save(self, batch_x, index_array):
        for i, at in enumerate(index_array if self.save_to_dir else ()):
            name = f"{self.save_prefix}_{at}_{np.random.randint(1e4)}.{self.save_format}"
            save_img(os.path.join(self.save_to_dir, name), batch_x[i], self.data_format)


def _part(subset, split, count):
    """Which of the examples belong to a subset: the first ones validate."""
    if subset is None:
        return slice(None)
    if subset not in ("training", "validation"):
        raise ValueError(f'Invalid subset name: {subset};expected "training" or "validation"')
    border = int(count * split)
    return slice(0, border) if subset == "validation" else slice(border, None)


class NumpyArrayIterator(Iterator):
    """Batches of arrays; beside pictures x may have other arrays: (x, [more])."""

    def __init__(self, x, y, image_data_generator, batch_size=32, shuffle=False, sample_weight=None, seed=None,
                 data_format=None, save_to_dir=None, save_prefix="", save_format="png", subset=None, dtype=None):
        self.dtype = dtype or getattr(image_data_generator, "dtype", None) or backend.floatx()
        x, more = x if isinstance(x, (tuple, list)) else (x, [])
        more = [np.asarray(other) for other in (more if isinstance(more, list) else [more])]
        if any(len(other) != len(x) for other in more):
            raise ValueError("All of the arrays in `x` should have the same length.")
        for name, what, other in (("y", "`y` (labels)", y), ("sample_weight", "`sample_weight`", sample_weight)):
            if other is not None and len(x) != len(other):
                raise ValueError(f"`x` (images tensor) and {what} should have the same length. Found: x.shape = "
                                 f"{np.asarray(x).shape}, {name}.shape = {np.asarray(other).shape}")
        part = _part(subset, image_data_generator._validation_split, len(x))
        if subset is not None and y is not None:
            self._check_classes(np.asarray(y), int(len(x) * image_data_generator._validation_split))
        self.x = np.asarray(x, dtype=self.dtype)[part]
        self.x_misc = [other[part] for other in more]
        if self.x.ndim != 4:
            raise ValueError("Input data in `NumpyArrayIterator` should have rank 4. You passed an array with shape",
                             self.x.shape)
        self.y = None if y is None else np.asarray(y)[part]
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)[part]
        self.image_data_generator = image_data_generator
        self.data_format = data_format or backend.image_data_format()
        self.save_to_dir, self.save_prefix, self.save_format = save_to_dir, save_prefix, save_format
        super().__init__(len(self.x), batch_size, shuffle, seed)

    @staticmethod
    def _check_classes(y, border):
        if not np.array_equal(np.unique(y[:border]), np.unique(y[border:])):
            raise ValueError("Training and validation subsets have different number of classes after the split. If your "
                             "numpy arrays are sorted by the label, you might want to shuffle them.")

    def _get_batches_of_transformed_samples(self, index_array):
        generator = self.image_data_generator
        batch_x = np.zeros((len(index_array),) + self.x.shape[1:], dtype=self.dtype)
        for i, at in enumerate(index_array):
            how = generator.get_random_transform(self.x[at].shape)
            batch_x[i] = generator.standardize(generator.apply_transform(self.x[at], how))
        self._save(batch_x, index_array)
        found = batch_x if not self.x_misc else [batch_x, *(other[index_array] for other in self.x_misc)]
        if self.y is None:
            return found
        rest = [self.y[index_array]] + ([] if self.sample_weight is None else [self.sample_weight[index_array]])
        return (found, *rest)


class _FileIterator(Iterator):
    """Batches of pictures in files; a subclass knows `filepaths` and `labels`."""

    def _start(self, image_data_generator, target_size, color_mode, data_format, batch_size, shuffle, seed,
               save_to_dir, save_prefix, save_format, subset, interpolation, dtype):
        self.image_data_generator, self.target_size, self.color_mode = image_data_generator, tuple(target_size), color_mode
        self.data_format = data_format or backend.image_data_format()
        self._reader = Reader(target_size, color_mode, interpolation, self.data_format)
        self.image_shape, self.interpolation, self.subset = self._reader.shape, interpolation, subset
        self.save_to_dir, self.save_prefix, self.save_format = save_to_dir, save_prefix, save_format
        self.dtype = dtype or getattr(image_data_generator, "dtype", None) or backend.floatx()
        super().__init__(self.samples, batch_size, shuffle, seed)

    def _get_batches_of_transformed_samples(self, index_array):
        generator = self.image_data_generator
        batch_x = np.zeros((len(index_array),) + self.image_shape, dtype=self.dtype)
        for i, at in enumerate(index_array):
            x = self._reader.read(self.filepaths[at])
            if generator is not None:
                x = generator.standardize(generator.apply_transform(x, generator.get_random_transform(x.shape)))
            batch_x[i] = x
        self._save(batch_x, index_array)
        batch_y = self._targets(batch_x, index_array)
        if batch_y is None:
            return batch_x
        weights = getattr(self, "_sample_weight", None)
        return (batch_x, batch_y) if weights is None else (batch_x, batch_y, weights[index_array])

    def _targets(self, batch_x, index_array):
        if self.class_mode == "input":
            return batch_x.copy()
        if self.class_mode in ("binary", "sparse"):
            return np.asarray(self.classes)[index_array].astype(self.dtype)
        if self.class_mode == "categorical":
            return np.eye(len(self.class_indices), dtype=self.dtype)[np.asarray(self.classes, int)[index_array]]
        return None


class DirectoryIterator(_FileIterator):
    """Batches of the pictures in a folder; its folders are the classes."""

    def __init__(self, directory, image_data_generator, target_size=(256, 256), color_mode="rgb", classes=None,
                 class_mode="categorical", batch_size=32, shuffle=True, seed=None, data_format=None, save_to_dir=None,
                 save_prefix="", save_format="png", follow_links=False, subset=None, interpolation="nearest",
                 dtype=None):
        if class_mode not in ("categorical", "binary", "sparse", "input", None):
            raise ValueError(f"Invalid class_mode: {class_mode}; expected one of: "
                             "{'categorical', 'binary', 'sparse', 'input', None}")
        self.directory, self.class_mode = directory, class_mode
        found = sorted(name for name in os.listdir(directory) if os.path.isdir(os.path.join(directory, name)))
        classes = list(classes) if classes else found
        self.num_classes, self.class_indices = len(classes), dict(zip(classes, range(len(classes))))
        split = getattr(image_data_generator, "_validation_split", 0.0) or 0.0
        self.filenames, self.classes = [], []
        for label, name in enumerate(classes):
            files = self._files_below(os.path.join(directory, name), follow_links)
            files = files[_part(subset, split, len(files))]
            self.filenames += [os.path.relpath(path, directory) for path in files]
            self.classes += [label] * len(files)
        self.classes, self.samples = np.array(self.classes, dtype="int32"), len(self.filenames)
        self.filepaths = [os.path.join(directory, name) for name in self.filenames]
        print(f"Found {self.samples} images belonging to {self.num_classes} classes.")
        self._start(image_data_generator, target_size, color_mode, data_format, batch_size, shuffle, seed, save_to_dir,
                    save_prefix, save_format, subset, interpolation, dtype)

    @staticmethod
    def _files_below(folder, follow_links):
        walked = sorted(os.walk(folder, followlinks=follow_links), key=lambda part: part[0])
        return [os.path.join(root, name) for root, _, names in walked for name in sorted(names)
                if name.lower().endswith(tuple("." + kind for kind in EXTENSIONS))]

    @property
    def labels(self):
        """The number of each picture's class."""
        return self.classes


class DataFrameIterator(_FileIterator):
    """Batches of the pictures that a table names; targets are classes or columns."""

    def __init__(self, dataframe, directory=None, image_data_generator=None, x_col="filename", y_col="class",
                 weight_col=None, target_size=(256, 256), color_mode="rgb", classes=None, class_mode="categorical",
                 batch_size=32, shuffle=True, seed=None, data_format="channels_last", save_to_dir=None, save_prefix="",
                 save_format="png", subset=None, interpolation="nearest", dtype="float32", validate_filenames=True):
        modes = ("binary", "categorical", "input", "multi_output", "raw", "sparse", None)
        if class_mode not in modes:
            raise ValueError(f"Invalid class_mode: {class_mode}; expected one of: {modes}")
        paths = [os.path.join(directory or "", name) for name in dataframe[x_col]]
        kept = [i for i, path in enumerate(paths) if not validate_filenames or
                path.lower().endswith(EXTENSIONS) and os.path.isfile(path)]
        kept = kept[_part(subset, getattr(image_data_generator, "_validation_split", 0.0) or 0.0, len(kept))]
        self.directory, self.class_mode = directory, class_mode
        self.filepaths = [paths[i] for i in kept]
        self.filenames = [list(dataframe[x_col])[i] for i in kept]
        self.samples = len(kept)
        if weight_col:
            self._sample_weight = np.asarray(dataframe[weight_col])[kept]
        self._read_targets(dataframe, y_col, kept, classes)
        self._start(image_data_generator, target_size, color_mode, data_format, batch_size, shuffle, seed, save_to_dir,
                    save_prefix, save_format, subset, interpolation, dtype)

    def _read_targets(self, dataframe, y_col, kept, classes):
        if self.class_mode == "raw":
            self._raw = np.asarray(dataframe[y_col])[kept]
        elif self.class_mode == "multi_output":
            self._raw = [np.asarray(dataframe[column])[kept] for column in y_col]
        elif self.class_mode in ("binary", "categorical", "sparse"):
            values = list(dataframe[y_col])
            classes = list(classes) if classes else sorted(set(values))
            self.class_indices = dict(zip(classes, range(len(classes))))
            self.classes = [self.class_indices[values[i]] for i in kept]
            print(f"Found {self.samples} validated image filenames belonging to {len(classes)} classes.")
            return
        print(f"Found {self.samples} validated image filenames.")

    def _targets(self, batch_x, index_array):
        if self.class_mode == "raw":
            return self._raw[index_array]
        if self.class_mode == "multi_output":
            return [column[index_array] for column in self._raw]
        return super()._targets(batch_x, index_array)

    @property
    def labels(self):
        """The targets of all pictures."""
        return self.classes if hasattr(self, "classes") else self._raw
