"""How values of several devices come together: tf.distribute's CrossDeviceOps."""

from rill._distribute_values import DistributedValues, Mirrored, is_distributed_variable, regroup


class CrossDeviceOps:
    """Reduces and broadcasts values of several devices: subclasses say how."""

    def __init__(self):
        pass

    def reduce(self, reduce_op, per_replica_value, destinations):
        """The values of all replicas as one, on the devices of `destinations`."""
        return self.reduce_implementation(reduce_op, _per_replica(per_replica_value), destinations)

    def batch_reduce(self, reduce_op, value_destination_pairs):
        """The same of several values."""
        pairs = [(_per_replica(value), destinations) for value, destinations in value_destination_pairs]
        return self.batch_reduce_implementation(reduce_op, pairs)

    def broadcast(self, tensor, destinations):
        """A tensor on each device of `destinations`."""
        return self.broadcast_implementation(tensor, destinations)

    def reduce_implementation(self, reduce_op, per_replica_value, destinations):
        """What reduce() does."""
        raise NotImplementedError("_reduce method must be implemented in descendants.")

    def batch_reduce_implementation(self, reduce_op, value_destination_pairs):
        """What batch_reduce() does."""
        raise NotImplementedError("_batch_reduce method must be implemented in descendants.")

    def broadcast_implementation(self, tensor, destinations):
        """What broadcast() does."""
        from rill import _distribute, _distribute_strategies
        devices = _distribute.devices_of(_distribute_strategies.core_of_devices(()), destinations)
        core = _distribute_strategies.core_of_devices(devices)._core
        return regroup(list(core.broadcast_to(_distribute._as_reducible(tensor), devices)), devices, Mirrored)


def _per_replica(value):
    if isinstance(value, DistributedValues) or is_distributed_variable(value):
        return value
    return DistributedValues([value], [getattr(value, "device", "") or "/device:CPU:0"])


class ReductionToOneDevice(CrossDeviceOps):
    """Copies values to one device, reduces them there, and copies the result to all."""

    def __init__(self, reduce_to_device=None, accumulation_fn=None):
        self.reduce_to_device, self.accumulation_fn = reduce_to_device, accumulation_fn
        super().__init__()

    def reduce_implementation(self, reduce_op, per_replica_value, destinations):
        """What reduce() does."""
        from rill import _distribute, _distribute_strategies
        from rill._distribute_values import local_results
        values = [_distribute._as_reducible(value) for value in local_results(per_replica_value)]
        number = _distribute.reduce_number(reduce_op)
        if self.accumulation_fn is not None:
            total = self.accumulation_fn(values)
            return self.broadcast(total / len(values) if number == 1 else total, destinations)
        extended = _distribute_strategies.core_of_devices(list(getattr(per_replica_value, "devices", ())))
        devices = _distribute.devices_of(extended, destinations)
        reduced = list(extended._core.reduce_to(number, values, devices))
        return regroup(reduced, devices, Mirrored) if len(reduced) > 1 else Mirrored(reduced, devices)

    def batch_reduce_implementation(self, reduce_op, value_destination_pairs):
        """What batch_reduce() does."""
        return [self.reduce(reduce_op, value, destinations) for value, destinations in value_destination_pairs]


class AllReduceCrossDeviceOps(ReductionToOneDevice):
    """Reduces values on all devices at once; on CPUs as ReductionToOneDevice does."""

    def __init__(self, all_reduce_alg="nccl", num_packs=1, agg_small_grads_max_bytes=0, agg_small_grads_max_group=10):
        self._all_reduce_alg, self._num_packs = all_reduce_alg, num_packs
        super().__init__()


class NcclAllReduce(AllReduceCrossDeviceOps):
    """For GPUs that NCCL connects; on CPUs as ReductionToOneDevice does."""

    def __init__(self, num_packs=1):
        if num_packs < 0:
            raise ValueError("NCCL all-reduce requires num_packs >= 0, but {} is specified".format(num_packs))
        super().__init__("nccl", num_packs)


class HierarchicalCopyAllReduce(AllReduceCrossDeviceOps):
    """For GPUs that are connected as in DGX-1; on CPUs as ReductionToOneDevice does."""

    def __init__(self, num_packs=1):
        if num_packs < 0:
            raise ValueError("HierarchicalCopy requires num_packs >= 0, but {} is specified".format(num_packs))
        super().__init__("hierarchical_copy", num_packs)


class MultiWorkerAllReduce(AllReduceCrossDeviceOps):
    """For GPUs of several workers; there are none that this could use."""

    def __init__(self, worker_devices, num_gpus_per_worker, all_reduce_spec=("pscpu/pscpu", 2, -1), num_packs=0,
                 agg_small_grads_max_bytes=0, agg_small_grads_max_group=10):
        self._worker_devices, self._num_gpus_per_worker = worker_devices, num_gpus_per_worker
        super().__init__("pscpu/pscpu", num_packs)
