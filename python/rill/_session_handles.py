"""Tensors that a session keeps between steps, and what stands for them."""

import weakref

import numpy as np

from rill import _rill, raw_ops
from rill._scopes import colocate_with, device

_readers = weakref.WeakKeyDictionary()  # of every graph: the nodes that read and delete, by their arguments


def _node(graph, key, make):
    nodes = _readers.setdefault(graph, {})
    if key not in nodes:
        with graph.as_default():
            nodes[key] = make()
    return nodes[key]


class TensorHandle:
    """A kept tensor: feed it in place of its value, or ask for that."""

    def __init__(self, handle, dtype, session):
        self._handle = handle.decode() if isinstance(handle, bytes) else str(handle)
        self._dtype = dtype
        self._session = session
        self._deleted = False

    handle = property(lambda self: self._handle)
    dtype = property(lambda self: self._dtype)

    def get_raw_handle(self):
        """The handle as text, which no longer belongs to this object."""
        return self._handle

    def _check(self):
        if self._deleted:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")

    def eval(self):
        """The value."""
        self._check()
        holder, reader = _node(self._session.graph, (self._device(), self._dtype.name),
                               lambda: get_session_tensor(self._handle, self._dtype))
        return self._session.run(reader, feed_dict={holder: self._handle})

    def delete(self):
        """Lets the session forget the tensor."""
        self._check()
        holder, deleter = _node(self._session.graph, (self._device(), "delete"),
                                lambda: delete_session_tensor(self._handle))
        self._session.run(deleter, feed_dict={holder: self._handle})
        self._deleted = True

    def _device(self):
        return _device_of(self._handle)

    def __array__(self, dtype=None):
        return np.asarray(self.eval(), dtype)

    def __str__(self):
        return self._handle


def _device_of(handle):
    """A handle is NAME;NUMBER;DEVICE."""
    text = handle.decode() if isinstance(handle, bytes) else str(handle)
    return _rill.DeviceSpec.from_string(text.split(";")[-1]).to_string()


def get_session_handle(data, name=None):
    """Keeps `data` in the session; fetched, it is a TensorHandle."""
    if not isinstance(data, _rill.Tensor):
        raise TypeError("`data` must be of type Tensor.")
    with colocate_with(data):
        return raw_ops.GetSessionHandle(value=data, name=name)


def get_session_tensor(handle, dtype, name=None):
    """(a tensor to feed handles to, the tensor that was kept)."""
    with device(_device_of(handle)):
        holder = _rill.placeholder(_rill.string)
        return holder, raw_ops.GetSessionTensor(handle=holder, dtype=dtype, name=name)


def delete_session_tensor(handle, name=None):
    """(a tensor to feed handles to, the operation that forgets the tensor)."""
    with device(_device_of(handle)):
        holder = _rill.placeholder(_rill.string)
        return holder, raw_ops.DeleteSessionTensor(handle=holder, name=name)
