"""Summaries that TensorBoard's own Python makes out of TensorFlow's ops."""
import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.events import QUESTION, write
from model_cases.parts import initialized, variable, waves


def board():
    from tensorboard.summary import v1
    return v1


LABELS, PREDICTIONS = [True, False, True, True, False], [0.9, 0.8, 0.35, 0.6, 0.1]


def case_scalars(folder):
    return write([board().scalar("loss", tf.constant(0.5), display_name="Loss", description="*what* is lost")])


def case_histograms(folder):
    return write([board().histogram("h", tf.constant(waves(30)), bucket_count=4),
                  board().histogram("same", tf.constant([2.0, 2.0]), bucket_count=3),
                  board().histogram("nothing", tf.constant([], tf.float32))])


def case_images(folder):
    return write([board().image("p", tf.constant(np.zeros([4, 2, 2, 1], np.uint8)), max_outputs=2)])


def case_sounds(folder):
    return write([board().audio("s", tf.constant(waves(2, 20, 1)), 8000, labels=tf.constant(["a", "b"]))])


def case_texts(folder):
    return write([board().text("t", tf.constant([["a", "b"]]), description="words")])


def case_pr_curves(folder):
    return write([board().pr_curve("curve", tf.constant(LABELS), tf.constant(PREDICTIONS), num_thresholds=7),
                  board().pr_curve("weighted", tf.constant(LABELS), tf.constant(PREDICTIONS), num_thresholds=4,
                                   weights=tf.constant([1.0, 2.0, 0.5, 1.0, 0.0]), display_name="W")])


def case_pr_curves_streaming(folder):
    start = tf.placeholder(tf.int32, [])
    labels, predictions = (tf.slice(tf.constant(values), [start], [2]) for values in (LABELS, PREDICTIONS))
    curve, update = board().pr_curve_streaming_op("curve", labels, predictions, num_thresholds=4)
    with initialized() as session, tf.summary.FileWriter("log") as writer:
        for step in range(2):
            session.run(update, {start: step * 2})
            writer.add_summary(session.run(curve, {start: 0}), step)
    return QUESTION


def case_pr_curves_raw(folder):
    counts = [tf.constant(values) for values in ([3, 2, 0], [2, 1, 0], [0, 1, 2], [0, 1, 3], [0.6, 2 / 3, 0.0],
                                                 [1.0, 2 / 3, 0.0])]
    return write([board().pr_curve_raw_data_op("raw", *counts, num_thresholds=3)])


def case_custom_scalars(folder):
    from tensorboard.plugins.custom_scalar import layout_pb2
    layout = layout_pb2.Layout(category=[layout_pb2.Category(title="losses", chart=[layout_pb2.Chart(
        title="all", multiline=layout_pb2.MultilineChartContent(tag=[r"loss.*"]))])])
    return write([board().custom_scalar(layout)])


def projector():
    try:
        from tensorflow.contrib.tensorboard.plugins import projector
    except ImportError:  # TensorFlow 2 leaves it to TensorBoard
        from tensorboard.plugins import projector
    return projector


def case_embeddings(folder):
    """Rows of a variable that the projector shows, with names and pictures for them."""
    variable("vectors", waves(4, 3))
    tf.train.Saver().save(initialized(), "log/model", write_meta_graph=False)
    (folder / "log" / "names.tsv").write_text("one\ntwo\nthree\nfour\n")
    config = projector().ProjectorConfig(model_checkpoint_path="log/model")
    embedding = config.embeddings.add(tensor_name="vectors", metadata_path="names.tsv")
    embedding.sprite.image_path = "pictures.png"
    embedding.sprite.single_image_dim.extend([2, 2])
    with tf.summary.FileWriter("log") as writer:
        projector().visualize_embeddings(writer if hasattr(tf, "contrib") else "log", config)
    return {"kind": "embeddings", "folder": "log"}
