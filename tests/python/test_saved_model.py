"""SavedModels: written, read, refused."""
import os

import pytest

import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2


@pytest.fixture(autouse=True)
def fresh_graph():
    with tf.Graph().as_default():
        yield


def write_model(directory, vocabulary, **options):
    """A model with a variable, a table with an asset, and a signature."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    v = tf.get_variable("v", initializer=[[1.0], [2.0]])
    y = tf.matmul(x, v, name="y")
    words = tf.lookup.TextFileInitializer(
        vocabulary, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
        tf.lookup.TextFileIndex.LINE_NUMBER)
    table = tf.lookup.StaticHashTable(words, -1)
    s = tf.placeholder(tf.string, [None], name="s")
    ids = tf.identity(table.lookup(s), name="ids")
    signature = tf.saved_model.predict_signature_def({"x": x, "s": s}, {"y": y, "ids": ids})
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        builder = tf.saved_model.Builder(directory)
        builder.add_meta_graph_and_variables(
            session, [tf.saved_model.SERVING], {"serving_default": signature},
            assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS),
            main_op=tf.tables_initializer(), **options)
        builder.add_meta_graph(["other"])
        return builder.save()


@pytest.fixture
def model(tmp_path):
    vocabulary = tmp_path / "words.txt"
    vocabulary.write_text("a\nb\n")
    with tf.Graph().as_default():
        write_model(str(tmp_path / "model"), str(vocabulary))
    vocabulary.unlink()  # the model has its own copy
    return str(tmp_path / "model")


def test_round_trip(model):
    with tf.Session() as session:
        message = tf.saved_model.load(session, ["serve"], model)
        outputs = message.signature_def["serving_default"].outputs
        feeds = {"x:0": [[1, 2]], "s:0": ["b", "z"]}
        assert session.run(outputs["y"].name, feeds).tolist() == [[5]]
        assert session.run(outputs["ids"].name, feeds).tolist() == [1, -1]
        assert [v.name for v in tf.trainable_variables()] == ["v:0"]
    assert sorted(os.listdir(model)) == ["assets", "saved_model.pb", "variables"]
    assert tf.saved_model.contains_saved_model(model)
    assert tf.saved_model.loader.maybe_saved_model_directory(model)


def test_below_a_scope(model):
    with tf.Session() as session:
        tf.saved_model.loader.load(session, ["serve"], model, import_scope="in")
        assert session.run("in/ids:0", {"in/s:0": ["a"]}).tolist() == [0]


def test_tags(model):
    with tf.Session() as session:
        with pytest.raises(RuntimeError, match="tags 'nope' could not be found"):
            tf.saved_model.load(session, ["nope"], model)
        with pytest.raises(OSError, match="SavedModel file does not exist at"):
            tf.saved_model.load(session, ["serve"], model + "x")


def test_simple_save_in_text(tmp_path):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.get_variable("v", initializer=3.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(tmp_path / "m"), {"x": x}, {"y": x * v})
        builder = tf.saved_model.Builder(str(tmp_path / "text"))
        builder.add_meta_graph_and_variables(session, "serve")
        assert builder.save(as_text=True).endswith(b"saved_model.pbtxt")
    for name in ("m", "text"):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.saved_model.load(session, ["serve"], str(tmp_path / name))
            assert session.run("mul:0", {"x:0": [2]}).tolist() == [6]


def test_order_of_calls(tmp_path, model):
    v = tf.get_variable("v", initializer=3.0)
    with pytest.raises(AssertionError, match="already exists, and isn't empty"):
        tf.saved_model.Builder(model)
    builder = tf.saved_model.Builder(str(tmp_path / "new"))
    with pytest.raises(AssertionError, match="has not been saved yet"):
        builder.add_meta_graph(["serve"])
    with tf.Session() as session:
        session.run(v.initializer)
        with pytest.raises(TypeError, match="to be an Operation"):
            builder.add_meta_graph_and_variables(session, ["serve"], main_op=3)
        with pytest.raises(TypeError, match="must be of type constant"):
            builder.add_meta_graph_and_variables(session, ["serve"],
                                                 assets_collection=[tf.placeholder(tf.string)])
        builder.add_meta_graph_and_variables(session, ["serve"])
        with pytest.raises(AssertionError, match="has already been saved"):
            builder.add_meta_graph_and_variables(session, ["serve"])


def test_signatures():
    s, y = tf.placeholder(tf.string, [None]), tf.placeholder(tf.float32, [None, 1])
    build = tf.saved_model
    regression = build.regression_signature_def(s, y)
    classes = build.classification_signature_def(s, s, y)
    assert regression.method_name == build.REGRESS_METHOD_NAME
    assert set(classes.outputs) == {"classes", "scores"}
    assert build.is_valid_signature(regression) and build.is_valid_signature(classes)
    assert not build.is_valid_signature(build.build_signature_def({}, {}, "predict"))
    info = build.build_tensor_info(tf.sparse_placeholder(tf.float32, name="sp"))
    assert info.coo_sparse.values_tensor_name == "sp/values:0"
    assert build.utils.get_tensor_from_tensor_info(info).values.name == "sp/values:0"
    for wrong, text in [(lambda: build.classification_signature_def(s, None, None), "cannot both be None"),
                        (lambda: build.regression_signature_def(s, s), "must be of type float"),
                        (lambda: build.predict_signature_def({}, {"y": y}), "cannot be None or empty")]:
        with pytest.raises(ValueError, match=text):
            wrong()


def edited(model, change):
    path = os.path.join(model, "saved_model.pb")
    message = saved_model_pb2.SavedModel()
    with open(path, "rb") as file:
        message.ParseFromString(file.read())
    change(message.meta_graphs[0])
    with open(path, "wb") as file:
        file.write(message.SerializeToString())


@pytest.mark.parametrize("filename", ["../../etc/passwd", "/etc/passwd", "..", ""])
def test_assets_stay_inside(model, filename):
    def point_elsewhere(graph):
        asset = graph.asset_file_def.add()
        asset.tensor_info.name, asset.filename = "asset_path:0", filename
    edited(model, point_elsewhere)
    with tf.Session() as session, pytest.raises(ValueError, match="is no file of its own"):
        tf.saved_model.load(session, ["serve"], model)


def test_damaged_files(model):
    path = os.path.join(model, "saved_model.pb")
    whole = open(path, "rb").read()
    for keep in (1, len(whole) // 3, len(whole) - 1):
        with open(path, "wb") as file:
            file.write(whole[:keep])
        with tf.Graph().as_default(), tf.Session() as session, pytest.raises(Exception) as raised:
            tf.saved_model.load(session, ["serve"], model)
        assert raised.type in (ValueError, RuntimeError)


def test_several_main_ops(model):
    edited(model, lambda graph: graph.collection_def["saved_model_main_op"].node_list.value.append("v"))
    with tf.Session() as session, pytest.raises(RuntimeError, match="exactly one main op"):
        tf.saved_model.load(session, ["serve"], model)


def test_an_op_that_is_not_registered(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [1])
        tf.saved_model.simple_save(session, str(tmp_path / "m"), {"x": x}, {"y": tf.negative(x)})
    file = tmp_path / "m" / "saved_model.pb"
    file.write_bytes(file.read_bytes().replace(b"\x12\x03Neg", b"\x12\x03Ngg"))
    with tf.Graph().as_default(), tf.Session() as session, \
            pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'Ngg'"):
        tf.saved_model.load(session, ["serve"], str(tmp_path / "m"))
