"""tf.contrib.slim: tf.contrib.layers, arg_scope, functions of variables, and datasets under one name."""

import importlib as _importlib

from rill._arg_scope import (add_arg_scope, arg_scope, arg_scope_func_key, arg_scoped_arguments,
                             current_arg_scope, has_arg_scope)
from rill.contrib import _slim_evaluation as evaluation
from rill.contrib import _slim_learning as learning
from rill.contrib import _utils as utils
from rill.contrib import framework as _framework
from rill.contrib import layers, losses, metrics
from rill.contrib.layers import *  # noqa: F403

_OF_FRAMEWORK = (
    "VariableDeviceChooser add_model_variable assert_global_step assert_or_get_global_step "
    "assign_from_checkpoint assign_from_checkpoint_fn assign_from_values assign_from_values_fn "
    "create_global_step deprecated deprecated_arg_values filter_variables get_global_step "
    "get_local_variables get_model_variables get_or_create_global_step get_trainable_variables "
    "get_unique_variable get_variable_full_name get_variables get_variables_by_name "
    "get_variables_by_suffix get_variables_to_restore global_variable local_variable model_variable "
    "variable zero_initializer").split()
globals().update({_name: getattr(_framework, _name) for _name in _OF_FRAMEWORK})

_MODULES = ("data_decoder", "data_provider", "dataset", "dataset_data_provider", "model_analyzer", "nets",
            "parallel_reader", "prefetch_queue", "queues", "summaries", "tfexample_decoder")
for _name in _MODULES:
    globals().pop(_name, None)  # contrib.layers has summaries of its own
fc, variance_scaling_initializer = layers.fully_connected, layers.variance_scaling_initializer

__all__ = [name for name in dir() if not name.startswith("_")] + [
    "add_arg_scope", "arg_scope", "arg_scope_func_key", "arg_scoped_arguments", "current_arg_scope",
    "evaluation", "has_arg_scope", "learning", "losses", "metrics", "utils"] + list(_OF_FRAMEWORK) + list(_MODULES)


def __getattr__(name):
    """Modules of datasets, which are imported when they are asked for, and feature columns."""
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name.startswith("_"):
        raise AttributeError(f"module 'tensorflow.contrib.slim' has no attribute '{name}'")
    return getattr(layers, name)
