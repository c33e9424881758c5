"""tf.contrib.layers' initializers and regularizers."""

import rill
from rill import _initializers, _rill
from rill._conversion import is_tensor
from rill.dtypes import as_dtype, float32


class _ContribVariance(_initializers._Native):
    _make = staticmethod(_rill.functions._initializers.contrib_variance)
    _fields = ("factor", "mode", "uniform", "seed")

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

# --- losses of weights ---------------------------------------------------------------------------


def _checked_scale(scale):
    if isinstance(scale, int) and not isinstance(scale, bool):
        raise ValueError(f"scale cannot be an integer: {scale}")
    return float(scale)


def _of_tensor(scale, scope, name, penalty):
    """A regularizer whose scale is decided in the step."""
    def regularizer(weights):
        with rill.name_scope(scope, name, [weights]) as inner:
            factor = rill.convert_to_tensor(scale, weights.dtype.base_dtype, name="scale")
            return rill.multiply(factor, penalty(weights), name=inner)

    return regularizer


def l1_regularizer(scale, scope=None):
    """scale * the sum of the weights' sizes."""
    if is_tensor(scale):
        return _of_tensor(scale, scope, "l1_regularizer", lambda weights: rill.reduce_sum(rill.abs(weights)))
    return _rill.contrib_regularizer("l1", _checked_scale(scale), 0.0, scope or "")


def l2_regularizer(scale, scope=None):
    """scale * half the sum of the weights' squares."""
    if is_tensor(scale):
        return _of_tensor(scale, scope, "l2_regularizer", lambda weights: rill.nn.l2_loss(weights))
    return _rill.contrib_regularizer("l2", _checked_scale(scale), 0.0, scope or "")


def l1_l2_regularizer(scale_l1=1.0, scale_l2=1.0, scope=None):
    """Both."""
    if is_tensor(scale_l1) or is_tensor(scale_l2):
        return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope or "l1_l2_regularizer")
    for scale in (scale_l1, scale_l2):
        _checked_scale(scale)
    return _rill.contrib_regularizer("l1_l2", scale_l1, scale_l2, scope or "")


def sum_regularizer(regularizer_list, scope=None):
    """The sum of what several make."""
    return _rill.contrib_sum_regularizer([r for r in regularizer_list if r is not None], scope or "")


def apply_regularization(regularizer, weights_list=None):
    """The sum of the losses of all weights, in REGULARIZATION_LOSSES."""
    return _rill.contrib_apply_regularization(regularizer, weights_list)
