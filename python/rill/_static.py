"""Values of tensors that are known while a graph is built."""

import numpy as np

from rill import _rill
from rill._rill import make_ndarray, make_tensor_proto


def constant_value(tensor, partial=False):
    """The value as an array, or None where it is known only once the graph runs.

    `partial`: of a packed list the parts that are known, None in the place of others.
    """
    from rill._conversion import is_tensor
    from rill._variables import Variable
    if isinstance(tensor, Variable):
        return None
    if not is_tensor(tensor):
        return tensor  # a value of Python is known
    if isinstance(tensor, _rill.EagerTensor):
        return tensor.numpy()
    value = _rill.static_value(tensor)
    if value is None and partial and tensor.op.type == "Pack" and tensor.op.inputs:
        parts = [constant_value(part, partial) for part in tensor.op.inputs]
        value = np.array(parts, dtype=object if any(part is None for part in parts) else None)
    if value is not None:
        tensor.graph.prevent_feeding(tensor)  # what was built relies on it
    return value


def constant_value_as_shape(tensor):
    """A vector that is a shape, as far as it is known."""
    return _rill.constant_shape_value(tensor)
