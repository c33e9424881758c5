"""What programs about sessions share: a small model, hooks that tell what happens, errors as text."""
import logging
import os
import re
import tempfile

import tensorflow as tf

_KEPT = []


def model():
    """A global step, a variable, and an operation that adds one to both when hooks have read the step."""
    step = tf.train.get_or_create_global_step()
    weight = tf.get_variable("weight", initializer=4.0)
    reading = tf.train.StopAtStepHook(num_steps=1)
    reading.begin()
    with tf.control_dependencies([reading._global_step_tensor]):
        count = tf.assign_add(step, 1, name="count")
    with tf.control_dependencies([count]):
        train = tf.assign_add(weight, 1.0, name="train")
    return step, weight, train


class Telling(tf.train.SessionRunHook):
    """Writes down when it is called; raises what `fails` has for the call of that number."""

    def __init__(self, lines=None, name="", fetches=None, fails=None, stop_after=None):
        self.lines = [] if lines is None else lines
        self.name, self.fetches, self.fails, self.stop_after = name, fetches, fails or {}, stop_after
        self.calls, self.steps = {}, 0

    def tell(self, what):
        self.lines.append(f"{self.name}{what}")
        method = what.split()[0]
        self.calls[method] = self.calls.get(method, 0) + 1
        error = self.fails.get((method, self.calls[method]))
        if error:
            raise error

    def begin(self):
        self.tell("begin")

    def after_create_session(self, session, coord):
        self.tell(f"created {type(session).__name__} {type(coord).__name__} {coord.should_stop()}")

    def before_run(self, run_context):
        self.tell("before")
        return None if self.fetches is None else tf.train.SessionRunArgs(self.fetches)

    def after_run(self, run_context, run_values):
        self.tell(f"after {run_values.results}")
        self.steps += 1
        if self.steps == self.stop_after:
            run_context.request_stop()

    def end(self, session):
        self.tell("end")


def directory():
    """A new directory, which is gone when the program is."""
    made = tempfile.TemporaryDirectory()
    _KEPT.append(made)
    return made.name


def files(path):
    """The files in a directory, event files without what is made up by chance."""
    return sorted({"events" if name.startswith("events.out") else name for name in os.listdir(path)})


def refused(call, limit=200):
    """The class and the beginning of the text of what a call raises."""
    try:
        call()
    except Exception as error:
        text = re.sub(r"\s*\[\[.*", "", str(error), flags=re.S)
        return f"{type(error).__name__}: {text[:limit]}"
    return "nothing"


class _Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.levelname}: {record.getMessage()}")


class logged:
    """The lines that tf.logging writes in a block, without what TensorFlow 1.15 did not log."""

    NEWER = re.compile(r"INFO: Calling checkpoint listeners|WARNING: From |INFO: all_hooks")

    def __init__(self, path="/no/such/directory"):
        self._path = path

    def __enter__(self):
        self._logger, self._handler, self.found = logging.getLogger("tensorflow"), _Lines(), []
        self._state = self._logger.level, self._logger.propagate, list(self._logger.handlers)
        tf.logging.set_verbosity(tf.logging.INFO)
        for other in self._state[2]:
            self._logger.removeHandler(other)
        self._logger.addHandler(self._handler)
        self._logger.propagate = False
        return self.found

    def __exit__(self, *_):
        self._logger.removeHandler(self._handler)
        level, self._logger.propagate, handlers = self._state
        for other in handlers:
            self._logger.addHandler(other)
        self._logger.setLevel(level)
        for line in self._handler.lines:
            if not self.NEWER.match(line):
                line = re.sub(r"(/sec: )[\d.e+]+", r"\1N", line)
                self.found.append(line.replace(self._path, "DIR")[:120])
