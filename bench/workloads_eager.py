"""Eager execution: what a call of an op costs, and steps of models that are called op by op: group eager."""
import importlib

import model_sizes as sizes
import numpy as np

from workloads import Workload

CALLS = 100  # of an op in a step
WIDTH = 64


def called(make):
    """A workload that calls the same small thing again and again; `make` gives it for tf or torch."""
    def made(framework, setting):
        call = make(framework)

        def step():
            for _ in range(CALLS):
                result = call()
            return result
        return step
    return made


def array(*shape):
    return np.random.RandomState(0).uniform(-1, 1, shape).astype(np.float32)


# One op.

def add(tf):
    x, y = tf.constant(1.5), tf.constant(2.5)
    return lambda: x + y


def torch_add(torch):
    x, y = torch.tensor(1.5), torch.tensor(2.5)
    return lambda: x + y


def matmul(tf):
    x = tf.constant(array(10, 10))
    return lambda: tf.matmul(x, x)


def torch_matmul(torch):
    x = torch.tensor(array(10, 10))
    return lambda: torch.matmul(x, x)


def slices(tf):
    x = tf.constant(array(10, 10))
    return lambda: x[3, 2:5]


def torch_slices(torch):
    x = torch.tensor(array(10, 10))
    return lambda: x[3, 2:5]


# Layers.

def dense(tf):
    x, layer = tf.constant(array(32, WIDTH)), tf.layers.Dense(WIDTH, activation=tf.nn.relu)
    return lambda: layer(x)


def torch_dense(torch):
    x, layer = torch.tensor(array(32, WIDTH)), torch.nn.Linear(WIDTH, WIDTH)

    def call():
        with torch.no_grad():
            return torch.relu(layer(x))
    return call


def lstm_step(tf):
    x, cell = tf.constant(array(8, WIDTH)), tf.nn.rnn_cell.LSTMCell(WIDTH)
    state = cell.zero_state(8, tf.float32)
    return lambda: cell(x, state)[0]


def torch_lstm_step(torch):
    x, cell = torch.tensor(array(8, WIDTH)), torch.nn.LSTMCell(WIDTH, WIDTH)
    state = torch.zeros(8, WIDTH), torch.zeros(8, WIDTH)

    def call():
        with torch.no_grad():
            return cell(x, state)[0]
    return call


# Models.

def mlp_step(tf, setting):
    pictures, numbers = sizes.digits(32, 784)
    x, y = tf.constant(pictures), tf.constant(numbers)
    layers = [tf.layers.Dense(WIDTH, activation=tf.nn.relu), tf.layers.Dense(WIDTH, activation=tf.nn.relu),
              tf.layers.Dense(10)]
    optimizer = tf.train.AdamOptimizer()

    def step():
        with tf.GradientTape() as tape:
            net = x
            for layer in layers:
                net = layer(net)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=net))
        weights = [weight for layer in layers for weight in layer.trainable_variables]
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss
    return step


def torch_mlp_step(torch, setting):
    pictures, numbers = sizes.digits(32, 784)
    x, y, nn = torch.tensor(pictures), torch.tensor(numbers).long(), torch.nn
    model = nn.Sequential(nn.Linear(784, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 10))
    optimizer = torch.optim.Adam(model.parameters())

    def step():
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()
    return step


class Convolved:
    """A convolution and its normalisation."""

    def __init__(self, tf, filters, size, stride, activation):
        self.convolution = tf.keras.layers.Conv2D(filters, size, stride, padding="same", use_bias=False)
        self.normalization, self.activation = tf.keras.layers.BatchNormalization(), activation

    def __call__(self, net):
        return self.activation(self.normalization(self.convolution(net), training=False))


class Block:
    def __init__(self, tf, filters, stride, widens):
        self.relu, same = tf.nn.relu, tf.identity
        self.shortcut = Convolved(tf, 4 * filters, 1, stride, same) if widens else same
        self.inner = [Convolved(tf, filters, 1, 1, tf.nn.relu), Convolved(tf, filters, 3, stride, tf.nn.relu),
                      Convolved(tf, 4 * filters, 1, 1, same)]

    def __call__(self, net):
        shortcut = self.shortcut(net)
        for layer in self.inner:
            net = layer(net)
        return self.relu(net + shortcut)


def resnet50(tf, setting):
    keras = tf.keras.layers
    layers = [Convolved(tf, 64, 7, 2, tf.nn.relu), keras.MaxPooling2D(3, 2, padding="same")]
    for filters, blocks, stride in sizes.RESNET_STAGES:
        layers += [Block(tf, filters, stride if i == 0 else 1, i == 0) for i in range(blocks)]
    layers += [keras.GlobalAveragePooling2D(), keras.Dense(sizes.CLASSES, activation="softmax")]
    x = tf.constant(sizes.digits(4, sizes.SIDE, sizes.SIDE, 3)[0])

    def step():
        net = x
        for layer in layers:
            net = layer(net)
        return net
    return step


def torch_resnet50(torch, setting):
    return importlib.import_module("model_torch").ASKED["resnet50"](4)


def workloads(group):
    small = {"add": (add, torch_add), "matmul_10x10": (matmul, torch_matmul), "slice": (slices, torch_slices),
             "dense_layer": (dense, torch_dense), "lstm_step": (lstm_step, torch_lstm_step)}
    return [*(Workload(name, called(ours), called(theirs), per=CALLS) for name, (ours, theirs) in small.items()),
            Workload("mlp_adam_tape_step", mlp_step, torch_mlp_step),
            Workload("resnet50_batch_4", resnet50, torch_resnet50)]
