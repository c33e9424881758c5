"""rill optimize, TransformGraph and TensorFlow's older libraries: the same results from smaller graphs."""
import pathlib
import subprocess

import numpy as np
import pytest

import tensorflow as tf
from tensorflow.python.tools import optimize_for_inference_lib, strip_unused_lib
from tensorflow.tools.graph_transforms import TransformGraph

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANDOM = np.random.RandomState(1)
IMAGES = RANDOM.rand(2, 8, 8, 3).astype(np.float32)


def rill(*words, status=0):
    done = subprocess.run([ROOT / "bin" / "rill", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def numbers(*shape, least=0.0):
    return (RANDOM.rand(*shape) + least).astype(np.float32)


def run(graph_def, output, **feeds):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        return session.run(output + ":0", {graph.get_tensor_by_name(k + ":0"): v for k, v in feeds.items()})


def ops(graph_def):
    return sorted(node.op for node in graph_def.node)


def built(make):
    with tf.Graph().as_default() as graph:
        make()
        return graph.as_graph_def()


def fused(x, channels, **options):
    return tf.nn.fused_batch_norm(x, numbers(channels), numbers(channels), mean=numbers(channels),
                                  variance=numbers(channels, least=0.5), is_training=False, **options)[0]


def unfused(x, channels):
    return tf.nn.batch_normalization(x, numbers(channels), numbers(channels, least=0.5), numbers(channels),
                                     numbers(channels), 1e-3)


def conv(x, out=4, depthwise=False):
    channels = x.shape[-1].value
    if depthwise:
        return tf.nn.depthwise_conv2d_native(x, numbers(3, 3, channels, 2), [1, 1, 1, 1], "SAME")
    return tf.nn.conv2d(x, numbers(3, 3, channels, out), [1, 1, 1, 1], "SAME")


def images():
    return tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")


NORMALIZED = {
    "fused": lambda: fused(conv(images()), 4),
    "fused, bias": lambda: fused(tf.nn.bias_add(conv(images()), numbers(4)), 4),
    "fused, depthwise": lambda: fused(conv(images(), depthwise=True), 6),
    "fused, added": lambda: fused(conv(images()) + numbers(4), 4),
    "unfused": lambda: unfused(conv(images()), 4),
    "unfused, bias": lambda: unfused(tf.nn.bias_add(conv(images()), numbers(4)), 4),
    "unfused, depthwise": lambda: unfused(conv(images(), depthwise=True), 6),
    "product": lambda: unfused(tf.matmul(tf.reshape(images(), [-1, 192]), numbers(192, 5)), 5),
    "transposed product": lambda: unfused(
        tf.matmul(tf.reshape(images(), [-1, 192]), numbers(5, 192), transpose_b=True), 5),
    "scalar": lambda: conv(images()) * 2.0,
    "two": lambda: fused(conv(tf.nn.relu(fused(conv(images()), 4)), out=7), 7),
}
GONE = {"Mul", "FusedBatchNorm", "FusedBatchNormV3", "Rsqrt", "Sub"}


@pytest.mark.parametrize("name", NORMALIZED)
def test_batch_normalization_goes_into_weights(name):
    graph_def = built(lambda: tf.identity(NORMALIZED[name](), name="y"))
    small = TransformGraph(graph_def, ["x"], ["y"], [
        "strip_unused_nodes", "fold_constants", "fold_batch_norms", "fold_old_batch_norms"])
    assert not GONE & set(ops(small)), ops(small)
    np.testing.assert_allclose(run(small, "y", x=IMAGES), run(graph_def, "y", x=IMAGES), rtol=2e-5, atol=2e-5)


def test_what_cannot_be_folded_stays():
    def shared():
        layer = conv(images())
        tf.add(fused(layer, 4), layer, name="y")

    def training():
        x = conv(images())
        tf.identity(tf.nn.fused_batch_norm(x, numbers(4), numbers(4), is_training=True)[0], name="y")

    for make in (shared, training):
        graph_def = built(make)
        small = TransformGraph(graph_def, ["x"], ["y"], ["fold_constants", "fold_old_batch_norms"])
        assert any(op.startswith("FusedBatchNorm") for op in ops(small))
        np.testing.assert_allclose(run(small, "y", x=IMAGES), run(graph_def, "y", x=IMAGES), rtol=1e-6)


def test_channels_first():
    def make():
        x = tf.placeholder(tf.float32, [None, 3, 8, 8], name="x")
        layer = tf.nn.conv2d(x, numbers(3, 3, 3, 4), [1, 1, 1, 1], "SAME", data_format="NCHW")
        tf.multiply(layer, numbers(4, 1, 1), name="y")

    graph_def = built(make)
    small = TransformGraph(graph_def, ["x"], ["y"], ["fold_batch_norms"])
    assert ops(small) == ["Const", "Conv2D", "Placeholder"]
    x = IMAGES.transpose(0, 3, 1, 2)
    np.testing.assert_allclose(run(small, "y", x=x), run(graph_def, "y", x=x), rtol=2e-5)


def test_old_op():
    """BatchNormWithGlobalNormalization is in graphs of old programs only."""
    graph_def = built(lambda: tf.identity(conv(images()), name="layer"))
    for name in ("mean", "variance", "beta", "gamma"):
        node = graph_def.node.add(name=name, op="Const")
        node.attr["dtype"].type = tf.float32.as_datatype_enum
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(numbers(4, least=0.5)))
    node = graph_def.node.add(name="y", op="BatchNormWithGlobalNormalization",
                              input=["layer", "mean", "variance", "beta", "gamma"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    node.attr["variance_epsilon"].f = 0.01
    node.attr["scale_after_normalization"].b = True
    graph_def.versions.producer = 8
    before = run(graph_def, "y", x=IMAGES)
    small = TransformGraph(graph_def, ["x"], ["y"], ["remove_nodes(op=Identity)", "fold_old_batch_norms"])
    assert ops(small) == ["BiasAdd", "Const", "Const", "Conv2D", "Placeholder"]
    np.testing.assert_allclose(run(small, "y", x=IMAGES), before, rtol=2e-5)


def test_fold_constants():
    def make():
        x = images()
        a, b = tf.split(tf.constant(numbers(4, 3)), 2)
        shape = tf.stack([-1, tf.constant(8) * 24])
        tf.add(tf.reshape(x, shape), tf.reduce_sum(a + 1) + tf.reduce_sum(b), name="y")

    graph_def = built(make)
    small = TransformGraph(graph_def, ["x"], ["y"], ["fold_constants"])
    assert ops(small) == ["Add", "Const", "Const", "Placeholder", "Reshape"] or \
        ops(small) == ["AddV2", "Const", "Const", "Placeholder", "Reshape"]
    np.testing.assert_allclose(run(small, "y", x=IMAGES), run(graph_def, "y", x=IMAGES), rtol=1e-6)


def test_fold_constants_leaves_random_numbers_and_branches():
    def make():
        x = tf.placeholder(tf.bool, [], name="x")
        tf.add(tf.cond(x, lambda: tf.constant(1.0) + 2, lambda: tf.constant(5.0)),
               0 * tf.random_uniform([]), name="y")

    graph_def = built(make)
    small = TransformGraph(graph_def, ["x"], ["y"], ["fold_constants", "sort_by_execution_order"])
    assert "RandomUniform" in ops(small)
    assert (run(small, "y", x=True), run(small, "y", x=False)) == (3, 5)


def test_branches_that_are_decided():
    """A default of false for "is it training?" leaves the branch of inference, and no Switch."""
    def make():
        training = tf.placeholder_with_default(False, [], name="training")
        h = tf.layers.conv2d(images(), 4, 3, use_bias=False)
        h = tf.layers.batch_normalization(h, training=training)
        tf.nn.relu(tf.layers.dropout(h, training=training), name="y")

    with tf.Graph().as_default() as graph, tf.Session() as session:
        make()
        session.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["y"])
    expected = run(frozen, "y", x=IMAGES)
    for inputs, transforms in ((["x"], None), (["x", "training"], "fold_branches")):
        transforms = [transforms] if transforms else [
            "use_defaults", "fold_constants", "fold_branches", "remove_training_nodes", "fold_constants",
            "fold_old_batch_norms"]
        small = TransformGraph(frozen, inputs, ["y"], transforms)
        np.testing.assert_allclose(run(small, "y", x=IMAGES), expected, rtol=1e-5, atol=1e-6)
        if inputs == ["x"]:
            assert ops(small) == ["BiasAdd", "Const", "Const", "Conv2D", "Placeholder", "Relu"]
        else:
            assert ops(small) == ops(frozen)


@pytest.mark.parametrize("taken", [True, False])
def test_nested_branches_and_loops(taken):
    def make():
        x = tf.placeholder(tf.float32, [], name="x")
        yes = tf.placeholder_with_default(taken, [])
        inner = tf.placeholder(tf.bool, [], name="inner")
        y = tf.cond(yes, lambda: tf.while_loop(lambda i: i < 10, lambda i: i * 2, [x + 1]),
                    lambda: tf.cond(inner, lambda: x - 1, lambda: x - 2))
        tf.identity(y, name="y")

    graph_def = built(make)
    small = TransformGraph(graph_def, ["x", "inner"], ["y"], [
        "use_defaults", "fold_constants", "fold_branches", "strip_unused_nodes(ignore_errors=true)"])
    feeds = [dict(x=2.0, inner=True), dict(x=2.0, inner=False)]
    for feed in feeds:
        assert run(small, "y", **({"x": 2.0} if taken else feed)) == (12 if taken else 1 if feed["inner"] else 0)
    assert len(small.node) < len(graph_def.node) and ("LoopCond" in ops(small)) == taken


def test_quantize_weights():
    weights = RANDOM.randn(64, 64).astype(np.float32)
    weights[0, 0] = 0

    def make():
        x = tf.placeholder(tf.float32, [None, 64], name="x")
        tf.add(tf.matmul(x, tf.constant(weights, name="w")), numbers(64), name="y")

    graph_def = built(make)
    small = TransformGraph(graph_def, ["x"], ["y"], ["quantize_weights"])
    names = {node.name: node for node in small.node}
    assert names["w"].op == "Dequantize" and names["w"].attr["mode"].s == b"MIN_FIRST"
    assert list(names["w"].input) == ["w_quantized_const", "w_quantized_min", "w_quantized_max"]
    assert small.ByteSize() < 0.4 * graph_def.ByteSize()
    step = (weights.max() - weights.min()) / 255
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(small, name="")
        back = session.run("w:0")
    assert np.abs(back - weights).max() <= step * 0.51 and back[0, 0] == 0
    for value in (0.0, 3.0, -3.0):  # a range of no width
        same = built(lambda: tf.constant(np.full([1024], value, np.float32), name="c"))  # noqa: B023
        np.testing.assert_allclose(run(TransformGraph(same, [], ["c"], ["quantize_weights"]), "c"), value,
                                   atol=1e-6)
    assert ops(TransformGraph(graph_def, [], ["y"], ["quantize_weights(minimum_size=5000)"])) == ops(graph_def)


def test_round_weights():
    weights = RANDOM.randn(2000).astype(np.float32)
    graph_def = built(lambda: tf.constant(weights, name="w"))
    rounded = run(TransformGraph(graph_def, [], ["w"], ["round_weights(num_steps=16)"]), "w")
    assert len(np.unique(rounded)) <= 16 and rounded.max() == weights.max()
    assert np.abs(rounded - weights).max() <= (weights.max() - weights.min()) / 30 + 1e-5


def test_simple_transforms():
    def make():
        x = tf.placeholder(tf.float32, [], name="x")
        with tf.device("/gpu:0"):
            a = tf.check_numerics(tf.identity(x), "", name="check")
        with tf.control_dependencies([tf.no_op(name="before")]):
            tf.add(tf.exp(a), tf.exp(a), name="y")

    graph_def = built(make)

    def after(*transforms):
        return TransformGraph(graph_def, ["x"], ["y"], transforms)

    removed = after("remove_nodes(op=Identity, op=CheckNumerics)")
    assert [node.input[0] for node in removed.node if node.op == "Exp"] == ["x", "x"]
    assert ops(after("merge_duplicate_nodes")).count("Exp") == 1
    assert not any(node.device for node in after("remove_device").node)
    assert {node.device for node in after("set_device(device=/cpu:0)").node} == {"/cpu:0"}
    assert not any(name[0] == "^" for node in after("remove_control_dependencies").node for name in node.input)
    assert "Sqrt" in ops(after("rename_op(old_op_name=Exp, new_op_name=Sqrt)"))
    assert "z" in {node.name for node in after('rename_node(old_node_name=check, new_node_name=z)').node}
    assert not any("T" in node.attr for node in after("remove_attribute(attribute_name=T)").node)
    renamed = after("rename_attribute(old_attribute_name=T, new_attribute_name=U, op_name=Exp)")
    assert {node.op for node in renamed.node if "U" in node.attr} == {"Exp"}
    short = after("obfuscate_names", "remove_device")
    assert {node.name for node in short.node} >= {"x", "y"} and max(len(n.name) for n in short.node) == 1
    assert run(short, "y", x=0.0) == 2
    assert [n.name for n in after("strip_unused_nodes(type=half)").node][0] == "x"
    assert after("strip_unused_nodes(type=half, shape=\"2,3\")").node[0].attr["dtype"].type == 19


def test_sort_by_execution_order():
    graph_def = built(lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], name="loop"))
    nodes = [type(graph_def.node[0]).FromString(node.SerializeToString()) for node in graph_def.node]
    del graph_def.node[:]
    graph_def.node.extend(reversed(nodes))
    result = TransformGraph(graph_def, [], ["loop/Exit"], ["sort_by_execution_order"])
    seen = set()
    for node in result.node:
        for name in node.input:
            source = name.lstrip("^").partition(":")[0]
            assert source in seen or source.endswith("NextIteration")
        seen.add(node.name)
    assert run(result, "loop/Exit") == 3


