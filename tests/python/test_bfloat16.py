"""bfloat16 in NumPy: what sessions return adds, compares and prints."""
import copy
import pickle

import numpy as np
import pytest

import rill as tf

KIND = tf.bfloat16.as_numpy_dtype


@pytest.fixture
def x():
    return tf.Session().run(tf.constant([1.0, 2.5], tf.bfloat16))


def test_fetched_values_are_numbers(x):
    assert x.dtype == KIND and KIND.__name__ == "bfloat16" and issubclass(KIND, np.generic)
    assert str(x) == "[1 2.5]" and repr(x) == "array([1, 2.5], dtype=bfloat16)"
    assert x.tolist() == [1.0, 2.5] and np.dtype(KIND).itemsize == 2
    assert tf.as_dtype(x.dtype) is tf.as_dtype(KIND) is tf.bfloat16


@pytest.mark.parametrize("compute, expected", [
    (lambda x: x + x, [2, 5]), (lambda x: x * 2, [2, 5]), (lambda x: -x, [-1, -2.5]),
    (lambda x: x / x, [1, 1]), (lambda x: x**2, [1, 6.25]), (np.abs, [1, 2.5]),
    (lambda x: np.maximum(x, 2), [2, 2.5]), (np.sqrt, [1, 1.578125]), (np.exp, [2.71875, 12.1875]),
    (lambda x: x < 2, [True, False]), (np.isnan, [False, False]), (np.sort, [1, 2.5]),
    (lambda x: np.concatenate([x, x]), [1, 2.5, 1, 2.5]), (np.cumsum, [1, 3.5]),
    (lambda x: x.sum(), 3.5), (lambda x: x.mean(), 1.75), (lambda x: x.max(), 2.5), (np.argmax, 1),
    (lambda x: x @ x, 7.25), (lambda x: np.dot(x, x), 7.25), (lambda x: x.var(), 0.5625),
    (lambda x: x.reshape(2, 1) @ x.reshape(1, 2), [[1, 2.5], [2.5, 6.25]])])
def test_arithmetic(x, compute, expected):
    np.testing.assert_array_equal(np.asarray(compute(x)).astype(np.float64), expected)


def test_with_other_types_the_wider_one_wins(x):
    assert (x + np.float32([1, 2])).dtype == np.float32
    assert (x + np.float64([1, 2])).dtype == np.float64
    assert (x + x).dtype == (x * 2).dtype == KIND


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int8, np.uint16, np.int32, np.int64, bool,
                                  np.complex64])
def test_conversions(x, kind):
    np.testing.assert_array_equal(x.astype(kind), np.array([1, 2.5]).astype(kind))
    np.testing.assert_array_equal(np.array([0, 1], kind).astype(KIND).astype(np.float32), [0, 1])


def test_scalars(x):
    assert type(x[0]) is KIND and x[0] + x[1] == 3.5 and x[0] == 1.0 and x[0] < x[1]
    assert (float(x[1]), int(x[1]), bool(x[0]), str(x[1])) == (2.5, 2, True, "2.5")
    assert hash(x[0]) == hash(1.0) and KIND(1.5) * 2 == 3 and -KIND(1.5) == -1.5 and KIND("1.5") == 1.5
    with pytest.raises(TypeError):
        KIND([1])


def test_no_numbers_and_the_first_largest():
    odd = np.array([np.nan, np.inf, 1], np.float32).astype(KIND)
    assert str(odd) == "[nan inf 1]" and np.isinf(odd).tolist() == [False, True, False]
    assert np.argmax(odd) == 0 and np.argmin(np.array([3, 1, 1], KIND)) == 1
    assert np.arange(3).astype(KIND).tolist() == [0, 1, 2] and np.zeros(2, KIND).tolist() == [0, 0]


def test_values_go_back_in(x):
    fed = tf.placeholder(tf.bfloat16, [2])
    doubled = tf.py_func(lambda a: a + a, [tf.constant(x)], tf.bfloat16)
    with tf.Session() as session:
        assert session.run(fed + 1, {fed: x}).tolist() == [2, 3.5]
        assert session.run(fed, {fed: [1.0, 2.0]}).tolist() == [1, 2]
        assert session.run(doubled).tolist() == [2, 5]
        assert session.run(tf.constant(x[1])) == 2.5
    assert tf.make_ndarray(tf.make_tensor_proto(x)).tolist() == [1, 2.5]


def test_copies(x):
    for twin in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.copy()):
        assert twin.dtype == KIND and twin.tolist() == [1, 2.5]
