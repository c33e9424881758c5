"""tf.contrib.framework: arg_scope, and variables by scope, name and collection."""

import re

from rill import _collections, _nest, _rill, _variable_scope
from rill._arg_scope import (add_arg_scope, arg_scope, arg_scope_func_key, arg_scoped_arguments,
                             current_arg_scope, has_arg_scope)
from rill._collections import GraphKeys, get_collection
from rill._control_flow import smart_case, smart_cond, smart_constant_value
from rill._program_utils import deprecated, deprecated_arg_values, deprecated_args
from rill._rill import graph_of_values as get_graph_from_inputs
from rill._rill.functions.contrib.framework import (
    assign_from_checkpoint, assign_from_values, get_variables_to_restore, load_and_remap_matrix,
    load_and_remap_matrix_initializer, load_embedding_initializer,
    load_linear_multiclass_bias_initializer, load_variable_slot_initializer, zero_initializer)
from rill._static import constant_value
from rill.contrib._variables import model_variable, variable


def local_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    """A variable in LOCAL_VARIABLES."""
    from rill import Variable
    return Variable(initial_value, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                    validate_shape=validate_shape, name=name, use_resource=use_resource)


def global_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    """A variable in GLOBAL_VARIABLES that is not trained."""
    from rill import Variable
    return Variable(initial_value, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES],
                    validate_shape=validate_shape, name=name, use_resource=use_resource)


class VariableDeviceChooser:
    """A device for each variable: one task after the other."""

    def __init__(self, num_tasks=0, job_name="ps", device_type="CPU", device_index=0, replica=None):
        self._job_name, self._device_type, self._device_index = job_name, device_type, device_index
        self._replica, self._num_tasks, self._next_task_id = replica, num_tasks, 0

    def __call__(self, op):
        device = _rill.DeviceSpec(device_type=self._device_type, device_index=self._device_index,
                                  replica=self._replica)
        if self._num_tasks > 0:
            device.job, device.task = self._job_name, self._next_task_id
            self._next_task_id = (self._next_task_id + 1) % self._num_tasks
        return device.to_string()


def add_model_variable(var):
    """Puts a variable into MODEL_VARIABLES."""
    if all(var is not known for known in get_collection(GraphKeys.MODEL_VARIABLES)):
        _collections.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


# --- variables that are there --------------------------------------------------------------------


def get_variables(scope=None, suffix=None, collection=GraphKeys.GLOBAL_VARIABLES):
    """Those of a collection, of a scope, whose names end with `suffix`."""
    if isinstance(scope, _variable_scope.VariableScope):
        scope = scope.name
    if suffix is not None:
        suffix = suffix if ":" in suffix else suffix + ":"
        scope = (scope or "") + ".*" + suffix
    return get_collection(collection, scope)


def get_model_variables(scope=None, suffix=None):
    """Those of MODEL_VARIABLES."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope=None, suffix=None):
    """Those of LOCAL_VARIABLES."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope=None, suffix=None):
    """Those of TRAINABLE_VARIABLES."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix, scope=None):
    """Those whose names end so."""
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name, scope=None):
    """Those of that name, in whatever scope."""
    suffix = "/" + given_name + ":|^" + given_name + ":"
    return get_variables(scope=scope, suffix=suffix)


def get_unique_variable(var_op_name):
    """The one of that full name; ValueError where there is none or more than one."""
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variable_full_name(var):
    """The name that checkpoints have for a variable: without its part."""
    info = getattr(var, "_save_slice_info", None)
    return info.full_name if info else var.op.name


def filter_variables(var_list, include_patterns=None, exclude_patterns=None, reg_search=True):
    """Those whose names match one of the patterns to include and none of those to exclude."""
    matches = re.search if reg_search else re.match
    if include_patterns is not None:
        var_list = [v for v in var_list if any(matches(p, v.name) for p in include_patterns)]
    if exclude_patterns is not None:
        var_list = [v for v in var_list if all(not matches(p, v.name) for p in exclude_patterns)]
    return list(var_list)


def assign_from_values_fn(var_names_to_values):
    """A function of a session that gives variables values."""
    operation, feeds = assign_from_values(var_names_to_values)
    return lambda session: session.run(operation, feeds)


def _variables_by_name(var_list):
    if isinstance(var_list, dict):
        return var_list
    return {get_variable_full_name(var): var for var in var_list}


def assign_from_checkpoint_fn(model_path, var_list, ignore_missing_vars=False,
                              reshape_variables=False):
    """A function of a session that restores variables from a checkpoint."""
    from rill import train
    if not var_list:
        raise ValueError("var_list cannot be empty")
    wanted = _variables_by_name(var_list)
    if ignore_missing_vars:
        known = set(train.load_checkpoint(model_path).get_variable_to_shape_map())
        wanted = {name: var for name, var in wanted.items() if name in known}
    if not wanted:
        return None
    saver = train.Saver(wanted, reshape=reshape_variables)
    return lambda session: saver.restore(session, model_path)


# --- steps ---------------------------------------------------------------------------------------


def get_or_create_global_step(graph=None):
    """The variable that counts training steps."""
    from rill import train
    return train.get_or_create_global_step(graph)


def create_global_step(graph=None):
    """A new variable that counts training steps."""
    from rill import train
    return train.create_global_step(graph)


def get_global_step(graph=None):
    """The variable that counts training steps, or None."""
    from rill import train
    return train.get_global_step(graph)


def assert_global_step(global_step_tensor):
    """Raises unless it is an integer scalar."""
    from rill import train
    train.assert_global_step(global_step_tensor)


def assert_or_get_global_step(graph=None, global_step_tensor=None):
    """The one that is given, checked, or the graph's."""
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


def get_name_scope():
    """The name scope that is open, without the last slash."""
    return _rill.get_default_graph().get_name_scope()


def get_placeholders(graph):
    """The placeholders of a graph."""
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def reduce_sum_n(tensors, name=None):
    """The sum of all elements of all tensors."""
    from rill import add_n, name_scope, reduce_sum
    if not tensors:
        raise ValueError("No tensors provided")
    with name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [reduce_sum(tensor, name=tensor.op.name + "/sum") for tensor in tensors]
        return sums[0] if len(sums) == 1 else add_n(sums, name=scope)


def assert_scalar_int(tensor, name=None):
    """`tensor`, which must be one integer."""
    from rill import convert_to_tensor
    checked = convert_to_tensor(tensor)
    if not checked.dtype.base_dtype.is_integer or checked.shape.ndims not in (None, 0):
        raise ValueError(f"Expected scalar int32 or int64 `Tensor`, got {checked}")
    return tensor


def is_tensor(x):
    """Whether x is a tensor, a sparse one, or a variable."""
    from rill import SparseTensor, Variable
    return isinstance(x, (_rill.Tensor, SparseTensor, Variable)) or _nest.is_composite(x)


def __getattr__(name):
    """What tf and tf.train have as well: sort, list_variables, load_checkpoint."""
    import rill
    for module in (rill, rill.train):
        if not name.startswith("__") and hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module 'tensorflow.contrib.framework' has no attribute '{name}': Rill does "
                         "not have it")


__all__ = ["add_arg_scope", "arg_scope", "arg_scope_func_key", "arg_scoped_arguments",
           "current_arg_scope", "has_arg_scope"]
