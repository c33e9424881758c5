import json
import pathlib
import sys

import numpy as np
import pytest

import rill as tf

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "gradients"))

import functions  # noqa: E402
import record  # noqa: E402

GOLDENS = json.loads((TESTS / "golden" / "gradients.json").read_text())


def assert_close(ours, golden):
    if isinstance(golden, dict):
        assert ours.keys() == golden.keys()
        for part in golden:
            assert_close(ours[part], golden[part])
    elif golden is None:
        assert ours is None
    else:
        np.testing.assert_allclose(ours, golden, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", sorted(functions.FUNCTIONS))
def test_gradients_as_tensorflows(name):
    ours = record.run(tf, name)
    for mine, golden in zip(ours["values"], GOLDENS[name]["values"], strict=True):
        assert_close(mine, golden)
    if name not in functions.VALUES_ONLY:
        assert ours["nodes"] == record.as_tensorflow_1(GOLDENS[name]["nodes"])


@pytest.mark.parametrize("matrix, rhs", [("tall", "rows5"), ("wide", "rows3")])
def test_least_squares_of_open_sizes(matrix, rhs):
    """TensorFlow 2.15 fails here; the gradients are those for known sizes."""
    def gradients(known):
        with tf.Graph().as_default():
            xs = [tf.placeholder(tf.float64, functions.FEEDS[name].shape if known else None)
                  for name in (matrix, rhs)]
            y = tf.raw_ops.MatrixSolveLs(matrix=xs[0], rhs=xs[1], l2_regularizer=0.25)
            feeds = {x: functions.FEEDS[name] for x, name in zip(xs, (matrix, rhs))}
            with tf.Session() as sess:
                return sess.run(tf.gradients(y, xs), feeds)

    for by_size, golden in zip(gradients(False), gradients(True), strict=True):
        np.testing.assert_allclose(by_size, golden, rtol=1e-10)


def test_unconnected():
    with tf.Graph().as_default():
        x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
        assert tf.gradients(y, x) == [None]
        zeros, = tf.gradients(y, [x], unconnected_gradients=tf.UnconnectedGradients.ZERO)
        with tf.Session() as sess:
            np.testing.assert_array_equal(sess.run(zeros), [0, 0])
        with pytest.raises(ValueError, match="Unknown value for unconnected_gradients"):
            tf.gradients(y, x, unconnected_gradients="some")


def test_grad_ys_and_stop_gradients():
    with tf.Graph().as_default():
        a = tf.constant(2.0)
        b = a * 3.0
        grads = tf.gradients(a + b, [a, b], grad_ys=[10.0], stop_gradients=[a, b])
        with tf.Session() as sess:
            assert sess.run(grads) == [10.0, 10.0]
        with pytest.raises(ValueError, match="Passed 2 grad_ys for 1 ys"):
            tf.gradients(b, a, grad_ys=[1.0, 2.0])


def test_missing_gradient():
    with tf.Graph().as_default():
        x = tf.constant([1.0])
        y = tf.raw_ops.SoftsignGrad(gradients=x, features=x, name="odd")
        with pytest.raises(LookupError, match="No gradient defined for operation 'odd'"):
            tf.gradients(y, x)


def test_aggregation_methods():
    for method in (None, tf.AggregationMethod.ADD_N, tf.AggregationMethod.EXPERIMENTAL_TREE,
                   tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N):
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.constant([1.0, 2.0])
            grad, = tf.gradients(x * x + x * 3.0, x, aggregation_method=method)
            np.testing.assert_array_equal(sess.run(grad), [5.0, 7.0])
    with tf.Graph().as_default():
        x = tf.constant([1.0])
        with pytest.raises(ValueError, match="Invalid aggregation_method"):
            tf.gradients(x, x, aggregation_method=7)


def test_switch_and_merge_outside_of_any_cond():
    with tf.Graph().as_default(), tf.Session() as sess:
        x, p = tf.constant([1.0]), tf.placeholder(tf.bool, [])
        untaken, taken = tf.raw_ops.Switch(data=x, pred=p)
        y, _ = tf.raw_ops.Merge(inputs=[untaken * 2.0, taken * 3.0])
        grad, = tf.gradients(y, x)
        np.testing.assert_array_equal(sess.run(grad, {p: True}), [3.0])
        np.testing.assert_array_equal(sess.run(grad, {p: False}), [2.0])


@pytest.mark.parametrize("count", [1, 2, 40])
@pytest.mark.parametrize("f, kept", [(tf.sqrt, 1), (tf.rsqrt, 1), (tf.reciprocal, 1), (tf.norm, 0)])
def test_where_nothing_flows_back_an_infinite_slope_leaves_no_nan(f, kept, count):
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.zeros([count])
        gradient = tf.gradients(tf.where(x > 0, f(x) + x, x), x)[0]
        if f is not tf.norm:
            assert sess.run(gradient).tolist() == [kept] * count
        assert sess.run(tf.gradients(f(x), x, grad_ys=tf.zeros_like(f(x)))[0]).tolist() == [0] * count


def test_a_complex_result_wants_grad_ys():
    with tf.Graph().as_default(), pytest.raises(TypeError, match="must set grad_ys"):
        x = tf.constant(1.0)
        tf.gradients(tf.complex(x, x), x)


def test_gradients_inside_of_a_loop_stay_in_it():
    offset = tf.constant(0.0)

    def log_density(x):
        return tf.reduce_sum(-0.5 * tf.square((x[:2] - offset) / 1.0))

    def climb(i, x):
        return i + 1, x + 0.1 * tf.gradients(log_density(x), x)[0]

    with tf.Session() as session:
        _, last = session.run(tf.while_loop(lambda i, _: i < 5, climb, [0, tf.constant([0.5, 0.6, 7.0])]))
    np.testing.assert_allclose(last, [0.5 * 0.9**5, 0.6 * 0.9**5, 7.0], rtol=1e-5)


def test_what_only_decides_is_no_variable_of_a_custom_gradient():
    @tf.custom_gradient
    def twice_as_steep(x):
        return x * 1.0, lambda dy: dy * 2.0

    level = tf.get_variable("level", initializer=0.5)
    x = tf.get_variable("x", initializer=3.0)
    y = tf.cond(tf.less(level, 1.0), lambda: twice_as_steep(x), lambda: x)
    gradient = tf.gradients(y, x)[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([y, gradient]) == [3.0, 2.0]
        assert session.run(gradient, {level: 2.0}) == 1.0
