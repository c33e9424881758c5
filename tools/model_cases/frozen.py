"""Graphs whose variables have become constants."""
import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.parts import initialized, ramp, step, variable, waves


def freeze(outputs, steps, as_text=False, session=None):
    session = session or initialized()
    graph_def = tf.graph_util.convert_variables_to_constants(session, session.graph_def, outputs)
    name = "graph.pbtxt" if as_text else "graph.pb"
    tf.io.write_graph(graph_def, ".", name, as_text)
    return {"kind": "graph", "file": name, "steps": steps}


def placeholder(shape, name="x", dtype=tf.float32):
    return tf.placeholder(dtype, shape, name=name)


def perceptron():
    hidden = tf.nn.relu(placeholder([None, 4]) @ variable("w1", ramp(4, 5)) + variable("b1", ramp(5)))
    tf.nn.softmax(hidden @ variable("w2", waves(5, 3)), name="y")


def case_perceptron(folder):
    perceptron()
    return freeze(["y"], [step(["y:0"], x=waves(3, 4))])


def case_perceptron_as_text(folder):
    perceptron()
    return freeze(["y"], [step(["y:0"], x=waves(3, 4))], as_text=True)


def case_resources(folder):
    with tf.variable_scope("", use_resource=True):
        perceptron()
    return freeze(["y"], [step(["y:0"], x=waves(3, 4))])


def case_convolutions(folder):
    x = placeholder([None, 8, 8, 3])
    y = tf.nn.conv2d(x, variable("k1", waves(3, 3, 3, 4)), 1, "SAME")
    y = tf.nn.relu(tf.nn.bias_add(y, variable("b", ramp(4))))
    y = tf.nn.max_pool2d(y, 2, 2, "VALID")
    y = tf.nn.depthwise_conv2d(y, variable("k2", waves(3, 3, 4, 1)), [1, 1, 1, 1], "SAME")
    y = tf.nn.relu6(tf.nn.conv2d(y, variable("k3", waves(1, 1, 4, 6)), 1, "VALID"))
    y = tf.reduce_mean(y, [1, 2])
    tf.identity(y @ variable("w", waves(6, 2)), name="y")
    return freeze(["y"], [step(["y:0"], x=waves(2, 8, 8, 3))])


def case_batch_norm(folder):
    x = placeholder([None, 4, 4, 2])
    y = tf.layers.conv2d(x, 3, 3, kernel_initializer=tf.constant_initializer(0.1))
    y = tf.layers.batch_normalization(y, moving_mean_initializer=tf.constant_initializer(0.3),
                                      moving_variance_initializer=tf.constant_initializer(2.0))
    tf.nn.elu(y, name="y")
    return freeze(["y"], [step(["y:0"], x=waves(2, 4, 4, 2))])


def case_lstm(folder):
    cell = tf.nn.rnn_cell.LSTMCell(4, initializer=tf.constant_initializer(0.15))
    outputs, state = tf.nn.dynamic_rnn(cell, placeholder([None, None, 3]), dtype=tf.float32)
    tf.identity(outputs, name="y")
    tf.identity(state.c, name="c")
    return freeze(["y", "c"], [step(["y:0", "c:0"], x=waves(2, 5, 3))])


def case_lstm_unrolled(folder):
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    with tf.variable_scope("", initializer=tf.constant_initializer(0.2)):
        outputs, _ = tf.nn.static_rnn(cell, tf.unstack(placeholder([2, 3, 2]), axis=1), dtype=tf.float32)
    tf.identity(outputs[-1], name="y")
    return freeze(["y"], [step(["y:0"], x=waves(2, 3, 2))])


def case_both_ways(folder):
    cells = [tf.nn.rnn_cell.GRUCell(2, kernel_initializer=tf.constant_initializer(value)) for value in (0.3, -0.2)]
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(*cells, placeholder([None, 4, 2]), placeholder([None], "n", tf.int32),
                                                 dtype=tf.float32)
    tf.concat(outputs, 2, name="y")
    return freeze(["y"], [step(["y:0"], x=waves(2, 4, 2), n=np.array([4, 3], np.int32))])


def case_words(folder):
    vectors = tf.nn.embedding_lookup(variable("vectors", waves(6, 3)), placeholder([None, None], "x", tf.int32))
    tf.reduce_mean(vectors, 1, name="y")
    return freeze(["y"], [step(["y:0"], x=np.array([[1, 5], [0, 0]], np.int32))])


def case_attention(folder):
    x = placeholder([None, 4, 6])
    q, k, v = (tf.einsum("btd,de->bte", x, variable(name, waves(6, 6) * 0.3)) for name in "qkv")
    weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / np.float32(np.sqrt(6)))
    y = tf.matmul(weights, v) + x
    mean, variance = tf.nn.moments(y, [-1], keepdims=True)
    tf.multiply(y - mean, tf.math.rsqrt(variance + 1e-6), name="y")
    return freeze(["y"], [step(["y:0"], x=waves(2, 4, 6))])


def case_branches(folder):
    x = placeholder([])
    w = variable("w", 3.0)
    tf.identity(tf.cond(x > 0.0, lambda: x * w, lambda: x - w), name="y")
    return freeze(["y"], [step(["y:0"], x=np.float32(v)) for v in (2, -2)])


def case_quantized(folder):
    x = placeholder([None, 4])
    w = tf.quantization.fake_quant_with_min_max_args(variable("w", ramp(4, 3)), -1, 1)
    y = tf.quantization.fake_quant_with_min_max_vars(x @ w, variable("low", -2.0), variable("high", 2.0))
    tf.identity(y, name="y")
    return freeze(["y"], [step(["y:0"], x=waves(3, 4))])


def case_detection(folder):
    """Boxes of the best scores, as detectors end."""
    boxes, scores = placeholder([None, 4], "boxes"), placeholder([None], "scores")
    best = tf.image.non_max_suppression(boxes, scores, 3, iou_threshold=variable("limit", 0.5))
    tf.gather(boxes, best, name="y")
    value = np.array([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 2, 1, 3], [0, 2, 1, 3.05]], np.float32)
    return freeze(["y"], [step(["y:0"], boxes=value, scores=np.array([0.9, 0.8, 0.3, 0.7], np.float32))])
