"""Event files of TensorFlow 2: every value is a tensor, and its metadata say how to show it."""
import numpy as np
import tensorflow as tf

from model_cases.parts import waves

QUESTION = {"kind": "events", "file": "log/events.out.tfevents.*"}


def write(folder, add):
    writer = tf.summary.create_file_writer(str(folder / "log"))
    with writer.as_default(step=1):
        add()
    writer.close()
    return QUESTION


def case_scalars(folder):
    return write(folder, lambda: [tf.summary.scalar("loss", 0.5 * step, step=step, description="what is lost")
                                  for step in range(3)])


def case_histograms(folder):
    return write(folder, lambda: tf.summary.histogram("h", waves(20), buckets=5))


def case_images(folder):
    def add():  # packed pictures inside of tensors: one that everyone packs alike
        tf.summary.image("gray", np.zeros([1, 2, 2, 1], np.uint8))
    return write(folder, add)


def case_sounds(folder):
    return write(folder, lambda: tf.summary.audio("s", waves(1, 20, 1), 8000, encoding="wav"))


def case_texts(folder):
    return write(folder, lambda: tf.summary.text("t", ["one", "two"], description="words"))


def case_hparams(folder):
    from tensorboard.plugins.hparams import api
    return write(folder, lambda: api.hparams({"rate": 0.1, "kind": "adam", "deep": True}, trial_id="first",
                                             start_time_secs=5.0))


def case_pr_curve(folder):
    from tensorboard.plugins.pr_curve import summary
    metadata_of = summary.pb("curve", np.array([True, False, True]), np.array([0.9, 0.5, 0.2]), num_thresholds=4)
    return write(folder, lambda: tf.summary.write("curve", tf.make_ndarray(metadata_of.value[0].tensor),
                                                  metadata=metadata_of.value[0].metadata))


def case_graph(folder):
    """A trace of a function."""
    function = tf.function(lambda x: x * 2.0).get_concrete_function(tf.TensorSpec([2], name="x"))
    return write(folder, lambda: tf.summary.graph(function.graph))
