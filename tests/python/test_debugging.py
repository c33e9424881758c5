import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def own_graph():
    with tf.Graph().as_default():
        yield


def run(fetch, feed=None):
    with tf.Session() as session:
        return session.run(fetch, feed)


@pytest.mark.parametrize("check, x, y, symbol", [
    (tf.debugging.assert_equal, [1, 2], [1, 3], "=="),
    (tf.debugging.assert_none_equal, [1, 2], [3, 2], "!="),
    (tf.debugging.assert_less, [1.0, 2.0], [2.0, 2.0], "<"),
    (tf.debugging.assert_less_equal, [1.0, 3.0], [2.0, 2.0], "<="),
    (tf.debugging.assert_greater, 1, [1, 3], ">"),
    (tf.debugging.assert_greater_equal, 1, [1, 3], ">=")])
def test_known_values_fail_at_once(check, x, y, symbol):
    with pytest.raises(tf.errors.InvalidArgumentError) as error:
        check(x, y, message="oops")
    assert error.value.message.startswith(f"oops\nCondition x {symbol} y did not hold element-wise:\nx (")


def test_the_text_of_a_failure_is_tensorflows():
    with pytest.raises(tf.errors.InvalidArgumentError) as error:
        tf.assert_less(tf.constant([3.0, 4.0, 5.0, 6.0]), [1.0, 3.0, 9.0, 2.0], message="oops")
    assert error.value.message == (
        "oops\nCondition x < y did not hold element-wise:\nx (Const:0) = \n[3. 4. 5. 6.]\n"
        "y (assert_less/y:0) = \n[1. 3. 9. 2.]")


@pytest.mark.parametrize("check, x", [(tf.assert_positive, [-1]), (tf.assert_negative, [1]),
                                      (tf.assert_non_negative, [-1]), (tf.assert_non_positive, [1])])
def test_known_signs_fail_at_once(check, x):
    with pytest.raises(tf.errors.InvalidArgumentError, match="did not hold element-wise"):
        check(x)


def test_unknown_values_fail_the_step():
    x, y = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    check = tf.assert_equal(x, y, message="they differ")
    run(check, {x: [1, 2], y: [1, 2]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed.*they differ"):
        run(check, {x: [1, 2], y: [1, 3]})
    near = tf.assert_near(x, y, rtol=0.1)
    run(near, {x: [1, 2], y: [1.05, 2]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="not equal to tolerance"):
        run(near, {x: [1, 2], y: [1.5, 2]})


def test_near_needs_floats():
    with pytest.raises(ValueError, match="not inexact"):
        tf.assert_near(1, 2)


def test_ranks():
    x = tf.placeholder(tf.float32, [2])
    with pytest.raises(ValueError, match=r"r\.  Tensor Placeholder:0 must have rank 2\.  Received rank 1, shape \(2,\)"):
        tf.assert_rank(x, 2, message="r")
    with pytest.raises(ValueError, match="must have rank at least 2"):
        tf.assert_rank_at_least(x, 2)
    with pytest.raises(ValueError, match="must have rank in"):
        tf.assert_rank_in(x, (0, 2))
    with pytest.raises(TypeError, match="must be of type tf.int32; got tf.float32"):
        tf.assert_rank(tf.placeholder(tf.float32), 2.0)
    with pytest.raises(ValueError, match="Rank must be a scalar"):
        tf.assert_rank(tf.placeholder(tf.float32), [2])
    unknown = tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must have rank"):
        run(tf.assert_rank(unknown, 2), {unknown: [1.0]})


def test_scalars():
    for shape in (None, [2]):
        with pytest.raises(ValueError, match="Expected scalar shape"):
            tf.assert_scalar(tf.placeholder(tf.int32, shape))


def test_types():
    with pytest.raises(TypeError, match='Expected "x" to be integer type'):
        tf.assert_integer(tf.placeholder(tf.float32))
    with pytest.raises(TypeError, match="mm.  assert_type/tensor:0 must be of type tf.float32; got tf.int32"):
        tf.assert_type(3, tf.float32, message="mm")
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float64)
    with pytest.raises(ValueError, match="must be of the same type"):
        tf.assert_same_float_dtype([x, y])
    with pytest.raises(ValueError, match="Expected floating point type"):
        tf.assert_same_float_dtype([tf.placeholder(tf.int32)])


def test_proper_iterables():
    tf.assert_proper_iterable([1, 2])
    with pytest.raises(TypeError, match='to be a "proper" iterable'):
        tf.assert_proper_iterable(tf.constant(1))
    with pytest.raises(TypeError, match='to be iterable'):
        tf.assert_proper_iterable(3)


def test_numerics():
    x = tf.placeholder(tf.float32, [2])
    for checked in (tf.check_numerics(x, "bad"), tf.verify_tensor_all_finite(x, "bad")):
        np.testing.assert_array_equal(run(checked, {x: [1, 2]}), [1, 2])
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
            run(checked, {x: [1, np.nan]})
    with pytest.raises(ValueError, match="Cannot specify both 't' and 'x'"):
        tf.verify_tensor_all_finite(x, "bad", x=x)


def test_check_numerics_of_the_whole_graph():
    x = tf.placeholder(tf.float32, [2])
    checks = tf.add_check_numerics_ops()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Placeholder:0"):
        run(checks, {x: [1, np.inf]})
    tf.cond(tf.constant(True), lambda: 1.0, lambda: 2.0)
    with pytest.raises(ValueError, match="not compatible with TensorFlow control flow"):
        tf.add_check_numerics_ops()


def test_ensured_shapes():
    x = tf.placeholder(tf.float32, [None])
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(tf.ensure_shape(x, [2]), {x: [1, 2, 3]})
    with pytest.raises(ValueError):
        tf.ensure_shape(tf.constant([1, 2, 3]), [2])


def test_printing(tmp_path, capfd):
    path = tmp_path / "out.txt"
    x = tf.constant([1, 2, 3, 4, 5, 6, 7, 8])
    run(tf.print("x:", x, {"k": [x, "{}"]}, output_stream=f"file://{path}", summarize=2))
    assert path.read_text() == "x: [1 2 ... 7 8] {'k': [[1 2 ... 7 8], '{}']}\n"
    run(tf.print(x, summarize=-1, end="|"))
    assert capfd.readouterr().err == "[1 2 3 4 5 6 7 8]|"
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(x, output_stream="nowhere")
    with pytest.raises(ValueError, match="Unrecognized keyword arguments for tf.print"):
        tf.print(x, foo=3)
