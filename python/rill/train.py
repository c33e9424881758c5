"""tf.train: optimizers, learning-rate schedules, the global step, moving averages, queue runners."""

from rill import _rill, _surface
from rill._coordinator import Coordinator, LooperThread
from rill._optimizers import (AdadeltaOptimizer, AdagradDAOptimizer, AdagradOptimizer, AdamOptimizer,
                              FtrlOptimizer, GradientDescentOptimizer, MomentumOptimizer, Optimizer,
                              ProximalAdagradOptimizer, ProximalGradientDescentOptimizer,
                              RMSPropOptimizer)
from rill._queue_runners import QueueRunner, add_queue_runner, start_queue_runners
from rill._rill import ExponentialMovingAverage, NewCheckpointReader
from rill._saver import (Saver, SaverDef, checkpoints_iterator, export_meta_graph,
                         import_meta_graph)
from rill._rill import ExponentialMovingAverage
from rill._sync_replicas import SyncReplicasOptimizer


def global_step(sess, global_step_tensor):
    """The number of steps that `global_step_tensor` says were taken."""
    return int(sess.run(global_step_tensor))


__getattr__, __dir__ = _surface.members_of(__name__)
