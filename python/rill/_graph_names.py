"""Names at the top of `tf` that are about graphs, tensors and sessions."""

from rill import _rill, _v2_behavior
from rill._conversion import (convert_to_tensor_or_indexed_slices, convert_to_tensor_or_sparse_tensor,
                              is_tensor)
from rill._rill import make_ndarray, make_tensor_proto, register_tensor_conversion_function
from rill._scopes import container, init_scope, op_scope
from rill._session_handles import delete_session_tensor, get_session_handle, get_session_tensor
from rill._slices import IndexedSlicesValue
from rill._static import constant_value as get_static_value
from rill._type_spec import IndexedSlicesSpec, TensorSpec, TypeSpec

__all__ = ["IndexedSlicesSpec", "IndexedSlicesValue", "TensorSpec", "TypeSpec", "container", "control_flow_v2_enabled",
           "convert_to_tensor_or_indexed_slices", "convert_to_tensor_or_sparse_tensor",
           "delete_session_tensor", "disable_control_flow_v2", "disable_eager_execution",
           "disable_tensor_equality", "disable_v2_behavior", "disable_v2_tensorshape",
           "enable_control_flow_v2", "enable_eager_execution", "enable_tensor_equality",
           "enable_v2_behavior", "enable_v2_tensorshape", "get_session_handle", "get_session_tensor",
           "get_static_value", "init_scope", "is_tensor", "make_ndarray", "make_tensor_proto", "op_scope",
           "register_tensor_conversion_function"]


def _refuse(name, what):
    raise NotImplementedError(f"tf.{name}: Rill builds graphs as TensorFlow 1 does; it has no {what}")


def disable_v2_behavior():
    """Rill has no other behaviour than TensorFlow 1's."""


def disable_eager_execution():
    """Graphs are built first and run later."""
    _rill.disable_eager_execution()


def disable_control_flow_v2():
    """Branches and loops are made of Switch and Merge nodes, always."""


def disable_tensor_equality():
    """Tensors are equal where they are the same object."""
    _v2_behavior.compare_by_identity()


def disable_v2_tensorshape():
    """Dimensions of shapes are tf.Dimension objects, always."""


def control_flow_v2_enabled():
    """Whether branches and loops are functions: no."""
    return False


def enable_control_flow_v2():
    _refuse("enable_control_flow_v2", "branches and loops that are functions")


def enable_eager_execution(config=None, device_policy=None, execution_mode=None):
    """From here on ops compute at once, and tensors have values."""
    if not (config is None or hasattr(config, "SerializeToString")):
        raise TypeError(f"config must be a tf.ConfigProto, but got {config}")
    if execution_mode not in (None, 0, 1):
        raise ValueError("execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC")
    _rill.enable_eager_execution()


def enable_tensor_equality():
    """Tensors with values are compared by these; variables and tensors of graphs stay what they are."""
    _v2_behavior.compare_by_values()


def enable_v2_behavior():
    """Eager execution, resource variables and equality of values; dimensions of shapes stay those of 1.15."""
    _rill.enable_eager_execution()
    _rill.enable_resource_variables()
    enable_tensor_equality()
    _v2_behavior.enabled = True


def enable_v2_tensorshape():
    _refuse("enable_v2_tensorshape", "shapes of plain numbers")
