"""tf.layers.InputSpec: what a layer wants of an input."""

from rill._rill import TensorShape
from rill.dtypes import as_dtype


class InputSpec:
    """Type, rank and sizes that an input of a layer must have."""

    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None,
                 allow_last_axis_squeeze=False, name=None):
        self.dtype = None if dtype is None else as_dtype(dtype).name
        known = TensorShape(shape)
        self.shape = None if known.ndims is None else tuple(known.as_list())
        self.ndim = ndim if self.shape is None else len(self.shape)
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        self.allow_last_axis_squeeze, self.name = allow_last_axis_squeeze, name
        try:
            self.axes = {int(axis): size for axis, size in dict(axes or {}).items()}
        except (ValueError, TypeError):
            raise TypeError("Argument `axes` must be a dict with integer keys. "
                            f"Received: axes={axes}") from None
        self._check_axes()

    def _check_axes(self):
        limit = self.max_ndim if self.ndim is None else self.ndim
        if self.axes and limit is not None and max(self.axes) > limit - 1:
            raise ValueError(f"Axis {max(self.axes)} is greater than the maximum allowed value: "
                             f"{limit - 1}")

    def __repr__(self):
        names = ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")
        parts = [f"{name}={getattr(self, name)}" for name in names if getattr(self, name)]
        return f"InputSpec({', '.join(parts)})"

    def get_config(self):
        """The arguments that make the same."""
        return {name: getattr(self, name)
                for name in ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")}

    @classmethod
    def from_config(cls, config):
        """The one that `get_config` describes."""
        return cls(**config)
