"""The strategies that programs choose."""

from rill import _rill
from rill._distribute import CollectiveCommunication, Strategy, StrategyExtended

_COMMUNICATIONS = {"AUTO": 0, "RING": 1, "NCCL": 2}


def core_of_devices(devices):
    """What reduces values of some devices."""
    names = [_rill.full_device(str(device), "") for device in dict.fromkeys(devices)] or ["/device:CPU:0"]
    holder = Strategy.__new__(Strategy)
    return StrategyExtended._over(_rill.mirrored_strategy(names, ""), holder)


def resolver_facts(resolver):
    """What C++ takes for a resolver, or None."""
    if resolver is None:
        return None
    cluster = resolver.cluster_spec()
    jobs = {job: {index: cluster.task_address(job, index) for index in cluster.task_indices(job)}
            for job in (cluster.jobs if cluster else ())}
    return {"cluster": jobs, "type": resolver.task_type, "id": resolver.task_id}


class MirroredStrategy(Strategy):
    """A replica on each device, each with its own copy of every variable; copies stay the same."""

    def __init__(self, devices=None, cross_device_ops=None):
        reduces_on = getattr(cross_device_ops, "reduce_to_device", None) or ""
        self._cross_device_ops = cross_device_ops
        if isinstance(devices, str):
            devices = [devices]
        names = [_text(one) for one in devices or ()]
        full = tuple(_rill.full_device(name, "") for name in names)
        if len(set(full)) != len(full):
            raise AssertionError(f"No duplicates allowed in `devices` argument: {full}")
        self._take(_rill.mirrored_strategy(names, _text(reduces_on)))


class OneDeviceStrategy(Strategy):
    """Everything on one device."""

    def __init__(self, device):
        self._take(_rill.one_device_strategy(_text(device)))


class CentralStorageStrategy(Strategy):
    """Replicas on several devices, variables on one."""

    def __init__(self, compute_devices=None, parameter_device=None):
        self._take(_rill.central_storage_strategy([_text(one) for one in compute_devices or ()],
                                                  _text(parameter_device or "")))


class ParameterServerStrategy(Strategy):
    """Variables on parameter servers; workers train them without waiting for each other."""

    def __init__(self, cluster_resolver=None):
        self._take(_rill.parameter_server_strategy(resolver_facts(cluster_resolver)))


class MultiWorkerMirroredStrategy(Strategy):
    """A replica on each worker, each with its own copy of every variable; gradients come together by collective ops."""

    def __init__(self, communication=CollectiveCommunication.AUTO, cluster_resolver=None):
        name = getattr(communication, "name", None)
        if name not in _COMMUNICATIONS:
            raise ValueError(f"communication must be a CollectiveCommunication, not {communication!r}")
        self._take(_rill.multi_worker_strategy(_COMMUNICATIONS[name], resolver_facts(cluster_resolver), []))


class TPUStrategy(Strategy):
    """There are no TPUs to be found."""

    def __init__(self, tpu_cluster_resolver=None, steps_per_run=None, device_assignment=None):
        from rill.tpu import _no_tpu
        _no_tpu("TPUStrategy")

    @property
    def steps_per_run(self):
        """How many steps a run makes."""
        return 1


def _text(value):
    return value.decode() if isinstance(value, bytes) else str(getattr(value, "to_string", lambda: value)())
