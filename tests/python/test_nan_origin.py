"""Where a NaN came from: RILL_FIND_NAN names the node that made the first one and the line that made the node.

In each program a comment marks the line at fault."""

import inspect
import linecache
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import rill as tf

F = np.float32
PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


def fed(*values):
    return tf.placeholder_with_default(np.array(values, F), [len(values)])


@program
def difference_of_infinities():
    x = fed(1e38, 2.) * 10.
    return x - x  # bad


@program
def log_of_negative():
    return tf.reduce_sum(tf.log(fed(1., -1.)))  # bad


@program
def log_among_many():
    x = fed(1., -3.)
    y = tf.nn.relu(x) + 2.
    z = tf.log(x)  # bad
    return tf.concat([y, z, tf.exp(y)], 0)


@program
def square_root_of_negative():
    x = fed(4., -4.)
    return tf.sqrt(x) * 2.  # bad


@program
def reciprocal_square_root():
    x = fed(4., -4.)
    return 1. + tf.math.rsqrt(x)  # bad


@program
def zero_by_zero():
    x = fed(0., 1.)
    return tf.exp(x / x)  # bad


@program
def division_of_sums():
    x = fed(0., 0.)
    mean = tf.reduce_sum(x) / tf.reduce_sum(tf.cast(x > 1., tf.float32))  # bad
    return tf.tanh(mean)


@program
def mean_of_nothing():
    x = fed(1., 2.)
    return tf.reduce_mean(tf.boolean_mask(x, x > 5.))  # bad


@program
def power_of_negative():
    return tf.pow(fed(-2., 2.), .5) + 1.  # bad


@program
def arc_sine_beyond_one():
    return tf.asin(fed(.5, 1.5)) * 3.  # bad


@program
def arc_cosine_beyond_one():
    return tf.acos(fed(.5, 1.5))  # bad


@program
def inverse_tangent_of_two():
    return tf.atanh(fed(.5, 2.))  # bad


@program
def arc_hyperbolic_cosine():
    return tf.acosh(fed(.5, 2.))  # bad


@program
def log1p_below_minus_one():
    return tf.log1p(fed(.5, -2.))  # bad


@program
def gamma_of_negative():
    return tf.math.igamma(fed(-1., 2.), fed(1., 2.))  # bad


@program
def zero_times_infinity():
    big = tf.exp(fed(200., 1.))
    return tf.constant([0., 1.]) * big  # bad


@program
def sine_of_infinity():
    big = tf.exp(fed(200., 1.))
    return tf.sin(big)  # bad


@program
def own_softmax():
    x = fed(100., 1.)
    e = tf.exp(x)
    return e / tf.reduce_sum(e)  # bad


@program
def own_cross_entropy():
    p = fed(0., 1.)
    return -tf.reduce_sum(p * tf.log(p))  # bad


@program
def product_of_matrices():
    a = tf.reshape(tf.exp(fed(200., 1., 1., 1.)), [2, 2])
    b = tf.constant([[0., 1.], [1., 1.]])
    return tf.matmul(a, b)  # bad


@program
def sum_of_both_infinities():
    x = tf.exp(fed(200., 1.))
    both = tf.concat([x, -x], 0)
    return tf.reduce_sum(both)  # bad


@program
def gradient_of_square_root():
    x = fed(0., 4.)
    y = tf.sqrt(tf.square(x))  # forward
    return tf.gradients(y, x)[0]


@program
def gradient_of_norm():
    x = fed(0., 0.)
    return tf.gradients(tf.norm(x), x)[0]  # bad


@program
def gradient_of_where():
    x = fed(0., 1.)
    y = tf.where(x > 0., tf.log(x), tf.zeros_like(x))  # forward
    return tf.gradients(y, x)[0]


@program
def gradient_of_division():
    x = fed(0., 1.)
    y = tf.where(x > 0., 1. / x, x)  # forward
    return tf.gradients(y, x)[0]


