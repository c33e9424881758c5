"""tf.logging: what a program says about itself, through Python's logger named "tensorflow"."""

import collections as _collections
import logging as _logging
import os as _os
import sys as _sys

from rill import _surface
from logging import DEBUG, ERROR, FATAL, INFO, WARN

_HERE = _os.path.normcase(_os.path.abspath(__file__))
_logger = None
_counts = _collections.Counter()
_LETTERS = {DEBUG: "D", INFO: "I", WARN: "W", ERROR: "E", FATAL: "F"}


def get_logger():
    """The logger; it writes to standard error unless the program has set up logging itself."""
    global _logger
    if _logger is not None:
        return _logger
    logger = _logging.getLogger("tensorflow")
    if not _logging.getLogger().handlers:
        interactive = hasattr(_sys, "ps1") or _sys.flags.interactive
        if interactive:
            logger.setLevel(INFO)
        handler = _logging.StreamHandler(_sys.stdout if interactive else _sys.stderr)
        handler.setFormatter(_logging.Formatter(_logging.BASIC_FORMAT, None))
        logger.addHandler(handler)
    _logger = logger
    return logger


def log(level, msg, *args, **kwargs):
    """Says `msg % args` at a level."""
    kwargs.setdefault("stacklevel", 2)
    get_logger().log(level, msg, *args, **kwargs)


def debug(msg, *args, **kwargs):
    get_logger().debug(msg, *args, **{"stacklevel": 2, **kwargs})


def info(msg, *args, **kwargs):
    get_logger().info(msg, *args, **{"stacklevel": 2, **kwargs})


def warning(msg, *args, **kwargs):
    get_logger().warning(msg, *args, **{"stacklevel": 2, **kwargs})


def warn(msg, *args, **kwargs):
    get_logger().warning(msg, *args, **{"stacklevel": 2, **kwargs})


def error(msg, *args, **kwargs):
    get_logger().error(msg, *args, **{"stacklevel": 2, **kwargs})


def fatal(msg, *args, **kwargs):
    """At the highest level; the program goes on."""
    get_logger().critical(msg, *args, **{"stacklevel": 2, **kwargs})


def vlog(level, msg, *args, **kwargs):
    get_logger().log(level, msg, *args, **{"stacklevel": 2, **kwargs})


def TaskLevelStatusMessage(msg):
    error(msg)


def flush():
    raise NotImplementedError()


def log_if(level, msg, condition, *args):
    """Says it where `condition` holds."""
    if condition:
        vlog(level, msg, *args, stacklevel=3)


def _calls_from_here():
    """How often the line of the program that asks has asked before."""
    frame = _sys._getframe(2)
    place = frame.f_code.co_filename, frame.f_lineno
    _counts[place] += 1
    return _counts[place] - 1


def log_every_n(level, msg, n, *args):
    """The first time, and every `n`th from then on."""
    log_if(level, msg, not _calls_from_here() % n, *args)


def log_first_n(level, msg, n, *args):
    """The first `n` times."""
    log_if(level, msg, _calls_from_here() < n, *args)


def get_verbosity():
    """The lowest level that is shown."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v):
    """Shows what is at level `v` (a number, or a name such as "INFO") and above."""
    get_logger().setLevel(v)


def google2_log_prefix(level, timestamp=None, file_and_line=None):
    """The beginning of a line in the format of C++ programs."""
    import time
    now = timestamp or time.time()
    parts = time.localtime(now)
    file, line = file_and_line or ("", 0)
    return (f"{_LETTERS.get(level, 'I')}{parts[1]:02d}{parts[2]:02d} {parts[3]:02d}:{parts[4]:02d}:"
            f"{parts[5]:02d}.{int(now % 1 * 1e6):06d} {_os.getpid():5d} {_os.path.basename(file)}:{line}] ")


__getattr__, __dir__ = _surface.members_of(__name__)
