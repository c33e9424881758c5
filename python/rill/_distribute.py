"""Strategies: the classes of tf.distribute over those of C++."""

import enum
import weakref

from rill import _rill
from rill._distribute_values import (DistributedValues, Mirrored, is_distributed_variable, local_results, regroup,
                                     select)


class ReduceOp(enum.Enum):
    """How values of several replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation):
        """What an aggregation of variables means for values."""
        if aggregation.name not in ("SUM", "MEAN"):
            raise ValueError(f"Could not convert from `tf.VariableAggregation` {aggregation} to "
                             "`tf.distribute.ReduceOp` type")
        return ReduceOp[aggregation.name]


class InputReplicationMode(enum.Enum):
    """How often an input function is called."""

    PER_WORKER = "PER_WORKER"


class CollectiveCommunication(enum.Enum):
    """How collective ops pass values on."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


def reduce_number(reduce_op):
    """The number by which C++ knows it."""
    if isinstance(reduce_op, bytes):
        reduce_op = reduce_op.decode()
    if isinstance(reduce_op, str):
        reduce_op = ReduceOp(reduce_op.upper())
    name = getattr(reduce_op, "name", None)
    if name not in ("SUM", "MEAN"):
        raise ValueError(f"reduce_op must be ReduceOp.SUM or ReduceOp.MEAN, not {reduce_op!r}")
    return 0 if name == "SUM" else 1


class InputContext:
    """What an input function needs to know."""

    def __init__(self, num_input_pipelines=1, input_pipeline_id=0, num_replicas_in_sync=1):
        self._num_input_pipelines = num_input_pipelines
        self._input_pipeline_id = input_pipeline_id
        self._num_replicas_in_sync = num_replicas_in_sync

    @property
    def num_replicas_in_sync(self):
        """How many replicas train together."""
        return self._num_replicas_in_sync

    @property
    def input_pipeline_id(self):
        """The number of this pipeline."""
        return self._input_pipeline_id

    @property
    def num_input_pipelines(self):
        """How many there are."""
        return self._num_input_pipelines

    def get_per_replica_batch_size(self, global_batch_size):
        """The part of a batch that one replica gets."""
        if global_batch_size % self._num_replicas_in_sync != 0:
            raise ValueError("The `global_batch_size` %r is not divisible by `num_replicas_in_sync` %r "
                             % (global_batch_size, self._num_replicas_in_sync))
        return global_batch_size // self._num_replicas_in_sync


# --- where a program stands ----------------------------------------------------------------------

_STRATEGIES = weakref.WeakValueDictionary()  # by the identity of C++'s
_REPLICAS = {}  # the contexts of replicas that are being built, by C++'s


def get_strategy():
    """The strategy whose scope is around, else one that has a single replica and changes nothing."""
    core = _rill.strategy_here()
    known = _STRATEGIES.get(core.identity)
    if known is not None:
        return known
    made = object.__new__(_DefaultDistributionStrategy if core.name == "_DefaultDistributionStrategy" else Strategy)
    made._extended = StrategyExtended._over(core, made)
    _STRATEGIES[core.identity] = made
    if core.name == "_DefaultDistributionStrategy":
        _REPLICAS[0] = made
    return made


def has_strategy():
    """Whether a strategy's scope is around."""
    return _rill.has_strategy()


def in_cross_replica_context():
    """Whether the program stands in a scope, outside of replicas."""
    return _rill.in_cross_replica_context()


def get_replica_context():
    """The context of the replica that is being built; None in a scope outside of replicas."""
    number = _rill.replica_context_here()
    if number == 0:
        return None
    known = _REPLICAS.get(number)
    return known if known is not None else ReplicaContext(get_strategy(), 0)


_OPEN = []  # the scope that experimental_set_strategy opened


def experimental_set_strategy(strategy):
    """Makes a strategy the one of all that follows; None ends that."""
    if _OPEN:
        _OPEN.pop().__exit__(None, None, None)
    if strategy is None:
        return
    if has_strategy():
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    scope = strategy.scope()
    scope.__enter__()
    _OPEN.append(scope)