@program
def gradient_of_an_exponent():
    base, exponent = fed(-2., 2.), fed(2., 2.)
    y = tf.pow(base, exponent) / tf.log(base)  # bad
    return tf.gradients(y, exponent)[0]


@program
def in_a_loop():
    return tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, tf.log(x)), [0, fed(3.)])[1]  # bad


@program
def late_in_a_loop():
    def body(i, x):
        less = x - 1.
        return i + 1, tf.sqrt(less) + less  # bad
    return tf.while_loop(lambda i, x: i < 4, body, [0, fed(1.5)])[1]


@program
def in_a_nested_loop():
    def inner(j, y):
        return j + 1, tf.log(y)  # bad

    def outer(i, x):
        return i + 1, tf.while_loop(lambda j, y: j < 3, inner, [0, x])[1]
    return tf.while_loop(lambda i, x: i < 2, outer, [0, fed(2.)])[1]


@program
def in_a_branch():
    x = fed(-1., 1.)
    return tf.cond(tf.reduce_sum(x) < 1., lambda: tf.log(x), lambda: x)  # bad


@program
def in_a_case():
    x = fed(-1., 1.)
    return tf.case([(tf.reduce_sum(x) > 1., lambda: x)], default=lambda: tf.sqrt(x))  # bad


@program
def in_map_fn():
    return tf.map_fn(lambda x: tf.log(x), fed(1., 2., -1.))  # bad


@program
def in_scan():
    return tf.scan(lambda a, x: tf.sqrt(a - x), fed(9., 1., 1., 1., 1.))  # bad


@program
def in_a_function():
    from rill.python.framework import function

    @function.Defun(tf.float32)
    def inside(x):
        return tf.log(x - 3.)
    return inside(fed(1., 5.)) + 1.  # bad (of a function's nodes the line of the call is known)


@program
def in_a_dense_layer():
    x = tf.reshape(fed(1., -2.), [1, 2])
    hidden = tf.layers.dense(x, 3, kernel_initializer=tf.ones_initializer())
    return tf.layers.dense(hidden, 2, activation=tf.log, kernel_initializer=tf.ones_initializer())  # bad


@program
def in_an_embedding():
    table = tf.get_variable("table", initializer=np.array([[1.], [-1.], [4.]], F))
    rows = tf.nn.embedding_lookup(table, tf.placeholder_with_default([0, 2, 1], [3]))
    return tf.sqrt(rows)  # bad


@program
def gradient_of_an_embedding():
    table = tf.get_variable("table", initializer=np.array([[1.], [0.], [4.]], F))
    rows = tf.nn.embedding_lookup(table, tf.placeholder_with_default([0, 1], [2]))
    loss = tf.reduce_sum(rows * tf.log(rows))  # forward
    return tf.gradients(loss, table)[0].values


@program
def in_batch_normalization():
    x = tf.reshape(fed(1., 1., 1., 1.), [1, 1, 2, 2])
    mean, variance = tf.nn.moments(x, [0, 1, 2])
    return tf.nn.batch_normalization(x, mean, variance - 1., None, None, 1e-3)  # bad


@program
def after_a_convolution():
    x = tf.reshape(fed(*([1.] * 16)), [1, 4, 4, 1])
    y = tf.nn.conv2d(x, -tf.ones([3, 3, 1, 1]), [1, 1, 1, 1], "SAME")
    return tf.nn.relu(tf.log(y))  # bad


@program
def attention_all_masked():
    scores = tf.reshape(fed(1., 2., 3., 4.), [2, 2])
    masked = tf.where([[True, True], [False, False]], scores, tf.fill([2, 2], -np.inf))
    return tf.nn.softmax(masked)  # bad


@program
def float64_too():
    x = tf.cast(fed(-1., 1.), tf.float64)
    return tf.log(x)  # bad


@program
def half_overflows():
    x = tf.cast(fed(300., 1.), tf.float16)
    big = x * x
    return big - big  # bad


@program
def bfloat16_too():
    x = tf.cast(fed(-4., 1.), tf.bfloat16)
    return tf.cast(tf.sqrt(x), tf.float32)  # bad