def test_errors():
    graph_def = built(lambda: tf.constant(1.0, name="c"))
    for transforms, words in ((["nonsense"], "Transform 'nonsense' not recognized"),
                              (["fold_constants("], "Looking for the name of an argument"),
                              (["remove_attribute"], "needs one value for the argument attribute_name"),
                              (["remove_nodes"], "at least one op"),
                              (["round_weights(num_steps=x)"], "no number"),
                              (["round_weights(num_steps=1)"], "at least 2")):
        with pytest.raises(ValueError, match=words):
            TransformGraph(graph_def, [], ["c"], transforms)
    with pytest.raises(KeyError, match="none is not in graph"):
        TransformGraph(graph_def, [], ["none"], ["strip_unused_nodes"])
    assert TransformGraph(graph_def, [], ["c"], ["remove_attribute(ignore_errors=true)"]) == graph_def
    with pytest.raises(TypeError):
        TransformGraph("no graph", [], [], [])


def test_strip_unused():
    graph_def = built(lambda: tf.identity(tf.exp(images(), name="e"), name="y"))
    small = strip_unused_lib.strip_unused(graph_def, ["e"], ["y"], tf.float32.as_datatype_enum)
    assert [(node.name, node.op) for node in small.node] == [("e", "Placeholder"), ("y", "Identity")]
    with pytest.raises(ValueError, match="appears to refer to a Tensor"):
        strip_unused_lib.strip_unused(graph_def, ["e:0"], ["y"], 1)
    with pytest.raises(KeyError, match="The following input nodes were not found"):
        strip_unused_lib.strip_unused(graph_def, ["none"], ["y"], 1)


