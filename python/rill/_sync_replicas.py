"""tf.train.SyncReplicasOptimizer: waits for the gradients of all replicas."""

from rill import _rill, logging
from rill._hooks import CoreHook
from rill._optimizers import Optimizer


class SyncReplicasOptimizer(Optimizer):
    """Trains with another optimizer once the gradients of enough replicas have come."""

    def __init__(self, opt, replicas_to_aggregate, total_num_replicas=None, variable_averages=None,
                 variables_to_average=None, use_locking=False, name="sync_replicas"):
        self._opt, self._replicas_to_aggregate = opt, replicas_to_aggregate
        self._total_num_replicas = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        self._variable_averages, self._variables_to_average = variable_averages, variables_to_average
        logging.info("SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s",
                     replicas_to_aggregate, self._total_num_replicas)
        self._start("SyncReplicas", use_locking, name)

    def compute_gradients(self, *args, **kwargs):
        """As the optimizer does that it trains with."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """What a replica runs: it hands in its gradients and waits for its token."""
        grads_and_vars = list(grads_and_vars)
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        train_op = self._core.apply_gradients(grads_and_vars, global_step, name)
        return train_op.outputs[0] if train_op.outputs else train_op

    def get_slot(self, *args, **kwargs):
        """A slot of the optimizer that it trains with."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        """The slots of the optimizer that it trains with."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self):
        """The variables of the optimizer that it trains with."""
        return self._opt.variables()

    @property
    def chief_init_op(self):
        """What the chief runs before the first step."""
        return _rill.sync_replicas_chief_init(self._core)

    @property
    def local_step_init_op(self):
        """What the other replicas run before the first step."""
        return _rill.sync_replicas_local_init(self._core)

    @property
    def ready_for_local_init_op(self):
        """The names of the variables that these wait for."""
        return _rill.sync_replicas_ready(self._core)

    def get_chief_queue_runner(self):
        """The queue runner that hands out tokens after each update."""
        return _rill.sync_replicas_queue_runner(self._core)

    def get_init_tokens_op(self, num_tokens=-1):
        """An operation that hands out the tokens of the first step."""
        return _rill.sync_replicas_init_tokens(self._core, num_tokens)

    def make_session_run_hook(self, is_chief, num_tokens=-1):
        """A hook that does all that has to be done before the first step."""
        return _SyncReplicasOptimizerHook(self, is_chief, num_tokens)


class _SyncReplicasOptimizerHook(CoreHook):
    """Initialises what SyncReplicasOptimizer needs and starts its queue runner."""

    def __init__(self, sync_optimizer, is_chief, num_tokens):
        self._sync_optimizer, self._is_chief, self._num_tokens = sync_optimizer, is_chief, num_tokens
        self._core = _rill.sync_replicas_hook(sync_optimizer._core, bool(is_chief), num_tokens)
