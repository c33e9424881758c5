"""Programs whose steps TensorFlow traces; the profiler then shows what it wrote."""

import numpy as np


def perceptron(tf):
    """Layers in scopes, every op that has a formula, an optimizer; two steps."""
    x = tf.placeholder(tf.float32, [None, 8], name="x")
    with tf.variable_scope("net"):
        weights = tf.get_variable("w", [8, 16])
        bias = tf.get_variable("b", [16], initializer=tf.zeros_initializer())
        hidden = tf.nn.relu(tf.matmul(x, weights) + bias)
        with tf.variable_scope("deep"):
            y = tf.nn.softmax(tf.matmul(hidden, tf.get_variable("w2", [16, 4])))
    image = tf.get_variable("img", [1, 8, 8, 3])
    filters = tf.get_variable("f", [3, 3, 3, 2])
    conv = tf.nn.conv2d(image, filters, [1, 1, 1, 1], "SAME", name="conv")
    pool = tf.nn.max_pool(conv, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    mean = tf.nn.avg_pool(conv, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    total = tf.add_n([pool, mean, mean])
    train = tf.train.AdamOptimizer(.1).minimize(tf.reduce_mean(tf.square(y)))
    fetches = [train, tf.nn.bias_add(pool, tf.ones([2])), tf.argmax(tf.reshape(mean, [16, 2]), 1),
               tf.nn.l2_loss(image), tf.nn.depthwise_conv2d(image, filters, [1, 1, 1, 1], "SAME", name="dw"),
               total, tf.rsqrt(total), tf.squared_difference(pool, mean)]
    return fetches, {x: np.ones([4, 8], "f")}, 2


def loop(tf):
    """A loop with a gradient, a branch, batch normalisation: nodes that run several times or not at all."""
    x = tf.placeholder(tf.float32, [3, 5, 8])
    weights = tf.get_variable("w", [8, 8], use_resource=True)

    def body(i, h):
        return i + 1, tf.tanh(tf.matmul(h, weights) + x[:, i])

    _, h = tf.while_loop(lambda i, h: i < 5, body, [0, tf.zeros([3, 8])])
    z = tf.cond(tf.reduce_sum(h) > 0, lambda: h * 2, lambda: h - 1)
    norm = tf.layers.batch_normalization(tf.reshape(z, [3, 2, 2, 2]))
    return [z, tf.gradients(z, weights), norm], {x: np.ones([3, 5, 8], "f")}, 1


def unrun(tf):
    """A graph of which nothing was ever run."""
    with tf.name_scope("a"):
        weights = tf.Variable(tf.zeros([3, 4]), name="w")
        y = tf.matmul(tf.ones([2, 3]), weights)
    with tf.name_scope("a/b/c"):
        return [tf.nn.relu(y)], {}, 0


MODELS = {function.__name__: function for function in (perceptron, loop, unrun)}
