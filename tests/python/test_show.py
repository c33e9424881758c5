"""rill show, rill freeze and saved_model_cli over what programs leave on disk."""
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rill(*words, status=0):
    done = subprocess.run([ROOT / "bin" / "rill", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def saved_model_cli(*words):
    return subprocess.run([sys.executable, "-m", "rill._saved_model_cli", *map(str, words)],
                          capture_output=True, text=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A checkpoint and a model of y = x * v."""
    directory = tmp_path_factory.mktemp("made")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        r = tf.get_variable("r", initializer=10.0, use_resource=True)
        y = tf.add(x * v, r, name="y")
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(directory / "m"))
        tf.saved_model.simple_save(session, str(directory / "model"), {"x": x}, {"y": y})
        tf.io.write_graph(session.graph, str(directory), "graph.pbtxt")
    return directory


def test_show_model(made):
    text = rill("show", made / "model")
    assert "'serve'" in text and "signature_def['serving_default']:" in text
    assert "shape: (-1, 2)" in text and "Method name is: tensorflow/serving/predict" in text
    assert rill("show", made / "model", "--tag_set", "serve").splitlines()[1] == (
        'SignatureDef key: "serving_default"')
    assert "does not contain blacklisted ops" in rill("show", "--scan", made / "model")
    assert rill("show", made / "model" / "saved_model.pb") == text


def test_show_checkpoint(made):
    for path in ("m", "m.index", "."):
        text = rill("show", made / path)
        assert "2 tensors with 3 elements" in text and "  v  float [2]" in text
    assert rill("show", made / "m", "--tensor", "v") == "tensor_name:  v\n[1. 2.]\n"
    assert "Key none not found" in rill("show", made / "m", "--tensor", "none", status=1)


def test_show_graph(made):
    for path in ("m.meta", "graph.pbtxt"):
        text = rill("show", made / path)
        assert "x  DT_FLOAT [?, 2]" in text and "VarHandleOp" in text


def test_show_records(tmp_path):
    path = str(tmp_path / "r.tfrecord")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(3):
            features = {"n": tf.train.Feature(int64_list=tf.train.Int64List(value=range(i + 1)))}
            writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())
    text = rill("show", path)
    assert "3 records" in text and "3 are Examples" in text and "n  int64, in 3, 1 to 3 values" in text


def test_show_packed_records(tmp_path):
    for kind in (tf.python_io.TFRecordCompressionType.GZIP, tf.python_io.TFRecordCompressionType.ZLIB):
        path = str(tmp_path / "r.tfrecord")
        with tf.python_io.TFRecordWriter(path, tf.python_io.TFRecordOptions(kind)) as writer:
            writer.write(b"one")
        assert "A record file of 1 records, 3 bytes, packed; 0 are Examples" in rill("show", path)


def test_show_nothing(tmp_path):
    assert "There is nothing at" in rill("show", tmp_path / "none", status=1)
    (tmp_path / "junk").write_bytes(b"junk that is nothing")
    assert "is no SavedModel" in rill("show", tmp_path / "junk", status=1)
    assert "without a SavedModel" in rill("show", tmp_path, status=1)


@pytest.mark.parametrize("source", [
    ("--input_saved_model_dir", "model"),
    ("--input_meta_graph", "m.meta", "--input_checkpoint", "m", "--output_node_names=y"),
    ("--input_graph", "graph.pbtxt", "--input_checkpoint", "m", "--output_node_names=y"),
])
def test_freeze(made, tmp_path, source):
    words = [str(made / word) if (made / word).exists() or word == "m" else word for word in source]
    rill("freeze", *words, "--output_graph", tmp_path / "frozen.pb")
    graph_def = tf.GraphDef()
    graph_def.ParseFromString((tmp_path / "frozen.pb").read_bytes())
    assert not {"VariableV2", "VarHandleOp"} & {node.op for node in graph_def.node}
    with tf.Graph().as_default(), tf.Session() as session:
        y, = tf.import_graph_def(graph_def, return_elements=["y:0"], name="")
        assert session.run(y, {"x:0": [[1, 1]]}).tolist() == [[11, 12]]


def test_freeze_says_what_is_missing(made, tmp_path):
    out = ("--output_graph", tmp_path / "frozen.pb")
    assert "doesn't exist" in rill("freeze", "--input_meta_graph", made / "m.meta", "--input_checkpoint",
                                   made / "none", *out, status=1)
    assert "--output_node_names" in rill("freeze", "--input_meta_graph", made / "m.meta",
                                         "--input_checkpoint", made / "m", *out, status=1)
    assert "needs a model or a graph" in rill("freeze", *out, status=2)


def test_cli_run(made, tmp_path):
    np.save(tmp_path / "x.npy", np.ones([1, 2], np.float32))
    model = ("--dir", made / "model", "--tag_set", "serve", "--signature_def", "serving_default")
    done = saved_model_cli("run", *model, "--inputs", f"x={tmp_path / 'x.npy'}")
    assert done.stdout == "Result for output key y:\n[[11. 12.]]\n", done.stderr
    done = saved_model_cli("run", *model, "--input_exprs", "x=np.zeros((1, 2))", "--outdir", tmp_path / "o")
    assert np.load(tmp_path / "o" / "y.npy").tolist() == [[10, 10]]
    assert "is not a valid input key" in saved_model_cli("run", *model, "--input_exprs", "z=1").stderr
    assert "'serve'" in saved_model_cli("show", "--dir", made / "model").stdout
    assert saved_model_cli("scan", "--dir", made / "model").returncode == 0
    assert saved_model_cli().returncode == 2


def test_tag_sets_and_ops_as_tensorflow_words_them(tmp_path):
    """The words are those of TensorFlow's own tool, tags in their order."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.identity(tf.io.read_file("x"))
        tf.get_variable("v", initializer=1.0)
        session.run(tf.global_variables_initializer())
        builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "m"))
        builder.add_meta_graph_and_variables(session, ["train", "gpu"])
        builder.add_meta_graph(["serve"])
        builder.save()
    assert saved_model_cli("show", "--dir", tmp_path / "m").stdout.splitlines()[1:] == ["'serve'", "'gpu, train'"]
    text = saved_model_cli("show", "--dir", tmp_path / "m", "--all").stdout
    assert text.index("tag-set: 'serve'") < text.index("tag-set: 'train, gpu'")
    assert "['train', 'gpu'] contains the following blacklisted ops: {'ReadFile'}" in \
        saved_model_cli("scan", "--dir", tmp_path / "m").stdout


def test_outputs_are_printed_and_saved(made, tmp_path):
    np.save(tmp_path / "x.npy", np.array([[1, 2]], np.float32))
    words = ("run", "--dir", made / "model", "--tag_set", "serve", "--signature_def", "serving_default",
             "--inputs", f"x={tmp_path / 'x.npy'}", "--outdir", tmp_path / "out")
    done = saved_model_cli(*words)
    assert done.stdout == f"Result for output key y:\n[[11. 14.]]\nOutput y is saved to {tmp_path}/out/y.npy\n"
    assert "Add \"--overwrite\"" in saved_model_cli(*words).stderr
    assert saved_model_cli(*words, "--overwrite").returncode == 0
    assert "Could not find signature" in saved_model_cli(
        "run", "--dir", made / "model", "--tag_set", "serve", "--signature_def", "none", "--input_exprs",
        "x=[[1,2]]").stderr
    assert saved_model_cli().returncode == 2


def test_tools_for_programs(made, tmp_path, capsys):
    """TensorFlow's modules freeze_graph, inspect_checkpoint and saved_model_utils."""
    from tensorflow.python.tools import freeze_graph, inspect_checkpoint, saved_model_utils
    inspect_checkpoint.print_tensors_in_checkpoint_file(str(made / "m"), "", True)
    assert capsys.readouterr().out == (
        "tensor: r (float32) []\n10.0\ntensor: v (float32) [2]\n[1. 2.]\n# Total number of params: 3\n")
    inspect_checkpoint.print_tensors_in_checkpoint_file(str(made / "m"), "none", False)
    assert capsys.readouterr().out == "Tensor none not found in checkpoint\n"
    inspect_checkpoint.print_tensors_in_checkpoint_file(str(made / "m"), "v", False, count_exclude_pattern="r")
    assert "Excluding 1 tensors (1 params) that match r" in capsys.readouterr().out
    assert saved_model_utils.get_saved_model_tag_sets(str(made / "model")) == [["serve"]]
    assert "serving_default" in saved_model_utils.get_meta_graph_def(str(made / "model"), "serve").signature_def
    with pytest.raises(RuntimeError, match="tag-set none could not be found"):
        saved_model_utils.get_meta_graph_def(str(made / "model"), "none")
    common = ("save/restore_all", "save/Const:0", str(tmp_path / "f.pb"), True, "")
    for source in (dict(input_graph=str(made / "graph.pbtxt"), input_checkpoint=str(made / "m")),
                   dict(input_graph=None, input_checkpoint=str(made / "m"), input_meta_graph=str(made / "m.meta")),
                   dict(input_graph=None, input_checkpoint=None, input_saved_model_dir=str(made / "model"))):
        graph, checkpoint = source.pop("input_graph"), source.pop("input_checkpoint")
        frozen = freeze_graph.freeze_graph(graph, "", False, checkpoint, "y", *common, **source)
        assert tf.GraphDef.FromString((tmp_path / "f.pb").read_bytes()) == frozen
        with tf.Graph().as_default(), tf.Session() as session:
            tf.import_graph_def(frozen, name="")
            assert session.run("y:0", {"x:0": [[1, 2]]}).tolist() == [[11, 14]]
    with pytest.raises(ValueError, match="--output_node_names"):
        freeze_graph.freeze_graph(str(made / "graph.pbtxt"), "", False, str(made / "m"), "", *common)
    with pytest.raises(IOError, match="does not exist"):
        freeze_graph.freeze_graph(str(made / "none"), "", False, str(made / "m"), "y", *common)


TOOLS = ("freeze_graph", "import_pb_to_tensorboard", "inspect_checkpoint", "optimize_for_inference", "saved_model_cli",
         "strip_unused")


@pytest.mark.parametrize("tool", TOOLS)
def test_tensorflows_tools_are_programs_and_modules(tool, made, tmp_path):
    arguments = {
        "freeze_graph": ("--input_saved_model_dir", made / "model", "--output_graph", tmp_path / "f.pb"),
        "import_pb_to_tensorboard": ("--model_dir", made / "model", "--log_dir", tmp_path / "log"),
        "inspect_checkpoint": (f"--file_name={made}/m",),
        "optimize_for_inference": (f"--input={made}/graph.pbtxt", f"--output={tmp_path}/o.pb", "--input_names=x",
                                   "--output_names=y", "--frozen_graph=False"),
        "saved_model_cli": ("show", "--dir", made / "model"),
        "strip_unused": (f"--input_graph={made}/graph.pbtxt", f"--output_graph={tmp_path}/s.pb",
                         "--input_node_names=x", "--output_node_names=y")}[tool]
    runs = [subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True)
            for command in ([ROOT / "bin" / tool], [sys.executable, "-m", f"tensorflow.python.tools.{tool}"])]
    assert [done.returncode for done in runs] == [0, 0], [done.stderr for done in runs]
    assert runs[0].stdout == runs[1].stdout
