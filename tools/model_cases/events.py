"""Event files as programs of TensorFlow 1 write them."""
import json
import time

import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.parts import initialized, ramp, variable, waves

QUESTION = {"kind": "events", "file": "log/events.out.tfevents.*"}


def write(summaries, steps=1, feeds=lambda step: None):
    """Runs the summaries and writes them, step by step."""
    merged = tf.summary.merge(summaries)
    with initialized() as session, tf.summary.FileWriter("log") as writer:
        for step in range(steps):
            writer.add_summary(session.run(merged, feeds(step)), step)
    return QUESTION


def with_writer(add, *arguments, **options):
    with tf.summary.FileWriter("log", *arguments, **options) as writer:
        add(writer)
    return QUESTION


def case_scalars(folder):
    x = tf.placeholder(tf.float32, [])
    with tf.name_scope("train"):
        loss = tf.summary.scalar("loss", tf.square(x))
    special = [tf.summary.scalar(name, tf.constant(value)) for name, value in
               (("nan", np.nan), ("infinite", np.inf), ("double", 0.1), ("half", np.float16(0.1)), ("whole", 7))]
    return write([loss, tf.summary.scalar("rate", x, family="optimizer"), *special], 4, lambda step: {x: step / 2})


def case_histograms(folder):
    wide = np.float32([-1e20, -1.5, 0, 1e-13, 1e-12, 1.1e-12, 2, 3e20])
    values = {"waves": waves(50), "zeros": np.zeros(4, np.float32), "one": np.float32([3]),
              "nothing": np.zeros([0], np.float32), "wide": wide,
              "whole": np.arange(-3, 10), "doubles": np.float64([0.25, 0.5, 1e-300])}
    return write([tf.summary.histogram(name, tf.constant(value)) for name, value in values.items()])


def case_images(folder):
    numbers = np.arange(48).reshape(1, 4, 4, 3)
    bad = waves(2, 3, 3, 1)
    bad[0, 1, 1, 0], bad[1, 0, 0, 0] = np.nan, np.inf
    pictures = {"bytes": numbers.astype(np.uint8), "gray": numbers[..., :1].astype(np.uint8),
                "clear": np.concatenate([numbers, numbers[..., :1]], 3).astype(np.uint8),
                "floats": waves(1, 4, 4, 3), "bright": waves(1, 2, 2, 3) ** 2 * 9, "bad": bad,
                "halves": waves(1, 2, 2, 1).astype(np.float16), "same": np.zeros([1, 2, 2, 3], np.float32),
                "doubles": waves(1, 2, 2, 1).astype(np.float64)}
    return write([tf.summary.image(name, tf.constant(value)) for name, value in pictures.items()]
                 + [tf.summary.image("many", tf.constant(waves(5, 2, 2, 1)), max_outputs=2, family="few")])


def case_sounds(folder):
    sounds = {"one": waves(1, 40, 1), "stereo": waves(1, 40, 2) * 2, "flat": waves(2, 30)}
    return write([tf.summary.audio(name, tf.constant(value), 8000.0) for name, value in sounds.items()]
                 + [tf.summary.audio("many", tf.constant(waves(4, 9, 1)), tf.constant(44100.0), max_outputs=2)])


def case_texts(folder):
    return write([tf.summary.text("one", tf.constant("a *text*")),
                  tf.summary.text("table", tf.constant([["a", "b"], ["c", "grün"]]))], 2)


def case_tensors(folder):
    return write([tf.summary.tensor_summary("numbers", tf.constant(waves(2, 2))),
                  tf.summary.tensor_summary("described", tf.constant([1, 2]), summary_description="two numbers",
                                            display_name="Two", family="f"),
                  tf.summary.tensor_summary("texts", tf.constant([b"a", b"\xff"]))], 2)


