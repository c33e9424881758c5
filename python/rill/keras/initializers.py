"""tf.keras.initializers: the initializers under Keras's names, with its defaults."""

from rill import _surface
from rill import _initializers as _native
from rill._initializers import (Initializer, he_normal, he_uniform, lecun_normal,  # noqa: F401
                                lecun_uniform)
from rill._initializers import glorot_normal_initializer as glorot_normal  # noqa: F401
from rill._initializers import glorot_uniform_initializer as glorot_uniform  # noqa: F401
from rill.dtypes import float32

Constant = constant = _native.constant_initializer
Identity = identity = _native.identity_initializer
Ones = ones = _native.ones_initializer
Orthogonal = orthogonal = _native.orthogonal_initializer
VarianceScaling = _native.variance_scaling_initializer
Zeros = zeros = _native.zeros_initializer


class RandomNormal(_native.random_normal_initializer):
    """Normally distributed values."""

    def __init__(self, mean=0.0, stddev=0.05, seed=None, dtype=float32):
        super().__init__(mean, stddev, seed, dtype)


class RandomUniform(_native.random_uniform_initializer):
    """Values between two bounds, all equally likely."""

    def __init__(self, minval=-0.05, maxval=0.05, seed=None, dtype=float32):
        super().__init__(minval, maxval, seed, dtype)


class TruncatedNormal(_native.truncated_normal_initializer):
    """Normally distributed values, none further from the mean than two deviations."""

    def __init__(self, mean=0.0, stddev=0.05, seed=None, dtype=float32):
        super().__init__(mean, stddev, seed, dtype)


normal = random_normal = RandomNormal
uniform = random_uniform = RandomUniform
truncated_normal = TruncatedNormal


GlorotUniform, GlorotNormal = glorot_uniform, glorot_normal
_NAMES = ("Zeros", "Ones", "Constant", "Identity", "Orthogonal", "VarianceScaling", "GlorotUniform", "GlorotNormal",
          "RandomNormal", "RandomUniform", "TruncatedNormal")


def serialize(initializer):
    """A dict that `deserialize` makes the same initializer of."""
    known = {globals()[name]: name for name in _NAMES if isinstance(globals()[name], type)}
    config = dict(initializer.get_config())
    if hasattr(config.get("dtype"), "name"):
        config["dtype"] = config["dtype"].name
    return {"class_name": known.get(type(initializer), type(initializer).__name__), "config": config}


def deserialize(config, custom_objects=None):
    """The initializer that a dict describes."""
    from rill.keras import _objects
    known = {**globals(), **_objects.get_custom_objects(), **(custom_objects or {})}
    name = config["class_name"]
    if name not in known:
        raise ValueError(f"Unknown initializer: {name}")
    return known[name].from_config(config["config"])


def get(identifier):
    """An initializer from its name, its dict, or itself."""
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        found = globals().get(identifier)
        if identifier.startswith("_") or not callable(found):
            raise ValueError(f"Unknown initializer: {identifier}")
        return found()
    raise ValueError(f"Could not interpret initializer identifier: {identifier}")


__getattr__, __dir__ = _surface.members_of(__name__)
