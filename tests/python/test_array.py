import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def run(fetch, feed=None):
    with tf.Session() as sess:
        return sess.run(fetch, feed)


def test_wrong_axes():
    x = tf.constant([[1, 2]])
    with pytest.raises(ValueError, match=r"^axis = 2 not in \[-2, 2\)"):
        tf.unstack(x, axis=2)
    with pytest.raises(ValueError, match=r"^axis = 3 not in \[-3, 3\)"):
        tf.stack([x, x], axis=3)
    with pytest.raises(ValueError, match="rank >= 2"):
        tf.matrix_transpose([1])


def test_numbers_that_are_not_known():
    x = tf.placeholder(tf.float32)
    with pytest.raises(ValueError, match="Cannot infer num from shape"):
        tf.unstack(x)
    with pytest.raises(ValueError, match="Cannot infer num from shape"):
        tf.split(x, tf.placeholder(tf.int32, [None]))
    with pytest.raises(ValueError, match="Rank-0 tensors are not supported"):
        tf.split([1, 2], tf.placeholder(tf.int32, []))
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tf.boolean_mask([1], True)
    with pytest.raises(ValueError, match="Number of mask dimensions must be specified"):
        tf.boolean_mask([1], tf.placeholder(tf.bool))
    with pytest.raises(ValueError, match="unknown shape"):
        tf.batch_gather([[1]], tf.placeholder(tf.int32))


def test_two_names_for_one_argument():
    with pytest.raises(ValueError, match="both"):
        tf.squeeze([[1]], axis=0, squeeze_dims=0)
    with pytest.raises(ValueError, match="both"):
        tf.expand_dims([1], 0, dim=0)
    with pytest.raises(ValueError, match="Must specify an axis"):
        tf.expand_dims([1])


def test_modes():
    with pytest.raises(ValueError, match="Unknown padding mode"):
        tf.pad([1], [[1, 1]], mode="WRAP")
    with pytest.raises(ValueError, match="indexing"):
        tf.meshgrid([1], [2], indexing="yx")
    with pytest.raises(TypeError, match="invalid keyword"):
        tf.meshgrid([1], order=3)
    with pytest.raises(ValueError, match="direction"):
        tf.sort([1], direction="UP")
    with pytest.raises(ValueError, match="side"):
        tf.searchsorted([1], [1], side="middle")
    with pytest.raises(ValueError, match="both be non-None"):
        tf.where([True], x=[1])


def test_types():
    with pytest.raises(TypeError, match="does not match dtype"):
        tf.one_hot([1], 2, on_value=1.0, off_value=tf.constant(0))
    with pytest.raises(TypeError, match="dtype parameter"):
        tf.one_hot([1], 2, on_value=tf.constant(1.0), dtype=tf.int32)
    with pytest.raises(ValueError, match="maxlen"):
        tf.sequence_mask([1], maxlen=[2])
    with pytest.raises(ValueError, match="incompatible"):
        tf.boolean_mask([[1, 2], [3, 4]], [True, False, True])


def test_sorting_types():
    for dtype in (tf.uint8, tf.int32, tf.int64, tf.float16, tf.float64):
        values = tf.constant([3, 1, 2, 0], dtype)
        assert run(tf.sort(values)).tolist() == [0, 1, 2, 3]
        assert run(tf.argsort(values)).tolist() == [3, 1, 2, 0]
    lowest = tf.constant([-2 ** 31, 2 ** 31 - 1, 0])
    assert run(tf.sort(lowest)).tolist() == [-2 ** 31, 0, 2 ** 31 - 1]


def test_gradients_pass_through_functions_of_several_nodes():
    x = tf.placeholder(tf.float32, [2, 2])
    y = tf.reduce_sum(tf.batch_gather(x, [[1], [0]]) * [[2.0], [3.0]])
    assert run(tf.gradients(y, x)[0], {x: np.ones((2, 2))}).tolist() == [[0.0, 2.0], [3.0, 0.0]]
    z = tf.reduce_sum(tf.repeat(x, [1, 3], axis=0))
    assert run(tf.gradients(z, x)[0], {x: np.ones((2, 2))}).tolist() == [[1.0, 1.0], [3.0, 3.0]]


def test_a_crop_that_does_not_fit():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Need value.shape >= size"):
        run(tf.random_crop(tf.placeholder_with_default(np.ones((2, 2)), [None, None]), [3, 1]))


def test_new_nodes_say_where_they_were_made():
    made = tf.boolean_mask([1, 2], [True, False])
    assert made.op.traceback[-1][0].endswith("test_array.py")


def test_indices_beyond_int32():
    x = tf.placeholder(tf.int8, [2**33])
    for part, size in ((x[2**32:], 2**32), (x[:2**32], 2**32), (x[5:2**32 + 1], 2**32 - 4), (x[-2**32:], 2**32)):
        assert part.shape.as_list() == [size]
        assert part.op.inputs[1].dtype == tf.int64
    assert x[2**31 - 1].shape.as_list() == [] and x[3:].op.inputs[1].dtype == tf.int32


def test_shapes_beyond_int32():
    for initializer in (tf.zeros_initializer(), tf.ones_initializer(), tf.random_normal_initializer()):
        assert initializer([2**33]).shape.as_list() == [2**33]
    assert tf.get_variable("v", [2**33], initializer=tf.zeros_initializer()).shape.as_list() == [2**33]


def test_sizes_may_be_floats():
    assert tf.ones([2.0]).shape.as_list() == [2] and tf.zeros((2.0, 3)).shape.as_list() == [2, 3]
    assert tf.zeros([2.5]).shape.as_list() == [2]
