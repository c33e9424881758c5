"""Feeds: arrays are lent to a step, not copied, whatever their size; and what cannot be fed."""
import threading
import time

import numpy as np
import pytest

import rill as tf


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("shape", [(1 << 15,), (1 << 20,), (64, 1 << 14)])
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, np.complex128])
def test_a_fed_array_is_lent_and_not_copied(shape, dtype):
    """Small ones are copied, which is quicker. to_dlpack makes the tensor that a feed makes;
    tests/cpp/feeding_test.cc shows that kernels see that one."""
    array = np.ones(shape, dtype)
    assert address(tf.from_dlpack(tf.to_dlpack(array))) == address(array)


def test_a_part_of_an_array_is_lent_too():
    array = np.ones([100000, 4], np.float32)
    assert address(tf.from_dlpack(tf.to_dlpack(array[3:]))) == address(array) + 3 * 16


def test_the_time_to_feed_does_not_grow_with_the_array():
    x = tf.placeholder(tf.float32)
    rank = tf.raw_ops.Rank(input=x)

    def microseconds(array):
        best = 1e9
        with tf.Session() as sess:
            run = sess.make_callable(rank, [x])
            for _ in range(300):
                begin = time.perf_counter()
                run(array)
                best = min(best, time.perf_counter() - begin)
        return best * 1e6

    small, large = microseconds(np.ones(1, np.float32)), microseconds(np.ones(1 << 24, np.float32))
    assert large < small + 50, (small, large)  # a copy of 64 MiB takes thousands


def test_what_is_fed_can_be_changed_afterwards():
    x = tf.placeholder(tf.float32, [2])
    v = tf.raw_ops.VariableV2(shape=[2], dtype=tf.float32)
    keep = tf.raw_ops.Assign(ref=v, value=x)
    array = np.array([1.0, 2.0], np.float32)
    with tf.Session() as sess:
        sess.run(keep, {x: array})
        array[:] = 9
        np.testing.assert_array_equal(sess.run(v), [1.0, 2.0])


def test_a_tensor_cannot_be_fed():
    x, t = tf.placeholder(tf.float32, name="x"), tf.constant(1.0, name="t")
    with pytest.raises(TypeError, match="The value of a feed cannot be a tf.Tensor object. .*numpy ndarrays"):
        tf.Session().run(x + 1.0, {x: t})


def test_shapes_must_fit():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with pytest.raises(ValueError, match=r"Cannot feed value of shape \(3,\) for Tensor '?u?'?x:0'?, which has shape "
                                         r"'\(\?, 2\)'"):
        tf.Session().run(x + 1.0, {x: [1, 2, 3]})


def test_what_is_marked_cannot_be_fed():
    c = tf.constant(1.0, name="c")
    tf.get_default_graph().prevent_feeding(c)
    with pytest.raises(ValueError, match="Tensor c:0 may not be fed"):
        tf.Session().run(c + 1.0, {c: 2.0})


@pytest.mark.parametrize("key", [3, "nothing:0", None, 1.5])
def test_keys_must_be_tensors(key):
    x = tf.placeholder(tf.float32)
    with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
        tf.Session().run(x + 1.0, {key: 1.0})


def test_a_list_is_no_feed_dict():
    x = tf.placeholder(tf.float32)
    with pytest.raises(TypeError):
        tf.Session().run(x + 1.0, [1.0])


def test_numbers_that_do_not_fit():
    i = tf.placeholder(tf.int32)
    with pytest.raises((TypeError, OverflowError, ValueError)):
        tf.Session().run(i + 1, {i: 2 ** 40})


# --- values that stand for several tensors


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


@pytest.fixture(scope="module", autouse=True)
def registered():
    from rill import _session_conversions as conversions
    conversions.register_session_run_conversion_functions(
        Pair, fetch_function=lambda p: ([p.a, p.b], lambda values: tuple(values)),
        feed_function=lambda p, value: [(p.a, value[0]), (p.b, value[1])],
        feed_function_for_partial_run=lambda p: [p.a, p.b])
    yield
    conversions._registered.clear()


def test_registered_classes_are_fetched_and_fed():
    a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    pair = Pair(a, b)
    total = a + b
    with tf.Session() as sess:
        got = sess.run({"pair": [pair], "total": total}, {pair: (1.0, 2.0)})
        assert got == {"pair": [(1.0, 2.0)], "total": 3.0}
        handle = sess.partial_run_setup([total], [pair])
        assert sess.partial_run(handle, total, {pair: (3.0, 4.0)}) == 7.0


def test_a_class_is_registered_once():
    from rill import _session_conversions as conversions
    with pytest.raises(ValueError, match="has already been registered"):
        conversions.register_session_run_conversion_functions(Pair, lambda p: ([p.a], lambda v: v[0]))


def test_attrs_objects_are_fetched_field_by_field():
    class Field:
        def __init__(self, name):
            self.name = name

    class Result:  # as the package attrs makes classes
        __attrs_attrs__ = (Field("a"), Field("b"))

        def __init__(self, a, b):
            self.a, self.b = a, b

    got = tf.Session().run(Result(tf.constant(1.0), [tf.constant(2.0), tf.no_op()]))
    assert type(got) is Result and got.a == 1.0 and got.b == [2.0, None]


def test_slices_without_a_shape():
    s = tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]))
    value = tf.Session().run(s)
    assert type(value).__name__ == "IndexedSlicesValue" and value.dense_shape is None
    fed = tf.Session().run(s.values + 1.0, {s: value._replace(values=np.array([5.0], np.float32))})
    assert fed == [6.0]


def test_sessions_run_from_many_threads():
    x = tf.placeholder(tf.float32, [])
    y = x * 2.0
    results = {}
    with tf.Session() as sess:
        def work(i):
            results[i] = [float(sess.run(y, {x: i + k})) for k in range(50)]
        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {i: [2.0 * (i + k) for k in range(50)] for i in range(8)}
