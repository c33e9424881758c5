"""Horovod's interface (horovod.tensorflow): processes that run the same program and bring gradients together."""

import rill
from rill import _rill


class Compression:
    """How values are made smaller on their way; there is only none."""

    class none:
        """As they are."""

        @staticmethod
        def compress(tensor):
            """The value to send, and what decompress() needs."""
            return tensor, None

        @staticmethod
        def decompress(tensor, ctx):
            """The value that came."""
            return tensor

    class fp16(none):
        """As half-precision numbers."""

        @staticmethod
        def compress(tensor):
            """The value to send, and what decompress() needs."""
            if tensor.dtype.is_floating:
                return rill.cast(tensor, rill.float16), tensor.dtype
            return tensor, None

        @staticmethod
        def decompress(tensor, ctx):
            """The value that came."""
            return tensor if ctx is None else rill.cast(tensor, ctx)


def init(*args, **kwargs):
    """Finds the other processes."""
    _rill.hvd_init()


def shutdown():
    """Leaves the other processes."""
    _rill.hvd_shutdown()


def is_initialized():
    """Whether init() was called."""
    return _rill.hvd_is_initialized()


def rank():
    """The number of this process."""
    return _rill.hvd_rank()


def size():
    """How many processes there are."""
    return _rill.hvd_size()


def local_rank():
    """The number of this process on its machine."""
    return _rill.hvd_local_rank()


def local_size():
    """How many processes there are on this machine."""
    return _rill.hvd_local_size()


def mpi_threads_supported():
    """Whether MPI may be used beside this."""
    return False


def mpi_built():
    """Whether it was built with MPI."""
    return False


def gloo_built():
    """Whether it was built with Gloo."""
    return False


def nccl_built():
    """Whether it was built with NCCL."""
    return False


Average, Sum = "Average", "Sum"


def allreduce(tensor, average=None, device_dense="", device_sparse="", compression=Compression.none, op=None,
              name=None):
    """The mean, or the sum, of the values of all processes."""
    if average is not None and op is not None:
        raise ValueError("The op parameter supersedes average. Please provide only one of them.")
    mean = op == Average if op is not None else (True if average is None else bool(average))
    if not isinstance(tensor, rill.IndexedSlices):
        tensor = rill.convert_to_tensor(tensor)
        small, context = compression.compress(tensor)
        with rill.device(device_dense or None):
            reduced = _rill.hvd_allreduce(small, mean, name or "")
        return compression.decompress(reduced, context)
    with rill.device(device_sparse or None):
        return _rill.hvd_allreduce(tensor, mean, name or "")


def allgather(tensor, name=None):
    """The values of all processes behind each other."""
    return _rill.hvd_allgather(rill.convert_to_tensor(tensor), name or "")


def broadcast(tensor, root_rank, name=None):
    """The value that the process `root_rank` has."""
    return _rill.hvd_broadcast(rill.convert_to_tensor(tensor), int(root_rank), name or "")


def broadcast_global_variables(root_rank):
    """An operation that gives all variables the values of the process `root_rank`."""
    return _rill.hvd_broadcast_global_variables(int(root_rank))


def broadcast_variables(variables, root_rank):
    """The same of some variables."""
    return rill.group(*[rill.assign(variable, broadcast(variable, root_rank)) for variable in variables])


class BroadcastGlobalVariablesHook(rill.train.SessionRunHook):
    """Gives all variables the values of one process when a session begins."""

    def __init__(self, root_rank, device=""):
        super().__init__()
        self.root_rank, self.device, self.bcast_op = root_rank, device, None

    def begin(self):
        """Makes the operation."""
        if self.bcast_op is None or self.bcast_op.graph is not rill.get_default_graph():
            with rill.device(self.device or None):
                self.bcast_op = broadcast_global_variables(self.root_rank)

    def after_create_session(self, session, coord):
        """Runs it."""
        session.run(self.bcast_op)


class _DistributedOptimizer(rill.train.Optimizer):
    """An optimizer whose gradients are those of all processes."""

    def __init__(self, optimizer, name, use_locking, device_dense, device_sparse, compression, sparse_as_dense, op):
        super().__init__(name=name, use_locking=use_locking)
        self._optimizer = optimizer
        self._device_dense, self._device_sparse = device_dense, device_sparse
        self._compression, self._sparse_as_dense, self._op = compression, sparse_as_dense, op

    def compute_gradients(self, *args, **kwargs):
        """The wrapped optimizer's gradients, with those of the other processes."""
        pairs = self._optimizer.compute_gradients(*args, **kwargs)
        return [(self._together(gradient), variable) for gradient, variable in pairs] if size() > 1 else pairs

    def _together(self, gradient):
        if gradient is None:
            return None
        if self._sparse_as_dense and isinstance(gradient, rill.IndexedSlices):
            gradient = rill.convert_to_tensor(gradient)
        return allreduce(gradient, device_dense=self._device_dense, device_sparse=self._device_sparse,
                         compression=self._compression, op=self._op)

    def apply_gradients(self, *args, **kwargs):
        """The wrapped optimizer's."""
        return self._optimizer.apply_gradients(*args, **kwargs)

    def get_slot(self, *args, **kwargs):
        """The wrapped optimizer's."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        """The wrapped optimizer's."""
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self, *args, **kwargs):
        """The wrapped optimizer's."""
        return self._optimizer.variables(*args, **kwargs)


def DistributedOptimizer(optimizer, name=None, use_locking=False, device_dense="", device_sparse="",
                         compression=Compression.none, sparse_as_dense=False, backward_passes_per_step=1, op=Average):
    """Wraps an optimizer: its gradients become those of all processes before they are applied."""
    if backward_passes_per_step != 1:
        raise NotImplementedError("DistributedOptimizer: backward_passes_per_step is not there yet.")
    if not isinstance(optimizer, rill.train.Optimizer):
        raise ValueError("Provided optimizer doesn't inherit from tf.train.Optimizer: %s" % optimizer)
    name = name or "Distributed{}".format(type(optimizer).__name__)
    return _DistributedOptimizer(optimizer, name, use_locking, device_dense, device_sparse, compression,
                                 sparse_as_dense, op)
