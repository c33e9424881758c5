"""Values that TensorFlow refuses in a step, not while the graph is built; and the other way round."""
import pytest

import rill as tf

LATE = {
    "cumsum axis": lambda: tf.cumsum([1., 2.], axis=3),
    "cumprod axis": lambda: tf.cumprod([1., 2.], axis=-2),
    "axis twice": lambda: tf.reduce_sum(tf.ones([2, 2]), axis=[0, 0]),
    "axis twice from behind": lambda: tf.reduce_max(tf.ones([2, 2]), axis=[1, -1]),
    "perm twice": lambda: tf.transpose(tf.ones([2, 2, 2]), [0, 1, 1]),
    "no pixels": lambda: tf.image.resize_images(tf.ones([1, 2, 2, 1]), [0, 2]),
    "segment ids": lambda: tf.segment_sum(tf.ones([3, 2]), [0, 1]),
}
EARLY = {
    "roll": lambda: tf.roll(tf.ones([2, 2]), shift=[1, 2], axis=[0]),
    "csv defaults": lambda: tf.data.experimental.CsvDataset("x", [[[1]]]),
    "csv default of two": lambda: tf.data.experimental.CsvDataset("x", [[1, 2]]),
    "unbatch": lambda: tf.data.Dataset.from_tensors((tf.zeros([2]), tf.zeros([3]))).unbatch(),
}


@pytest.mark.parametrize("name", sorted(LATE))
def test_refused_in_a_step(name):
    with tf.Graph().as_default(), tf.Session() as sess:
        result = LATE[name]()
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(result)


@pytest.mark.parametrize("name", sorted(EARLY))
def test_refused_while_building(name):
    with tf.Graph().as_default(), pytest.raises(ValueError):
        EARLY[name]()


def test_sizes_of_more_than_32_bits():
    with tf.Graph().as_default():
        assert tf.ones([2**31 + 6], tf.int8).shape == [2**31 + 6]
        assert tf.zeros((2, 2**33)).shape == [2, 2**33]
        assert tf.truncated_normal([2**33]).shape == [2**33]


def test_axis_of_softmax():
    with tf.Graph().as_default(), pytest.raises(tf.errors.InvalidArgumentError, match="must be in the range"):
        tf.nn.softmax(tf.ones([2, 2]), axis=5)
