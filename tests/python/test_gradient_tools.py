import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def own_graph():
    with tf.Graph().as_default():
        yield


def run(fetch, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetch, feed)


def test_tapes_tell_gradients():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    np.testing.assert_array_equal(run(tape.gradient(y, x)), [2, 4])
    np.testing.assert_array_equal(run(tape.gradient(y, {"x": x}, output_gradients=tf.constant([2.0, 3.0])))["x"], [4, 12])
    np.testing.assert_array_equal(run(tape.jacobian(y, x)), [[2, 0], [0, 4]])


def test_tapes_know_only_what_they_watch():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is None
    with pytest.raises(RuntimeError, match="non-persistent"):
        tape.gradient(y, x)


def test_tapes_watch_variables():
    v = tf.get_variable("v", initializer=3.0, use_resource=True)
    with tf.GradientTape() as tape:
        y = v * v
    assert run(tape.gradient(y, v)) == 6


def test_batch_jacobians():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    np.testing.assert_array_equal(run(tape.batch_jacobian(y, x)), [[[2, 0], [0, 4]], [[6, 0], [0, 8]]])


def test_tapes_enter_once():
    with tf.GradientTape() as tape:
        with pytest.raises(ValueError, match="already recording"):
            tape.__enter__()


def test_custom_gradients_with_variables():
    v = tf.get_variable("v", initializer=[2.0, 3.0], use_resource=True)

    @tf.custom_gradient
    def scaled(x):
        def grad(dy, variables=None):
            assert [w.name for w in variables] == ["v:0"]
            return dy * 7.0, [dy * 11.0]
        return x * v, grad

    x = tf.constant([1.0, 1.0])
    y = scaled(x)
    of_x, of_v = run(tf.gradients(y, [x, v]))
    np.testing.assert_array_equal(of_x, [7, 7])
    np.testing.assert_array_equal(of_v, [11, 11])


def test_custom_gradients_must_know_their_variables():
    v = tf.get_variable("v", initializer=2.0, use_resource=True)

    @tf.custom_gradient
    def scaled(x):
        return x * v, lambda dy: dy

    with pytest.raises(TypeError, match="must accept a 'variables' keyword argument"):
        scaled(tf.constant(1.0))
    w = tf.get_variable("w", initializer=2.0, use_resource=False)

    @tf.custom_gradient
    def with_reference(x):
        def grad(dy, variables=None):
            return dy, [dy]
        return x * w, grad

    with pytest.raises(TypeError, match="must be `ResourceVariable`s"):
        with_reference(tf.constant(1.0))


def test_custom_gradients_take_no_keywords():
    @tf.custom_gradient
    def f(x, y=1.0):
        return x * y, lambda dy: dy

    with pytest.raises(ValueError, match="keywords arguments"):
        f(tf.constant(1.0), y=2.0)


def test_custom_gradients_must_be_as_many_as_arguments():
    @tf.custom_gradient
    def f(x, y):
        return x * y, lambda dy: dy

    a, b = tf.constant(1.0), tf.constant(2.0)
    with pytest.raises(ValueError, match="expected to return 2"):
        tf.gradients(f(a, b), [a, b])


def test_recomputed_gradients():
    calls = []

    @tf.recompute_grad
    def f(x):
        calls.append(x)
        return tf.square(x) * x

    x = tf.constant(2.0)
    y = f(x)
    assert len(calls) == 1
    assert run(tf.gradients(y, x)[0]) == 12
    assert len(calls) == 2


def test_gradients_that_pass_through():
    rounded = tf.grad_pass_through(lambda x: tf.raw_ops.Round(x=x))
    x = tf.constant([1.4, 2.6])
    y = rounded(x)
    np.testing.assert_array_equal(run(y), [1, 3])
    np.testing.assert_array_equal(run(tf.gradients(y * 5.0, x)[0]), [5, 5])