def case_graph(folder):
    w = variable("w", ramp(2, 2))
    with tf.name_scope("layer"):
        tf.nn.relu(tf.matmul(tf.placeholder(tf.float32, [None, 2], "x"), w), name="y")
    return with_writer(lambda writer: writer.add_graph(tf.get_default_graph(), 3))


def case_graph_first(folder):
    """The graph and the meta graph that a writer begins with."""
    tf.constant(1.0, name="one")
    return with_writer(lambda writer: None, tf.get_default_graph())


def case_meta_graph(folder):
    variable("w", 1.0)
    return with_writer(lambda writer: writer.add_meta_graph(tf.train.export_meta_graph(), 2))


def case_run_metadata(folder):
    metadata = tf.RunMetadata()
    device = metadata.step_stats.dev_stats.add(device="/job:localhost/replica:0/task:0/device:CPU:0")
    device.node_stats.add(node_name="one", all_start_micros=5, op_start_rel_micros=1, op_end_rel_micros=4,
                          all_end_rel_micros=6, timeline_label="one = Const()")
    return with_writer(lambda writer: [writer.add_run_metadata(metadata, f"step{i}", i) for i in range(2)])


def case_session_logs(folder):
    logs = [tf.SessionLog(status=tf.SessionLog.START), tf.SessionLog(status=tf.SessionLog.CHECKPOINT,
                                                                     checkpoint_path="/m/model-1"),
            tf.SessionLog(status=tf.SessionLog.STOP, msg="enough")]
    return with_writer(lambda writer: [writer.add_session_log(log, step) for step, log in enumerate(logs)])


def case_own_events(folder):
    """Events and summaries that a program makes itself."""
    def add(writer):
        writer.add_event(tf.Event(wall_time=12.5, step=1, file_version=""))
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="own", simple_value=0.5)]), 2)
        histogram = tf.HistogramProto(min=0, max=2, num=3, sum=3, sum_squares=5, bucket_limit=[1, 2], bucket=[1, 2])
        summary = tf.Summary(value=[tf.Summary.Value(tag="histogram", histo=histogram)])
        writer.add_summary(summary.SerializeToString(), 3)
        writer.add_event(tf.Event(wall_time=13.0, log_message=tf.LogMessage(level=tf.LogMessage.INFO, message="hello")))
    return with_writer(add)


def metadata(plugin, content=b"", name=None):
    found = tf.SummaryMetadata(display_name=name)
    found.plugin_data.plugin_name, found.plugin_data.content = plugin, content
    return found


def case_pr_curve(folder):
    """As TensorBoard's summary of precision and recall computes and writes it."""
    labels = tf.constant([True, False, True, True, False])
    predictions = tf.constant([0.9, 0.8, 0.35, 0.6, 0.1])
    limits = tf.constant(np.linspace(0, 1, 5), tf.float32)
    above = tf.greater_equal(predictions[tf.newaxis], limits[:, tf.newaxis])
    wanted = tf.cast(labels, tf.float32)[tf.newaxis]
    chosen = tf.cast(above, tf.float32)
    tp, fp = tf.reduce_sum(chosen * wanted, 1), tf.reduce_sum(chosen * (1 - wanted), 1)
    tn, fn = tf.reduce_sum((1 - chosen) * (1 - wanted), 1), tf.reduce_sum((1 - chosen) * wanted, 1)
    curve = tf.stack([tp, fp, tn, fn, tp / tf.maximum(1e-7, tp + fp), tp / tf.maximum(1e-7, tp + fn)])
    # PrCurvePluginData { version=1: 0, num_thresholds=2: 5 }
    return write([tf.summary.tensor_summary("curve/pr_curves", curve,
                                            summary_metadata=metadata("pr_curves", b"\x10\x05", "curve"))])


