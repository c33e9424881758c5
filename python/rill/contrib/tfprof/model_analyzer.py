"""tf.contrib.tfprof.model_analyzer: views of a graph, with options as dicts."""

from rill import profiler
from rill.profiler import ProfileOptionBuilder as _Builder
from rill.profiler import advise

TRAINABLE_VARS_PARAMS_STAT_OPTIONS = _Builder.trainable_variables_parameter()
FLOAT_OPS_OPTIONS = _Builder.float_operation()
PRINT_ALL_TIMING_MEMORY = _Builder.time_and_memory()

__all__ = ["FLOAT_OPS_OPTIONS", "PRINT_ALL_TIMING_MEMORY", "TRAINABLE_VARS_PARAMS_STAT_OPTIONS", "advise",
           "print_model_analysis"]


def print_model_analysis(graph, run_meta=None, op_log=None, tfprof_cmd="scope",
                         tfprof_options=TRAINABLE_VARS_PARAMS_STAT_OPTIONS):
    """Shows a view of a graph and returns it."""
    return profiler.profile(graph, run_meta, op_log, tfprof_cmd, tfprof_options)
