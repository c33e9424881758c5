"""tf.contrib.slim's datasets, decoders, queues, summaries and analysis, with the values tf_slim has."""

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.contrib import slim
from tensorflow.contrib.slim import (dataset, dataset_data_provider, model_analyzer, parallel_reader,
                                     prefetch_queue, queues, summaries, tfexample_decoder)

PICTURE = np.arange(18, dtype=np.uint8).reshape(2, 3, 3)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


def example(**features):
    """A serialized Example; "__" in a name stands for "/"."""
    made = {}
    for name, values in features.items():
        if isinstance(values[0], bytes):
            feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
        elif isinstance(values[0], float):
            feature = tf.train.Feature(float_list=tf.train.FloatList(value=values))
        else:
            feature = tf.train.Feature(int64_list=tf.train.Int64List(value=values))
        made[name.replace("__", "/")] = feature
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


def decoded(features, handlers, serialized):
    decoder = tfexample_decoder.TFExampleDecoder(features, handlers)
    assert decoder.list_items() == list(handlers)
    with tf.Session() as session:
        made = decoder.decode(tf.constant(serialized))
        session.run(tf.tables_initializer())
        return session.run(made)


@pytest.mark.parametrize("form", ["png", "raw", "RAW"])
def test_pictures(form):
    features = {"image/encoded": tf.FixedLenFeature((), tf.string, ""),
                "image/format": tf.FixedLenFeature((), tf.string, "jpeg")}
    with tf.Session() as session:
        contents = session.run(tf.image.encode_png(PICTURE)) if form == "png" else PICTURE.tobytes()
    image, = decoded(features, {"image": tfexample_decoder.Image(shape=[2, 3, 3])},
                     example(image__encoded=[contents], image__format=[form.encode()]))
    assert image.tolist() == PICTURE.tolist() and image.dtype == np.uint8


def test_jpeg_and_several_pictures():
    with tf.Session() as session:
        contents = session.run(tf.image.encode_jpeg(np.full((8, 8, 3), 100, np.uint8)))
    features = {"e": tf.FixedLenFeature([2], tf.string), "f": tf.FixedLenFeature((), tf.string, "jpeg")}
    handler = tfexample_decoder.Image("e", "f", repeated=True, dtype=tf.float32)
    images, = decoded(features, {"images": handler}, example(e=[contents, contents]))
    assert images.shape == (2, 8, 8, 3) and np.abs(images - 100).max() <= 2 and images.dtype == np.float32


def test_boxes_and_tensors():
    sides = {f"b/{side}": tf.VarLenFeature(tf.float32) for side in ("ymin", "xmin", "ymax", "xmax")}
    boxes, = decoded(sides, {"box": tfexample_decoder.BoundingBox(prefix="b/")},
                     example(b__ymin=[0.5, 0.25], b__xmin=[1.0, 2.0], b__ymax=[3.0, 4.0], b__xmax=[5.0, 6.0]))
    assert boxes.tolist() == [[0.5, 1, 3, 5], [0.25, 2, 4, 6]]
    with pytest.raises(ValueError, match="BoundingBox expects 4 keys but got 1"):
        tfexample_decoder.BoundingBox(["a"])
    features = {"a": tf.VarLenFeature(tf.int64), "h": tf.FixedLenFeature([1], tf.int64),
                "w": tf.FixedLenFeature([1], tf.int64), "d": tf.FixedLenFeature([4], tf.float32)}
    handlers = {"x": tfexample_decoder.Tensor("a", shape_keys=["h", "w"]),
                "y": tfexample_decoder.Tensor("d", shape=[2, 2]),
                "area": tfexample_decoder.ItemHandlerCallback(["h", "w"], lambda k: k["h"] * k["w"])}
    x, y, area = decoded(features, handlers, example(a=[1, 2, 3, 4, 5, 6], h=[2], w=[3], d=[1.0, 2.0, 3.0, 4.0]))
    assert x.tolist() == [[1, 2, 3], [4, 5, 6]] and y.tolist() == [[1, 2], [3, 4]] and area == [6]
    with pytest.raises(ValueError, match="Cannot specify both shape_keys and shape"):
        tfexample_decoder.Tensor("a", shape_keys=["h"], shape=[2])


def test_sparse_backup_and_lookup():
    features = {"i": tf.VarLenFeature(tf.int64), "v": tf.VarLenFeature(tf.float32),
                "s": tf.VarLenFeature(tf.int64), "none": tf.VarLenFeature(tf.int64),
                "word": tf.FixedLenFeature((), tf.string)}
    table = tf.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]))
    handlers = {"x": tfexample_decoder.SparseTensor("i", "v", "s"),
                "y": tfexample_decoder.SparseTensor("i", "v", shape=[5], densify=True, default_value=-1),
                "b": tfexample_decoder.BackupHandler(tfexample_decoder.Tensor("none"),
                                                     tfexample_decoder.Tensor("s")),
                "l": tfexample_decoder.LookupTensor("word", table)}
    x, y, b, found = decoded(features, handlers, example(i=[1, 4], v=[0.5, 1.5], s=[8], word=[b"b"]))
    assert x.indices.tolist() == [[1], [4]] and x.values.tolist() == [0.5, 1.5] and x.dense_shape == [8]
    assert y.tolist() == [-1, 0.5, -1, -1, 1.5] and b.tolist() == [8] and found == 1
    with pytest.raises(ValueError, match="Backup handler is of type .* instead of ItemHandler"):
        tfexample_decoder.BackupHandler(tfexample_decoder.Tensor("a"), "b")


