"""tf.contrib.framework.variable and model_variable: get_variable that arg_scope applies to."""

from rill import _variable_scope
from rill._arg_scope import add_arg_scope
from rill._collections import GraphKeys


@add_arg_scope
def variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True,
             collections=None, caching_device=None, device=None, partitioner=None,
             custom_getter=None, use_resource=None, synchronization=None, aggregation=None):
    """get_variable, on a device, in GLOBAL_VARIABLES unless collections say otherwise."""
    from rill import device as on_device
    collections = list(collections if collections is not None else [GraphKeys.GLOBAL_VARIABLES])
    given = {key: value for key, value in (("synchronization", synchronization),
                                           ("aggregation", aggregation)) if value is not None}
    with on_device(device or ""):
        return _variable_scope.get_variable(
            name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
            trainable=trainable, collections=list(dict.fromkeys(collections)),
            caching_device=caching_device, partitioner=partitioner, custom_getter=custom_getter,
            use_resource=use_resource, **given)


@add_arg_scope
def model_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True,
                   collections=None, caching_device=None, device=None, partitioner=None,
                   custom_getter=None, use_resource=None, synchronization=None, aggregation=None):
    """A variable that is also in MODEL_VARIABLES."""
    everywhere = [*(collections or []), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                    trainable=trainable, collections=everywhere, caching_device=caching_device,
                    device=device, partitioner=partitioner, custom_getter=custom_getter,
                    use_resource=use_resource, synchronization=synchronization,
                    aggregation=aggregation)