def test_hessians_need_dependence():
    with pytest.raises(ValueError, match="None values not supported"):
        tf.hessians(tf.constant(1.0), tf.constant(2.0))


def test_autograph_in_a_graph():
    @tf.autograph.experimental.do_not_convert
    def left_alone(x):
        return x

    def f(x):
        if x > 0:
            y = x * 2.0
        else:
            y = -x
        while y < 10.0:
            y = y * 2.0
        return left_alone(y)

    x = tf.placeholder(tf.float32, [])
    assert run(tf.autograph.to_graph(f)(x), {x: 3.0}) == 12.0
    assert run(tf.autograph.to_graph(f)(x), {x: -4.0}) == 16.0
    assert "if_stmt" in tf.autograph.to_code(f)


def test_custom_gradients_are_used():
    @tf.custom_gradient
    def f(a, b):
        return a * b, lambda dy: (dy * 2.0, dy * b)

    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    of_x, of_w = run(tf.gradients(f(x, w), [x, w]))
    np.testing.assert_array_equal(of_x, [2, 2])
    np.testing.assert_array_equal(of_w, [3, 4])


def test_custom_gradients_of_structures():
    @tf.custom_gradient
    def f(a):
        return (a * 2.0, a * 3.0), lambda first, second: first + second * 5.0

    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(run(tf.gradients(list(f(x)), x)[0]), [6, 6])


def test_custom_gradients_inside_branches():
    @tf.custom_gradient
    def f(a):
        return a * 2.0, lambda dy: dy * 100.0

    x, pred = tf.constant(3.0), tf.placeholder(tf.bool, [])
    g = tf.gradients(tf.cond(pred, lambda: f(x), lambda: x), x)[0]
    assert run(g, {pred: True}) == 100 and run(g, {pred: False}) == 1


def test_hessians():
    x, z = tf.constant([1.0, 2.0]), tf.constant([[1.0], [3.0]])
    y = tf.raw_ops.Sum(input=x * x, axis=[0]) + tf.raw_ops.Sum(input=z * z * z, axis=[0, 1])
    of_x, of_z = run(tf.hessians([y], [x, z]))
    np.testing.assert_array_equal(of_x, [[2, 0], [0, 2]])
    np.testing.assert_array_equal(of_z.reshape(2, 2), [[6, 0], [0, 18]])
    assert of_z.shape == (2, 1, 2, 1)


@pytest.mark.parametrize("use_resource", [False, True])
def test_hessians_by_variables(use_resource):
    x = tf.get_variable("x", initializer=tf.constant([[1.0, 2.0]]), use_resource=use_resource)
    hessian = tf.hessians(tf.raw_ops.Sum(input=x * x * x, axis=[0, 1]), x)[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(hessian).reshape(2, 2), [[6, 0], [0, 12]])
    assert hessian.op.name == "Reshape_1"
    reads = [op.name for op in tf.get_default_graph().get_operations() if op.name.endswith("/ReadVariableOp")]
    assert [name for name in reads if name.startswith("S")] == ["Size/ReadVariableOp", "Shape/ReadVariableOp"] * use_resource


def test_gradients_of_maps_folds_and_scans():
    x = tf.constant([1.0, 2.0, 3.0])
    mapped, scanned = tf.map_fn(lambda v: v * v, x), tf.scan(lambda a, v: a * v, x)
    folded = tf.foldl(lambda a, v: a * v, x)
    np.testing.assert_array_equal(run(tf.gradients(mapped, x)[0]), [2, 4, 6])
    np.testing.assert_array_equal(run(tf.gradients(scanned, x)[0]), [9, 4, 2])
    np.testing.assert_array_equal(run(tf.gradients(folded, x)[0]), [6, 3, 2])


def test_gradients_of_limited_loops():
    x = tf.constant(2.0)
    r = tf.while_loop(lambda i, y: tf.less(i, 3), lambda i, y: [i + 1, y * x], [0, x], maximum_iterations=5)
    assert run(tf.gradients(r[1], x)[0]) == 32
