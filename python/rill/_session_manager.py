"""tf.train.SessionManager and the session creators: how sessions are opened, initialised and restored."""

import abc
import os

from rill import _rill
from rill._scaffold import Scaffold


def _path(path):
    return None if path is None else os.fspath(path)


class SessionManager:
    """Opens sessions and brings their variables to a state in which training can start or go on."""

    def __init__(self, local_init_op=None, ready_op=None, ready_for_local_init_op=None, graph=None,
                 recovery_wait_secs=30, local_init_run_options=None, local_init_feed_dict=None):
        graph = graph or _rill.get_default_graph()
        with graph.as_default():
            self._core = _rill.SessionManagerCore(dict(
                local_init_op=local_init_op, ready_op=ready_op,
                ready_for_local_init_op=ready_for_local_init_op, graph=graph,
                recovery_wait_secs=recovery_wait_secs, local_init_run_options=local_init_run_options,
                local_init_feed_dict=local_init_feed_dict))
        self._graph = graph

    def prepare_session(self, master, init_op=None, saver=None, checkpoint_dir=None,
                        checkpoint_filename_with_path=None, wait_for_checkpoint=False,
                        max_wait_secs=7200, config=None, init_feed_dict=None, init_fn=None):
        """A session that was restored from a checkpoint, or initialised where there is none."""
        with self._graph.as_default():
            return self._core.prepare_session(master or "", dict(
                init_op=init_op, saver=saver, checkpoint_dir=_path(checkpoint_dir),
                checkpoint_filename_with_path=_path(checkpoint_filename_with_path),
                wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs, config=config,
                init_feed_dict=init_feed_dict, init_fn=init_fn))

    def recover_session(self, master, saver=None, checkpoint_dir=None,
                        checkpoint_filename_with_path=None, wait_for_checkpoint=False,
                        max_wait_secs=7200, config=None):
        """A session, and whether it was restored and is ready."""
        with self._graph.as_default():
            return self._core.recover_session(master or "", dict(
                saver=saver, checkpoint_dir=_path(checkpoint_dir),
                checkpoint_filename_with_path=_path(checkpoint_filename_with_path),
                wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs, config=config))

    def wait_for_session(self, master, config=None, max_wait_secs=float("Inf")):
        """A session of a model that somebody else has initialised."""
        with self._graph.as_default():
            return self._core.wait_for_session(master or "", config, max_wait_secs)


class SessionCreator(metaclass=abc.ABCMeta):
    """Makes sessions that are ready to train."""

    @abc.abstractmethod
    def create_session(self):
        """A session."""
        raise NotImplementedError(f"create_session is not implemented for {self}.")


def _creator_arguments(scaffold, master, config, checkpoint_dir=None, checkpoint_filename_with_path=None,
                       max_wait_secs=30 * 60):
    return dict(scaffold=scaffold, master=master, config=config, checkpoint_dir=_path(checkpoint_dir),
                checkpoint_filename_with_path=_path(checkpoint_filename_with_path),
                max_wait_secs=max_wait_secs)


class ChiefSessionCreator(SessionCreator):
    """Of the task that initialises and restores."""

    def __init__(self, scaffold=None, master="", config=None, checkpoint_dir=None,
                 checkpoint_filename_with_path=None):
        self._scaffold = scaffold or Scaffold()
        self._core = _rill.ChiefSessionCreatorCore(_creator_arguments(
            self._scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path))

    def create_session(self):
        return self._core.create_session()


class WorkerSessionCreator(SessionCreator):
    """Of a task that waits until the chief has initialised or restored the model."""

    def __init__(self, scaffold=None, master="", config=None, max_wait_secs=30 * 60):
        self._scaffold = scaffold or Scaffold()
        self._core = _rill.WorkerSessionCreatorCore(_creator_arguments(
            self._scaffold, master, config, max_wait_secs=max_wait_secs))

    def create_session(self):
        return self._core.create_session()


def core_of(creator):
    """The creator of C++ that does all the work; None where the program does it."""
    if type(creator).create_session in (ChiefSessionCreator.create_session, WorkerSessionCreator.create_session):
        return creator._core
    return None
