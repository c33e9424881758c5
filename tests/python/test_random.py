import json
import pathlib
import sys

import numpy as np
import pytest

import rill as tf

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "random"))

import random_programs as programs  # noqa: E402
import random_record as record  # noqa: E402

GOLDENS = json.loads((TESTS / "golden" / "random.json").read_text())


@pytest.mark.parametrize("name", sorted(programs.PROGRAMS))
def test_program_draws_tensorflows_numbers(name):
    ours, golden = record.run(tf, name), GOLDENS[name]
    if name not in programs.VALUES_ONLY:
        assert ours["nodes"] == golden["nodes"]
    assert ours["steps"] == golden["steps"]


def test_every_session_begins_anew():
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        x = tf.random_uniform([4])
        first, second = [], []
        for values in first, second:
            with tf.Session() as sess:
                values += [sess.run(x).tolist(), sess.run(x).tolist()]
    assert first == second and first[0] != first[1]


def test_without_seeds_sessions_differ():
    with tf.Graph().as_default():
        x = tf.random_normal([4])
        with tf.Session() as one, tf.Session() as two:
            assert one.run(x).tolist() != two.run(x).tolist()


def test_get_seed():
    with tf.Graph().as_default() as graph:
        assert tf.get_seed(None) == (None, None)
        assert tf.get_seed(7) == (87654321, 7)
        assert tf.get_seed(np.int32(7)) == (87654321, 7)
        tf.random.set_random_seed(3)
        assert graph.seed == 3
        tf.constant(1)
        assert tf.random.get_seed(None) == (3, 1)
        assert tf.random.get_seed(-1) == (3, (1 << 31) - 2)
        tf.set_random_seed(0)
        assert tf.get_seed(0) == (0, (1 << 31) - 1)
        with pytest.raises(TypeError):
            tf.set_random_seed("one")


def test_arguments_are_checked():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
            tf.random_uniform([3], dtype=tf.int32)
        with pytest.raises(ValueError, match="Argument `dtype` got invalid value"):
            tf.random_uniform([3], dtype=tf.int8, maxval=3)
        with pytest.raises(ValueError, match="min: Tensor conversion requested dtype float64"):
            tf.random_uniform([3], minval=tf.constant(1.0), dtype=tf.float64)
        with pytest.raises(ValueError, match="must be rank 1"):
            tf.random_uniform(3)
        with pytest.raises(TypeError):
            tf.random_normal([3], dtype=tf.int32)


def test_shapes_are_known():
    with tf.Graph().as_default():
        assert tf.random_uniform(tf.TensorShape([2, 3])).shape.as_list() == [2, 3]
        assert tf.random_normal([4, tf.placeholder(tf.int32, [])]).shape.as_list() == [4, None]
        assert tf.random_gamma([5], [[1.0, 2.0]]).shape.as_list() == [5, 1, 2]
        alpha = tf.placeholder(tf.float32, [None, 3])
        assert tf.random_gamma([5], alpha).shape.as_list() == [5, None, 3]
        assert tf.random_poisson([1.0, 2.0], [3, 4]).shape.as_list() == [3, 4, 2]
        assert tf.multinomial(tf.placeholder(tf.float32, [None, 3]), 8).shape.as_list() == [None, 8]
        assert tf.random_uniform([2], dtype=tf.float16).dtype == tf.float16


def test_numbers_do_not_depend_on_threads():
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        draws = [tf.random_uniform([300001]), tf.random_normal([100003]),
                 tf.truncated_normal([100003]), tf.random_gamma([5001], [0.5, 3.0]),
                 tf.random_poisson([3.0, 30.0], [5001]), tf.multinomial([[0.0, 1.0]] * 999, 77)]
        values = []
        for threads in 1, 4:
            config = tf.ConfigProto(intra_op_parallelism_threads=threads)
            with tf.Session(config=config) as sess:
                values.append(sess.run(draws))
    for one, four in zip(*values):
        np.testing.assert_array_equal(one, four)


def test_gamma_samples_are_differentiable():
    with tf.Graph().as_default():
        alpha = tf.constant([0.5, 2.0])
        x = tf.random_gamma([2000], alpha, seed=3)
        grad, = tf.gradients(x, alpha)
        with tf.Session() as sess:
            # The mean of the samples is alpha, so its slope is 1.
            np.testing.assert_allclose(sess.run(grad) / 2000, [1, 1], rtol=0.1)
