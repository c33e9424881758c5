"""tf.contrib.tfprof: tf.profiler as it was called before."""

from rill.contrib.tfprof import model_analyzer, tfprof_logger
from rill._profile_context import ProfileContext

__all__ = ["ProfileContext", "model_analyzer", "tfprof_logger"]