@program
def complex_too():
    x = tf.cast(fed(0., 1.), tf.complex64)
    return tf.abs(x / x)  # bad


@program
def cholesky_then_log():
    a = tf.reshape(fed(2., 0., 0., 3.), [2, 2])
    diagonal = tf.linalg.diag_part(tf.cholesky(a))
    return tf.reduce_sum(tf.log(diagonal - 1.6))  # bad


@program
def wasserstein_penalty():
    x = fed(0., 0.)
    norm = tf.sqrt(tf.reduce_sum(tf.square(x)))  # forward
    return tf.gradients(tf.square(norm - 1.), x)[0]


@program
def gaussian_likelihood():
    mean, sigma = fed(0.), fed(-1.)
    return -tf.square(1. - mean) / (2. * sigma * sigma) - tf.log(sigma)  # bad


@program
def learning_rate_by_hand():
    step = tf.placeholder_with_default(np.float32(-1.), [])
    return .1 * tf.pow(step / 100., .5)  # bad


@program
def normalised_by_deviation():
    x = fed(3., 3., 3.)
    deviation = tf.sqrt(tf.reduce_mean(tf.square(x - tf.reduce_mean(x))))
    return (x - tf.reduce_mean(x)) / deviation  # bad


@program
def cosine_of_zero_vector():
    a, b = fed(0., 0.), fed(1., 1.)
    return tf.reduce_sum(a * b) / (tf.norm(a) * tf.norm(b))  # bad


def marks(function, word):
    lines, first = inspect.getsourcelines(function)
    return [first + i for i, line in enumerate(lines) if f"# {word}" in line]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_line_is_named(function, monkeypatch):
    monkeypatch.setenv("RILL_FIND_NAN", "stop")
    with tf.Graph().as_default():
        fetch = function()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                session.run(fetch)
    text = str(caught.value)
    assert "made the first NaN of this step" in text, text
    bad, forward = marks(function, "bad"), marks(function, "forward")
    if bad:
        line = int(re.search(r"made the first NaN of this step, made at \S*test_nan_origin\.py:(\d+)", text)[1])
        assert line in bad, (linecache.getline(__file__, line), text)
    else:
        line = int(re.search(r"part of the gradient of '\S+' \(\S*test_nan_origin\.py:(\d+)\)", text)[1])
        assert line in forward, (linecache.getline(__file__, line), text)


def test_there_are_fifty():
    assert len(PROGRAMS) >= 50


def test_a_fed_nan_is_named(monkeypatch):
    monkeypatch.setenv("RILL_FIND_NAN", "stop")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, name="x")
        with pytest.raises(tf.errors.InvalidArgumentError, match="'x(:0)?' was fed the first NaN"):
            session.run(tf.exp(x), {x: np.nan})


def test_a_variable_that_went_bad_is_named(monkeypatch):
    monkeypatch.setenv("RILL_FIND_NAN", "stop")
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable([np.nan, 1.], name="weights", dtype=tf.float32)
        loss = tf.reduce_sum(w * 2.)
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="weights"):
            session.run(loss)


def test_healthy_steps_and_infinities_pass(monkeypatch):
    monkeypatch.setenv("RILL_FIND_NAN", "stop")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [2])
        masked = tf.nn.softmax(tf.where(x > 0., x, tf.fill([2], -np.inf)))
        np.testing.assert_array_equal(session.run(masked, {x: [1., -1.]}), [1., 0.])


def test_reports_go_on_and_come_once(tmp_path):
    program = tmp_path / "train.py"
    program.write_text("import rill as tf\nx = tf.placeholder(tf.float32)\ny = tf.log(x)\ns = tf.Session()\n"
                       "print([s.run(y, {x: v}) for v in (1., -1., -1., -1.)])\n")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "RILL_FIND_NAN": "report"})
    assert done.returncode == 0 and done.stdout == "[0.0, nan, nan, nan]\n", done.stderr
    assert done.stderr.count("made the first NaN") == 1 and "train.py:3" in done.stderr, done.stderr
