"""tf.keras.experimental: schedules and cells that were new."""

from rill import _surface
from rill.errors import UnimplementedError
from rill.keras._recurrent import PeepholeLSTMCell  # noqa: F401
from rill.keras.optimizers.schedules import (CosineDecay, CosineDecayRestarts,  # noqa: F401
                                             LinearCosineDecay, NoisyLinearCosineDecay)


def export_saved_model(model, saved_model_path, custom_objects=None, as_text=False, input_signature=None,
                       serving_only=False):
    """Not there yet."""
    raise UnimplementedError(None, None, "export_saved_model: saving models is not there yet")


def load_from_saved_model(saved_model_path, custom_objects=None):
    """Not there yet."""
    raise UnimplementedError(None, None, "load_from_saved_model: loading models is not there yet")


def terminate_keras_multiprocessing_pools(grace_period=0.1, use_sigkill=False):
    """Ends worker processes, of which there are none."""


__getattr__, __dir__ = _surface.members_of(__name__)
