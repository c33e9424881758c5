"""rill check of models: what stands in the way of running them, and where."""
import json
import pathlib
import subprocess

import pytest

import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rill(*words):
    return subprocess.run([ROOT / "bin" / "rill", "check", *map(str, words)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def graph_def():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        product = x * v
        with tf.device("/gpu:0"):
            tf.exp(product, name="y")
        return graph.as_graph_def()


def written(graph_def, path):
    path.write_bytes(graph_def.SerializeToString())
    return path


def test_all_can_run(graph_def, tmp_path):
    done = rill(written(graph_def, tmp_path / "g.pb"))
    assert done.returncode == 0, done.stdout
    assert "all can run" in done.stdout and "1 node asks for a GPU" in done.stdout
    assert "Exp" in rill("--all", tmp_path / "g.pb").stdout
    (report,) = json.loads(rill("--json", tmp_path / "g.pb").stdout)
    assert report["runs"] is True and report["ops"]["Exp"] == 1 and report["problems"] == []


def test_saved_models_and_meta_graphs(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [], name="x")
        v = tf.get_variable("v", initializer=1.0)
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(tmp_path / "m"))
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": x}, {"y": x + v})
    for path in ("model", "m.meta"):
        done = rill(tmp_path / path)
        assert done.returncode == 0 and "all can run" in done.stdout, done.stdout
    assert "(serve)" in rill(tmp_path / "model").stdout
    assert "holds no graph" in rill(tmp_path / "m").stderr


def changed(graph_def, change):
    copy = type(graph_def).FromString(graph_def.SerializeToString())
    change({node.name: node for node in copy.node})
    return copy


@pytest.mark.parametrize("change, words", [
    (lambda n: setattr(n["y"], "op", "MyOwnOp"), "MyOwnOp is not known: no op of TensorFlow 1.15"),
    (lambda n: setattr(n["y"], "op", "CudnnRNN"), "CudnnRNN is not known: left out"),
    (lambda n: n["y"].attr["T"].__setattr__("type", 7), "type"),
    (lambda n: n["y"].attr["extra"].__setattr__("i", 7), "has no attribute 'extra'"),
    (lambda n: n["y"].input.__setitem__(0, "nowhere"), "nowhere"),
    (lambda n: n["y"].input.append("x"), "y"),
])
def test_problems(graph_def, tmp_path, change, words):
    done = rill(written(changed(graph_def, change), tmp_path / "g.pb"))
    assert done.returncode == 1 and "cannot run" in done.stdout
    assert words in done.stdout and "\n    y\n" in done.stdout or "y" in done.stdout.splitlines()[1]


def test_kernels_for_types(tmp_path):
    graph = tf.GraphDef()
    graph.versions.producer = 134
    node = graph.node.add(name="x", op="Placeholder")
    node.attr["dtype"].type = tf.uint16.as_datatype_enum
    node = graph.node.add(name="y", op="MatMul", input=["x", "x"])
    node.attr["T"].type = tf.uint16.as_datatype_enum
    done = rill(written(graph, tmp_path / "g.pb"))
    assert done.returncode == 1 and "MatMul" in done.stdout and "uint16" in done.stdout


def test_functions(tmp_path):
    graph = tf.GraphDef()
    graph.versions.producer = 134
    function = graph.library.function.add()
    function.signature.name = "f"
    function.signature.output_arg.add(name="r", type=tf.float32.as_datatype_enum)
    function.node_def.add(name="inner", op="NobodysOp")
    function.ret["r"] = "inner:out:0"
    graph.node.add(name="call", op="f")
    lost = graph.node.add(name="lost", op="PartitionedCall")
    lost.attr["f"].func.name = "nowhere"
    (report,) = json.loads(rill("--json", written(graph, tmp_path / "g.pb")).stdout)
    assert report["functions"] == 1
    problems = {problem["op"]: problem for problem in report["problems"]}
    assert problems["NobodysOp"]["nodes"] == ["f/inner"]
    assert "calls the function nowhere" in problems["PartitionedCall"]["what"]


def test_programs_are_still_checked(tmp_path):
    (tmp_path / "p.py").write_text("import tensorflow as tf\ntf.nonsense()\n")
    done = rill(tmp_path / "p.py")
    assert done.returncode == 1 and "tf.nonsense" in done.stdout


def test_newer_graphs_lose_what_is_new(graph_def, tmp_path):
    def newer(nodes):
        nodes["y"].attr["new_attribute"].i = 1

    graph = changed(graph_def, newer)
    graph.versions.producer = 1000
    assert rill(written(graph, tmp_path / "g.pb")).returncode == 0


def test_newer_ops_that_are_ours_under_another_name(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.matrix_diag([1.0, 2.0], name="diag")
    graph = graph.as_graph_def()
    (diag,) = [node for node in graph.node if node.op == "MatrixDiagV2"]
    diag.op = "MatrixDiagV3"
    assert "MatrixDiagV3 is not known" in rill(written(graph, tmp_path / "g.pb")).stdout
    graph.versions.producer = 1645
    assert rill(written(graph, tmp_path / "g.pb")).returncode == 0
