"""tensorflow.python.ops.resource_variable_ops.ResourceVariable and its counterpart: one class has both kinds here."""

from rill._variables import Variable


def is_resource_variable(var):
    """Whether the handle of a variable is a resource."""
    return isinstance(var, Variable) and var._is_resource


class _Kind(type):
    """Makes variables of one kind, and knows them."""

    def __call__(cls, *args, **kwargs):
        return Variable(*args, **{**kwargs, "use_resource": cls._resource})

    def __instancecheck__(cls, value):
        return isinstance(value, Variable) and value._is_resource == cls._resource


class ResourceVariable(metaclass=_Kind):
    """A variable whose handle is a resource."""

    _resource = True


class RefVariable(metaclass=_Kind):
    """A variable whose handle is a reference to its value."""

    _resource = False
