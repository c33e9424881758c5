"""TensorArray: a list of tensors that a step writes and reads by position."""

from rill import _rill


class TensorArray:
    """Tensors by position. What writes returns a new TensorArray, to be used from then on."""

    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None,
                 tensor_array_name=None, handle=None, flow=None, infer_shape=True,
                 element_shape=None, colocate_with_first_write_call=True, name=None):
        if handle is not None:
            for given, what in ((tensor_array_name, "tensor_array_name"), (size, "size"),
                                (dynamic_size, "dynamic_size"),
                                (clear_after_read, "clear_after_read")):
                if given is not None:
                    raise ValueError(f"Cannot provide both a handle and {what} at the same time")
            if flow is None:
                raise ValueError("Flow must be provided with a handle")
        elif size is None:
            raise ValueError("Size must be provided if handle is not provided")
        self._array = _rill.tensor_array(dtype, size, handle, flow, {
            "dynamic_size": bool(dynamic_size), "clear_after_read": clear_after_read,
            "tensor_array_name": tensor_array_name, "infer_shape": infer_shape,
            "element_shape": element_shape, "name": name,
            "colocate_with_first_write_call": colocate_with_first_write_call})

    @classmethod
    def _of(cls, array):
        self = object.__new__(cls)
        self._array = array
        return self

    def _with_flow(self, flow):
        return self._of(self._array.with_flow(flow))

    dtype = property(lambda self: self._array.dtype)
    handle = property(lambda self: self._array.handle)
    flow = property(lambda self: self._array.flow)
    element_shape = property(lambda self: self._array.element_shape)
    dynamic_size = property(lambda self: self._array.dynamic_size)

    def identity(self):
        """The same array after everything that this one waits for."""
        return self._of(self._array.identity())

    def grad(self, source, flow=None, name=None):
        """The array of the gradients of the elements."""
        return self._of(self._array.grad(source, flow, name))

    def read(self, index, name=None):
        return self._array.read(index, name)

    def write(self, index, value, name=None):
        return self._of(self._array.write(index, value, name))

    def stack(self, name=None):
        """All elements along a new first dimension."""
        return self._array.stack(name)

    def gather(self, indices, name=None):
        return self._array.gather(indices, name)

    def concat(self, name=None):
        """All elements, joined along their first dimension."""
        return self._array.concat(name)

    def unstack(self, value, name=None):
        """Writes the rows of `value`."""
        return self._of(self._array.unstack(value, name))

    def scatter(self, indices, value, name=None):
        return self._of(self._array.scatter(indices, value, name))

    def split(self, value, lengths, name=None):
        """Writes `value`, cut into pieces of `lengths` rows."""
        return self._of(self._array.split(value, lengths, name))

    def size(self, name=None):
        return self._array.size(name)

    def close(self, name=None):
        return self._array.close(name)
