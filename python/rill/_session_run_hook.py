"""tf.train.SessionRunHook and what it is told of steps."""

import collections

_METHODS = ("begin", "after_create_session", "before_run", "after_run", "end")


class SessionRunArgs(collections.namedtuple("SessionRunArgs", ["fetches", "feed_dict", "options"])):
    """What a hook wants of a step besides what the program asks for."""

    def __new__(cls, fetches, feed_dict=None, options=None):
        return super().__new__(cls, fetches, feed_dict, options)


class SessionRunValues(collections.namedtuple("SessionRunValues", ["results", "options", "run_metadata"])):
    """What a step gave a hook: `results` has the structure of what it asked for."""


class SessionRunContext:
    """What hooks know of a step, and how they ask for the end of the loop."""

    def __init__(self, original_args, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    @property
    def original_args(self):
        """The SessionRunArgs of the program's own run."""
        return self._original_args

    @property
    def session(self):
        """The session that runs the step."""
        return self._session

    @property
    def stop_requested(self):
        """Whether a hook asked for the end."""
        return self._stop_requested

    def request_stop(self):
        """Asks for the end of the loop: should_stop() of the session becomes True."""
        self._stop_requested = True


class SessionRunHook:
    """Takes part in the steps of a monitored session."""

    def begin(self):
        """Called once, before the graph is finalised: the last chance to add nodes."""

    def after_create_session(self, session, coord):
        """Called after each session was made, those that replace lost ones included."""

    def before_run(self, run_context):
        """Called before each step: a SessionRunArgs, or None."""
        return None

    def after_run(self, run_context, run_values):
        """Called after each step, unless it failed."""

    def end(self, session):
        """Called when the session ends, unless a step failed."""


def core_of(hook):
    """The hook of C++ that does all of this hook's work; None where the program does some."""
    core = getattr(hook, "_core", None)
    if core is None or any(name in vars(hook) for name in _METHODS):
        return None
    if any(not getattr(type(hook), name).__module__.startswith("rill.") for name in _METHODS):
        return None
    return core
