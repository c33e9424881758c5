"""tf.keras.models: networks that can be trained."""

import json

from rill import _surface
from rill.errors import UnimplementedError
from rill.keras import _objects
from rill.keras._engine import Model, Sequential  # noqa: F401
from rill.keras._saving import load_model, save_model  # noqa: F401


def model_from_config(config, custom_objects=None):
    """The model that a dict describes."""
    if isinstance(config, list):
        raise TypeError("`model_from_config` expects a dictionary, not a list.")
    from rill.keras import layers
    return layers.deserialize(config, custom_objects=custom_objects)


def model_from_json(json_string, custom_objects=None):
    """The model that a JSON text describes."""
    return model_from_config(json.loads(json_string), custom_objects)


def model_from_yaml(yaml_string, custom_objects=None):
    """Removed from TensorFlow for its dangers."""
    raise UnimplementedError(None, None, "model_from_yaml; use model_from_json")


def clone_model(model, input_tensors=None, clone_function=None):
    """The same model with new weights."""
    if clone_function is not None or input_tensors is not None:
        raise UnimplementedError(None, None, "clone_model with input_tensors or clone_function")
    with _objects.CustomObjectScope({type(layer).__name__: type(layer) for layer in model.layers}):
        return type(model).from_config(model.get_config())


__getattr__, __dir__ = _surface.members_of(__name__)
