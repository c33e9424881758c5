"""tf.contrib.slim: tf.contrib.layers, arg_scope and functions of variables under one name."""

from rill._arg_scope import (add_arg_scope, arg_scope, arg_scope_func_key, arg_scoped_arguments,
                             current_arg_scope, has_arg_scope)
from rill.contrib import _slim_evaluation as evaluation
from rill.contrib import _slim_learning as learning
from rill.contrib import _utils as utils
from rill.contrib import layers, losses
from rill.contrib.framework import (assign_from_checkpoint, assign_from_checkpoint_fn, assign_from_values,
                                    assign_from_values_fn, create_global_step, filter_variables,
                                    get_global_step, get_local_variables, get_model_variables,
                                    get_or_create_global_step, get_trainable_variables,
                                    get_unique_variable, get_variables, get_variables_by_name,
                                    get_variables_by_suffix, get_variables_to_restore,
                                    global_variable, local_variable, model_variable, variable)
from rill.contrib.layers import *  # noqa: F403

variance_scaling_initializer = layers.variance_scaling_initializer

__all__ = [name for name in dir() if not name.startswith("_")] + [
    "add_arg_scope", "arg_scope", "arg_scoped_arguments", "current_arg_scope", "has_arg_scope",
    "assign_from_checkpoint_fn", "assign_from_values", "assign_from_values_fn", "create_global_step",
    "evaluation", "filter_variables", "get_global_step", "get_local_variables", "get_model_variables",
    "get_or_create_global_step", "get_trainable_variables", "get_unique_variable", "get_variables",
    "get_variables_by_name", "get_variables_by_suffix", "get_variables_to_restore", "global_variable",
    "learning", "local_variable", "losses", "model_variable", "utils", "variable"]
