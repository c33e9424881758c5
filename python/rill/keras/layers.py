"""tf.keras.layers: parts of networks."""

import inspect
import sys

from rill import _surface
from rill._input_spec import InputSpec  # noqa: F401
from rill._layers import KerasLayer as Layer  # noqa: F401
from rill.feature_column._layers import DenseFeatures  # noqa: F401
from rill.keras import _objects
from rill.keras._core_layers import *  # noqa: F401, F403
from rill.keras._merge_layers import *  # noqa: F401, F403
from rill.keras._network import Input, InputLayer  # noqa: F401
from rill.keras._recurrent import *  # noqa: F401, F403
from rill.keras._space_layers import *  # noqa: F401, F403
from rill.keras._wrappers import Bidirectional, TimeDistributed, Wrapper  # noqa: F401


def serialize(layer):
    """A dict of a layer."""
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


# What files of other versions call layers that are the same here.
_OTHER_NAMES = {"BatchNormalizationV1": "BatchNormalization", "BatchNormalizationV2": "BatchNormalization"}


class _Known(_objects.Names):
    """Layers and models by the names of their classes."""

    def __contains__(self, name):
        return name in ("Model", "Sequential", "Functional", "TensorFlowOpLayer") or super().__contains__(_OTHER_NAMES.get(name, name))

    def __getitem__(self, name):
        if name in ("Model", "Sequential", "Functional"):
            from rill.keras import models
            return models.Sequential if name == "Sequential" else models.Model
        if name == "TensorFlowOpLayer":
            from rill.keras._op_layers import TensorFlowOpLayer
            return TensorFlowOpLayer
        return super().__getitem__(_OTHER_NAMES.get(name, name))


# Settings that later versions of Keras write, with the values that mean what this one does.
_LATER = {"groups": (1,), "keepdims": (False,), "zero_output_for_mask": (False,), "synchronized": (False,),
          "sparse": (False,), "build_config": (None,), "autocast": (True,), "time_major": (False,),
          "ragged": (False,), "seed": (None,), "noise_shape": (None,), "dilation_rate": ([1], [1, 1], (1,), (1, 1))}
# Those of filters that a layer of two others does not have itself.
_OF_NOTHING = {"SeparableConv1D": "kernel_", "SeparableConv2D": "kernel_", "DepthwiseConv2D": "kernel_"}


def _means_nothing(name, key, value):
    return value in _LATER.get(key, ()) or name in _OF_NOTHING and key.startswith(_OF_NOTHING[name])


def _as_known(config):
    """A layer's dict without settings that its class here does not take, where they change nothing."""
    name = config.get("class_name") if isinstance(config, dict) else None
    known = _Known(sys.modules[__name__])
    if not isinstance(name, str) or name not in known or not isinstance(config.get("config"), dict):
        return config
    taken = inspect.signature(known[name].__init__).parameters
    return {**config, "config": {key: value for key, value in config["config"].items()
                                 if key in taken or not _means_nothing(name, key, value)}}


def deserialize(config, custom_objects=None):
    """The layer that a dict describes."""
    config = _as_known(config)
    return _objects.deserialize_keras_object(config, _Known(sys.modules[__name__]), custom_objects, "layer")


__getattr__, __dir__ = _surface.members_of(__name__)
