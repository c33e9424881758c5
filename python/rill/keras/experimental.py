"""tf.keras.experimental: schedules and cells that were new."""

import os

from rill import _surface
from rill.errors import UnimplementedError
from rill.feature_column._layers import SequenceFeatures  # noqa: F401
from rill.keras._premade import LinearModel, WideDeepModel  # noqa: F401
from rill.keras._recurrent import PeepholeLSTMCell  # noqa: F401
from rill.keras.optimizers.schedules import (CosineDecay, CosineDecayRestarts,  # noqa: F401
                                             LinearCosineDecay, NoisyLinearCosineDecay)


def export_saved_model(model, saved_model_path, custom_objects=None, as_text=False, input_signature=None,
                       serving_only=False):
    """Writes a model as a SavedModel: its graph for serving, its weights and itself as JSON."""
    if input_signature is not None:
        raise UnimplementedError(None, None, "export_saved_model with an input_signature")
    from rill.keras import _saved_model
    _saved_model.export(model, os.fspath(saved_model_path), as_text, custom_objects)


def load_from_saved_model(saved_model_path, custom_objects=None):
    """The model that export_saved_model wrote, with its weights; not compiled."""
    from rill.keras import _saved_model
    return _saved_model.load(os.fspath(saved_model_path), custom_objects, compile=False)


def terminate_keras_multiprocessing_pools(grace_period=0.1, use_sigkill=False):
    """Ends worker processes, of which there are none."""


__getattr__, __dir__ = _surface.members_of(__name__)
