"""tf.contrib.layers: what there is of it."""

from rill import _initializers
from rill.dtypes import as_dtype, float32


class _ContribVariance(_initializers._Native):
    _function, _fields = "contrib_variance", ("factor", "mode", "uniform", "seed")

    def __init__(self, factor, mode, uniform, seed, dtype):
        if not as_dtype(dtype).is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
            raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
        self.factor, self.mode, self.uniform = factor, mode, uniform
        self.seed, self.dtype = seed, as_dtype(dtype)


def variance_scaling_initializer(factor=2.0, mode="FAN_IN", uniform=False, seed=None, dtype=float32):
    """Random values whose variance follows from the shape of the weights."""
    return _ContribVariance(factor, mode, uniform, seed, dtype)


def xavier_initializer(uniform=True, seed=None, dtype=float32):
    """Glorot's: the variance of what goes through stays the same in both directions."""
    return _ContribVariance(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer
