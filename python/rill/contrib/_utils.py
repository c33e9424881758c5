"""tf.contrib.layers' helpers: outputs by alias, collections of variables."""

from rill import _rill
from rill._collections import get_collection


def get_tensor_aliases(tensor):
    """The names under which a tensor is in collections: those of its scopes."""
    return _rill.tensor_aliases(tensor) or [tensor.op.name]


def get_tensor_alias(tensor):
    """The last of them."""
    return get_tensor_aliases(tensor)[-1]


def append_tensor_alias(tensor, alias):
    """The tensor, known under one more name."""
    _rill.add_tensor_alias(tensor, alias)
    return tensor


def collect_named_outputs(collections, alias, outputs):
    """Adds outputs to collections under an alias."""
    if collections:
        names = [collections] if isinstance(collections, str) else list(collections)
        _rill.collect_named_output(names, alias, outputs)
    return outputs


def convert_collection_to_dict(collection, clear_collection=False):
    """The tensors of a collection by their aliases."""
    from rill import get_collection_ref
    found = {alias: tensor for tensor in get_collection(collection)
             for alias in get_tensor_aliases(tensor)}
    if clear_collection:
        del get_collection_ref(collection)[:]
    return found


def get_variable_collections(variables_collections, name):
    """The collections for the variables of one name."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name, [])
    return variables_collections


def constant_value(value_or_tensor_or_var, dtype=None):
    """The value where it is known while the graph is built, or None."""
    if isinstance(value_or_tensor_or_var, (_rill.Tensor,)):
        from rill._static import constant_value as static
        return static(value_or_tensor_or_var)
    return value_or_tensor_or_var


def first_dimension(shape, min_rank=1):
    """The size of the first dimension."""
    return shape.with_rank_at_least(min_rank).dims[0].value


def last_dimension(shape, min_rank=1):
    """The size of the last dimension."""
    return shape.with_rank_at_least(min_rank).dims[-1].value


def two_element_tuple(int_or_tuple):
    """A number twice, or the two numbers that are given."""
    if isinstance(int_or_tuple, (list, tuple)):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n, value):
    """A number n times, or the n numbers that are given."""
    return tuple(_rill.layer_sizes(value, n, "value", 1))


def smart_cond(pred, fn1, fn2, name=None):
    """cond where it must be; what one of the functions makes where `pred` is known."""
    from rill import cond
    known = constant_value(pred)
    if known is None:
        return cond(pred, true_fn=fn1, false_fn=fn2, name=name)
    return fn1() if known else fn2()