def get_loss_reduction():
    """How losses of replicas come together: MEAN where optimizers scale them, as in estimators."""
    return ReduceOp.MEAN if _rill.strategy_here().scales_loss else ReduceOp.SUM


class ReplicaContext:
    """Where a function stands that a strategy runs as one of its replicas."""

    def __init__(self, strategy, replica_id_in_sync_group):
        self._strategy, self._replica = strategy, replica_id_in_sync_group

    @property
    def strategy(self):
        """The strategy."""
        return self._strategy

    @property
    def num_replicas_in_sync(self):
        """How many replicas there are."""
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self):
        """Which of them this is, as a tensor."""
        return _rill.replica_id()

    @property
    def devices(self):
        """Where it runs."""
        return (self._strategy.extended.worker_devices[max(_rill.replica_here(), 0)],)

    def merge_call(self, merge_fn, args=(), kwargs=None):
        """Calls `merge_fn(strategy, ...)` once, outside of replicas, with the arguments of all replicas."""
        strategy, devices = self._strategy, self._strategy.extended.worker_devices

        def together(brought):
            all_args = regroup([one[0] for one in brought], devices)
            all_kwargs = regroup([one[1] for one in brought], devices)
            result = merge_fn(strategy, *all_args, **all_kwargs)
            return [select(i, result) for i in range(len(brought))]

        return _rill.merge_replicas(together, (tuple(args), dict(kwargs or {})))

    def all_reduce(self, reduce_op, value):
        """The values of all replicas as one, for each of them."""
        number = reduce_number(reduce_op)
        if has_strategy():
            def together(strategy, given):
                from rill import nest
                return nest.map_structure(
                    lambda one: strategy.extended._reduce_number(number, one, strategy.extended.worker_devices), given)
            return self.merge_call(together, args=(value,))
        return value

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        pass


# --- strategies ----------------------------------------------------------------------------------

def devices_of(strategy, destinations):
    """The devices that `destinations` stands for: devices, a variable, or a value with a device."""
    if isinstance(destinations, _rill.VariableBase):
        return strategy._core.devices_of(destinations)
    if isinstance(destinations, DistributedValues):
        return list(destinations.devices)
    if isinstance(destinations, str):
        return [_rill.full_device(destinations, "")]
    if isinstance(destinations, (list, tuple)):
        return [_rill.full_device(str(one), "") for one in destinations]
    return [_rill.full_device(destinations.device or "/device:CPU:0", "")]


