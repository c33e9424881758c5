"""Checkpoints of iterators: where they are, so that a program can go on there."""

import os
import time

from rill import _rill, _saver, raw_ops
from rill._scopes import colocate_with
from rill._session_run_hook import SessionRunHook


class _Saveable(_saver.SaveableObject):
    """The state of an iterator as a part of a checkpoint."""

    def __init__(self, iterator_resource, name=None):
        serialized = raw_ops.SerializeIterator(resource_handle=iterator_resource)
        name = name or iterator_resource.op.name + "-state"
        super().__init__(iterator_resource, [_saver.SaveSpec(serialized, "", name)], name)

    def restore(self, restored_tensors, restored_shapes):
        """The operation that restores the state."""
        with colocate_with(self.op):
            return raw_ops.DeserializeIterator(resource_handle=self.op, serialized=restored_tensors[0])


def make_saveable_from_iterator(iterator):
    """What a Saver saves of an iterator."""
    return _Saveable(iterator._iterator_resource)


class CheckpointInputPipelineHook(SessionRunHook):
    """Saves where the iterators of a graph are beside the checkpoints of an estimator, and restores them."""

    def __init__(self, estimator):
        self._directory = estimator.model_dir
        config = getattr(estimator, "config", None) or getattr(estimator, "_config", None)
        self._steps = getattr(config, "save_checkpoints_steps", None)
        self._seconds = getattr(config, "save_checkpoints_secs", None)
        self._saver, self._last_step, self._last_time = None, None, time.time()

    def _path(self):
        return os.path.join(self._directory, "input.ckpt")

    def begin(self):
        """Makes the operations that save and restore."""
        from rill import train
        self._global_step = train.get_or_create_global_step()
        iterators = _rill.get_default_graph().get_collection("iterators")
        self._saver = train.Saver([_Saveable(iterator) for iterator in iterators]) if iterators else None

    def after_create_session(self, session, coord):
        """Restores the iterators where they were saved."""
        from rill import train
        saved = train.latest_checkpoint(self._directory, latest_filename="checkpoint_input")
        if self._saver is not None and saved:
            self._saver.restore(session, saved)
        self._last_step = session.run(self._global_step)

    def after_run(self, run_context, run_values):
        """Saves when it is time."""
        step = run_context.session.run(self._global_step)
        by_steps = self._steps is not None and step - self._last_step >= self._steps
        by_time = self._seconds is not None and time.time() - self._last_time >= self._seconds
        if by_steps or by_time:
            self._save(run_context.session, step)

    def end(self, session):
        """Saves at the end."""
        self._save(session, session.run(self._global_step))

    def _save(self, session, step):
        if self._saver is not None:
            self._saver.save(session, self._path(), global_step=step, latest_filename="checkpoint_input",
                             write_meta_graph=False)
        self._last_step, self._last_time = step, time.time()
