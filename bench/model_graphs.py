"""Models as TensorFlow 1 programs build them: each function returns a training op and what it is fed."""
import numpy as np


def _digits(rows, *shape):
    random = np.random.RandomState(0)
    return random.rand(rows, *shape).astype(np.float32), random.randint(0, 10, rows).astype(np.int32)


def _trained(tf, logits, labels, optimizer):
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(updates):
        return optimizer.minimize(loss)


def mlp(tf):
    pictures, numbers = _digits(128, 784)
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int32, [None])
    net = tf.layers.dense(tf.layers.dense(x, 256, tf.nn.relu), 256, tf.nn.relu)
    return _trained(tf, tf.layers.dense(net, 10), y, tf.train.AdamOptimizer()), {x: pictures, y: numbers}


def lenet(tf):
    pictures, numbers = _digits(64, 28, 28, 1)
    x, y = tf.placeholder(tf.float32, [None, 28, 28, 1]), tf.placeholder(tf.int32, [None])
    net = tf.layers.conv2d(x, 32, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.conv2d(net, 64, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.flatten(tf.layers.max_pooling2d(net, 2, 2))
    logits = tf.layers.dense(tf.layers.dense(net, 512, tf.nn.relu), 10)
    return _trained(tf, logits, y, tf.train.AdamOptimizer()), {x: pictures, y: numbers}


def resnet50(tf):
    pictures, numbers = _digits(4, 128, 128, 3)
    x, y = tf.placeholder(tf.float32, [None, 128, 128, 3]), tf.placeholder(tf.int32, [None])

    def convolved(net, filters, size, stride=1, relu=True):
        net = tf.layers.conv2d(net, filters, size, stride, padding="same", use_bias=False)
        net = tf.layers.batch_normalization(net, training=True, fused=True)
        return tf.nn.relu(net) if relu else net

    def block(net, filters, stride):
        shortcut = net
        if stride > 1 or net.shape[3] != 4 * filters:
            shortcut = convolved(net, 4 * filters, 1, stride, relu=False)
        net = convolved(convolved(net, filters, 1), filters, 3, stride)
        return tf.nn.relu(convolved(net, 4 * filters, 1, relu=False) + shortcut)

    net = tf.layers.max_pooling2d(convolved(x, 64, 7, 2), 3, 2, padding="same")
    for filters, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(blocks):
            net = block(net, filters, stride if i == 0 else 1)
    logits = tf.layers.dense(tf.reduce_mean(net, [1, 2]), 10)
    return (_trained(tf, logits, y, tf.train.MomentumOptimizer(0.01, 0.9)), {x: pictures, y: numbers})


def lstm(tf):
    pictures, numbers = _digits(64, 28, 28)
    x, y = tf.placeholder(tf.float32, [None, 28, 28]), tf.placeholder(tf.int32, [None])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(128), x, dtype=tf.float32)
    logits = tf.layers.dense(outputs[:, -1], 10)
    return _trained(tf, logits, y, tf.train.AdamOptimizer()), {x: pictures, y: numbers}


def wide_and_deep(tf):
    random = np.random.RandomState(0)
    rows, columns, words, width = 256, 8, 20000, 32
    ids = random.randint(0, words, (rows, columns)).astype(np.int32)
    labels = random.randint(0, 2, (rows, 1)).astype(np.float32)
    x, y = tf.placeholder(tf.int32, [None, columns]), tf.placeholder(tf.float32, [None, 1])
    table = tf.get_variable("embeddings", [words, width])
    weights = tf.get_variable("wide", [words, 1], initializer=tf.zeros_initializer())
    deep = tf.reshape(tf.nn.embedding_lookup(table, x), [-1, columns * width])
    deep = tf.layers.dense(tf.layers.dense(deep, 128, tf.nn.relu), 64, tf.nn.relu)
    logits = tf.layers.dense(deep, 1) + tf.reduce_sum(tf.nn.embedding_lookup(weights, x), 1)
    loss = tf.losses.sigmoid_cross_entropy(y, logits)
    return tf.train.AdagradOptimizer(0.05).minimize(loss), {x: ids, y: labels}


MODELS = {"mlp": mlp, "lenet": lenet, "resnet50": resnet50, "lstm": lstm,
          "wide_and_deep": wide_and_deep}
