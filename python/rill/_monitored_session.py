"""tf.train.MonitoredSession and its kin: sessions that call hooks and survive lost machines."""

import inspect
import os

from rill import _rill, errors
from rill._session_manager import ChiefSessionCreator

USE_DEFAULT = object()


class StepContext:
    """What a step function works with."""

    def __init__(self, session, run_with_hooks_fn):
        self._session, self._run_with_hooks_fn = session, run_with_hooks_fn

    @property
    def session(self):
        """The session, which runs without hooks."""
        return self._session

    def run_with_hooks(self, *args, **kwargs):
        """One step with what the hooks ask for besides."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self):
        """Ends the loop around the step function."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _WrappedSession:
    """One of the sessions that programs reach through `_sess` on their way to the tf.Session."""

    def __init__(self, owner, depth):
        self._owner, self._depth = owner, depth

    @property
    def _sess(self):
        return _layer(self._owner, self._depth - 1)

    def __getattr__(self, name):
        return getattr(self._owner, name)


class _HookedSession(_WrappedSession):
    """The innermost of them, which calls the hooks."""


class _CoordinatedSession(_WrappedSession):
    """The next, which the coordinator's exceptions come out of."""


class _RecoverableSession(_WrappedSession):
    """The outermost, which goes on after failures."""


_LAYERS = (_HookedSession, _CoordinatedSession, _RecoverableSession)  # from the inside


def _layer(owner, depth):
    if depth == 0 or owner._is_closed():
        return owner._tf_sess()
    return _LAYERS[depth - 1](owner, depth)


class _MonitoredSession:
    """What monitored sessions have in common."""

    StepContext = StepContext
    _layers = 2  # sessions between this one and the tf.Session

    def __init__(self, session_creator, hooks, should_recover, stop_grace_period_secs=120):
        if _rill.executing_eagerly():
            raise AttributeError("Tensor.op is meaningless when eager execution is enabled: a monitored session runs a "
                                 "graph.")
        self._hooks = list(hooks or [])
        self._core = _rill.MonitoredSessionCore(session_creator, self._hooks, should_recover,
                                                stop_grace_period_secs)

    @property
    def graph(self):
        """The graph that it runs; None once it is closed."""
        session = self._tf_sess()
        return None if session is None else session.graph

    @property
    def sess_str(self):
        """The target of the session."""
        return self._tf_sess().sess_str

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """One step with what the hooks ask for besides."""
        return self._core.run(fetches, feed_dict, options, run_metadata)

    def run_step_fn(self, step_fn):
        """Calls `step_fn(step_context)`, again where the session was lost in it."""
        arguments = tuple(name for name, parameter in inspect.signature(step_fn).parameters.items()
                          if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD))
        if arguments not in (("step_context",), ("self", "step_context")):
            raise ValueError("`step_fn` may either have one `step_context` argument, or `self` and "
                             "`step_context` arguments if it's an instance method. "
                             f"Got {arguments} instead.")
        return self._core.run_step_fn(step_fn, StepContext)

    def should_stop(self):
        """Whether a hook, a queue runner or the end of the input has stopped it."""
        return self._core.should_stop()

    def close(self):
        """Calls the hooks' end, then ends the threads and the session."""
        self._close_internal()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception_value, traceback):
        if exception_type in (errors.OutOfRangeError, StopIteration):
            exception_type = None  # the end of the input, or of the loop
        self._close_internal(exception_type)
        return exception_type is None

    def _close_internal(self, exception_type=None):
        self._core.close(exception_type is not None)

    def _is_closed(self):
        return self._core.is_closed()

    def _tf_sess(self):
        return self._core.tf_sess()

    @property
    def _sess(self):
        return None if self._is_closed() else _layer(self, self._layers)

    @property
    def _coordinated_creator(self):
        return _CoordinatedCreator(self)


class _CoordinatedCreator:
    """Where programs look for the session and the coordinator of a monitored session."""

    def __init__(self, owner):
        self.tf_sess, self.coord = owner._tf_sess(), owner._core.coordinator()


class MonitoredSession(_MonitoredSession):
    """Calls hooks around every step, runs queue runners, and opens a new session where it was lost."""

    _layers = 3

    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(session_creator, hooks, should_recover=True,
                         stop_grace_period_secs=stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    """A monitored session that fails where its tf.Session is lost."""

    def __init__(self, hooks=None, scaffold=None, master="", config=None, checkpoint_dir=None,
                 stop_grace_period_secs=120, checkpoint_filename_with_path=None):
        creator = ChiefSessionCreator(scaffold=scaffold, master=master, config=config,
                                      checkpoint_dir=checkpoint_dir,
                                      checkpoint_filename_with_path=checkpoint_filename_with_path)
        super().__init__(creator, hooks, should_recover=False,
                         stop_grace_period_secs=stop_grace_period_secs)

    def raw_session(self):
        """The tf.Session, which runs without hooks."""
        return self._tf_sess()


def _how_often(value, other):
    """None: not said. What is given as None means never, where the other one is not given."""
    if value is USE_DEFAULT:
        return None
    return (0 if other in (None, USE_DEFAULT) else None) if value is None else value


def MonitoredTrainingSession(master="", is_chief=True, checkpoint_dir=None, scaffold=None, hooks=None,  # noqa: N802
                             chief_only_hooks=None, save_checkpoint_secs=USE_DEFAULT,
                             save_summaries_steps=USE_DEFAULT, save_summaries_secs=USE_DEFAULT, config=None,
                             stop_grace_period_secs=120, log_step_count_steps=100, max_wait_secs=7200,
                             save_checkpoint_steps=USE_DEFAULT, summary_dir=None, save_graph_def=True):
    """A MonitoredSession with the hooks that count steps, write summaries and save checkpoints."""
    from rill._scaffold import Scaffold
    session = MonitoredSession.__new__(MonitoredSession)
    session._hooks = list(hooks or [])
    session._core = _rill.MonitoredSessionCore(dict(
        master=master, is_chief=is_chief, scaffold=scaffold or Scaffold(), hooks=session._hooks,
        checkpoint_dir=checkpoint_dir and os.fspath(checkpoint_dir), chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=_how_often(save_checkpoint_secs, save_checkpoint_steps),
        save_checkpoint_steps=_how_often(save_checkpoint_steps, save_checkpoint_secs),
        save_summaries_steps=_how_often(save_summaries_steps, save_summaries_secs),
        save_summaries_secs=_how_often(save_summaries_secs, save_summaries_steps), config=config,
        stop_grace_period_secs=stop_grace_period_secs, log_step_count_steps=log_step_count_steps,
        max_wait_secs=max_wait_secs, summary_dir=summary_dir and os.fspath(summary_dir),
        save_graph_def=save_graph_def))
    return session
