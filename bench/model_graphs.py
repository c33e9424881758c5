"""Models as TensorFlow 1 programs build them.

Each of TRAINED returns what a training step fetches (its loss, and what updates the variables) and its feeds; each
of ASKED the output of a model for a batch of a size, and its feeds.
"""
import math

import model_sizes as sizes


def _trained(tf, logits, labels, optimizer):
    return _minimized(tf, tf.losses.sparse_softmax_cross_entropy(labels, logits), optimizer)


def _minimized(tf, loss, optimizer):
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        return loss, optimizer.minimize(loss)


def _given(tf, arrays, batch=None):
    """A placeholder for each array, and the feeds."""
    kinds = {"f": tf.float32, "i": tf.int32}
    places = [tf.placeholder(kinds[array.dtype.kind], [batch, *array.shape[1:]]) for array in arrays]
    return (*places, dict(zip(places, arrays)))


# Small ones.

def softmax_regression(tf):
    x, y, feeds = _given(tf, sizes.digits(100, 784))
    weights, bias = tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros([10]))
    logits = tf.matmul(x, weights) + bias
    return _trained(tf, logits, y, tf.train.GradientDescentOptimizer(0.5)), feeds


def mlp(tf):
    x, y, feeds = _given(tf, sizes.digits(128, 784))
    net = tf.layers.dense(tf.layers.dense(x, 256, tf.nn.relu), 256, tf.nn.relu)
    return _trained(tf, tf.layers.dense(net, 10), y, tf.train.AdamOptimizer()), feeds


def lenet(tf):
    x, y, feeds = _given(tf, sizes.digits(64, 28, 28, 1))
    net = tf.layers.conv2d(x, 32, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.conv2d(net, 64, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.flatten(tf.layers.max_pooling2d(net, 2, 2))
    logits = tf.layers.dense(tf.layers.dense(net, 512, tf.nn.relu), 10)
    return _trained(tf, logits, y, tf.train.AdamOptimizer()), feeds


# Images.

def _convolved(tf, net, filters, size, stride, training, activation=None):
    net = tf.layers.conv2d(net, filters, size, stride, padding="same", use_bias=False)
    return _normalised(tf, net, training, activation)


def _normalised(tf, net, training, activation):
    net = tf.layers.batch_normalization(net, training=training, fused=True)
    return activation(net) if activation else net


def _resnet50(tf, x, classes, training):
    def convolved(net, filters, size, stride=1, activation=tf.nn.relu):
        return _convolved(tf, net, filters, size, stride, training, activation)

    def block(net, filters, stride):
        shortcut = net
        if stride > 1 or net.shape[3] != 4 * filters:
            shortcut = convolved(net, 4 * filters, 1, stride, None)
        net = convolved(convolved(net, filters, 1), filters, 3, stride)
        return tf.nn.relu(convolved(net, 4 * filters, 1, 1, None) + shortcut)

    net = tf.layers.max_pooling2d(convolved(x, 64, 7, 2), 3, 2, padding="same")
    for filters, blocks, stride in sizes.RESNET_STAGES:
        for i in range(blocks):
            net = block(net, filters, stride if i == 0 else 1)
    return tf.layers.dense(tf.reduce_mean(net, [1, 2]), classes)


def _mobilenet(tf, x, classes, training):
    net = _convolved(tf, x, 32, 3, 2, training, tf.nn.relu6)
    for i, (filters, stride) in enumerate(sizes.MOBILENET_LAYERS):
        with tf.variable_scope(f"separable_{i}"):
            depthwise = tf.get_variable("depthwise", [3, 3, net.shape[3], 1])
            net = tf.nn.depthwise_conv2d(net, depthwise, [1, stride, stride, 1], "SAME")
            net = _normalised(tf, net, training, tf.nn.relu6)
            net = _convolved(tf, net, filters, 1, 1, training, tf.nn.relu6)
    return tf.layers.dense(tf.reduce_mean(net, [1, 2]), classes)


IMAGE_NETWORKS = {"resnet50": _resnet50, "mobilenet": _mobilenet}


def _trained_images(name):
    def build(tf):
        shape = sizes.TRAINED_SIDE, sizes.TRAINED_SIDE, 3
        x, y, feeds = _given(tf, sizes.digits(sizes.TRAINED_IMAGES[name], *shape))
        logits = IMAGE_NETWORKS[name](tf, x, 10, training=True)
        return _trained(tf, logits, y, tf.train.MomentumOptimizer(0.01, 0.9)), feeds
    return build


def _asked_images(name):
    def build(tf, batch):
        x, feeds = _given(tf, [sizes.digits(batch, sizes.SIDE, sizes.SIDE, 3)[0]])
        return tf.nn.softmax(IMAGE_NETWORKS[name](tf, x, sizes.CLASSES, training=False)), feeds
    return build


# Sequences.

def _trained_recurrent(kind):
    def build(tf):
        x, y, feeds = _given(tf, sizes.digits(64, 28, 28))
        outputs, _ = tf.nn.dynamic_rnn(getattr(tf.nn.rnn_cell, kind)(128), x, dtype=tf.float32)
        return _trained(tf, tf.layers.dense(outputs[:, -1], 10), y, tf.train.AdamOptimizer()), feeds
    return build


def lstm_unrolled(tf):
    x, y, feeds = _given(tf, sizes.digits(64, 28, 28))
    outputs, _ = tf.nn.static_rnn(tf.nn.rnn_cell.LSTMCell(128), tf.unstack(x, axis=1), dtype=tf.float32)
    return _trained(tf, tf.layers.dense(outputs[-1], 10), y, tf.train.AdamOptimizer()), feeds


def _asked_lstm(layers):
    def build(tf, batch):
        x, feeds = _given(tf, [sizes.digits(batch, sizes.LSTM_STEPS, sizes.LSTM_INPUTS)[0]])
        cells = [tf.nn.rnn_cell.LSTMCell(sizes.LSTM_UNITS) for _ in range(layers)]
        cell = cells[0] if layers == 1 else tf.nn.rnn_cell.MultiRNNCell(cells)
        return tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0], feeds
    return build


def _gelu(tf, x):
    return x * (0.5 * (1.0 + tf.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * tf.pow(x, 3)))))


