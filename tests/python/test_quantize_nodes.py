"""TransformGraph's quantize_nodes: graphs of floats computed in eight bits."""
import numpy as np
import pytest

import tensorflow as tf
from tensorflow.tools.graph_transforms import TransformGraph

RANDOM = np.random.RandomState(1)
IMAGES = RANDOM.uniform(-1, 1, (2, 8, 8, 3)).astype(np.float32)


def numbers(*shape):
    return RANDOM.uniform(-1, 1, shape).astype(np.float32)


def network(x):
    h = tf.nn.bias_add(tf.nn.conv2d(x, numbers(3, 3, 3, 8), [1, 1, 1, 1], "SAME"), numbers(8))
    h = tf.nn.max_pool(tf.nn.relu(h), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    h = tf.nn.relu6(tf.matmul(tf.reshape(h, [-1, 4 * 4 * 8]), numbers(128, 16)))
    return tf.matmul(h, numbers(16, 5))


def built(make, shape=IMAGES.shape):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, *shape[1:]], name="x")
        tf.identity(make(x), name="y")
        return graph.as_graph_def()


def run(graph_def, x):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        return session.run("y:0", {"x:0": x})


def ops(graph_def):
    return [node.op for node in graph_def.node]


def expect_close(got, want, part=0.05):
    assert got.shape == want.shape and got.dtype == want.dtype
    assert np.abs(got - want).max() < part * np.abs(want).max()


def test_layers_stay_in_eight_bits():
    graph_def = built(network)
    small = TransformGraph(graph_def, ["x"], ["y"], ["quantize_weights(minimum_size=16)", "quantize_nodes"])
    found = ops(small)
    assert not {"Conv2D", "MatMul", "BiasAdd", "Relu", "Relu6", "MaxPool"} & set(found)
    assert found.count("QuantizedMatMul") == 2 and found.count("Requantize") == 4
    # Of the activations, only the images are converted; the biases are too few for quantize_weights.
    assert found.count("QuantizeV2") == 2
    expect_close(run(small, IMAGES), run(graph_def, IMAGES))


EACH = {
    "Add": lambda x: x + numbers(3), "Mul": lambda x: x * numbers(8, 8, 3),
    "AvgPool": lambda x: tf.nn.avg_pool(x, [1, 3, 3, 1], [1, 1, 1, 1], "SAME"),
    "ConcatV2": lambda x: tf.concat([x, 3 * x[:, :2]], 1),
    "Reshape": lambda x: tf.reshape(x, [-1, 4]), "Relu": tf.nn.relu,
    "ResizeBilinear": lambda x: tf.image.resize_bilinear(x, [16, 16]),
    "MatMul": lambda x: tf.matmul(tf.reshape(x, [-1, 24]), numbers(7, 24), transpose_b=True),
}


@pytest.mark.parametrize("op", EACH)
def test_op(op):
    graph_def = built(EACH[op])
    small = TransformGraph(graph_def, ["x"], ["y"], ["quantize_nodes"])
    assert any(found.startswith("Quantized") for found in ops(small)) and op not in set(ops(small)) - {"Reshape"}
    expect_close(run(small, IMAGES), run(graph_def, IMAGES), 0.02)


def test_given_ranges():
    graph_def = built(network)
    small = TransformGraph(graph_def, ["x"], ["y"], ["quantize_nodes(fallback_min=-20, fallback_max=20)"])
    assert "RequantizationRange" not in ops(small)
    expect_close(run(small, IMAGES), run(graph_def, IMAGES), 0.25)


def test_placeholders_of_bytes():
    graph_def = built(lambda x: tf.nn.relu(x))
    small = TransformGraph(graph_def, ["x"], ["y"], ["quantize_nodes(input_min=-1, input_max=1)"])
    assert "QuantizeV2" not in ops(small)
    levels = np.arange(2 * 8 * 8 * 3).reshape(IMAGES.shape) % 256
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(small, name="")
        assert graph.get_tensor_by_name("x:0").dtype == tf.quint8
        bytes_ = session.run(tf.bitcast(tf.cast(levels, tf.uint8), tf.quint8))
        got = session.run("y:0", {"x:0": bytes_})
    expect_close(got, np.maximum(levels / 127.5 - 1, 0).astype(np.float32), 0.01)


def test_loops():
    weights = numbers(4, 4) / 2
    graph_def = built(lambda x: tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.matmul(h, weights)),
                                              [0, tf.reshape(x, [-1, 4])])[1])
    small = TransformGraph(graph_def, ["x"], ["y"], ["quantize_nodes"])
    assert "QuantizedMatMul" in ops(small)
    expect_close(run(small, IMAGES), run(graph_def, IMAGES))


def test_what_has_no_eight_bits_stays():
    graph_def = built(lambda x: tf.nn.conv2d(x, numbers(3, 3, 3, 4), [1, 1, 1, 1], "SAME", dilations=[1, 2, 2, 1]))
    small = TransformGraph(graph_def, ["x"], ["y"], ["quantize_nodes"])
    assert sorted(ops(small)) == sorted(ops(graph_def))


@pytest.mark.parametrize("arguments, words", [("fallback_min=1", "fallback_max"),
                                              ("input_min=a, input_max=2", "'a'")])
def test_wrong_arguments(arguments, words):
    with pytest.raises(ValueError, match=words):
        TransformGraph(built(tf.nn.relu), ["x"], ["y"], [f"quantize_nodes({arguments})"])
