"""tf.py_func, tf.numpy_function, tf.py_function: Python functions called while a graph runs."""
import gc
import queue
import threading

import numpy as np
import pytest

import rill as tf


def run(value):
    with tf.Session() as session:
        return session.run(value)


def test_arrays_go_in_and_come_out():
    seen = []

    def look(*arguments):
        seen.extend(arguments)
        return np.float32(1)

    assert run(tf.py_func(look, [1.0, [1, 2], "abc", ["x", "y"]], tf.float32)) == 1
    assert [type(value) for value in seen] == [np.float32, np.ndarray, bytes, np.ndarray]
    assert seen[1].dtype == np.int32 and seen[3].tolist() == [b"x", b"y"]


def test_names_and_types_of_nodes():
    plain = tf.py_func(lambda x: x, [1.0], tf.float32)
    assert plain.op.type == "PyFunc" and plain.name == "PyFunc:0"
    assert plain.shape.ndims is None
    stateless = tf.py_func(lambda x: x, [1.0], [tf.float32], stateful=False, name="foo")
    assert stateless[0].op.type == "PyFuncStateless" and stateless[0].op.name == "foo"
    assert stateless[0].op.inputs[0].op.name == "foo/input_0"
    assert tf.numpy_function(lambda: 1, [], tf.int64).op.type == "PyFunc"
    assert tf.py_function(lambda x: x, [3.0], tf.float32).op.type == "EagerPyFunc"


@pytest.mark.parametrize("function, types, result", [
    (lambda: 1, tf.int64, 1),
    (lambda: "é", tf.string, "é".encode()),
    (lambda: b"x", tf.string, b"x"),
    (lambda: ["a", "b"], [tf.string, tf.string], [b"a", b"b"]),
    (lambda: np.array(["ab", "c"]), tf.string, [b"ab", b"c"]),
    (lambda: True, tf.bool, True),
    (lambda: np.float32(3), [tf.float32], [3.0]),
    (lambda: (np.arange(3), 2.5), [tf.int64, tf.float64], [[0, 1, 2], 2.5]),
])
def test_results(function, types, result):
    got = run(tf.py_func(function, [], types))
    plain = [value.tolist() if isinstance(value, np.ndarray) else value for value in got] \
        if isinstance(types, list) else got.tolist() if isinstance(got, np.ndarray) else got
    assert plain == result


def test_a_function_without_results():
    calls = []
    node = tf.py_func(lambda: calls.append(1), [], [])
    assert isinstance(node, tf.Operation)
    run(node)
    assert calls == [1]


@pytest.mark.parametrize("function, types, message", [
    (lambda: 1, tf.int32, "0-th value returned by pyfunc_[0-9]+ is int64, but expects int32"),
    (lambda: 1.5, tf.float32, "is double, but expects float"),
    (lambda: ["a", "b"], tf.string, "returns 2 values, but expects to see 1 values."),
    (lambda: None, tf.float32, "returns 0 values, but expects to see 1 values."),
    (lambda: (1.0, 2.0), [tf.float64], "returns 2 values, but expects to see 1 values."),
])
def test_results_that_do_not_fit(function, types, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        run(tf.py_func(function, [], types))


@pytest.mark.parametrize("raised, error", [
    (ValueError("bad value"), "InvalidArgumentError"),
    (TypeError("bad type"), "InvalidArgumentError"),
    (StopIteration(), "OutOfRangeError"),
    (MemoryError("full"), "ResourceExhaustedError"),
    (NotImplementedError("not yet"), "UnimplementedError"),
    (KeyError("k"), "UnknownError"),
])
def test_exceptions_come_out(raised, error):
    def fail():
        raise raised

    with pytest.raises(getattr(tf.errors, error)) as caught:
        run(tf.py_func(fail, [], tf.float32, name="culprit"))
    assert caught.value.__cause__ is raised
    assert caught.value.op.name == "culprit"
    assert f"{type(raised).__name__}: {raised}" in str(caught.value)
    assert "Traceback (most recent call last)" in str(caught.value) and "in fail" in str(caught.value)


def test_an_interrupt_is_not_an_error_of_the_step():
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tf.py_func(interrupt, [], tf.float32))


def test_several_threads():
    x = tf.placeholder(tf.float32, [])
    node = tf.py_func(lambda v: np.float32(v * 2), [x], tf.float32)
    results = {}
    with tf.Session() as session:
        def work(i):
            results[i] = [session.run(node, {x: i}) for _ in range(50)]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {i: [2.0 * i] * 50 for i in range(4)}


def test_functions_may_wait_for_each_other():
    handed = queue.Queue(1)

    def put():
        handed.put(42)
        handed.join()
        return 42

    def get():
        value = handed.get()
        handed.task_done()
        return value

    calls = [tf.py_func(put, [], tf.int64), tf.py_func(get, [], tf.int64)]
    everyone = threading.Barrier(6)
    meetings = [tf.py_func(lambda: everyone.wait(30) * 0, [], tf.int64) for _ in range(6)]
    with tf.Session() as sess:
        for _ in range(3):
            assert sess.run(calls) == [42, 42]
            assert sess.run(meetings) == [0] * 6


