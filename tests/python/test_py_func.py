"""tf.py_func, tf.numpy_function, tf.py_function: Python functions called while a graph runs."""
import gc
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
    with pytest.raises(tf.errors.UnimplementedError, match="eagerly"):
        run(tf.py_function(lambda: tf.constant(1.0), [], tf.float32))


def test_no_gradient():
    x = tf.constant(1.0)
    assert tf.gradients(tf.py_func(lambda v: v, [x], tf.float32), [x]) == [None]
