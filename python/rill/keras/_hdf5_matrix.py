"""tf.keras.utils.HDF5Matrix: rows of an array in an HDF5 file, as data that models take."""

import collections
import errno
import os

import numpy as np

from rill import _rill, errors


class HDF5Matrix:
    """Rows of an array in an HDF5 file; a normalizer changes each part that is asked for."""

    refs = collections.defaultdict(int)  # the files that TensorFlow keeps open: arrays are read whole here

    def __init__(self, datapath, dataset, start=0, end=None, normalizer=None):
        datapath = os.fspath(datapath)
        if not os.path.exists(datapath):
            raise FileNotFoundError(errno.ENOENT, f"Unable to open file (unable to open file: name = '{datapath}', "
                                    f"errno = {errno.ENOENT}, error message = '{os.strerror(errno.ENOENT)}', "
                                    "flags = 0, o_flags = 0)")
        try:
            self.data = _rill.keras_hdf5_array(datapath, dataset)
        except errors.NotFoundError:
            raise KeyError(f"Unable to open object (object '{dataset}' doesn't exist)") from None
        self.start = start
        self.end = self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self):
        return self.end - self.start

    def _places(self, key):
        """Where in the array the rows of a key are; raises IndexError behind the end."""
        if isinstance(key, slice):
            first = self.start + (key.start or 0)
            last = self.start + (len(self) if key.stop is None else key.stop)
            if last > self.end:
                raise IndexError
            return slice(first, last)
        if isinstance(key, (int, np.integer)):
            if self.start + key >= self.end:
                raise IndexError
            return self.start + key
        rows = [self.start + row for row in key]
        if max(rows) >= self.end:
            raise IndexError
        return rows

    def __getitem__(self, key):
        rows = self.data[self._places(key)]
        return rows if self.normalizer is None else self.normalizer(rows)

    def __array__(self, *args):
        return np.asarray(self[:], *args)

    @property
    def shape(self):
        """As of an array."""
        return (len(self), *self.data.shape[1:])

    @property
    def dtype(self):
        """As of an array."""
        return self.data.dtype

    @property
    def ndim(self):
        """As of an array."""
        return self.data.ndim

    @property
    def size(self):
        """As of an array."""
        return int(np.prod(self.shape))
