"""Writes logs as TensorFlow's programs do, of all kinds that a dashboard shows. Runs under TensorFlow 2."""
import pathlib
import sys

import numpy as np
import tensorflow as tf
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.custom_scalar import summary as custom
from tensorboard.plugins.hparams import api as hp
from tensorboard.plugins.mesh import summary_v2 as mesh
from tensorboard.plugins.pr_curve import summary as pr_curve

v1 = tf.compat.v1


def write_v2(folder):
    """Summaries of TensorFlow 2, tensors with the plugin in their metadata."""
    rng = np.random.RandomState(1)
    for name, rate in (("train", 0.1), ("eval", 0.03)):
        with tf.summary.create_file_writer(str(folder / name)).as_default():
            for step in range(30):
                tf.summary.scalar("loss", 3 / (1 + rate * step) + 0.05 * rng.randn(), step=step, description="how *wrong* it is")
                tf.summary.scalar("group/accuracy", 1 - 1 / (1 + rate * step), step=step)
                tf.summary.histogram("weights", rng.randn(500) * (1 + step / 10), step=step)
            tf.summary.scalar("strange", float("nan"), step=1)
            tf.summary.scalar("strange", float("inf"), step=2)
            tf.summary.image("noise", rng.rand(3, 8, 12, 3).astype(np.float32), step=3, max_outputs=3)
            tf.summary.audio("tone", np.sin(np.arange(800) / 5).reshape(1, 800, 1).astype(np.float32), sample_rate=8000, step=4)
            tf.summary.text("notes", "# Title\n\nhello *there*", step=0)
            tf.summary.text("table", tf.constant([["a", "b"], ["c", "d"]]), step=1)
            mesh.mesh("cube", vertices=rng.rand(1, 8, 3).astype(np.float32), faces=np.array([[[0, 1, 2], [3, 4, 5]]], np.int32),
                      colors=rng.randint(0, 255, (1, 8, 3)), step=0)


def write_v1(folder):
    """Summaries of graphs, with a graph, a trace, a PR curve and a layout of charts."""
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 4], name="x")
        with v1.name_scope("dense"):
            y = tf.matmul(x, v1.get_variable("w", [4, 3])) + v1.get_variable("b", [3])
        v1.summary.scalar("average", tf.reduce_mean(y))
        v1.summary.histogram("y", y)
        v1.summary.image("square", tf.reshape(tf.range(48, dtype=tf.float32), [1, 4, 4, 3]))
        pr_curve.op(name="pr", labels=tf.constant([True, False, True, False]), predictions=tf.constant([.9, .4, .6, .2]), num_thresholds=11)
        merged = v1.summary.merge_all()
        writer = v1.summary.FileWriter(str(folder), graph)
        layout = layout_pb2.Layout(category=[layout_pb2.Category(title="losses", chart=[
            layout_pb2.Chart(title="all", multiline=layout_pb2.MultilineChartContent(tag=["average", "loss.*"])),
            layout_pb2.Chart(title="band", margin=layout_pb2.MarginChartContent(series=[
                layout_pb2.MarginChartContent.Series(value="average", lower="average", upper="average")]))])])
        writer.add_summary(custom.pb(layout))
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            for step in range(12):
                metadata = v1.RunMetadata()
                value = session.run(merged, {x: np.ones([2, 4]) * step},
                                    options=v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE), run_metadata=metadata)
                writer.add_summary(value, step)
                if step == 5:
                    writer.add_run_metadata(metadata, "step 5", step)
            v1.train.Saver().save(session, str(folder / "model.ckpt"), global_step=12)
        writer.close()


def write_hparams(folder):
    """Sessions with hyperparameters, with and without an experiment."""
    units, rate, kind = hp.HParam("units", hp.Discrete([16, 32])), hp.HParam("rate", hp.RealInterval(0.01, 0.1)), hp.HParam("kind", hp.Discrete(["a", "b"]))
    with tf.summary.create_file_writer(str(folder)).as_default():
        hp.hparams_config(hparams=[units, rate, kind], metrics=[hp.Metric("accuracy", display_name="Accuracy")])
    for i, (n, r, k) in enumerate([(16, .01, "a"), (32, .05, "b"), (32, .1, "a")]):
        with tf.summary.create_file_writer(str(folder / str(i))).as_default():
            hp.hparams({units: n, rate: r, kind: k}, trial_id=f"trial{i}")
            tf.summary.scalar("accuracy", .5 + n / 100 - r, step=1)


def write_keras(folder):
    """What the callback of Keras writes."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu", input_shape=(3,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(np.ones([16, 3]), np.ones([16, 1]), epochs=3, verbose=0,
              callbacks=[tf.keras.callbacks.TensorBoard(str(folder), histogram_freq=1, profile_batch=0)])


if __name__ == "__main__":
    top = pathlib.Path(sys.argv[1])
    write_v2(top / "v2")
    write_v1(top / "v1")
    write_hparams(top / "hparams")
    write_keras(top / "keras")
