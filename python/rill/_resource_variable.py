"""tensorflow.python.ops.resource_variable_ops.ResourceVariable and its counterpart: the types that variables have."""

from rill._variables import RefVariable, ResourceVariable, Variable  # noqa: F401


def is_resource_variable(var):
    """Whether the handle of a variable is a resource."""
    return isinstance(var, Variable) and var._is_resource
