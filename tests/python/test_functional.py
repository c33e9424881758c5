import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def own_graph():
    with tf.Graph().as_default():
        yield


def test_what_cannot_be_mapped():
    with pytest.raises(ValueError, match="must be 1\\+ dimensional Tensors, not scalars"):
        tf.map_fn(lambda v: v, tf.constant(1.0))
    with pytest.raises(ValueError, match="does not contain any Tensors"):
        tf.map_fn(lambda v: v, [])
    with pytest.raises(TypeError):
        tf.map_fn(3, tf.constant([1.0]))
    with pytest.raises(ValueError, match="Dimensions 3 and 2 are not compatible"):
        tf.map_fn(lambda v: v[0], (tf.placeholder(tf.float32, [3]), tf.placeholder(tf.float32, [2])), dtype=tf.float32)
    with pytest.raises((TypeError, ValueError)):
        tf.map_fn(lambda v: v, tf.constant([1.0]), dtype=tf.int32)


@pytest.mark.parametrize("call", [
    lambda f: tf.map_fn(lambda v: f(v, v), tf.constant([1.0])),
    lambda f: tf.foldl(f, tf.constant([1.0])), lambda f: tf.foldr(f, tf.constant([1.0])),
    lambda f: tf.scan(f, tf.constant([1.0]))])
def test_results_have_the_structure_that_was_promised(call):
    with pytest.raises(ValueError, match="same nested structure"):
        call(lambda a, v: (a, v))


@pytest.mark.parametrize("call", [tf.foldl, tf.foldr, tf.scan])
def test_exceptions_come_out_as_they_are(call):
    class Mine(Exception):
        pass

    def fails(a, v):
        raise Mine("mine")

    with pytest.raises(Mine):
        call(fails, tf.constant([1.0]))


def test_loops_keep_their_scope_after_failures():
    with pytest.raises(ZeroDivisionError):
        tf.map_fn(lambda v: 1 / 0, tf.constant([1.0]))
    assert tf.constant(1.0, name="after").name == "after:0"


def test_branches_agree():
    pred = tf.placeholder(tf.bool, [])
    with pytest.raises(ValueError, match="must have a return value"):
        tf.cond(pred, lambda: None, lambda: None)
    with pytest.raises(ValueError, match="None values not supported"):
        tf.cond(pred, lambda: (1, None), lambda: (2, None))
    with pytest.raises(TypeError, match="must not be a Python bool"):
        tf.cond(True, lambda: 1, lambda: 2)
    with pytest.raises(ValueError, match="same type"):
        tf.cond(pred, lambda: 1, lambda: 2.0)


def test_groups_and_tuples():
    for value in (None, 3):
        with pytest.raises(TypeError, match="expected Tensor arguments not"):
            tf.group(value)
    for tensors in ([], [None]):
        with pytest.raises(ValueError, match="at least one Tensor"):
            tf.tuple(tensors)


def test_bodies_return_something():
    with pytest.raises(ValueError, match="None values not supported"):
        tf.while_loop(lambda i: i < 3, lambda i: None, [tf.constant(0)])


def test_known_branches():
    from rill._control_flow import smart_cond
    with pytest.raises(TypeError, match="must be a Tensor, or a Python bool, or 1 or 0"):
        smart_cond(3, lambda: 1, lambda: 2)
    with pytest.raises(TypeError, match="must be callable"):
        smart_cond(True, 1, lambda: 2)


def test_sums_along_many_elements():
    x = tf.placeholder(tf.float32, [None])
    total = tf.foldl(lambda a, v: a + v, x)
    with tf.Session() as session:
        values = np.arange(1000, dtype=np.float32)
        assert session.run(total, {x: values}) == values.sum()
