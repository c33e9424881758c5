"""tf.contrib.cluster_resolver: what finds the processes of a cluster."""

from rill.train import ClusterSpec


class ClusterResolver:
    """Tells of a cluster: subclasses say where it is."""

    def cluster_spec(self):
        """The processes."""
        raise NotImplementedError("cluster_spec is not implemented for {}.".format(type(self)))

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        raise NotImplementedError("master is not implemented for {}.".format(type(self)))


class SimpleClusterResolver(ClusterResolver):
    """A cluster that the program names."""

    def __init__(self, cluster_spec, master="", task_type=None, task_id=None, environment="", num_accelerators=None,
                 rpc_layer=None):
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        if not isinstance(master, str):
            raise TypeError("master must be a string.")
        self._cluster_spec, self._master = cluster_spec, master
        self.task_type, self.task_id, self.environment, self.rpc_layer = task_type, task_id, environment, rpc_layer

    def cluster_spec(self):
        """The processes."""
        return self._cluster_spec

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        if task_type is not None and task_id is not None:
            address = self._cluster_spec.task_address(task_type, task_id)
            layer = rpc_layer or self.rpc_layer
            return f"{layer}://{address}" if layer else address
        return self._master


class TPUClusterResolver(ClusterResolver):
    """There are no TPUs to be found."""

    def __init__(self, tpu=None, *args, **kwargs):
        from rill.tpu import _no_tpu
        _no_tpu(f"TPUClusterResolver(tpu={tpu!r})")