class StrategyExtended:
    """What strategies have for those who write layers, optimizers and loops."""

    def __init__(self, container_strategy):
        self._strategy = weakref.ref(container_strategy)

    @classmethod
    def _over(cls, core, strategy):
        made = cls(strategy)
        made._core = core
        return made

    @property
    def _container_strategy_object(self):
        return self._strategy()

    def _container_strategy(self):
        return self._strategy()

    @property
    def worker_devices(self):
        """The devices of the replicas of this process."""
        return tuple(self._core.worker_devices)

    @property
    def parameter_devices(self):
        """The devices of variables."""
        return tuple(self._core.parameter_devices)

    @property
    def _num_replicas_in_sync(self):
        return self._core.num_replicas_in_sync

    @property
    def experimental_between_graph(self):
        """Whether each worker builds its own graph."""
        return self._core.between_graph

    @property
    def experimental_should_init(self):
        """Whether this process initialises variables."""
        return self._core.should_init

    @property
    def should_checkpoint(self):
        """Whether this process writes checkpoints."""
        return self._core.should_checkpoint

    @property
    def should_save_summary(self):
        """Whether this process writes summaries."""
        return self._core.should_save_summary

    @property
    def experimental_require_static_shapes(self):
        """Whether all shapes must be known."""
        return False

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        """Runs `fn` as each replica, with what of the arguments is that replica's."""
        core, strategy, kwargs = self._core, self._strategy(), dict(kwargs or {})
        devices, results = self.worker_devices, [None] * core.local_replicas

        def build(replica, context):
            known = _REPLICAS.get(context)
            _REPLICAS[context] = ReplicaContext(strategy, replica)
            try:
                results[replica] = fn(*select(replica, tuple(args)), **select(replica, kwargs))
            finally:
                if known is None:
                    del _REPLICAS[context]
                else:
                    _REPLICAS[context] = known

        core.call_for_each_replica(build)
        return regroup(results, devices)

    # --- reducing --------------------------------------------------------------------------------
    def _reduce_number(self, number, value, devices):
        devices = list(devices)
        if isinstance(value, Mirrored) and number == 1 and list(value.devices) == devices:
            return value
        if is_distributed_variable(value):
            values = local_results(value)
        elif isinstance(value, DistributedValues):
            values = value.values
        else:
            return self._reduce_plain(number, value, devices)
        reduced = self._core.reduce_to(number, [_as_reducible(one) for one in values], devices)
        return regroup(list(reduced), devices, Mirrored)

    def _reduce_plain(self, number, value, devices):
        if number == 1 or self._core.local_replicas == 1:
            if self._core.num_replicas_in_sync != self._core.local_replicas:
                one = [_as_reducible(value)] * self._core.local_replicas
                return regroup(list(self._core.reduce_to(number, one, devices)), devices, Mirrored)
            return value
        if isinstance(value, (int, float)) and value == 0:
            return 0
        raise ValueError("A non-DistributedValues value %s cannot be reduced with the given reduce op %s."
                         % (value, ReduceOp.SUM))

    def reduce_to(self, reduce_op, value, destinations):
        """The values of the replicas as one, on the devices of `destinations`."""
        self._require_outside()
        return self._reduce_number(reduce_number(reduce_op), value, devices_of(self, destinations))

    def batch_reduce_to(self, reduce_op, value_destination_pairs):
        """reduce_to of several values."""
        self._require_outside()
        number = reduce_number(reduce_op)
        return [self._reduce_number(number, value, devices_of(self, destinations))
                for value, destinations in value_destination_pairs]

    def broadcast_to(self, tensor, destinations):
        """A tensor on each device of `destinations`."""
        self._require_outside()
        devices = devices_of(self, destinations)
        return regroup(list(self._core.broadcast_to(_as_reducible(tensor), devices)), devices, Mirrored)

    # --- variables -------------------------------------------------------------------------------
    def update(self, var, fn, args=(), kwargs=None, group=True):
        """Calls `fn` for each copy of `var`, on its device, with what of the arguments is that replica's."""
        self._require_outside()
        kwargs = dict(kwargs or {})
        results = self._core.update(
            var, lambda copy, i: fn(copy, *select(i, tuple(args)), **select(i, kwargs)))
        return self._updated(list(results), self._core.devices_of(var), group)

    def update_non_slot(self, colocate_with, fn, args=(), kwargs=None, group=True):
        """Calls `fn` on each of the devices that non_slot_devices() gave."""
        self._require_outside()
        kwargs = dict(kwargs or {})
        devices = devices_of(self, colocate_with)
        results = self._core.update_non_slot(
            devices, lambda i: fn(*select(i, tuple(args)), **select(i, kwargs)))
        return self._updated(list(results), devices, group)

    def _updated(self, results, devices, group):
        if not group:
            return tuple(results) if len(results) > 1 else results[0]
        if len(results) == 1:
            return results[0]
        if all(one is None for one in results):
            return None
        if _rill.executing_eagerly():
            return regroup(results, devices, Mirrored)
        import rill
        operations = [one for one in results if one is not None]
        together = rill.group(*operations)
        if any(isinstance(one, _rill.Operation) for one in operations):
            return together
        gated = []
        for one, device in zip(results, devices):
            with rill.device(device), rill.control_dependencies([together]):
                gated.append(rill.identity(one))
        return regroup(gated, devices, Mirrored)

    def non_slot_devices(self, var_list):
        """Where what optimizers keep besides slots goes."""
        return tuple(self._core.non_slot_devices(list(var_list)))

    def colocate_vars_with(self, colocate_with_variable):
        """A scope in which variables are made beside another one."""
        import contextlib
        return contextlib.nullcontext()

    def variable_created_in_scope(self, v):
        """Whether a variable belongs to this strategy."""
        return is_distributed_variable(v) or not has_strategy() or self._core.local_replicas == 1

    def read_var(self, v):
        """The value of a variable, of all replicas."""
        return v.read_value() if is_distributed_variable(v) else v.value()

    def value_container(self, value):
        """The variable that `value` is a copy of, else itself."""
        return _rill.whole_of(value) if isinstance(value, _rill.VariableBase) else value

    def experimental_make_numpy_dataset(self, numpy_input, session=None):
        """A dataset of the rows of arrays."""
        import rill
        return rill.data.Dataset.from_tensor_slices(numpy_input)

    def experimental_run_steps_on_iterator(self, fn, iterator, iterations=1, initial_loop_values=None):
        """Runs `fn(context, inputs)` for several elements in one step."""
        from rill import _distribute_loops
        return _distribute_loops.run_steps(self, fn, iterator, iterations, initial_loop_values)

    def _require_outside(self):
        if has_strategy() and not in_cross_replica_context():
            raise RuntimeError("Method requires being in cross-replica context, use "
                               "get_replica_context().merge_call()")