@pytest.fixture
def files(tmp_path):
    for k in range(2):
        with tf.python_io.TFRecordWriter(str(tmp_path / f"part{k}")) as writer:
            for i in range(3):
                writer.write(example(a=[3 * k + i]))
    return tmp_path


def test_a_dataset_read_in_batches(files):
    decoder = tfexample_decoder.TFExampleDecoder({"a": tf.FixedLenFeature([1], tf.int64)},
                                                 {"a": tfexample_decoder.Tensor("a")})
    data = dataset.Dataset(str(files / "part?"), tf.TFRecordReader, decoder, 6, {"a": "a number"}, classes=3)
    provider = dataset_data_provider.DatasetDataProvider(data, shuffle=False, num_epochs=1)
    assert sorted(provider.list_items()) == ["a", "record_key"] and provider.num_samples() == 6
    assert data.classes == 3
    number, key = provider.get(["a", "record_key"])
    numbers, keys = tf.train.batch([number, tf.reshape(key, [])], 2)
    queue = prefetch_queue.prefetch_queue({"a": numbers, "k": keys}, capacity=4)
    batch = queue.dequeue()
    assert [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)] == [
        "parallel_read/filenames/fraction_of_32_full", "parallel_read/fraction_of_256_full",
        "batch/fraction_of_32_full", "prefetch_queue/fraction_of_4_full"]
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        with queues.QueueRunners(session):
            with pytest.raises(queues.NestedQueueRunnerError):
                with queues.QueueRunners(session):
                    pass
            got = [session.run(batch) for _ in range(3)]
    assert [b["a"].ravel().tolist() for b in got] == [[0, 1], [2, 3], [4, 5]]
    assert got[0]["k"][0] == str(files / "part0").encode() + b":0"
    with pytest.raises(ValueError, match=r"Item \[b\] is invalid"):
        provider.get(["b"])
    with pytest.raises(ValueError, match="items must be a list or tuple"):
        provider.get("a")
    with pytest.raises(ValueError, match="The item name used for `record_key` cannot also be"):
        dataset_data_provider.DatasetDataProvider(data, record_key="a")


def test_readers(files):
    paths = [str(files / "part0"), str(files / "part1")]
    key, _ = parallel_reader.parallel_read(paths, tf.TFRecordReader, num_epochs=1, num_readers=2,
                                           capacity=16, min_after_dequeue=2)
    once, _ = parallel_reader.single_pass_read(str(files / "*"), tf.TFRecordReader)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        with queues.QueueRunners(session):
            keys = {session.run(key).decode().partition(":")[0] for _ in range(6)}
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(key)
            assert [session.run(once).decode().partition(":")[0] for _ in range(6)] == sorted(paths * 3)
    assert keys == set(paths)
    with pytest.raises(ValueError, match="No data files found in"):
        parallel_reader.get_data_files(str(files / "nothing*"))
    with pytest.raises(TypeError, match="common_queue.dtypes must be"):
        parallel_reader.ParallelReader(tf.TFRecordReader, tf.FIFOQueue(2, [tf.float32, tf.string]))


def test_analysis_and_summaries(graph, capsys):
    v = tf.Variable(np.zeros((2, 3), np.float32), name="v")
    w = tf.Variable(tf.zeros([4], tf.float64), name="w")
    x = tf.nn.relu(v, name="r")
    assert model_analyzer.analyze_vars([v, w], print_info=True) == (10, 56)
    assert model_analyzer.analyze_ops(graph, print_info=True) == 46
    printed = capsys.readouterr().out
    assert "v:0 (float32_ref 2x3) [6, bytes: 24]" in printed and "Total bytes of variables: 56" in printed
    assert "r \t-> (float32 2x3) [6]" in printed
    summaries.add_histogram_summary(x, prefix="h")
    summaries.add_scalar_summary(tf.constant(1.0, name="one"), print_summary=True)
    summaries.add_zero_fraction_summaries([x], prefix="z")
    summaries.add_image_summary(tf.zeros([1, 2, 2, 3]), "pic")
    summaries.add_scalar_summaries([tf.reduce_sum(x, name="s")], "q")
    assert [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)] == [
        "h/r", "Print", "z/r/Fraction_of_Zero_Values", "pic", "q/s"]


def test_names():
    from tensorflow.contrib.layers.python.layers import summaries as layer_summaries
    from tensorflow.contrib.slim.python.slim import queues as long_queues
    from tensorflow.contrib.slim.python.slim.data import tfexample_decoder as long_decoder
    assert long_decoder.Image is tfexample_decoder.Image and long_queues.QueueRunners is queues.QueueRunners
    assert layer_summaries.summarize_tensor is slim.summarize_tensor
    assert slim.arg_scope_func_key(slim.conv2d) == tf.contrib.framework.arg_scope_func_key(slim.conv2d)
    assert slim.metrics is tf.contrib.metrics and slim.fc is slim.fully_connected
    for name in ("assign_from_checkpoint", "assign_from_checkpoint_fn", "initializers", "regularizers",
                 "VariableDeviceChooser", "add_model_variable", "get_variable_full_name"):
        assert hasattr(slim, name), name
    from tensorflow.contrib.util import loader
    assert loader.load_op_library is tf.load_op_library
    used = tf.contrib.util.stripped_op_list_for_graph(tf.train.export_meta_graph().graph_def)
    assert [op.name for op in used.op] == []