def test_optimize_for_inference():
    """Nodes have the names that TensorFlow's library gives them."""
    graph_def = built(lambda: tf.identity(fused(tf.nn.bias_add(conv(images()), numbers(4)), 4), name="y"))
    small = optimize_for_inference_lib.optimize_for_inference(graph_def, ["x"], ["y"], 1)
    assert {node.name: node.op for node in small.node} == {
        "x": "Placeholder", "Conv2D_weights": "Const", "Conv2D": "Conv2D", "Conv2D_bn_offset": "Const",
        "FusedBatchNorm" if "FusedBatchNorm" in [n.name for n in small.node] else "FusedBatchNormV3": "BiasAdd",
        "y": "Identity"}
    np.testing.assert_allclose(run(small, "y", x=IMAGES), run(graph_def, "y", x=IMAGES), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("resized, padded", [(True, True), (True, False), (False, True)])
def test_fuse_resize_and_conv(resized, padded):
    def make():
        x = images()
        if resized:
            x = tf.image.resize_bilinear(x, [12, 10], align_corners=True)
        if padded:
            x = tf.pad(x, [[0, 0], [2, 1], [1, 2], [0, 0]], "REFLECT")
        tf.nn.conv2d(x, numbers(3, 3, 3, 4), [1, 2, 2, 1], "VALID", name="y")

    graph_def = built(make)
    small = optimize_for_inference_lib.fuse_resize_and_conv(graph_def, ["y"])
    assert ("FusedResizeAndPadConv2D" if resized else "FusedPadConv2D") in ops(small)
    assert not {"ResizeBilinear", "MirrorPad", "Conv2D"} & set(ops(small))
    np.testing.assert_allclose(run(small, "y", x=IMAGES), run(graph_def, "y", x=IMAGES), rtol=2e-5, atol=2e-5)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A SavedModel with a convolution, batch normalization and dropout."""
    directory = tmp_path_factory.mktemp("model")
    with tf.Graph().as_default(), tf.Session() as session:
        x = images()
        h = tf.layers.conv2d(x, 16, 3, activation=None, use_bias=False)
        h = tf.nn.relu(tf.layers.batch_normalization(h, training=False))
        y = tf.layers.dense(tf.layers.flatten(h), 10, name="dense")
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(directory / "model"), {"images": x}, {"scores": y})
        expected = session.run(y, {x: IMAGES})
    return directory / "model", expected


def test_command(model, tmp_path):
    path, expected = model
    text = rill("optimize", path, "-o", tmp_path / "small.pb")
    assert "now" in text and "bytes" in text
    graph_def = tf.GraphDef.FromString((tmp_path / "small.pb").read_bytes())
    assert not any("BatchNorm" in op or op == "Identity" for op in ops(graph_def)), ops(graph_def)
    np.testing.assert_allclose(run(graph_def, "dense/BiasAdd", x=IMAGES), expected, rtol=1e-4, atol=1e-5)
    rill("optimize", path, "-o", tmp_path / "quantized", "--quantize")
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.load(session, ["serve"], str(tmp_path / "quantized"))
        signature = loaded.signature_def["serving_default"]
        got = session.run(signature.outputs["scores"].name, {signature.inputs["images"].name: IMAGES})
    np.testing.assert_allclose(got, expected, atol=0.05)
    assert (tmp_path / "quantized" / "saved_model.pb").stat().st_size < \
        0.5 * (tmp_path / "small.pb").stat().st_size
    rill("optimize", tmp_path / "small.pb", "--outputs", "dense/BiasAdd", "-o", tmp_path / "text.pbtxt",
         "--passes", "strip_unused_nodes,round_weights(num_steps=4)")
    assert 'op: "Conv2D"' in (tmp_path / "text.pbtxt").read_text()
    assert "fold_batch_norms" in rill("optimize", "--list")
    assert "needs one model" in rill("optimize", path, status=2)
    assert "not recognized" in rill("optimize", path, "-o", tmp_path / "x.pb", "--passes", "x", status=1)


def test_tensorflows_commands(model, tmp_path, capsys):
    from rill import _tool_commands as commands
    path, expected = model
    rill("freeze", "--input_saved_model_dir", path, "--output_graph", tmp_path / "frozen.pb")
    common = ["--input_names=x", "--output_names=dense/BiasAdd"]
    commands.optimize_for_inference([f"--input={tmp_path / 'frozen.pb'}", f"--output={tmp_path / 'a.pb'}", *common])
    commands.transform_graph([f"--in_graph={tmp_path / 'frozen.pb'}", f"--out_graph={tmp_path / 'b.pb'}",
                              "--inputs=x", "--outputs=dense/BiasAdd",
                              "--transforms=strip_unused_nodes fold_constants fold_old_batch_norms"])
    commands.strip_unused([f"--input_graph={tmp_path / 'frozen.pb'}", "--input_binary",
                           f"--output_graph={tmp_path / 'c.pb'}", "--input_node_names=x",
                           "--output_node_names=dense/BiasAdd"])
    for name in "abc":
        graph_def = tf.GraphDef.FromString((tmp_path / f"{name}.pb").read_bytes())
        np.testing.assert_allclose(run(graph_def, "dense/BiasAdd", x=IMAGES), expected, rtol=1e-4, atol=1e-5)
    commands.import_pb_to_tensorboard([f"--model_dir={path}", f"--log_dir={tmp_path / 'log'}"])
    assert "tensorboard --logdir" in capsys.readouterr().out
    assert "of them graphs" in rill("show", next((tmp_path / "log").iterdir()))
