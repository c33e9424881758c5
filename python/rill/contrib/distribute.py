"""tf.contrib.distribute: the strategies under their older names and arguments."""

import collections

from rill import _distribute_strategies, _rill
from rill._distribute import (CollectiveCommunication, ReplicaContext, Strategy,  # noqa: F401
                              get_loss_reduction, get_replica_context, get_strategy, has_strategy,
                              in_cross_replica_context)
from rill._distribute_ops import AllReduceCrossDeviceOps, CrossDeviceOps, MultiWorkerAllReduce  # noqa: F401
from rill._distribute_strategies import OneDeviceStrategy, TPUStrategy  # noqa: F401

DistributionStrategy = Strategy
get_distribution_strategy = get_strategy
has_distribution_strategy = has_strategy


def get_cross_replica_context():
    """The strategy, outside of replicas; None in one."""
    return get_strategy() if in_cross_replica_context() else None


def require_replica_context(replica_ctx):
    """Raises RuntimeError unless the program stands in that replica."""
    current = get_replica_context()
    if current is None or current is not replica_ctx:
        raise RuntimeError("Need to be inside `call_for_each_replica()`")


def _gpus(num_gpus):
    return [f"/device:GPU:{i}" for i in range(num_gpus)] if num_gpus else None


class MirroredStrategy(_distribute_strategies.MirroredStrategy):
    """A replica on each device; elements of datasets are batches of one replica."""

    def __init__(self, devices=None, num_gpus=None, num_gpus_per_worker=None, cross_device_ops=None,
                 auto_shard_dataset=False, cross_tower_ops=None):
        if cross_device_ops is not None and cross_tower_ops is not None:
            raise ValueError("cross_device_ops and cross_tower_ops cannot be passed at the same time.")
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError("num_gpus and num_gpus_per_worker cannot be passed at the same time.")
        super().__init__(devices or _gpus(num_gpus or num_gpus_per_worker), cross_device_ops or cross_tower_ops)

    def make_dataset_iterator(self, dataset):
        """An iterator that gives each replica whole elements."""
        from rill._distribute_input import InputIterator
        return InputIterator(self, dataset)


class CollectiveAllReduceStrategy(_distribute_strategies.MultiWorkerMirroredStrategy):
    """MultiWorkerMirroredStrategy by its older name."""

    def __init__(self, num_gpus_per_worker=0, communication=CollectiveCommunication.AUTO):
        super().__init__(communication)


class ParameterServerStrategy(_distribute_strategies.ParameterServerStrategy):
    """ParameterServerStrategy with its older arguments."""

    def __init__(self, num_gpus_per_worker=0):
        super().__init__()


class DistributeConfig(collections.namedtuple("DistributeConfig",
                                              ["train_distribute", "eval_distribute", "remote_cluster"])):
    """The strategies of an estimator."""

    def __new__(cls, train_distribute=None, eval_distribute=None, remote_cluster=None):
        return super().__new__(cls, train_distribute, eval_distribute, remote_cluster)


class UpdateContext:
    """Around what changes the copies on one device."""

    def __init__(self, device):
        self._device = device

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        pass


class Step:
    """One step of a training, as a callable."""

    def __init__(self, distribution):
        self._distribution = distribution

    @property
    def distribution(self):
        """The strategy."""
        return self._distribution

    def initialize(self):
        """What runs before the first step."""
        return []

    def __call__(self):
        raise NotImplementedError("must be implemented in descendants")


class StandardInputStep(Step):
    """A step that reads a dataset."""

    def __init__(self, dataset_fn, distribution):
        super().__init__(distribution)
        self._iterator = distribution.make_input_fn_iterator(lambda _: dataset_fn())

    def initialize(self):
        """What runs before the first step."""
        return self._iterator.initialize()


class StandardSingleLossStep(StandardInputStep):
    """A step that makes one loss smaller."""

    def __init__(self, dataset_fn, loss_fn, optimizer, distribution, iterations_per_step=1):
        super().__init__(dataset_fn, distribution)
        self._loss_fn, self._optimizer, self._iterations_per_step = loss_fn, optimizer, iterations_per_step

    def __call__(self):
        def step(context, inputs):
            def replica(values):
                values = values if isinstance(values, tuple) else (values,)
                return self._optimizer.minimize(self._loss_fn(context, *values))
            return self.distribution.extended.call_for_each_replica(replica, args=(inputs,))

        with self.distribution.scope():
            made = self.distribution.extended.experimental_run_steps_on_iterator(
                step, self._iterator, self._iterations_per_step)
        return made.run_op


class Monitor:
    """Runs a step as often as a program asks."""

    def __init__(self, step_callable, session=None):
        import rill
        if session is None and not _rill.executing_eagerly():
            raise ValueError("Should provide a `session` in Graph mode.")
        self._session = session
        self._run_step = session.make_callable(step_callable()) if session is not None else step_callable
        if session is not None:
            session.run(step_callable.initialize())
            session.run(rill.global_variables_initializer())

    def run_steps(self, num_steps=None):
        """Runs that many steps, or until the input ends."""
        import rill
        steps = 0
        while num_steps is None or steps < num_steps:
            try:
                self._run_step()
            except rill.errors.OutOfRangeError:
                return
            steps += 1


def initialize_tpu_system(cluster_resolver=None):
    """There are no TPUs to be found."""
    from rill.tpu import _no_tpu
    _no_tpu("initialize_tpu_system")


def run_standard_tensorflow_server(session_config=None):
    """A server for the task that TF_CONFIG names."""
    import json
    import os

    from rill._cluster import Server
    config = json.loads(os.environ.get("TF_CONFIG") or "{}")
    for key in ("cluster", "task"):
        if key not in config:
            raise ValueError('"%s" is not found in TF_CONFIG.' % key)
    return Server(config["cluster"], job_name=config["task"]["type"], task_index=config["task"]["index"],
                  config=session_config)
