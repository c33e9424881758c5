"""TensorLayer 1.11: its simplest example (a perceptron trained by tl.utils.fit), a convolutional net, files of weights."""
import os
import tempfile

import numpy as np
import tensorflow as tf
import tensorlayer as tl

random = np.random.RandomState(0)


def perceptron(folder):
    data = random.rand(256, 20).astype("float32")
    labels = (data.sum(axis=1) > 10).astype("int32")
    np.random.seed(0)
    tf.set_random_seed(1)
    session = tf.InteractiveSession()
    x = tf.placeholder(tf.float32, shape=[None, 20], name="x")
    y_ = tf.placeholder(tf.int64, shape=[None], name="y_")
    network = tl.layers.InputLayer(x, name="input")
    network = tl.layers.DropoutLayer(network, keep=0.98, name="drop1")
    network = tl.layers.DenseLayer(network, 32, tf.nn.relu, name="relu1")
    network = tl.layers.DenseLayer(network, n_units=2, act=None, name="output")
    y = network.outputs
    cost = tl.cost.cross_entropy(y, y_, name="cost")
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(y, 1), y_), tf.float32))
    train_op = tf.train.AdamOptimizer(learning_rate=0.01).minimize(cost, var_list=network.all_params)
    tl.layers.initialize_global_variables(session)
    tl.utils.fit(session, network, train_op, cost, data, labels, x, y_, acc=accuracy, batch_size=32, n_epoch=60,
                 print_freq=15, X_val=data, y_val=labels, eval_train=False)
    tl.utils.test(session, network, accuracy, data, labels, x, y_, batch_size=None, cost=cost)
    predicted = tl.utils.predict(session, network, data, x, tf.argmax(y, 1))
    assert (predicted == labels).mean() > 0.85
    path = os.path.join(folder, "model.npz")
    tl.files.save_npz(network.all_params, name=path, sess=session)
    before = session.run(network.all_params[0])
    session.run(tf.global_variables_initializer())
    tl.files.load_and_assign_npz(sess=session, name=path, network=network)
    np.testing.assert_array_equal(session.run(network.all_params[0]), before)
    session.close()


def pictures():
    x = tf.placeholder(tf.float32, [None, 16, 16, 3])
    with tf.variable_scope("model"):
        net = tl.layers.InputLayer(x, name="in")
        net = tl.layers.Conv2d(net, 8, (3, 3), (1, 1), padding="SAME", name="cnn1")
        net = tl.layers.BatchNormLayer(net, act=tf.nn.relu, is_train=True, name="bn1")
        net = tl.layers.MaxPool2d(net, (2, 2), name="pool1")
        net = tl.layers.FlattenLayer(net, name="flatten")
        net = tl.layers.DenseLayer(net, 4, name="out")
    net.print_params(False)
    net.print_layers()
    with tf.Session() as session:
        tl.layers.initialize_global_variables(session)
        assert session.run(net.outputs, {x: random.rand(2, 16, 16, 3)}).shape == (2, 4)
    turned = tl.prepro.flip_axis(random.rand(4, 4, 3), axis=1)
    assert turned.shape == (4, 4, 3)


def sequences():
    x = tf.placeholder(tf.int64, [5, 6])
    net = tl.layers.EmbeddingInputlayer(x, 20, 8, name="embed")
    net = tl.layers.RNNLayer(net, cell_fn=tf.nn.rnn_cell.BasicLSTMCell, n_hidden=8, n_steps=6,
                             return_last=True, name="lstm")
    with tf.Session() as session:
        tl.layers.initialize_global_variables(session)
        assert session.run(net.outputs, {x: random.randint(0, 20, (5, 6))}).shape == (5, 8)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for part in (lambda: perceptron(folder), pictures, sequences):
            with tf.Graph().as_default():
                part()
    print("networks of dense, convolutional and recurrent layers are trained, saved and loaded")


main()
