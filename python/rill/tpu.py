"""tf.tpu: what programs for TPUs use, where there is none: computations run on the processor, as one replica."""

import contextlib

from rill import _rill, _surface
from rill._optimizers import Optimizer


class CrossShardOptimizer(Optimizer):
    """Trains with another optimizer; the only shard's gradients are the sum over all."""

    def __init__(self, opt, reduction="weighted_mean", name="CrossShardOptimizer", group_assignment=None):
        if reduction not in ("weighted_sum", "weighted_mean", "weighted_sum_over_batch_size",
                             "weighted_sum_by_nonzero_weights", "sum", "mean"):
            raise ValueError(f"Unsupported reduction: {reduction}.")
        super().__init__(False, name)
        self._opt, self._reduction = opt, reduction

    def compute_gradients(self, loss, var_list=None, **kwargs):
        """As the optimizer does that it trains with."""
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """As the optimizer does that it trains with."""
        return self._opt.apply_gradients(grads_and_vars, global_step, name)

    def get_slot(self, *args, **kwargs):
        """A slot of the optimizer that it trains with."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        """The names of its slots."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self):
        """Its variables."""
        return self._opt.variables()


def _no_tpu(what):
    from rill import errors
    raise errors.UnimplementedError(None, None, f"{what} needs a TPU; Rill runs programs for TPUs on the processor "
                                                "(use_tpu=False).")


@contextlib.contextmanager
def bfloat16_scope():
    """Variables that are asked for as bfloat16 are kept as float32 and cast."""
    from rill import _variable_scope, dtypes

    def getter(getter, *args, **kwargs):
        wanted = dtypes.as_dtype(kwargs["dtype"]) if kwargs.get("dtype") is not None else None
        if wanted != dtypes.bfloat16:
            return getter(*args, **kwargs)
        kwargs["dtype"] = dtypes.float32
        return _rill.functions.cast(getter(*args, **kwargs), dtypes.bfloat16)

    with _variable_scope.variable_scope("", custom_getter=getter) as scope:
        yield scope


def initialize_system(embedding_config=None, job=None):
    """There is no system to initialise."""
    _no_tpu("tf.tpu.initialize_system")


def shutdown_system(job=None):
    """There is no system to shut down."""
    _no_tpu("tf.tpu.shutdown_system")


def core(num):
    """The device of a core of a replica."""
    return f"device:TPU_REPLICATED_CORE:{num}"


def cross_replica_sum(x, group_assignment=None, name=None):
    """The sum over all replicas, of which there is one."""
    return _rill.functions.identity(x, name=name)


def outside_compilation(computation, *args, **kwargs):
    """Calls `computation`: everything is outside."""
    return computation(*args, **kwargs)


def rewrite(computation, inputs=None, infeed_queue=None, device_assignment=None, name=None):
    """What `computation` makes of the inputs; one value as a tuple, none as an operation."""
    if infeed_queue is not None or device_assignment is not None:
        _no_tpu("An infeed queue or device assignment of tf.tpu.rewrite")
    outputs = computation(*[_rill.convert_to_tensor(x) for x in inputs or []])
    if outputs is None:
        return _rill.no_op()
    return outputs if isinstance(outputs, (list, tuple, dict)) else (outputs,)


def replicate(computation, inputs=None, infeed_queue=None, device_assignment=None, name=None, maximum_shapes=None):
    """What `computation` makes of the inputs of each replica."""
    return [rewrite(computation, replica, infeed_queue, device_assignment, name) for replica in inputs or [[]]]


def shard(computation, inputs=None, num_shards=1, input_shard_axes=None, outputs_from_all_shards=True,
          output_shard_axes=None, infeed_queue=None, device_assignment=None, name=None):
    """Cuts the inputs into shards, and puts together what `computation` makes of them."""
    if num_shards <= 0:
        raise ValueError("num_shards must be a positive integer.")
    inputs = [_rill.convert_to_tensor(x) for x in inputs or []]
    axes = input_shard_axes if input_shard_axes is not None else [0] * len(inputs)
    if len(axes) != len(inputs):
        raise ValueError(f"Length of input_shard_axes must match number of inputs: {len(axes)} and {len(inputs)}")
    split = _rill.functions.split
    pieces = [[x] * num_shards if axis is None else split(x, num_shards, axis=axis) for x, axis in zip(inputs, axes)]
    shards = [list(parts) for parts in zip(*pieces)] if pieces else [[] for _ in range(num_shards)]
    made = replicate(computation, shards, infeed_queue, device_assignment, name)
    if not isinstance(made[0], (list, tuple)):
        return made[0] if num_shards == 1 else _rill.group(*made)
    out_axes = output_shard_axes if output_shard_axes is not None else [0] * len(made[0])
    every = outputs_from_all_shards if isinstance(outputs_from_all_shards, (list, tuple)) else (
        [outputs_from_all_shards] * len(made[0]))
    concat = _rill.functions.concat
    return [concat(list(parts), axis) if all_shards and num_shards > 1 and axis is not None else parts[0]
            for parts, axis, all_shards in zip(zip(*made), out_axes, every)]


def batch_parallel(computation, inputs=None, num_shards=1, infeed_queue=None, device_assignment=None, name=None):
    """shard() along the first dimension."""
    return shard(computation, inputs, num_shards, infeed_queue=infeed_queue, device_assignment=device_assignment,
                 name=name)


__getattr__, __dir__ = _surface.members_of(__name__)
