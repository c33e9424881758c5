"""tf.experimental: how functions are run."""

import contextlib

from rill import _surface

_EXECUTORS = ("DEFAULT", "SINGLE_THREADED_EXECUTOR", "")
_all_intermediates = None


def function_executor_type(executor_type):
    """A block whose functions are run by that executor. There is one, which is as good as any."""
    if executor_type is not None and executor_type not in _EXECUTORS:
        raise ValueError(f"there is no executor {executor_type!r}")
    return contextlib.nullcontext()


def output_all_intermediates(state):
    """Whether the functions of branches and loops give out all that their gradients need. They always do."""
    global _all_intermediates
    _all_intermediates = state


__getattr__, __dir__ = _surface.members_of(__name__)
