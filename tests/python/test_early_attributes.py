"""Layers and cells whose constructors set attributes before they call the one of their class; sessions of tests."""
import tensorflow as tf


def test_a_layer_sets_attributes_before_it_is_made():
    class Early(tf.keras.layers.Layer):
        def __init__(self, units):
            self.trainable = False
            self.supports_masking = True
            assert self.trainable is False
            self.units = units
            super().__init__()

        def call(self, inputs):
            return inputs * self.units

    layer = Early(2)
    assert layer.trainable  # as TensorFlow: the constructor of the class decides
    assert layer(tf.ones([1])).shape == [1]


def test_a_cell_sets_attributes_before_it_is_made():
    class Cell(tf.nn.rnn_cell.RNNCell):
        def __init__(self, units):
            self.trainable = True
            self._name = "mine"
            self._units = units
            super().__init__()

        state_size = output_size = property(lambda self: self._units)

        def call(self, inputs, state):
            return inputs + state, state

    outputs, _ = tf.nn.dynamic_rnn(Cell(3), tf.ones([2, 4, 3]), dtype=tf.float32)
    assert outputs.shape == [2, 4, 3]


class Placed(tf.test.TestCase):
    def runTest(self):
        with self.test_session(use_gpu=True) as session, tf.device("/device:GPU:0"):
            assert session.run(tf.constant(1) + 1) == 2
        with self.session(config=tf.ConfigProto(), use_gpu=True) as session, tf.device("/gpu:0"):
            assert session.run(tf.constant(1) + 1) == 2


def test_sessions_of_tests_place_softly():
    Placed().debug()