def _as_reducible(value):
    import rill
    return value if isinstance(value, rill.IndexedSlices) else rill.convert_to_tensor(value)


class Strategy:
    """How the computation of a model is spread over devices and machines."""

    def __init__(self, extended):
        self._extended = extended
        if hasattr(extended, "_core"):
            _STRATEGIES[extended._core.identity] = self

    def _take(self, core):
        self._extended = StrategyExtended._over(core, self)
        _STRATEGIES[core.identity] = self

    @property
    def _core(self):
        return self._extended._core

    @property
    def extended(self):
        """What those use who write layers, optimizers and loops."""
        return self._extended

    @property
    def num_replicas_in_sync(self):
        """How many replicas train together."""
        return self._core.num_replicas_in_sync

    def scope(self):
        """Inside of the block variables belong to this strategy; gives the strategy."""
        return _Scope(self)

    # --- input -----------------------------------------------------------------------------------
    def make_dataset_iterator(self, dataset):
        """An iterator that gives each replica its part of each element."""
        from rill import _distribute_input
        return _distribute_input.DatasetIterator(self, dataset)

    def make_input_fn_iterator(self, input_fn, replication_mode=InputReplicationMode.PER_WORKER):
        """An iterator over what `input_fn(InputContext)` makes: elements are batches of one replica."""
        from rill import _distribute_input
        if replication_mode != InputReplicationMode.PER_WORKER:
            raise ValueError("Input replication mode not supported: %r" % replication_mode)
        return _distribute_input.InputFunctionIterator(self, input_fn)

    def experimental_distribute_dataset(self, dataset):
        """What a loop gets for each step: the parts that the replicas have of an element."""
        from rill import _distribute_input
        return _distribute_input.DistributedDataset(self, dataset, rebatch=True)

    def experimental_distribute_datasets_from_function(self, dataset_fn):
        """The same of a dataset whose elements are batches of one replica."""
        from rill import _distribute_input
        dataset = dataset_fn(_distribute_input.input_context(self))
        return _distribute_input.DistributedDataset(self, dataset, rebatch=False)

    def experimental_make_numpy_dataset(self, numpy_input, session=None):
        """A dataset of the rows of arrays."""
        return self.extended.experimental_make_numpy_dataset(numpy_input, session)

    # --- running ---------------------------------------------------------------------------------
    def experimental_run(self, fn, input_iterator=None):
        """Runs `fn` as each replica, with its part of the next element."""
        with self.scope():
            args = (input_iterator.get_next(),) if input_iterator is not None else ()
        return self.experimental_run_v2(fn, args=args)

    def experimental_run_v2(self, fn, args=(), kwargs=None):
        """Runs `fn` as each replica, with what of the arguments is that replica's."""
        if not isinstance(args, (list, tuple)):
            raise ValueError("positional args must be a list or tuple, got {}".format(type(args)))
        with self.scope():
            return self._extended.call_for_each_replica(fn, args=tuple(args), kwargs=kwargs)

    def run(self, fn, args=(), kwargs=None, options=None):
        """experimental_run_v2 by its later name."""
        return self.experimental_run_v2(fn, args, kwargs)

    def reduce(self, reduce_op, value, axis=None):
        """The values of all replicas as one; with `axis`, first along that axis of each."""
        number = reduce_number(reduce_op)
        if has_strategy() and not in_cross_replica_context():
            self._extended._require_outside()
        if axis is None:
            return self._reduce_to_host(number, value)
        from rill import _distribute_loops
        return _distribute_loops.reduce_along(self, number, value, axis)

    def _reduce_to_host(self, number, value):
        device = _rill.full_device("/device:CPU:0", self._core.worker_devices[0])
        return local_results(self._extended._reduce_number(number, value, [device]))[0]

    def experimental_local_results(self, value):
        """The values of the replicas of this process."""
        return local_results(value)

    def unwrap(self, value):
        """The same, by its older name."""
        return local_results(value)

    def group(self, value, name=None):
        """One operation that waits for all replicas."""
        import rill
        return rill.group(*local_results(value), name=name)

    def colocate_vars_with(self, colocate_with_variable):
        """A scope in which variables are made beside another one."""
        return self._extended.colocate_vars_with(colocate_with_variable)

    # --- sessions --------------------------------------------------------------------------------
    def update_config_proto(self, config_proto):
        """A copy of a session's configuration with what the strategy needs."""
        updated = type(config_proto)()
        updated.CopyFrom(config_proto)
        filters, leader = self._core.session_needs()
        if filters:
            del updated.device_filters[:]
            updated.device_filters.extend(filters)
        if leader:
            updated.experimental.collective_group_leader = leader
        return updated

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        """Puts what the strategy needs into a session's configuration."""
        if session_config is not None:
            session_config.CopyFrom(self.update_config_proto(session_config))

    def __deepcopy__(self, memo):
        from copy import deepcopy
        made = object.__new__(type(self))
        memo[id(self)] = made
        made.__dict__.update({key: deepcopy(value, memo) for key, value in self.__dict__.items()
                              if key != "_extended"})
        made._extended = StrategyExtended._over(self._core, made)
        return made


class _DefaultDistributionStrategy(Strategy):
    """One replica, and nothing changes."""

    def scope(self):
        import contextlib
        return contextlib.nullcontext(self)

    def experimental_run_v2(self, fn, args=(), kwargs=None):
        return fn(*args, **(kwargs or {}))

    def experimental_distribute_dataset(self, dataset):
        return dataset

    def reduce(self, reduce_op, value, axis=None):
        import rill
        if axis is None:
            return value
        along = rill.reduce_sum if reduce_number(reduce_op) == 0 else rill.reduce_mean
        return along(value, axis=axis)


class _Scope:
    """`with strategy.scope() as strategy`; may be entered several times."""

    def __init__(self, strategy):
        self._strategy, self._open = strategy, []

    def __enter__(self):
        import contextlib
        again = _rill.has_strategy() and _rill.strategy_here().identity == self._strategy._core.identity
        context = contextlib.nullcontext() if again else self._strategy._core.scope()
        context.__enter__()
        self._open.append(context)
        return self._strategy

    def __exit__(self, *error):
        self._open.pop().__exit__(*error)

