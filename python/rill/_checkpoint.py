"""tf.train.Checkpoint and CheckpointManager: objects in checkpoints. The work is done in C++."""

import os

from rill import _rill, _trackable


def _session(given=None):
    """The session to run in: as given, the default one, or that of tf.keras; in eager execution none."""
    if _rill.executing_eagerly():
        return None
    session = given if given is not None else _rill.get_default_session()
    if session is not None:
        return session
    from rill.keras import backend
    return backend.get_session()


class CheckpointLoadStatus:
    """What came of `restore`: which objects of the program and of the checkpoint belong together."""

    def __init__(self, core, root):
        self._core, self._root = core, root  # which C++ does not keep

    def _held(self, problem):
        if problem:
            raise AssertionError(problem)
        return self

    def assert_consumed(self):
        """Raises AssertionError unless everything on both sides has found its counterpart."""
        return self._held(self._core.unconsumed())

    def assert_existing_objects_matched(self):
        """Raises AssertionError unless all objects of the program are in the checkpoint."""
        return self._held(self._core.unmatched())

    def assert_nontrivial_match(self):
        """Raises AssertionError unless anything but the root is in the checkpoint."""
        return self._held(self._core.trivial())

    def expect_partial(self):
        """Says that values that are not used are no surprise; nothing warns of them here."""
        return self

    def run_restore_ops(self, session=None):
        """Gives the variables that there are now their values."""
        self._core.run_restore_ops(_session(session))

    def initialize_or_restore(self, session=None):
        """As run_restore_ops; variables without a value in the checkpoint are initialised."""
        self._core.initialize_or_restore(_session(session))


class InitializationOnlyStatus(CheckpointLoadStatus):
    """That of no checkpoint at all."""

    def run_restore_ops(self, session=None):
        """There is nothing to run."""
        raise AssertionError("No checkpoint specified, so no restore ops are available (save_path=None to "
                             "Saver.restore).")


class Checkpoint:
    """Saves and restores objects with all that they hold, by their places and not by names of nodes."""

    def __init__(self, **kwargs):
        self._core = _rill.CheckpointCore(self)
        for name, value in sorted(kwargs.items()):
            if not _trackable.is_trackable(value) and not isinstance(value, (list, dict)):
                raise ValueError(f"`Checkpoint` was expecting a trackable object (an object derived from "
                                 f"`TrackableBase`), got {value}. If you believe this object should be trackable "
                                 "(i.e. it is part of the TensorFlow Python API and manages state), please open "
                                 "an issue.")
            setattr(self, name, value)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name != "_core" and _rill.executing_eagerly():
            _rill.notice_new_variables()  # a checkpoint that was restored before may have its value

    def _trackable_children(self):
        return [(name, part) for name, part in _trackable.attributes(self) if name != "_core"]

    @property
    def save_counter(self):
        """How often `save` was called; an int64 variable."""
        return self._core.save_counter()

    def write(self, file_prefix, session=None):
        """Writes a checkpoint of exactly that name; returns it."""
        return self._core.write(_session(session), os.fspath(file_prefix))

    def save(self, file_prefix, session=None):
        """Writes the next checkpoint, "prefix-1" and so on; returns its path."""
        return self._core.save(_session(session), os.fspath(file_prefix))

    def restore(self, save_path):
        """Binds objects to values of a checkpoint; the status that is returned gives them to variables."""
        if save_path is None:
            return InitializationOnlyStatus(self._core.restore(None), self)
        status = CheckpointLoadStatus(self._core.restore(os.fspath(save_path)), self)
        if _rill.executing_eagerly():
            _restored[:] = [*_restored[-15:], self]
        return status


_restored = []  # the last ones, whose objects may make variables later


class CheckpointManager:
    """Keeps the newest checkpoints of a directory, and deletes others."""

    def __init__(self, checkpoint, directory, max_to_keep, keep_checkpoint_every_n_hours=None,
                 checkpoint_name="ckpt"):
        self._checkpoint, self._directory = checkpoint, os.fspath(directory)
        self._core = _rill.CheckpointManagerCore(checkpoint._core, self._directory, max_to_keep,
                                                 keep_checkpoint_every_n_hours, checkpoint_name)

    @property
    def latest_checkpoint(self):
        """The path of the newest one, or None."""
        return self._core.latest_checkpoint()

    @property
    def checkpoints(self):
        """The paths of all that are kept, oldest first."""
        return self._core.checkpoints()

    @property
    def directory(self):
        """Where they are."""
        return self._directory

    @property
    def checkpoint(self):
        """What is saved."""
        return self._checkpoint

    def save(self, checkpoint_number=None):
        """Writes the next checkpoint; returns its path."""
        session = _session()
        if session is not None and hasattr(checkpoint_number, "op"):
            checkpoint_number = session.run(checkpoint_number)
        return self._core.save(session, None if checkpoint_number is None else int(checkpoint_number))
