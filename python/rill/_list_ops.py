"""The functions of tensorflow.python.ops.list_ops: ops on lists of tensors, with shapes as programs write them."""

from rill import _rill, raw_ops


def _shape(element_shape):
    """-1 for an unknown shape or size, as the ops read it."""
    if isinstance(element_shape, _rill.Tensor):
        return element_shape
    shape = _rill.as_shape(element_shape)
    if shape.ndims is None:
        return _rill.constant(-1, _rill.int32)
    return _rill.constant([-1 if size is None else size for size in shape.as_list()], _rill.int32, [shape.ndims])


def empty_tensor_list(element_shape, element_dtype, max_num_elements=None, name=None):
    """A list without elements."""
    most = -1 if max_num_elements is None else max_num_elements
    return raw_ops.EmptyTensorList(element_shape=_shape(element_shape), max_num_elements=most,
                                   element_dtype=element_dtype, name=name)


def tensor_list_reserve(element_shape, num_elements, element_dtype, name=None):
    """A list of elements that are set later."""
    return raw_ops.TensorListReserve(element_shape=_shape(element_shape), num_elements=num_elements,
                                     element_dtype=element_dtype, name=name)


def tensor_list_from_tensor(tensor, element_shape, name=None):
    """The rows of a tensor as a list."""
    return raw_ops.TensorListFromTensor(tensor=tensor, element_shape=_shape(element_shape), name=name)


def tensor_list_get_item(input_handle, index, element_dtype, element_shape=None, name=None):
    """An element."""
    return raw_ops.TensorListGetItem(input_handle=input_handle, index=index, element_shape=_shape(element_shape),
                                     element_dtype=element_dtype, name=name)


def tensor_list_pop_back(input_handle, element_dtype, name=None):
    """The list without its last element, and that."""
    return raw_ops.TensorListPopBack(input_handle=input_handle, element_shape=_shape(None),
                                     element_dtype=element_dtype, name=name)


def tensor_list_gather(input_handle, indices, element_dtype, element_shape=None, name=None):
    """The elements at these places, stacked."""
    return raw_ops.TensorListGather(input_handle=input_handle, indices=indices, element_shape=_shape(element_shape),
                                    element_dtype=element_dtype, name=name)


def tensor_list_stack(input_handle, element_dtype, num_elements=-1, element_shape=None, name=None):
    """All elements, stacked."""
    return raw_ops.TensorListStack(input_handle=input_handle, element_shape=_shape(element_shape),
                                   element_dtype=element_dtype, num_elements=num_elements, name=name)
