"""tf.train: optimizers, learning-rate schedules, the global step, moving averages, queue runners."""

import collections

from rill import _surface
from rill._checkpoint import Checkpoint, CheckpointManager
from rill._cluster import ClusterSpec, Server, replica_device_setter
from rill._coordinator import Coordinator, LooperThread
from rill._monitored_session import MonitoredSession, MonitoredTrainingSession, SingularMonitoredSession
from rill._hooks import (CheckpointSaverHook, CheckpointSaverListener, FeedFnHook, FinalOpsHook,
                         GlobalStepWaiterHook, LoggingTensorHook, NanLossDuringTrainingError, NanTensorHook,
                         ProfilerHook, SecondOrStepTimer, StepCounterHook, StopAtStepHook, SummarySaverHook)
from rill._optimizers import (AdadeltaOptimizer, AdagradDAOptimizer, AdagradOptimizer, AdamOptimizer,
                              FtrlOptimizer, GradientDescentOptimizer, MomentumOptimizer, Optimizer,
                              ProximalAdagradOptimizer, ProximalGradientDescentOptimizer,
                              RMSPropOptimizer)
from rill._queue_runners import QueueRunner, add_queue_runner, start_queue_runners
from rill._rill import ExponentialMovingAverage, NewCheckpointReader, load_checkpoint
from rill._saver import (Saver, SaverDef, checkpoints_iterator, export_meta_graph,
                         import_meta_graph)
from rill._scaffold import Scaffold
from rill._session_manager import ChiefSessionCreator, SessionCreator, SessionManager, WorkerSessionCreator
from rill._session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from rill._supervisor import Supervisor, basic_train_loop
from rill._sync_replicas import SyncReplicasOptimizer
from rill._trackable import PythonState


def global_step(sess, global_step_tensor):
    """The number of steps that `global_step_tensor` says were taken."""
    return int(sess.run(global_step_tensor))


def summary_iterator(path):
    """The events of an event file, one after the other."""
    from rill._file_writer import SummaryIterator
    return SummaryIterator(path)


class VocabInfo(collections.namedtuple("VocabInfo", [
        "new_vocab", "new_vocab_size", "num_oov_buckets", "old_vocab", "old_vocab_size", "backup_initializer",
        "axis"])):
    """How rows that belong to words of one vocabulary are found for those of another."""

    def __new__(cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size=-1,
                backup_initializer=None, axis=0):
        if axis not in (0, 1):
            raise ValueError(f"The only supported values for the axis argument are 0 and 1. Provided axis: {axis}")
        return super().__new__(cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size,
                               backup_initializer, axis)


__getattr__, __dir__ = _surface.members_of(__name__)
_surface._module_at("train.experimental").PythonState = PythonState
