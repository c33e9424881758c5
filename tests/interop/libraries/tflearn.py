"""TFLearn 0.5: its quick start (a network for passengers of a ship), a convolutional and a recurrent network."""
import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf
import tflearn

random = np.random.RandomState(0)


def passengers(folder):
    data = random.rand(200, 6).astype("float32")
    survived = (data[:, 0] + data[:, 3] > 1).astype(int)
    net = tflearn.input_data(shape=[None, 6])
    net = tflearn.fully_connected(net, 32)
    net = tflearn.fully_connected(net, 32)
    net = tflearn.fully_connected(net, 2, activation="softmax")
    net = tflearn.regression(net)
    model = tflearn.DNN(net)
    model.fit(data, tflearn.data_utils.to_categorical(survived, 2), n_epoch=20, batch_size=16, show_metric=True)
    right = np.argmax(model.predict(data), axis=1) == survived
    assert right.mean() > 0.85, right.mean()
    model.save(os.path.join(folder, "model"))
    model.load(os.path.join(folder, "model"))
    assert model.evaluate(data, tflearn.data_utils.to_categorical(survived, 2))[0] > 0.85


def pictures():
    x, y = random.rand(64, 12, 12, 1), random.randint(0, 2, 64)
    x[y == 1, :6] += 1
    net = tflearn.input_data(shape=[None, 12, 12, 1])
    net = tflearn.conv_2d(net, 8, 3, activation="relu", regularizer="L2")
    net = tflearn.max_pool_2d(net, 2)
    net = tflearn.batch_normalization(net)
    net = tflearn.dropout(tflearn.fully_connected(net, 16, activation="tanh"), 0.8)
    net = tflearn.regression(tflearn.fully_connected(net, 2, activation="softmax"), optimizer="adam",
                             learning_rate=0.01, loss="categorical_crossentropy")
    model = tflearn.DNN(net, tensorboard_verbose=0)
    model.fit(x, tflearn.data_utils.to_categorical(y, 2), n_epoch=8, validation_set=0.1, batch_size=16)
    assert model.evaluate(x, tflearn.data_utils.to_categorical(y, 2))[0] > 0.7


def sentences():
    words, labels = random.randint(1, 30, (64, 7)), random.randint(0, 2, 64)
    words[labels == 1, 2] = 5
    net = tflearn.input_data([None, 7])
    net = tflearn.embedding(net, input_dim=30, output_dim=8)
    net = tflearn.lstm(net, 16, dropout=0.8)
    net = tflearn.regression(tflearn.fully_connected(net, 2, activation="softmax"), learning_rate=0.01)
    model = tflearn.DNN(net)
    model.fit(words, tflearn.data_utils.to_categorical(labels, 2), n_epoch=2, batch_size=16)
    assert np.asarray(model.predict(words)).shape == (64, 2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (lambda: passengers(folder), pictures, sentences):
            with tf.Graph().as_default():
                part()
        os.chdir("/")
    print("dense, convolutional and recurrent networks are trained, saved and loaded")


main()