def test_the_function_lives_as_long_as_its_graph():
    import weakref

    class Function:
        def __call__(self):
            return np.float32(7)

    function = Function()
    alive = weakref.ref(function)
    with tf.Graph().as_default():
        node = tf.py_func(function, [], tf.float32)
        del function
        gc.collect()
        with tf.Session() as session:
            assert session.run(node) == 7
    del node, session
    gc.collect()
    assert alive() is None


def test_py_function_gives_values():
    assert run(tf.py_function(lambda x: x * 2, [3.0], tf.float32)) == 6
    assert run(tf.py_function(lambda x: x.numpy() + 1, [[1, 2]], tf.int32)).tolist() == [2, 3]
    assert run(tf.py_function(lambda: tf.constant(1.0), [], tf.float32)) == 1
    assert run(tf.py_function(lambda: [1, 2.5, None], [], [tf.int32, tf.float64, tf.float32])) == [
        1, 2.5, 0]


def test_py_function_looks_at_values():
    def look(x, flag):
        assert isinstance(x, tf.Tensor) and tf.executing_eagerly()
        assert x.shape.as_list() == [3] and len(x) == 3
        assert [float(row) for row in x] == [1, 2, 3] and np.asarray(x).tolist() == [1, 2, 3]
        assert bool(flag) and int(x[2]) == 3 and [10, 20, 30, 40][tf.constant(1)] == 20
        assert repr(x[0]) == "<tf.Tensor: shape=(), dtype=float32, numpy=1.0>"
        assert str(x) == "tf.Tensor([1. 2. 3.], shape=(3,), dtype=float32)"
        i, total = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + x[i]), [0, 0.0])
        assert int(i) == 3
        with tf.control_dependencies([x]):
            return tf.cond(flag, lambda: total, lambda: -total)

    assert run(tf.py_function(look, [[1.0, 2, 3], True], tf.float32)) == 6
    assert not tf.executing_eagerly()


def log_huber(x, m):
    if abs(x) <= m:
        return x**2
    return m**2 * (1 - 2 * tf.raw_ops.Log(x=m) + tf.raw_ops.Log(x=x**2))


def test_gradients_flow_through_a_py_function():
    x, m = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    y = tf.py_function(log_huber, [x, m], tf.float32)
    grads = tf.gradients(y * 3, [x, m])
    assert grads[0].op.type == "EagerPyFunc"
    with tf.Session() as session:
        assert session.run([y] + grads, {x: 1.0, m: 2.0}) == [1, 6, 0]
        value, by_x, by_m = session.run([y] + grads, {x: 3.0, m: 2.0})
    assert np.isclose(value, 4 * (1 - 2 * np.log(2) + np.log(9)))
    assert np.isclose(by_x, 3 * 4 * 2 / 3) and np.isclose(by_m, 3 * 2 * 2 * (np.log(9) - 2 * np.log(2)))


def test_errors_inside_a_py_function():
    outside = tf.constant(1.0)
    with pytest.raises(tf.errors.UnknownError, match="Attempting to capture an EagerTensor"):
        run(tf.py_function(lambda x: x + outside, [1.0], tf.float32))
    with pytest.raises(tf.errors.UnknownError, match="InvalidArgumentError: .*Incompatible shapes"):
        run(tf.py_function(lambda x: x + tf.constant([1.0, 2, 3]), [[1.0, 2]], tf.float32))
    with pytest.raises(tf.errors.InvalidArgumentError, match="expects float"):
        run(tf.py_function(lambda x: tf.constant([1, 2]), [1.0], tf.float32))
    with pytest.raises(tf.errors.InvalidArgumentError, match="py_function"):
        run(tf.py_func(lambda: outside, [], tf.float32))


def test_effects_inside_a_py_function_happen_once_and_in_order():
    calls = []

    def note(i):
        return tf.py_func(lambda: calls.append(i) or np.float32(i), [], tf.float32)

    def body():
        first, second = note(1), note(2)
        assert float(first) == 1 and calls == [1, 2]
        return first + note(3) + second

    assert run(tf.py_function(body, [], tf.float32)) == 6
    assert calls == [1, 2, 3]


def test_a_value_outlives_the_call():
    kept = []
    run(tf.py_function(lambda x: kept.append(x) or x, [5.0], tf.float32))
    gc.collect()
    assert float(kept[0]) == 5
    with pytest.raises(RuntimeError, match="Attempting to capture an EagerTensor"):
        kept[0] + 1  # outside of the function a graph is built


def test_no_gradient():
    x = tf.constant(1.0)
    assert tf.gradients(tf.py_func(lambda v: v, [x], tf.float32), [x]) == [None]


def test_objects_that_are_no_texts_are_refused():
    made = tf.py_func(lambda: np.array([1, None], object), [], tf.int64)
    with tf.Session() as session, pytest.raises(tf.errors.InternalError, match="Unsupported object type int"):
        session.run(made)
