"""Sonnet 1.36: modules that share variables when they are connected again, a recurrent core, and a training loop."""
import numpy as np
import sonnet as snt
import tensorflow as tf


class Perceptron(snt.AbstractModule):
    """A module of one's own, as the documentation writes it."""

    def __init__(self, sizes, name="perceptron"):
        super().__init__(name=name)
        self._sizes = sizes

    def _build(self, inputs):
        for size in self._sizes[:-1]:
            inputs = tf.nn.relu(snt.Linear(size)(inputs))
        return snt.Linear(self._sizes[-1])(inputs)


def shared_variables():
    linear = snt.Linear(output_size=3, initializers={"w": tf.truncated_normal_initializer(seed=1)})
    first, second = linear(tf.ones([2, 5])), linear(tf.ones([4, 5]))
    assert first.shape.as_list() == [2, 3] and second.shape.as_list() == [4, 3]
    assert len(linear.get_variables()) == 2 and linear.w.shape.as_list() == [5, 3]


def training():
    random = np.random.RandomState(0)
    x = random.rand(64, 4).astype("float32")
    y = (x.sum(axis=1, keepdims=True) - 2).astype("float32")
    net = Perceptron([16, 1])
    loss = tf.reduce_mean(tf.square(net(tf.constant(x)) - y))
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(60):
            session.run(train)
        assert session.run(loss) < before / 4


def recurrence():
    core = snt.DeepRNN([snt.LSTM(8), snt.VanillaRNN(4)], skip_connections=True)
    outputs, _ = tf.nn.dynamic_rnn(core, tf.ones([5, 2, 3]), initial_state=core.initial_state(2), time_major=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(outputs).shape == (5, 2, 12)


def pictures():
    net = snt.Sequential([snt.Conv2D(8, 3), tf.nn.relu, snt.BatchFlatten(), snt.nets.MLP([10, 2])])
    normal = snt.BatchNorm()
    x = tf.random_normal([3, 8, 8, 1], seed=1)
    made = net(normal(x, is_training=True))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(made).shape == (3, 2)


def main():
    for part in (shared_variables, training, recurrence, pictures):
        with tf.Graph().as_default():
            part()
    print("modules share variables, are trained, unrolled and put together")


main()
