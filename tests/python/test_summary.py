import glob
import os

import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def message(tensor):
    with tf.Session() as session:
        return tf.Summary.FromString(session.run(tensor))


def events(directory):
    """All events of a directory's files but the versions."""
    return [event for path in sorted(glob.glob(os.path.join(directory, "*tfevents*")))
            for event in tf.train.summary_iterator(path) if not event.file_version]


def decoded(png):
    with tf.Session() as session:
        return session.run(tf.image.decode_png(png))


def test_image_of_bytes():
    picture = np.arange(2 * 3 * 4 * 3, dtype=np.uint8).reshape(2, 3, 4, 3)
    summary = message(tf.summary.image("pictures", tf.constant(picture)))
    assert [value.tag for value in summary.value] == ["pictures/image/0", "pictures/image/1"]
    for value, expected in zip(summary.value, picture):
        assert (value.image.height, value.image.width, value.image.colorspace) == (3, 4, 3)
        np.testing.assert_array_equal(decoded(value.image.encoded_image_string), expected)


def test_image_of_floats_is_scaled():
    picture = np.array([0.0, 0.5, 2.0, np.nan], np.float32).reshape(1, 2, 2, 1)
    value = message(tf.summary.image("p", tf.constant(picture), max_outputs=1)).value[0]
    assert value.tag == "p/image"
    pixels = decoded(value.image.encoded_image_string)
    assert pixels.ravel().tolist()[:3] == [0, 63, 255]


def test_audio():
    sound = np.sin(np.linspace(0, 6, 80)).astype(np.float32).reshape(1, 80, 1)
    value = message(tf.summary.audio("s", sound, 8000.0)).value[0]
    assert value.tag == "s/audio/0" and value.audio.sample_rate == 8000 and value.audio.length_frames == 80
    assert value.audio.encoded_audio_string[:4] == b"RIFF"


def test_text_needs_strings():
    with pytest.raises(ValueError, match="to have dtype string, got"):
        tf.summary.text("t", tf.constant(1))


def test_names():
    with pytest.raises(ValueError):
        tf.summary.scalar(None, 1.0)
    assert tf.summary.histogram(None, tf.constant([1.0])).name == "HistogramSummary:0"


def test_description_of_other_nodes():
    with pytest.raises(ValueError, match="Can't get_summary_description on Const"):
        tf.summary.get_summary_description(tf.constant(1).op.node_def)


def test_scalar_of_a_vector_fails():
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError):
        session.run(tf.summary.scalar("s", tf.constant([1.0, 2.0])))


def test_messages():
    assert tf.summary.Summary is tf.Summary and tf.summary.Event is tf.Event
    assert tf.summary.SummaryDescription(type_hint="scalar").type_hint == "scalar"
    assert tf.summary.TaggedRunMetadata(tag="t").tag == "t"
    assert tf.summary.SessionLog.STOP == 2


def test_writer(tmp_path, graph):
    x = tf.placeholder(tf.float32, [])
    merged = tf.summary.merge([tf.summary.scalar("x", x), tf.summary.text("t", tf.constant("a"))])
    logdir = tmp_path / "logs" / "run"
    with tf.Session() as session:
        writer = tf.summary.FileWriter(logdir, session.graph, filename_suffix=".mine")
        assert writer.get_logdir() == str(logdir)
        for step in range(3):
            writer.add_summary(session.run(merged, {x: step / 2}), step)
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="own", simple_value=7.0)]), np.int64(9))
        writer.close()
    assert len(os.listdir(logdir)) == 1 and os.listdir(logdir)[0].endswith(".mine")
    graph_event, meta_event, *summaries = events(logdir)
    assert tf.GraphDef.FromString(graph_event.graph_def) == graph.as_graph_def(add_shapes=True)
    meta = tf.MetaGraphDef.FromString(meta_event.meta_graph_def)
    assert meta.graph_def == graph.as_graph_def(add_shapes=True)
    assert {op.name for op in meta.meta_info_def.stripped_op_list.op} >= {"Placeholder", "MergeSummary"}
    assert [event.step for event in summaries] == [0, 1, 2, 9]
    assert [event.summary.value[0].simple_value for event in summaries] == [0.0, 0.5, 1.0, 7.0]
    assert [event.summary.value[1].HasField("metadata") for event in summaries[:3]] == [True, False, False]
    assert all(event.wall_time > 1e9 for event in summaries)


def test_writer_of_other_events(tmp_path):
    with tf.summary.FileWriter(str(tmp_path), max_queue=0, flush_secs=1) as writer:
        writer.add_run_metadata(tf.RunMetadata(), "step 1", global_step=1)
        with pytest.raises(ValueError, match="The provided tag was already used"):
            writer.add_run_metadata(tf.RunMetadata(), "step 1")
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 2)
        writer.add_event(tf.Event(wall_time=5.0, step=3))
        writer.add_graph(None, graph_def=tf.GraphDef())
        with pytest.raises(TypeError, match="must be an instance of `Graph`"):
            writer.add_graph("graph")
        with pytest.raises(ValueError, match="not both"):
            writer.add_graph(tf.Graph(), graph_def=tf.GraphDef())
        with pytest.raises(TypeError, match="must be type MetaGraphDef"):
            writer.add_meta_graph(tf.GraphDef())
    run, log, own, graph = events(tmp_path)
    assert run.tagged_run_metadata.tag == "step 1" and run.step == 1
    assert log.session_log.status == tf.SessionLog.START and log.step == 2
    assert own.wall_time == 5.0 and own.step == 3
    assert graph.WhichOneof("what") == "graph_def"


