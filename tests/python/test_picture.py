"""rill show --svg and --png: graphs to look at."""
import pathlib
import re
import struct
import subprocess
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def rill(*words, status=0):
    done = subprocess.run([ROOT / "bin" / "rill", "show", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stderr


def picture(graph, tmp_path, *options):
    """The boxes (by path: x, y, width, height), all texts, and how many lines a picture has."""
    (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    rill(tmp_path / "g.pb", "--svg", tmp_path / "g.svg", *options)
    root = xml.parse(tmp_path / "g.svg").getroot()
    boxes = {box.find(SVG + "title").text: [float(box.get(k)) for k in ("x", "y", "width", "height")]
             for box in root.iter(SVG + "rect") if box.find(SVG + "title") is not None}
    texts = [text.text for text in root.iter(SVG + "text")]
    lines = [line for line in root.iter(SVG + "path") if line.get("stroke")]
    assert float(root.get("width")) >= max(x + w for x, _, w, _ in boxes.values())
    return boxes, texts, len(lines)


def network(layers=2):
    graph = tf.Graph()
    with graph.as_default():
        h = x = tf.placeholder(tf.float32, [None, 4], name="x")
        for i in range(layers):
            with tf.variable_scope(f"layer_{i}"):
                h = tf.nn.relu(tf.matmul(h, tf.get_variable("w", [4, 4])) + tf.get_variable("b", [4]))
        loss = tf.reduce_mean(tf.square(h - x), name="loss")
        tf.train.AdamOptimizer().minimize(loss)
        tf.train.Saver()
        tf.global_variables_initializer()
        tf.summary.scalar("told", loss)
    return graph


def test_boxes_and_lines(tmp_path):
    boxes, texts, lines = picture(network(), tmp_path)
    for name in ("x", "layer_0/", "layer_0/MatMul", "layer_0/Relu", "layer_1/MatMul", "loss", "Square"):
        assert name in boxes, boxes
    assert "MatMul [4,4]" in texts and any("Placeholder [?,4]" == text for text in texts)
    assert any("not shown: gradients, init, save" in text for text in texts)
    assert not any("Adam" in name or "Assign" in name or "/w" in name for name in boxes)
    # Whatever reads stands below what it reads, and a scope holds its nodes.
    assert boxes["x"][1] < boxes["layer_0/"][1] < boxes["layer_1/"][1] < boxes["loss"][1]
    x, y, width, height = boxes["layer_0/"]
    for name in ("layer_0/MatMul", "layer_0/add", "layer_0/Relu"):
        assert x <= boxes[name][0] and boxes[name][0] + boxes[name][2] <= x + width
        assert y <= boxes[name][1] and boxes[name][1] + boxes[name][3] <= y + height
    # x to the layer and to the subtraction, layer to layer to subtraction, square, mean; in each layer 4.
    assert lines == 6 + 8


def test_boxes_do_not_overlap(tmp_path):
    graph = tf.Graph()
    random = np.random.RandomState(0)
    with graph.as_default():
        nodes = [tf.placeholder(tf.float32, [], name=f"x{i}") for i in range(4)]
        for i in range(40):
            a, b = random.choice(len(nodes), 2)
            nodes.append(tf.add(nodes[a], nodes[b], name=f"n{i}"))
    boxes, _, _ = picture(graph, tmp_path)
    assert len(boxes) == 44
    places = list(boxes.values())
    for i, (x, y, w, h) in enumerate(places):
        for (x2, y2, w2, h2) in places[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_large_graphs_are_collapsed(tmp_path):
    boxes, texts, _ = picture(network(layers=60), tmp_path)
    assert len(boxes) <= 90 and "layer_59/" in boxes
    assert any(re.fullmatch(r"3 nodes, 20 weights", text) for text in texts)
    boxes, _, _ = picture(network(layers=60), tmp_path, "--boxes", "300")
    assert len(boxes) > 200
    boxes, _, _ = picture(network(layers=60), tmp_path, "--scope", "layer_7")
    assert set(boxes) == {"layer_7/MatMul", "layer_7/add", "layer_7/Relu"}


def test_thousands_of_nodes_without_scopes(tmp_path):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        for _ in range(3000):
            x = tf.exp(x)
    boxes, _, _ = picture(graph, tmp_path)
    assert len(boxes) <= 170


def test_loops_and_branches(tmp_path):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.while_loop(lambda i: i < 5, lambda i: i * 2, [x])
        tf.cond(y > 2, lambda: y + 1, lambda: y - 1)
    boxes, _, lines = picture(graph, tmp_path)
    assert "while/NextIteration" in boxes and "cond/Merge" in boxes and lines > 10


def test_png(tmp_path):
    (tmp_path / "g.pb").write_bytes(network().as_graph_def().SerializeToString())
    rill(tmp_path / "g.pb", "--png", tmp_path / "g.png", "--svg", tmp_path / "g.svg")
    data = (tmp_path / "g.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    root = xml.parse(tmp_path / "g.svg").getroot()
    assert abs(width - 2 * float(root.get("width"))) <= 2 and abs(height - 2 * float(root.get("height"))) <= 2
    with tf.Session(graph=tf.Graph()) as session:
        pixels = session.run(tf.image.decode_png(data))
    assert pixels.shape == (height, width, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20 and (pixels == 255).mean() > 0.3


def test_from_models_and_event_files(tmp_path):
    with network().as_default() as graph, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": graph.get_tensor_by_name("x:0")},
                                   {"loss": graph.get_tensor_by_name("loss:0")})
        tf.train.Saver().save(session, str(tmp_path / "m"))
        tf.summary.FileWriter(str(tmp_path / "log"), graph).close()
    for source in ("model", "m.meta", "m", *(f"log/{path.name}" for path in (tmp_path / "log").iterdir())):
        rill(tmp_path / source, "--svg", tmp_path / "p.svg")
        assert "layer_0" in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize("words, expected", [
    (("--scope", "none"), "nothing to draw"), (("--boxes", "x"), "needs a number")])
def test_errors(tmp_path, words, expected):
    (tmp_path / "g.pb").write_bytes(network().as_graph_def().SerializeToString())
    assert expected in rill(tmp_path / "g.pb", "--svg", tmp_path / "p.svg", *words,
                            status=2 if "--boxes" in words else 1)
    (tmp_path / "e.pb").write_bytes(b"")
    assert "nothing to draw" in rill(tmp_path / "e.pb", "--svg", tmp_path / "p.svg", status=1)
