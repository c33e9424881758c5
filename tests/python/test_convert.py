"""rill convert: checkpoints, graphs, SavedModels and safetensors files out of each other."""
import json
import pathlib
import struct
import subprocess

import numpy as np
import pytest

import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
X = np.array([[1, 2, 3]], np.float32)


def rill(*words, status=0):
    done = subprocess.run([ROOT / "bin" / "rill", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A checkpoint, a SavedModel and a frozen graph of one model, and what it answers to X."""
    directory = tmp_path_factory.mktemp("made")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(3)
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        h = tf.layers.dense(x, 4, activation=tf.nn.relu, name="hidden")
        scale = tf.get_variable("scale", initializer=2.0, use_resource=True)
        y = tf.multiply(tf.layers.dense(h, 2, name="top"), scale, name="y")
        tf.train.get_or_create_global_step()
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(directory / "m.ckpt"))
        tf.saved_model.simple_save(session, str(directory / "model"), {"in": x}, {"out": y})
        expected = session.run(y, {x: X})
        values = {v.op.name: session.run(v) for v in tf.global_variables()}
    rill("freeze", "--input_saved_model_dir", directory / "model", "--output_graph", directory / "frozen.pb")
    return directory, expected, values


def answer_of_graph(path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(tf.GraphDef.FromString(pathlib.Path(path).read_bytes()), name="")
        return session.run("y:0", {"x:0": X})


def answer_of_model(path):
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], str(path)).signature_def["serving_default"]
        (given,), (asked,) = signature.inputs.values(), signature.outputs.values()
        return session.run(asked.name, {given.name: X})


def tensors_of(path):
    reader = tf.train.NewCheckpointReader(str(path))
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


def read_safetensors(path):
    """As its description says, with nothing of Rill."""
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    kinds = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "I32": "<i4", "U8": "u1", "BOOL": "?", "F16": "<f2",
             "I8": "i1", "I16": "<i2", "U16": "<u2", "U32": "<u4", "U64": "<u8", "BF16": "<u2", "C64": "<c8"}
    body, result = data[8 + length:], {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            result[name] = np.frombuffer(body[begin:end], kinds[entry["dtype"]]).reshape(entry["shape"])
    assert length % 8 == 0
    return result


def write_safetensors(path, header, body=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + body)
    return path


def assert_same(got, expected):
    assert got.keys() == expected.keys()
    for name, value in expected.items():
        assert got[name].dtype == value.dtype and got[name].shape == value.shape, name
        np.testing.assert_array_equal(got[name], value)


def test_checkpoint_and_safetensors(made, tmp_path):
    directory, _, values = made
    assert "a safetensors of 6 tensors" in rill("convert", directory / "m.ckpt", tmp_path / "m.safetensors")
    assert_same(read_safetensors(tmp_path / "m.safetensors"), values)
    rill("convert", tmp_path / "m.safetensors", tmp_path / "back.ckpt")
    assert_same(tensors_of(tmp_path / "back.ckpt"), values)
    rill("convert", directory / "model", tmp_path / "model.safetensors")
    assert_same(read_safetensors(tmp_path / "model.safetensors"), values)
    text = rill("show", tmp_path / "m.safetensors")
    assert "A safetensors file of 6 tensors" in text and "hidden/kernel" in text
    assert rill("show", tmp_path / "m.safetensors", "--tensor", "scale") == "tensor_name:  scale\n2.0\n"


def test_every_type(tmp_path):
    values = {t: np.array([[1, 0, 3]]).astype(t) for t in (
        "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "bool",
        "complex64")}
    values["empty"] = np.zeros([0, 4], np.float32)
    values["scalar"] = np.array(7, np.int64)
    with tf.Graph().as_default(), tf.Session() as session:
        for name, value in values.items():
            tf.Variable(value, name=name)
        tf.Variable(tf.constant([1.5, -2], tf.bfloat16), name="bfloat16")
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(tmp_path / "all.ckpt"))
    rill("convert", tmp_path / "all.ckpt", tmp_path / "all.safetensors")
    stored = read_safetensors(tmp_path / "all.safetensors")
    assert list(stored.pop("bfloat16")) == [0x3fc0, 0xc000]
    assert_same(stored, values)
    rill("convert", tmp_path / "all.safetensors", tmp_path / "back.ckpt")
    back = tensors_of(tmp_path / "back.ckpt")
    assert back.pop("bfloat16").view(np.uint16).tolist() == [0x3fc0, 0xc000]
    assert_same(back, values)


def test_models(made, tmp_path):
    directory, expected, _ = made
    for source in (directory / "model", directory / "frozen.pb", directory / "m.ckpt"):
        rill("convert", source, tmp_path / "g.pb", "--outputs", "y")
        np.testing.assert_allclose(answer_of_graph(tmp_path / "g.pb"), expected, rtol=1e-6)
    rill("convert", directory / "frozen.pb", tmp_path / "a", "--to", "saved_model", "--outputs", "out=y:0",
         "--inputs", "in=x:0")
    assert "inputs['in']" in rill("show", tmp_path / "a")
    rill("convert", directory / "m.ckpt", tmp_path / "b", "--to", "saved_model", "--outputs", "y")
    assert "inputs['x']" in rill("show", tmp_path / "b")
    rill("convert", directory / "m.ckpt", tmp_path / "m.safetensors")
    rill("convert", tmp_path / "m.safetensors", tmp_path / "c", "--to", "saved_model", "--outputs", "y",
         "--graph", directory / "m.ckpt.meta")
    for path in "abc":
        np.testing.assert_allclose(answer_of_model(tmp_path / path), expected, rtol=1e-6)
    assert not [path for path in tmp_path.iterdir() if "temp" in path.name]


def test_model_to_checkpoint(made, tmp_path):
    directory, expected, values = made
    rill("convert", directory / "model", tmp_path / "m.ckpt")
    assert_same(tensors_of(tmp_path / "m.ckpt"), values)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(str(tmp_path / "m.ckpt.meta")).restore(session, str(tmp_path / "m.ckpt"))
        np.testing.assert_allclose(session.run("y:0", {"x:0": X}), expected, rtol=1e-6)


def test_graph_as_text(made, tmp_path):
    directory, expected, _ = made
    rill("convert", directory / "frozen.pb", tmp_path / "g.pbtxt")
    assert 'op: "Placeholder"' in (tmp_path / "g.pbtxt").read_text()
    rill("convert", tmp_path / "g.pbtxt", tmp_path / "g.pb")
    np.testing.assert_allclose(answer_of_graph(tmp_path / "g.pb"), expected, rtol=1e-6)


def test_embedding_of_a_resource_is_frozen(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.get_variable("table", initializer=np.arange(6, dtype=np.float32).reshape(3, 2), use_resource=True)
        x = tf.placeholder(tf.int32, [None], name="x")
        y = tf.nn.embedding_lookup(table, x, name="y")
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": x}, {"y": y})
        name = y.name
    rill("convert", tmp_path / "model", tmp_path / "g.pb")
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.GraphDef.FromString((tmp_path / "g.pb").read_bytes())
        tf.import_graph_def(graph, name="")
        assert session.run(name, {"x:0": [2, 0]}).tolist() == [[4, 5], [0, 1]]
    assert not {"VarHandleOp", "ResourceGather", "ReadVariableOp"} & {node.op for node in graph.node}


def test_variables_that_functions_read_are_frozen(tmp_path):
    from tensorflow.python.framework import function
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=[2.0, 3.0], use_resource=True)

        @function.Defun(tf.float32)
        def scaled(x):
            return x * v.read_value()

        x = tf.placeholder(tf.float32, [2], name="x")
        y = tf.identity(scaled(x), name="y")
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": x}, {"y": y})
    rill("convert", tmp_path / "model", tmp_path / "g.pb")
    graph = tf.GraphDef.FromString((tmp_path / "g.pb").read_bytes())
    assert not graph.library.function and "VarHandleOp" not in {node.op for node in graph.node}
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph, name="")
        assert session.run("y:0", {"x:0": [10, 100]}).tolist() == [20, 300]


def test_tables_are_refused(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
        x = tf.placeholder(tf.string, [None], name="x")
        y = table.lookup(x)
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": x}, {"y": y},
                                   legacy_init_op=tf.tables_initializer())
    assert "which something must fill" in rill("optimize", tmp_path / "model", "-o", tmp_path / "small", status=1)


@pytest.mark.parametrize("words, expected", [
    (("frozen.pb", "x.safetensors"), "has no variables"),
    (("frozen.pb", "x.ckpt"), "has no variables"),
    (("model", "x"), "cannot be told from its name"),
    (("frozen.pb", "y", "--to", "saved_model"), "outputs are missing"),
    (("m.ckpt", "y", "--to", "saved_model"), "outputs are missing"),
    (("m.ckpt", "x.pb", "--outputs", "none"), "none is not in graph"),
    (("model", "y", "--to", "saved_model"), "already"),
    (("model", "y", "--to", "nonsense"), "is none of"),
    (("none", "x.pb"), "There is nothing at"),
    (("lone.ckpt", "x.pb", "--outputs", "y"), "has variables but no graph"),
])
def test_what_makes_no_sense(made, tmp_path, words, expected):
    directory, _, _ = made
    for end in (".index", ".data-00000-of-00001"):
        (directory / ("lone.ckpt" + end)).write_bytes((directory / ("m.ckpt" + end)).read_bytes())
    source, target, *rest = words
    assert expected in rill("convert", directory / source, tmp_path / target, *rest, status=1)
    assert not (tmp_path / target).exists()


def test_strings_have_no_place(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.Variable("text", name="s")
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(tmp_path / "m.ckpt"))
    assert "The tensor s has elements of type string" in rill(
        "convert", tmp_path / "m.ckpt", tmp_path / "m.safetensors", status=1)


def entry(dtype="F32", shape=(1,), offsets=(0, 4)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


@pytest.mark.parametrize("header, body, expected", [
    ({"a": entry()}, b"", "reaches beyond the end"),
    ({"a": entry()}, b"12345", "5 bytes of data"),
    ({"a": entry(), "b": entry()}, b"1234", "begins at 0 where 4 was expected"),
    ({"a": entry(), "b": entry(offsets=(5, 9))}, b"123456789", "begins at 5 where 4 was expected"),
    ({"a": entry(shape=(2,))}, b"1234", "needs 8"),
    ({"a": entry(offsets=(4, 0))}, b"1234", "no place"),
    ({"a": entry(shape=(-1,))}, b"1234", "no count"),
    ({"a": entry(shape=(2**40, 2**40))}, b"1234", "the tensor a"),
    ({"a": entry(dtype="F8_E4M3", offsets=(0, 1))}, b"1", "'F8_E4M3' cannot be read"),
    ({"a": entry(dtype="BOOL", offsets=(0, 1))}, b"\x07", "neither true nor false"),
    ({"a": [1]}, b"", "not made of dtype"),
    ([], b"", "no JSON object"),
    (b'{"a": ', b"", "JSON: expected"),
    (b'{"a": 1, "a": 2}', b"", "another name"),
    (b"[" * 200, b"", "fewer levels"),
])
def test_broken_safetensors(tmp_path, header, body, expected):
    path = write_safetensors(tmp_path / "x.safetensors", header, body)
    assert expected in rill("convert", path, tmp_path / "x.ckpt", status=1)
    assert list(tmp_path.iterdir()) == [path]


def test_safetensors_of_wrong_lengths(tmp_path):
    path = tmp_path / "x.safetensors"
    for length in (3, 2**40, 2**63):
        write_safetensors(path, {}, length=length)
        assert "is no safetensors file" in rill("show", path, status=1)
    path.write_bytes(b"123")
    assert "shorter than eight bytes" in rill("show", path, status=1)


def test_safetensors_of_others(tmp_path):
    """Escapes, blanks, metadata, tensors without elements."""
    path = write_safetensors(tmp_path / "x.safetensors", b' { "__metadata__" : {"format":"pt"} , '
                             b'"\\u00e9\\ud83d\\ude00": {"shape":[],"dtype":"I64","data_offsets":[0,8]},\n'
                             b'"e":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]}}   ',
                             struct.pack("<q", -5))
    text = rill("show", path)
    assert "format: pt" in text and "\u00e9\U0001f600  int64 []" in text and "e " in text
    assert rill("show", path, "--tensor", "\u00e9\U0001f600").endswith("\n-5\n")