def _layer_norm(tf, x, scope):
    """As contrib.layers made it."""
    with tf.variable_scope(scope):
        beta = tf.get_variable("beta", [x.shape[-1]], initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", [x.shape[-1]], initializer=tf.ones_initializer())
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-12)


def _attention(tf, x, length, width, heads):
    """Of rows of words to each other; x is [batch * length, width], as BERT keeps it."""
    def split(name):
        made = tf.reshape(tf.layers.dense(x, width, name=name), [-1, length, heads, width // heads])
        return tf.transpose(made, [0, 2, 1, 3])

    query, key, value = split("query"), split("key"), split("value")
    scores = tf.matmul(query, key, transpose_b=True) * (1.0 / math.sqrt(width // heads))
    context = tf.transpose(tf.matmul(tf.nn.softmax(scores), value), [0, 2, 1, 3])
    return tf.layers.dense(tf.reshape(context, [-1, width]), width, name="output")


def _encoded(tf, x, length, layers, width, heads, inner):
    for i in range(layers):
        with tf.variable_scope(f"layer_{i}"):
            x = _layer_norm(tf, x + _attention(tf, x, length, width, heads), "attended")
            hidden = tf.layers.dense(x, inner, lambda y: _gelu(tf, y), name="inner")
            x = _layer_norm(tf, x + tf.layers.dense(hidden, width, name="outer"), "done")
    return x


def _embedded(tf, ids, count, length, width):
    table, places = tf.get_variable("words", [count, width]), tf.get_variable("places", [length, width])
    x = tf.nn.embedding_lookup(table, ids) + places
    return _layer_norm(tf, tf.reshape(x, [-1, width]), "embedded")


def _first_words(tf, ids, count, length, settings):
    """What the encoder makes of the first word of each row."""
    x = _embedded(tf, ids, count, length, settings["width"])
    x = _encoded(tf, x, length, **settings)
    return tf.reshape(x, [-1, length, settings["width"]])[:, 0]


def transformer(tf):
    ids = sizes.words(sizes.ENCODER_BATCH, sizes.ENCODER_LENGTH, sizes.ENCODER_WORDS)
    x, y, feeds = _given(tf, [ids, sizes.digits(sizes.ENCODER_BATCH)[1]])
    first = _first_words(tf, x, sizes.ENCODER_WORDS, sizes.ENCODER_LENGTH, sizes.ENCODER)
    return _trained(tf, tf.layers.dense(first, 10), y, tf.train.AdamOptimizer(1e-4)), feeds


def bert_base(tf, batch):
    x, feeds = _given(tf, [sizes.words(batch, sizes.BERT_LENGTH, sizes.BERT_WORDS)])
    first = _first_words(tf, x, sizes.BERT_WORDS, sizes.BERT_LENGTH, sizes.BERT)
    return tf.layers.dense(first, sizes.BERT["width"], tf.tanh, name="pooled"), feeds


# Sparse.

def wide_and_deep(tf):
    x, y, feeds = _given(tf, sizes.clicks())
    table = tf.get_variable("embeddings", [sizes.WIDE_WORDS, sizes.WIDE_WIDTH])
    weights = tf.get_variable("wide", [sizes.WIDE_WORDS, 1], initializer=tf.zeros_initializer())
    deep = tf.reshape(tf.nn.embedding_lookup(table, x), [-1, sizes.WIDE_COLUMNS * sizes.WIDE_WIDTH])
    deep = tf.layers.dense(tf.layers.dense(deep, 128, tf.nn.relu), 64, tf.nn.relu)
    logits = tf.layers.dense(deep, 1) + tf.reduce_sum(tf.nn.embedding_lookup(weights, x), 1)
    return _minimized(tf, tf.losses.sigmoid_cross_entropy(y, logits), tf.train.AdagradOptimizer(0.05)), feeds


TRAINED = {"softmax_regression": softmax_regression, "mlp": mlp, "lenet": lenet, "wide_and_deep": wide_and_deep,
           "lstm_dynamic": _trained_recurrent("LSTMCell"), "lstm_unrolled": lstm_unrolled,
           "gru_dynamic": _trained_recurrent("GRUCell"), "transformer": transformer,
           "mobilenet": _trained_images("mobilenet"), "resnet50": _trained_images("resnet50")}
ASKED = {"mobilenet": _asked_images("mobilenet"), "resnet50": _asked_images("resnet50"), "bert_base": bert_base,
         "lstm": _asked_lstm(1), "lstm_two_layers": _asked_lstm(2)}
