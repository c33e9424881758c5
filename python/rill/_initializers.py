"""The initializers of variables as classes; what they make is made in C++."""

from rill import _rill
from rill._rill.functions import _initializers as _made
from rill.dtypes import as_dtype, float32


def _float_dtype(dtype):
    """The type, which must be a floating-point one."""
    return _made.float_dtype(as_dtype(dtype))


class Initializer:
    """Makes the first value of a variable, given its shape and type."""

    def __call__(self, shape, dtype=None, partition_info=None):
        raise NotImplementedError

    def get_config(self):
        """The arguments that make the same initializer."""
        return {}

    @classmethod
    def from_config(cls, config):
        """The initializer that `get_config` describes."""
        return cls(**config)


def _has_tensors(shape):
    dims = shape if isinstance(shape, (list, tuple)) else [shape]
    return any(isinstance(dim, _rill.Tensor) for dim in dims)


class FromCheckpoint(Initializer):
    """Values of a checkpoint: what C++ makes of a shape, a type and a part."""

    def __init__(self, make):
        self._make = make

    def __call__(self, shape, dtype=float32, partition_info=None):
        return self._make(shape, dtype, partition_info)


class _Native(Initializer):
    """One of C++: `_make` is its function, `_fields` are the arguments."""

    _make, _fields = None, ()
    _for_any_shape = None  # the function that makes the same for a shape with tensors in it

    def __call__(self, shape, dtype=None, partition_info=None):
        values = {name: getattr(self, name) for name in self._fields}
        dtype = self.dtype if dtype is None else dtype
        if self._for_any_shape and _has_tensors(shape):
            return self._for_any_shape(shape, dtype=dtype, **values)
        return self._make(shape, dtype, partition=partition_info, **values)

    def get_config(self):
        config = {name: getattr(self, name) for name in self._fields if name != "verify_shape"}
        config["dtype"] = self.dtype.name
        return config


class zeros_initializer(_Native):
    """All zeros."""

    _make = staticmethod(_made.zeros)
    _for_any_shape = staticmethod(_rill.functions.zeros)

    def __init__(self, dtype=float32):
        self.dtype = as_dtype(dtype)


class ones_initializer(_Native):
    """All ones."""

    _make = staticmethod(_made.ones)
    _for_any_shape = staticmethod(_rill.functions.ones)

    def __init__(self, dtype=float32):
        self.dtype = as_dtype(dtype)


class constant_initializer(_Native):
    """One value, or the elements of a list; the last one is repeated."""

    _make, _fields = staticmethod(_made.constant), ("value", "verify_shape")

    def __init__(self, value=0, dtype=float32, verify_shape=False):
        import numpy as np
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(f"Invalid type for initial value: {type(value)} (expected Python scalar, "
                            "list or tuple of values, or numpy.ndarray).")
        self.value, self.dtype, self.verify_shape = value, as_dtype(dtype), verify_shape

    def __call__(self, shape, dtype=None, partition_info=None, verify_shape=None):
        verify = self.verify_shape if verify_shape is None else verify_shape
        return self._make(shape, self.dtype if dtype is None else dtype, self.value, verify)


class random_uniform_initializer(_Native):
    """Values between two bounds, all equally likely."""

    _make, _fields = staticmethod(_made.random_uniform), ("minval", "maxval", "seed")
    _for_any_shape = staticmethod(_rill.functions.random.uniform)

    def __init__(self, minval=0, maxval=None, seed=None, dtype=float32):
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, as_dtype(dtype)


class random_normal_initializer(_Native):
    """Normally distributed values."""

    _make, _fields = staticmethod(_made.random_normal), ("mean", "stddev", "seed")
    _for_any_shape = staticmethod(_rill.functions.random.normal)

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=float32):
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _float_dtype(dtype)


class truncated_normal_initializer(random_normal_initializer):
    """Normally distributed values, none further from the mean than two deviations."""

    _make = staticmethod(_made.truncated_normal)
    _for_any_shape = staticmethod(_rill.functions.random.truncated_normal)


class uniform_unit_scaling_initializer(_Native):
    """Uniform values that keep the variance of what goes through."""

    _make, _fields = staticmethod(_made.uniform_unit_scaling), ("factor", "seed")

    def __init__(self, factor=1.0, seed=None, dtype=float32):
        self.factor, self.seed, self.dtype = factor, seed, _float_dtype(dtype)


class variance_scaling_initializer(_Native):
    """Random values whose variance follows from the shape of the weights."""

    _make, _fields = staticmethod(_made.variance_scaling), ("scale", "mode", "distribution", "seed")

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None,
                 dtype=float32):
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError(f"Invalid `mode` argument: {mode}")
        distribution = distribution.lower()
        if distribution not in {"normal", "uniform", "truncated_normal", "untruncated_normal"}:
            raise ValueError(f"Invalid `distribution` argument: {distribution}")
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.seed, self.dtype = seed, _float_dtype(dtype)


class _Glorot(variance_scaling_initializer):
    _kind = "uniform"

    def __init__(self, seed=None, dtype=float32):
        super().__init__(scale=1.0, mode="fan_avg", distribution=self._kind, seed=seed)
        self.dtype = as_dtype(dtype)

    def get_config(self):
        return {"seed": self.seed, "dtype": self.dtype.name}


class glorot_uniform_initializer(_Glorot):
    """Xavier's: uniform, scaled by the mean of inputs and outputs."""


class glorot_normal_initializer(_Glorot):
    """Xavier's: normal, scaled by the mean of inputs and outputs."""

    _kind = "truncated_normal"


class orthogonal_initializer(_Native):
    """Orthogonal rows or columns, times `gain`."""

    _make, _fields = staticmethod(_made.orthogonal), ("gain", "seed")

    def __init__(self, gain=1.0, seed=None, dtype=float32):
        self.gain, self.seed, self.dtype = gain, seed, _float_dtype(dtype)


class convolutional_delta_orthogonal(orthogonal_initializer):
    """An orthogonal matrix in the middle of a convolution's kernel, zeros around it."""

    _make = staticmethod(_made.delta_orthogonal)


class identity_initializer(_Native):
    """`gain` on the diagonal of a matrix."""

    _make, _fields = staticmethod(_made.identity), ("gain",)

    def __init__(self, gain=1.0, dtype=float32):
        self.gain, self.dtype = gain, _float_dtype(dtype)


def lecun_normal(seed=None):
    """Normal values scaled by the number of inputs."""
    return variance_scaling_initializer(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed=None):
    """Uniform values scaled by the number of inputs."""
    return variance_scaling_initializer(1.0, "fan_in", "uniform", seed)


def he_normal(seed=None):
    """Normal values scaled by the number of inputs, for rectifiers."""
    return variance_scaling_initializer(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed=None):
    """Uniform values scaled by the number of inputs, for rectifiers."""
    return variance_scaling_initializer(2.0, "fan_in", "uniform", seed)


# What programs read of the type of an initializer, and Keras writes into files.
for _name in ("Zeros", "Ones", "Constant", "RandomUniform", "RandomNormal", "TruncatedNormal", "UniformUnitScaling",
              "VarianceScaling", "GlorotUniform", "GlorotNormal", "Orthogonal", "Identity"):
    _public = "".join("_" * (i > 0 and c.isupper()) + c.lower() for i, c in enumerate(_name)) + "_initializer"
    globals()[_public].__name__ = _name
