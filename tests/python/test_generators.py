import numpy as np
import pytest

import rill as tf

Generator = tf.random.experimental.Generator


def drawn(tensors, times=1):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(tensors) for _ in range(times)]


def test_numbers_are_tensorflows():
    # Drawn by TensorFlow's StatefulStandardNormalV2 and StatefulUniform from the state [0, 0, 5].
    assert np.allclose(drawn(Generator.from_seed(5).normal([2]))[0], [-1.7138785, -0.6787023])
    assert np.allclose(drawn(Generator.from_seed(5).uniform([2]))[0], [0.18286479, 0.68998957])


def test_numbers_go_on():
    g = Generator.from_seed(3)
    x = g.uniform([4], 2, 5, tf.int64)
    first, second = drawn(x, 2)
    assert first.dtype == np.int64 and ((first >= 2) & (first < 5)).all()
    floats = drawn([g.truncated_normal([1000]), g.normal([1000], 3.0, 0.1, dtype=tf.float64), g.uniform_full_int([2]),
                    g.binomial([1000], 10.0, 0.5)])[0]
    assert abs(floats[0]).max() <= 2 and abs(floats[1].mean() - 3) < 0.02 and floats[2].dtype == np.uint64
    assert abs(floats[3].mean() - 5) < 0.3


def test_states():
    g = Generator.from_key_counter(5, [1, 2], "philox")
    x, again = g.normal([3]), g.reset_from_key_counter(5, [1, 2])
    other = Generator.from_state(tf.random.experimental.create_rng_state(5, "philox"), "philox")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(g.state).tolist() == [1, 2, 5] and sess.run(g.key) == 5 and g.algorithm == 1
        first = sess.run(x)
        assert not np.array_equal(first, sess.run(x))
        sess.run(again)
        assert np.array_equal(first, sess.run(x))
        assert sess.run(other.state).tolist() == [0, 0, 5]
        for op, state in ((other.reset_from_seed(7), [0, 0, 7]), (other.reset([4, 5, 6]), [4, 5, 6]),
                          (other.skip(1), [4 + 256, 5, 6])):
            sess.run(op)
            assert sess.run(other.state).tolist() == state


def test_seeds_and_splits():
    g = Generator.from_seed(1)
    seeds, (a, b) = g.make_seeds(3), g.split(2)
    with tf.Session() as sess:
        sess.run(tf.variables_initializer([g.state]))
        sess.run(tf.global_variables_initializer())
        values = sess.run([seeds, a.uniform([5]), b.uniform([5])])
    assert values[0].shape == (2, 3) and not values[0][1].any()
    assert not np.array_equal(values[1], values[2])


def test_global_generator():
    mine = Generator.from_seed(1)
    tf.random.experimental.set_global_generator(mine)
    assert tf.random.experimental.get_global_generator() is mine
    assert Generator(copy_from=mine).state is mine.state
    Generator.from_non_deterministic_state()


def test_wrong_generators():
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
        Generator.from_seed(1).uniform([2], dtype=tf.int32)
    with pytest.raises(ValueError, match="Unrecognized algorithm name"):
        Generator.from_seed(1, alg="dice")
    with pytest.raises(ValueError, match="Unsupported algorithm id"):
        Generator.from_seed(1, alg=7)
    with pytest.raises(tf.errors.UnimplementedError, match="ThreeFry"):
        Generator.from_seed(1, alg="threefry")
    with pytest.raises(ValueError):
        Generator()
    with pytest.raises(ValueError, match="3 numbers"):
        Generator.from_state([1, 2], "philox")


# --- joins of ragged tensors -----------------------------------------------------------------------


def rows(value):
    with tf.Session() as sess:
        result = sess.run(value)
    return result.to_list() if isinstance(value, tf.RaggedTensor) else result.tolist()


def test_ragged_stack():
    a, b = tf.ragged.constant([[1], [2, 3]]), tf.ragged.constant([[4, 5], []], dtype=tf.int32)
    assert rows(tf.ragged.stack([a, b])) == [[[1], [2, 3]], [[4, 5], []]]
    assert rows(tf.ragged.stack([a, b], axis=1)) == [[[1], [4, 5]], [[2, 3], []]]
    assert rows(tf.ragged.stack([a, a], axis=-1)) == [[[1, 1]], [[2, 2], [3, 3]]]
    assert rows(tf.ragged.stack([[1], [2, 3], np.zeros(0, np.int32)])) == [[1], [2, 3], []]
    assert rows(tf.ragged.stack([a, [[7], [8]]])) == [[[1], [2, 3]], [[7], [8]]]
    assert rows(tf.ragged.stack([[1, 2], [3, 4]], axis=1)) == [[1, 3], [2, 4]]
    deep = tf.ragged.constant([[[1], []], [[2, 3]]])
    assert rows(tf.ragged.stack([deep, deep], axis=1)) == [[[[1], []], [[1], []]], [[[2, 3]], [[2, 3]]]]
    for values, axis in (([], 0), ([a, [1]], 0), ([a], 5)):
        with pytest.raises(ValueError):
            tf.ragged.stack(values, axis)


def test_ragged_boolean_mask():
    ragged = tf.ragged.constant([[1], [2, 3]])
    assert rows(tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])) == [[1], [3, 4]]
    assert rows(tf.ragged.boolean_mask(ragged, tf.ragged.constant([[True], [False, True]]))) == [[1], [3]]
    assert rows(tf.ragged.boolean_mask(ragged, [False, True])) == [[2, 3]]
    assert rows(tf.ragged.boolean_mask([1, 2, 3], [False, True, True])) == [2, 3]
    deep = tf.ragged.constant([[[1, 2], [3]], [[4]]])
    mask = tf.ragged.constant([[[True, False], [True]], [[False]]])
    assert rows(tf.ragged.boolean_mask(deep, mask)) == [[[1], [3]], [[]]]
    assert rows(tf.ragged.boolean_mask(deep, tf.ragged.constant([[False, True], [True]]))) == [[[3]], [[4]]]
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tf.ragged.boolean_mask([1], True)


def test_ragged_stack_dynamic_partitions():
    stack = tf.ragged.stack_dynamic_partitions
    assert rows(stack(list("abcde"), [0, 2, 0, 1, 2], 4)) == [[b"a", b"c"], [b"d"], [b"b", b"e"], []]
    assert rows(stack([[1, 2], [3, 4]], [[1, 0], [0, 1]], 2)) == [[2, 3], [1, 4]]
    assert rows(stack([[1, 2], [3, 4]], [1, 0], 2)) == [[[3, 4]], [[1, 2]]]
    assert rows(stack(5, 1, 3)) == [[], [5], []]
