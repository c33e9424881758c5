"""What programs with estimators share: a small model, its data, and a look at what they wrote and said."""
import contextlib
import glob
import logging
import os
import re
import tempfile

import numpy as np
import tensorflow as tf

# Lines that TensorFlow 2 added, or that tell times.
_NOT_COMPARED = re.compile(r"Calling checkpoint listeners|Starting evaluation at|Finished evaluation at|Inference Time|"
                           r"global_step/sec|is deprecated|It seems that global step")
FEATURES = np.array([[1, 2], [3, 4], [5, 6], [7, 8]], np.float32)
LABELS = np.array([[1], [2], [3], [4]], np.float32)


class _Lines(logging.Handler):
    def __init__(self, lines):
        super().__init__()
        self.lines = lines

    def emit(self, record):
        text = record.getMessage()
        if not _NOT_COMPARED.search(text):
            text = text.replace("'_checkpoint_save_graph_def': True, ", "")
            text = re.sub(r"\(\d+\.\d+ sec\)", "(T sec)", text)
            self.lines.append(record.levelname + " " + re.sub(r"/[^ ']*tmp[^ '/]*", "DIR", text))


@contextlib.contextmanager
def logged():
    """The lines that are logged inside, without times and with DIR for temporary directories."""
    lines, logger, level = [], logging.getLogger("tensorflow"), tf.logging.get_verbosity()
    handler = _Lines(lines)
    tf.logging.set_verbosity(tf.logging.INFO)
    logger.addHandler(handler)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        tf.logging.set_verbosity(level)


def directory():
    return tempfile.mkdtemp(prefix="tmp")


def refused(function):
    """The class and text of what `function` raises."""
    try:
        function()
    except Exception as error:
        text = re.sub(r"0x[0-9a-f]+", "0x", str(error))
        return f"{type(error).__name__}: {re.sub(r'/[^ ]*tmp[^ /,]*', 'DIR', text)}"
    return "nothing"


def linear(features, labels, mode, params):
    """y = w x + b, by gradient descent."""
    x = features["x"] if isinstance(features, dict) else features
    y = tf.layers.dense(x, 1, name="linear", kernel_initializer=tf.constant_initializer([[0.5], [-0.25]]))
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y, "twice": 2 * y})
    loss = tf.losses.mean_squared_error(labels, y)
    train_op = tf.train.GradientDescentOptimizer(params["rate"]).minimize(loss, tf.train.get_global_step())
    metrics = {"error": tf.metrics.mean_absolute_error(labels, y)}
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def pairs(batch=2, epochs=None):
    """An input function of a dataset of features and labels."""
    def input_fn():
        return tf.data.Dataset.from_tensor_slices(({"x": FEATURES}, LABELS)).repeat(epochs).batch(batch)
    return input_fn


def estimator(model_fn=linear, params=None, **options):
    options.setdefault("model_dir", directory())
    return tf.estimator.Estimator(model_fn, params={"rate": 0.01} if params is None else params, **options)


def checkpoint(path):
    """What a checkpoint holds, by name."""
    reader = tf.train.load_checkpoint(path)
    return {name: reader.get_tensor(name) for name in sorted(reader.get_variable_to_shape_map())}


def files(path):
    """The names of the files of a directory, without times."""
    found = sorted(os.path.relpath(name, path) for name in glob.glob(os.path.join(path, "**"), recursive=True)
                   if os.path.isfile(name))
    return [re.sub(r"tfevents\.\d+.*", "tfevents", name) for name in found]


def summaries(path):
    """[(step, tag, number or text)] of the event files of a directory; rates left out."""
    found = []
    for name in sorted(glob.glob(os.path.join(path, "events.out.tfevents.*"))):
        for event in tf.train.summary_iterator(name):
            for value in event.summary.value:
                if value.tag == "global_step/sec":
                    continue
                kind = value.WhichOneof("value")
                shown = float(value.simple_value) if kind == "simple_value" else kind
                found.append((int(event.step), value.tag, shown))
    return found