def test_closed_writer(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path))
    assert os.path.isdir(tmp_path) and not os.listdir(tmp_path)
    writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1.0)]), 1)
    writer.flush()
    assert len(events(tmp_path)) == 1
    writer.close()
    with pytest.warns(UserWarning, match="closed FileWriter"):
        writer.add_summary(tf.Summary(), 2)
    writer.reopen()
    writer.add_summary(tf.Summary(), 3)
    writer.close()
    assert [event.step for event in events(tmp_path)] == [1, 3]


def test_writer_of_a_session(tmp_path):
    with tf.Session() as session:
        writer = tf.summary.FileWriter(str(tmp_path), session=session, filename_suffix=".s")
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1.0)]), 4)
        writer.flush()
        assert [event.step for event in events(tmp_path)] == [4]
        writer.close()
        writer.reopen()
        writer.add_summary(tf.Summary(), 5)
        writer.close()
    assert sorted(event.step for event in events(tmp_path)) == [4, 5]


def test_writer_cache(tmp_path):
    cache = tf.summary.FileWriterCache
    writer = cache.get(str(tmp_path))
    assert cache.get(str(tmp_path)) is writer
    cache.clear()
    assert cache.get(str(tmp_path)) is not writer
    cache.clear()


def test_iterator_of_no_file(tmp_path):
    with pytest.raises(tf.errors.NotFoundError):
        next(tf.train.summary_iterator(str(tmp_path / "none")))
    broken = tmp_path / "broken"
    broken.write_bytes(b"x" * 40)
    with pytest.raises(tf.errors.DataLossError):
        next(tf.train.summary_iterator(str(broken)))


def test_recorded_summaries(tmp_path, graph):
    summary = tf.contrib.summary
    step = tf.train.get_or_create_global_step()
    writer = summary.create_file_writer(str(tmp_path), flush_millis=10)
    with writer.as_default(), summary.record_summaries_every_n_global_steps(2):
        write = [summary.scalar("x", 1.5), summary.histogram("h", tf.constant([1.0, 2.0]))]
        assert tf.summary.all_v2_summary_ops() == summary.all_summary_ops() == write
        with tf.control_dependencies(write):
            add = tf.assign_add(step, 1)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            tf.summary.initialize(graph=graph, session=session)
            for _ in range(4):
                session.run(add)
            session.run(writer.close())
    found = events(tmp_path)
    assert sum(event.WhichOneof("what") == "graph_def" for event in found) == 1
    assert sorted((event.step, event.summary.value[0].tag) for event in found if event.summary.value) == [
        (0, "h"), (0, "x"), (2, "h"), (2, "x")]


def test_initialize_without_a_writer():
    with pytest.raises(RuntimeError, match="No default tf.contrib.summary.SummaryWriter found"):
        tf.summary.initialize()
    writer = tf.contrib.summary.create_file_writer("/nowhere")
    with writer.as_default(), pytest.raises(ValueError, match="session must be passed"):
        tf.summary.initialize()


def test_writer_that_writes_nothing():
    writer = tf.contrib.summary.create_file_writer(None)
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        assert tf.contrib.summary.scalar("x", 1.0, step=1).type == "NoOp"
    assert tf.contrib.summary.eval_dir("/m", "test") == "/m/eval_test"
    with pytest.raises(tf.errors.UnimplementedError, match="create_db_writer"):
        tf.contrib.summary.create_db_writer("sqlite.db")


def test_embeddings(tmp_path):
    import tensorflow
    from tensorflow.contrib.tensorboard.plugins import projector
    for module in (tf, tensorflow):
        assert module.contrib.tensorboard.plugins.projector.ProjectorConfig is projector.ProjectorConfig
    config = projector.ProjectorConfig()
    embedding = config.embeddings.add()
    embedding.tensor_name, embedding.metadata_path = "words:0", "words.tsv"
    embedding.sprite.image_path = "s.png"
    embedding.sprite.single_image_dim.extend([28, 28])
    writer = tf.summary.FileWriter(str(tmp_path))
    projector.visualize_embeddings(writer, config)
    from google.protobuf import text_format
    read = text_format.Parse((tmp_path / "projector_config.pbtxt").read_text(), projector.ProjectorConfig())
    assert read == config
    with pytest.raises(ValueError, match="must have a logdir"):
        projector.visualize_embeddings(type("Writer", (), {"get_logdir": lambda self: None})(), config)