def case_plugin_data(folder):
    """Values that only a plugin's own data say how to show."""
    def add(writer):
        for tag, plugin, content in (("_hparams_/experiment", "hparams", b"\x12\x00"),
                                     ("layout", "custom_scalars", b""),
                                     ("other", "mine", json.dumps({"a": 1}).encode())):
            writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag=tag, metadata=metadata(plugin, content),
                                                                  tensor=tf.make_tensor_proto([1.0, 2.0]))]), 0)
    return with_writer(add)


def case_merged(folder):
    """All of a collection, and some below a scope."""
    with tf.name_scope("a"):
        tf.summary.scalar("x", tf.constant(1.0))
    tf.summary.histogram("h", tf.constant(ramp(5)))
    tf.summary.scalar("other", tf.constant(2.0), collections=["mine"])
    found = [tf.summary.merge_all(), tf.summary.merge_all(scope="a"), tf.summary.merge_all("mine")]
    assert tf.summary.merge_all("empty") is None
    with initialized() as session, tf.summary.FileWriter("log", filename_suffix=".mine") as writer:
        for step, value in enumerate(session.run(found)):
            writer.add_summary(value, step)
    return QUESTION


def case_reopened(folder):
    """A writer that is closed writes to a second file when it is opened again."""
    value = tf.Summary(value=[tf.Summary.Value(tag="v", simple_value=1)])
    writer = tf.summary.FileWriter("log", filename_suffix=".a")
    for step in (1, 2):
        writer.reopen()
        writer.add_summary(value, step)
        writer.close()
        time.sleep(1.1)  # names tell the second
    return QUESTION


def case_of_a_session(folder):
    """Written by ops of the session's graph."""
    with initialized() as session:
        writer = tf.summary.FileWriter("log", session=session, filename_suffix=".s")
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="v", simple_value=1)]), 1)
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.STOP), 2)
        writer.close()
    return QUESTION


def case_recorded(folder):
    """Steps that write summaries themselves, op by op."""
    ops = tf.raw_ops
    writer = ops.SummaryWriter(shared_name="w", container="")
    create = ops.CreateSummaryFileWriter(writer=writer, logdir="log", max_queue=10, flush_millis=100000,
                                         filename_suffix=".ops")
    step = tf.constant(5, tf.int64)
    own = tf.Summary(value=[tf.Summary.Value(tag="own", simple_value=2.0)])
    event = tf.Event(wall_time=9.0, step=8, summary=own)
    text = metadata("text").SerializeToString()
    writes = [
        ops.WriteScalarSummary(writer=writer, step=step, tag="scalar", value=tf.constant(0.5)),
        ops.WriteScalarSummary(writer=writer, step=step, tag="whole", value=tf.constant(3)),
        ops.WriteHistogramSummary(writer=writer, step=step, tag="histogram", values=tf.constant(waves(9))),
        ops.WriteImageSummary(writer=writer, step=step, tag="image", tensor=tf.constant(waves(2, 2, 2, 1)),
                              bad_color=tf.constant([255, 0, 0, 255], tf.uint8), max_images=1),
        ops.WriteAudioSummary(writer=writer, step=step, tag="audio", tensor=tf.constant(waves(1, 20, 1)),
                              sample_rate=tf.constant(8000.0), max_outputs=1),
        ops.WriteSummary(writer=writer, step=step, tensor=tf.constant(["words"]), tag="text", summary_metadata=text),
        ops.WriteRawProtoSummary(writer=writer, step=step, tensor=tf.constant(own.SerializeToString())),
        ops.WriteGraphSummary(writer=writer, step=step, tensor=tf.constant(
            tf.GraphDef(node=[tf.NodeDef(name="n", op="NoOp")]).SerializeToString())),
        ops.ImportEvent(writer=writer, event=tf.constant(event.SerializeToString()))]
    with tf.Session() as session:
        session.run(create)
        for write_one in writes:
            session.run(write_one)
        session.run(ops.FlushSummaryWriter(writer=writer))
        session.run(ops.CloseSummaryWriter(writer=writer))
    return QUESTION
