"""Drives hooks as a monitored session does, and tells what they asked for, logged and wrote."""
import contextlib
import glob
import logging
import os
import re
import tempfile

import tensorflow as tf

TIMES = [(re.compile(r"\(\d+\.\d{3} sec\)"), "(N sec)"), (re.compile(r"(/sec: )[\d.e+]+"), r"\1N")]

# Lines that TensorFlow 1.15 did not log.
NEWER = re.compile(r"INFO: Calling checkpoint listeners|WARNING: From .* is deprecated")


class _Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.levelname}: {record.getMessage()}")


@contextlib.contextmanager
def logged(directory="/no/such/directory"):
    """The lines of tf.logging, with times and the directory replaced."""
    logger, handler, found = logging.getLogger("tensorflow"), _Lines(), []
    level, propagate = logger.level, logger.propagate
    before = list(logger.handlers)
    tf.logging.set_verbosity(tf.logging.INFO)
    for other in before:
        logger.removeHandler(other)
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield found
    finally:
        logger.removeHandler(handler)
        for other in before:
            logger.addHandler(other)
        logger.propagate = propagate
        logger.setLevel(level)
        for line in filter(lambda line: not NEWER.match(line), handler.lines):
            for pattern, text in TIMES:
                line = pattern.sub(text, line)
            found.append(line.replace(directory, "DIR"))


def counting(step, by=1):
    """An operation that adds to the step after hooks have read it."""
    hook = tf.train.StopAtStepHook(num_steps=1)
    hook.begin()
    with tf.control_dependencies([hook._global_step_tensor]):
        return tf.assign_add(step, by)


def model():
    """A variable that gets smaller, its loss, and the operation that takes a step when all has been read."""
    step = tf.train.get_or_create_global_step()
    weight = tf.get_variable("weight", initializer=4.0)
    hook = tf.train.StopAtStepHook(num_steps=1)
    hook.begin()
    now, count = tf.multiply(weight, 1.0, name="weight_now"), tf.add(step, 0, name="step_now")
    loss = tf.multiply(now, now, name="loss")
    optimizer = tf.train.GradientDescentOptimizer(0.125)
    gradients = optimizer.compute_gradients(loss)
    with tf.control_dependencies([hook._global_step_tensor, loss, count]):
        train = optimizer.apply_gradients(gradients, step)
    return step, weight, loss, train


def form(fetches):
    """The names in a structure of fetches, as text."""
    if fetches is None:
        return "None"
    if isinstance(fetches, dict):
        return "{" + ", ".join(f"{getattr(key, 'name', key)}: {form(item)}" for key, item in fetches.items()) + "}"
    if isinstance(fetches, (list, tuple)):
        return "[" + ", ".join(map(form, fetches)) + "]"
    return str(getattr(fetches, "name", fetches))


def drive(hooks, train, steps, asked=None, fed=None, session=None):
    """Runs so many steps, or until a hook stops it; the number of steps that were run."""
    for hook in hooks:
        hook.begin()
    run = 0
    with contextlib.ExitStack() as stack:
        if session is None:
            init = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())
            session = stack.enter_context(tf.Session())
            session.run(init)
        for hook in hooks:
            hook.after_create_session(session, tf.train.Coordinator())
        for _ in range(steps):
            context = tf.train.SessionRunContext(tf.train.SessionRunArgs(train, fed), session)
            requests = [hook.before_run(context) for hook in hooks]
            if asked is not None:
                asked.append("; ".join(form(request and request.fetches) for request in requests))
            metadata = tf.RunMetadata()
            options = [request.options for request in requests if request is not None and request.options is not None]
            values = session.run(
                [train, [[] if request is None or request.fetches is None else request.fetches for request in requests]],
                feed_dict=fed, options=options[0] if options else None, run_metadata=metadata)[1]
            run += 1
            for hook, request, value in zip(hooks, requests, values):
                results = None if request is None else value
                hook.after_run(context, tf.train.SessionRunValues(results=results, options=None, run_metadata=metadata))
            if context.stop_requested:
                break
        for hook in hooks:
            hook.end(session)
    return run


def directory():
    """A new directory, which is gone when the program is."""
    made = tempfile.TemporaryDirectory()
    _KEPT.append(made)
    return made.name


_KEPT = []


def files(path):
    """The files in a directory; event files, whose names have the second in them, count as one."""
    tf.summary.FileWriterCache.clear()  # a thread makes them, which may be late
    return sorted({"events" if name.startswith("events.out") else name for name in os.listdir(path)})


def events(path):
    """What the event files of a directory hold, in a line for each event."""
    lines = []
    tf.summary.FileWriterCache.clear()  # everything is in the files then
    for name in sorted(glob.glob(os.path.join(path, "events.out.*"))):
        for event in tf.train.summary_iterator(name):
            what = event.WhichOneof("what")
            text = f"{event.step} {what}"
            if what == "session_log":
                text += f" {event.session_log.status} {os.path.basename(event.session_log.checkpoint_path)}"
            elif what == "summary":
                text += " " + ", ".join(
                    value.tag if value.tag.endswith("/sec") else f"{value.tag}={value.simple_value:g}"
                    for value in event.summary.value)
            elif what == "tagged_run_metadata":
                text += " " + event.tagged_run_metadata.tag
            lines.append(text)
    return lines


def refused(call):
    """The class and text of what a call raises."""
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"
